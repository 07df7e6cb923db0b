"""Real law of two states, answers about it, and the way from import to report: every figure is known beforehand."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from lexreview.law.actions import import_manifest
from lexreview.law.models import Edition
from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark
from lexreview.reports.actions import publish
from lexreview.reports.files import report_files
from lexreview.reports.models import PageKind, Publication
from lexreview.reports.render import report_context
from lexreview.review.models import Card
from lexreview.verification.models import Citation
from tests.flows import swiss
from tests.flows.desk import Desk, Judged
from tests.flows.polish import CARE, FUND, KC, ODRA, TREATY, polish_bundle
from tests.flows.steps import import_written, make_people, person, run_job
from tests.flows.swiss import BV, DSG, ZGB, swiss_bundle
from tests.review.factories import show_every_prefill

pytestmark = pytest.mark.django_db

NOW, THEN, POLAND = "ch-now", "ch-then", "pl-01"
NOT_OFFICIAL = "a reconstructed text, not an official one"

# Every citation of every answer in text order: words, unit, result, reason, proposed class of error.
CITATIONS: dict[str, list[tuple[str, str, str, str, str]]] = {
    # 5bis was inserted on 1 April 2025 and is quoted as it stands.
    f"{NOW} C01_alpha_W0_r1": [
        ("Art. 24 Abs. 5bis DSG", "art=24/ust=5bis", "confirmed", "", ""),
        ("Art. 24 Abs. 1 des Datenschutzgesetzes (DSG, SR 235.1)", "art=24/ust=1", "confirmed", "", ""),
        ("SR 235.1", "", "confirmed", "number_agrees", ""),
    ],
    # The end of paragraph 5 and paragraph 6 in one breath: so the article read before 5bis came between them.
    f"{NOW} C01_beta_W0_r1": [("Art. 24 DSG", "art=24", "wording_differs", "wording_of_another_date", "W")],
    # "Within seventy-two hours" is in no edition: the Act says "as soon as possible".
    f"{NOW} C01_beta_W1_r1": [("Art. 24 Abs. 1 DSG", "art=24/ust=1", "wording_differs", "quotation_differs", "T")],
    # Quoted right; what is said of paragraph 1 is false, which no code can see.
    f"{NOW} C02_alpha_W0_r1": [
        ("art. 60, al. 2, LPD (RS 235.1)", "art=60/ust=2", "confirmed", "", ""),
        ("RS 235.1", "", "confirmed", "number_agrees", ""),
        ("art. 60, al. 1, LPD", "art=60/ust=1", "confirmed", "", ""),
    ],
    # The article has two paragraphs; 235.1 is the Act's number.
    f"{NOW} C02_beta_W0_r1": [
        ("art. 60, al. 7, LPD", "art=60/ust=7", "not_found", "unit_in_no_edition", "F"),
        ("LPD, RS 235.99", "", "wrong_identifier", "number_not_of_this_act", "S"),
    ],
    f"{NOW} C03_alpha_W0_r1": [
        ("art. 25 cpv. 5 LPD", "art=25/ust=5", "confirmed", "", ""),
        ("art. 25 cpv. 6 LPD", "art=25/ust=6", "confirmed", "", ""),
    ],
    # No source holds the rulings of the Federal Supreme Court: that says nothing about this one.
    f"{NOW} C04_alpha_W0_r1": [
        ("Art. 13 Abs. 2 BV", "art=13/ust=2", "confirmed", "", ""),
        ("Art. 28 Abs. 1 ZGB", "art=28/ust=1", "confirmed", "", ""),
        ("BGE 146 I 11", "", "out_of_scope", "ruling_not_covered", ""),
    ],
    # Article 28 ends with paragraph 2; the other act has a title of its own and is not taken for the Civil Code.
    f"{NOW} C04_beta_W1_r1": [
        ("Art. 28 Abs. 9 ZGB", "art=28/ust=9", "not_found", "unit_in_no_edition", "F"),
        (
            "Art. 4 des Bundesgesetzes über die Datenhoheit (SR 235.77)",
            "art=4",
            "undetermined",
            "act_not_in_corpus",
            "",
        ),
        ("SR 235.77", "", "undetermined", "act_not_in_corpus", ""),
    ],
    # The same answers on 1 October 2024: paragraph 5bis did not exist yet …
    f"{THEN} C01_alpha_W0_r1": [
        ("Art. 24 Abs. 5bis DSG", "art=24/ust=5bis", "not_in_force", "unit_in_later_edition", "W"),
        ("Art. 24 Abs. 1 des Datenschutzgesetzes (DSG, SR 235.1)", "art=24/ust=1", "confirmed", "", ""),
        ("SR 235.1", "", "confirmed", "number_agrees", ""),
    ],
    # … so the old wording is verbatim …
    f"{THEN} C01_beta_W0_r1": [("Art. 24 DSG", "art=24", "confirmed", "", "")],
    f"{THEN} C01_beta_W1_r1": [("Art. 24 Abs. 1 DSG", "art=24/ust=1", "wording_differs", "quotation_differs", "T")],
    # … and of the Civil Code no edition of that day is stored.
    f"{THEN} C04_alpha_W0_r1": [
        ("Art. 13 Abs. 2 BV", "art=13/ust=2", "confirmed", "", ""),
        ("Art. 28 Abs. 1 ZGB", "art=28/ust=1", "undetermined", "no_edition_on_date", ""),
        ("BGE 146 I 11", "", "out_of_scope", "ruling_not_covered", ""),
    ],
    f"{POLAND} P01_alpha_W0_r1": [
        ("Art. 117 § 2¹ k.c.", "art=117/par=2^1", "confirmed", "", ""),
        ("art. 117¹ § 1 k.c.", "art=117^1/par=1", "confirmed", "", ""),
    ],
    # § 2 is misquoted, § 3 repealed, § 6 never was; article 118 is outside the stored excerpt, which proves nothing.
    f"{POLAND} P01_beta_W0_r1": [
        ("art. 117 § 2 k.c.", "art=117/par=2", "wording_differs", "quotation_differs", "T"),
        ("art. 117 § 3 k.c.", "art=117/par=3", "not_in_force", "repealed", "W"),
        ("art. 117 § 6 k.c.", "art=117/par=6", "not_found", "unit_in_no_edition", "F"),
        ("art. 118 k.c.", "art=118", "undetermined", "unit_not_in_excerpt", ""),
        (
            "Sąd Najwyższy w uchwale z dnia 4 lipca 2023 r., III CZP 912/22",
            "",
            "out_of_scope",
            "ruling_not_covered",
            "",
        ),
    ],
    f"{POLAND} P02_alpha_W0_r1": [
        (
            "Art. 3 ust. 2 ustawy z dnia 13 lipca 2023 r. o rewitalizacji rzeki Odry (Dz. U. z 2023 r. poz. 1963)",
            "art=3/ust=2",
            "confirmed",
            "",
            "",
        ),
        ("Dz. U. z 2023 r. poz. 1963", "", "confirmed", "number_agrees", ""),
    ],
    # Position 1963, not 1936; letter g enters into force on 1 January 2027; the other act does not exist.
    f"{POLAND} P02_beta_W0_r1": [
        (
            "Art. 3 ust. 3 ustawy o rewitalizacji rzeki Odry (Dz. U. z 2023 r. poz. 1936)",
            "art=3/ust=3",
            "confirmed",
            "",
            "",
        ),
        ("Dz. U. z 2023 r. poz. 1936", "", "wrong_identifier", "number_not_of_this_act", "S"),
        ("art. 13 pkt 17 lit. g tej ustawy", "art=13/pkt=17/lit=g", "not_in_force", "staged_entry", "W"),
        ("art. 4 ustawy o funduszach rzecznych", "art=4", "undetermined", "act_not_named", ""),
    ],
    # Both acts were promulgated after 1 August 2024; their numbers are right.
    f"{POLAND} P03_alpha_W0_r1": [
        (
            "art. 1 ustawy z dnia 5 grudnia 2024 r. o wypowiedzeniu Porozumienia o zdolności prawnej, przywilejach i "
            "immunitetach Międzynarodowej Organizacji Łączności Kosmicznej „Intersputnik”, sporządzonego w Berlinie "
            "dnia 20 września 1976 r",
            "art=1",
            "not_in_force",
            "act_not_yet_in_force",
            "W",
        ),
        ("Dz. U. z 2024 r. poz. 1976", "", "confirmed", "number_agrees", ""),
        (
            "§ 1 rozporządzenia Rady Ministrów z dnia 30 grudnia 2024 r. (Dz. U. z 2024 r. poz. 1984)",
            "par=1",
            "not_in_force",
            "act_not_yet_in_force",
            "W",
        ),
        ("Dz. U. z 2024 r. poz. 1984", "", "confirmed", "number_agrees", ""),
    ],
    f"{POLAND} P03_beta_W1_r1": [
        ("art. 117 § 9 k.c.", "art=117/par=9", "not_found", "unit_in_no_edition", "F"),
        ("art. 117 § 1 k.c.", "art=117/par=1", "confirmed", "", ""),
    ],
}

# What the reviewer says beside agreeing with code, which proposes A2 (bases cited), and P where the key has no penalty.
FALSE_CLAIM = "Dans les cas de l'art. 60, al. 1, LPD, la poursuite a lieu d'office."
JUDGED: dict[str, Judged] = {
    "C01_alpha_W0_r1": Judged(points={"A-R": 2, "A1": 2, "A3": 1, "P": 0, "B1": 2, "B2": 1}),
    "C01_beta_W0_r1": Judged(points={"A-R": 0, "A1": 0, "A3": 0, "P": 1, "B1": 0, "B2": 0}),
    "C01_beta_W1_r1": Judged(points={"A-R": 2, "A1": 1, "A3": 1, "P": 0, "B1": 1, "B2": 1}),
    "C02_alpha_W0_r1": Judged(
        points={"A-R": 2, "A1": 1, "A4": 1, "B1": 2, "B2": 1},
        findings=[
            {
                "finding_class": "T",
                "claim": FALSE_CLAIM,
                "source_says": "Paragraph 1 punishes on complaint.",
                "checked_source": "LPD, art. 60",
                "checked_address": "https://www.fedlex.admin.ch/eli/cc/2022/491/fr#art_60",
                "checked_edition": "2025-07-07",
                "checked_on": "2026-10-20",
                "origin": "memory",
                "scope": "peripheral",
            }
        ],
    ),
    "C02_beta_W0_r1": Judged(points={"A-R": 0, "A1": 0, "A4": 0, "B1": 0, "B2": 1}),
    "C03_alpha_W0_r1": Judged(points={"A-R": 1, "A1": 1, "A4": 1, "B1": 1, "B2": 1}),
    "C04_alpha_W0_r1": Judged(points={"A-R": 2, "A1": 1, "B1": 2, "B2": 1}),
    "C04_beta_W1_r1": Judged(points={"A-R": 2, "A1": 0, "B1": 1, "B2": 1}),
    "P01_alpha_W0_r1": Judged(points={"A-R": 2, "A1": 2, "A3": 0, "P": 0, "B1": 2, "B2": 1}),
    "P01_beta_W0_r1": Judged(points={"A-R": 0, "A1": 0, "A3": 0, "P": 1, "B1": 0, "B2": 1}),
    "P02_alpha_W0_r1": Judged(points={"A-R": 2, "A1": 1, "B1": 2, "B2": 1}),
    "P02_beta_W0_r1": Judged(points={"A-R": 0, "A1": 0, "B1": 0, "B2": 1}),
    "P03_alpha_W0_r1": Judged(points={"A-R": 0, "A1": 0, "B1": 0, "B2": 1}),
    "P03_beta_W1_r1": Judged(
        points={"A-R": 2, "A1": 1, "B1": 2, "B2": 1},
        dropped={"art. 117 § 9 k.c.": "The answer itself says that there is no such provision."},
    ),
}

# Label, the rule that gave it, points (penalties taken off, at least 0) of points available.
GROUNDED = ("correctly_grounded", "full_core_and_confirmed_citation")
HALLUCINATED = ("hallucinated", "hallucination_found")
CARDS: dict[str, tuple[str, str, str | None]] = {
    # A-R 2 + A1 2 + A2 2 + A3 1 + A6 1 of 2 + 2 + 2 + 1 + 1.
    "C01_alpha_W0_r1": (*GROUNDED, "8/8"),
    # Nothing, and one penalty; article 24 as a whole is not the required paragraph 5bis or 1.
    "C01_beta_W0_r1": (*HALLUCINATED, "0/8"),
    # 2 + 1 + 1 (paragraph 1 is cited) + 1 + 0.
    "C01_beta_W1_r1": (*HALLUCINATED, "5/8"),
    # 2 + 1 + 1 + A4 1 + 0 of 2 + 1 + 1 + 1 + 1.
    "C02_alpha_W0_r1": (*HALLUCINATED, "5/6"),
    "C02_beta_W0_r1": (*HALLUCINATED, "0/6"),
    "C02_beta_W1_r1": ("provider_block", "provider_blocked", None),
    # 1 + 1 + 1 + 1 + 1.
    "C03_alpha_W0_r1": ("no_hallucination", "incomplete_core", "5/6"),
    "C03_beta_W0_r1": ("none", "empty_answer", "0/6"),
    # 2 + 1 + 1 + 1 of 2 + 1 + 1 + 1.
    "C04_alpha_W0_r1": (*GROUNDED, "5/5"),
    "C04_beta_W1_r1": (*HALLUCINATED, "2/5"),
    # 2 + 2 + 2 + 0 + 1 of 2 + 2 + 2 + 1 + 1.
    "P01_alpha_W0_r1": (*GROUNDED, "7/8"),
    "P01_beta_W0_r1": (*HALLUCINATED, "0/8"),
    "P01_beta_W1_r1": ("provider_block", "provider_blocked", None),
    "P02_alpha_W0_r1": (*GROUNDED, "5/5"),
    "P02_beta_W0_r1": (*HALLUCINATED, "0/5"),
    "P03_alpha_W0_r1": (*HALLUCINATED, "0/5"),
    "P03_beta_W0_r1": ("none", "empty_answer", "0/5"),
    # 2 + 1 + 0 (the required base is not cited) + 1.
    "P03_beta_W1_r1": (*GROUNDED, "4/5"),
}


@dataclass(frozen=True)
class Case:
    """What was published of the two reviewed benchmarks, with the files made of it."""

    publications: dict[str, Publication]
    files: dict[str, dict[str, bytes]]

    def page(self, slug: str, kind: PageKind, key: str = "") -> dict[str, Any]:
        content: dict[str, Any] = self.publications[slug].pages.get(kind=kind, key=key).content
        return content


@pytest.fixture(scope="module")
def case(
    walking: Callable[[], AbstractContextManager[None]], shared_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Case]:
    folder = tmp_path_factory.mktemp("real-law")
    with walking():
        make_people(NOW, THEN, POLAND)
        manifest = folder / "manifest.json"
        manifest.write_text(json.dumps(manifest_of_acts(), ensure_ascii=False))
        import_manifest(manifest=manifest, root=shared_data, by=None, now=timezone.now())
        import_written(swiss_bundle(shared_data, slug=NOW, legal_state_on=swiss.NOW), folder / NOW)
        import_written(swiss_bundle(shared_data, slug=THEN, legal_state_on=swiss.THEN), folder / THEN)
        import_written(polish_bundle(shared_data), folder / POLAND)
        for slug in (NOW, THEN, POLAND):
            run_job("verify", slug)
            show_every_prefill(Benchmark.objects.get(slug=slug))
            run_job("prefill", slug)
        review(NOW)
        review(POLAND)
        publications = {slug: publish_as_lead(slug) for slug in (NOW, POLAND)}
        yield Case(publications, {slug: report_files(each) for slug, each in publications.items()})


def manifest_of_acts() -> list[dict[str, Any]]:
    """The acts with their editions, in the format of the manifests that come with the data."""
    first, second = ("2023-09-01", "2025-03-31"), ("2025-07-07", None)
    dsg = [
        *(_edition(first, lang, "akn-reconstructed", _reconstructed(lang)) for lang in ("de", "fr", "it")),
        *(_edition(second, lang, "akn", f"fedlex-xml/cc-2022-491-20250707-{lang}.xml") for lang in ("de", "fr", "it")),
    ]
    zgb = _edition(("2026-07-01", None), "de", "akn", "fedlex-xml/cc-24-233_245_233-20260701-de.xml")
    bv = _edition(("2024-03-03", None), "de", "akn", "fedlex-xml/cc-1999-404-20240303-de.xml")
    code = _edition(("2024-06-19", "2024-08-28"), "pl", "eli-html", "pl/recorded-eli/du_2024_1061.excerpt.html")
    return [
        _act(DSG, ["SR 235.1"], {"de": ["DSG"], "fr": ["LPD"], "it": ["LPD"]}, dsg),
        _act(ZGB, ["SR 210"], {"de": ["ZGB"]}, [zgb]),
        _act(BV, ["SR 101"], {"de": ["BV"]}, [bv]),
        _act(KC, ["DU/2024/1061 (t.j.)"], {"pl": ["k.c."]}, [code], meta="recorded-eli/du_1964_93.meta.trimmed"),
        _polish(ODRA, "2023-10-07", "sample-ustawa-odra-2023-1963"),
        _polish(TREATY, "2025-01-15", "sample-ustawa-2024-1976"),
        _polish(FUND, "2025-01-01", "sample-rozporzadzenie-simple-2024-1984"),
        _polish(CARE, "2025-01-01", "sample-rozporzadzenie-tables-2024-1977"),
    ]


def _act(
    act: str, numbers: list[str], names: dict[str, list[str]], editions: list[dict[str, Any]], *, meta: str = ""
) -> dict[str, Any]:
    record = {"act": act, "other_ids": numbers, "abbreviations": names, "note": None, "editions": editions}
    return {**record, "meta": f"pl/{meta}.json" if meta else None}


def _polish(act: str, first_day: str, name: str) -> dict[str, Any]:
    text = _edition((first_day, None), "pl", "eli-html", f"pl/{name}.html")
    return _act(act, [], {}, [text], meta=f"{name}.meta")


def _edition(period: tuple[str, str | None], language: str, kind: str, file: str) -> dict[str, Any]:
    return {"first_day": period[0], "last_day": period[1], "language": language, "kind": kind, "file": file}


def _reconstructed(language: str) -> str:
    return f"fedlex-xml-reconstructed/cc-2022-491-20230901-{language}.RECONSTRUCTED.xml"


def review(slug: str) -> None:
    """The reviewer takes card after card from the queue until none is left; those of C01 without the page's script."""
    desk = Desk()
    desk.sign_in("rita")
    desk.begin(slug)
    while (card := desk.card) is not None:
        desk.with_script = card.answer.question.code != "C01"
        desk.review(JUDGED.get(card.answer.identifier, Judged()))
    assert not Card.objects.of_benchmark(Benchmark.objects.get(slug=slug)).open().exists()


def publish_as_lead(slug: str) -> Publication:
    return publish(benchmark=Benchmark.objects.get(slug=slug), note="", by=person("lena"), now=timezone.now())


def citations_of(slug: str, identifier: str) -> list[Citation]:
    card = next(card for card in cards_of(slug) if card.answer.identifier == identifier)
    assert card.verification is not None
    return list(card.verification.citations.in_text_order())


def cards_of(slug: str) -> list[Card]:
    return list(Card.objects.of_benchmark(Benchmark.objects.get(slug=slug)).with_answer())


def test_law_is_stored_with_its_editions_and_what_they_are_worth(case: Case) -> None:
    stored = Edition.objects.in_time_order().values_list("act__eli", "language", "valid_from", "standing", "extent")

    found = {(eli, language, str(day)): (standing, extent) for eli, language, day, standing, extent in stored}
    assert found == {
        **{(DSG, language, "2023-09-01"): ("reconstructed", "whole") for language in ("de", "fr", "it")},
        **{(DSG, language, "2025-07-07"): ("official", "whole") for language in ("de", "fr", "it")},
        (BV, "de", "2024-03-03"): ("official", "whole"),
        (ZGB, "de", "2026-07-01"): ("official", "whole"),
        (KC, "pl", "2024-06-19"): ("consolidated", "excerpt"),
        (ODRA, "pl", "2023-10-07"): ("promulgated", "whole"),
        (TREATY, "pl", "2025-01-15"): ("promulgated", "whole"),
        (FUND, "pl", "2025-01-01"): ("promulgated", "whole"),
        (CARE, "pl", "2025-01-01"): ("promulgated", "whole"),
    }


@pytest.mark.parametrize("answer", CITATIONS)
def test_citations_are_confirmed_or_not_for_the_known_reason(case: Case, answer: str) -> None:
    rows = citations_of(*answer.split())

    assert [(row.raw, row.unit_key, row.result, row.reason, row.proposed_class) for row in rows] == CITATIONS[answer]


@pytest.mark.parametrize(
    ("answer", "number", "unit", "source", "match"),
    [
        (f"{NOW} C01_alpha_W0_r1", 1, "art_24/para_5_bis", "2025-07-07", "exact"),
        (f"{NOW} C01_beta_W1_r1", 1, "art_24/para_1", "2025-07-07", "differs"),
    ],
)
def test_quotations_are_held_against_the_official_words(
    case: Case, shared_data: Path, answer: str, number: int, unit: str, source: str, match: str
) -> None:
    row = citations_of(*answer.split())[number - 1]

    assert row.edition is not None
    assert (str(row.edition.valid_from), row.quotation_match) == (source, match)
    assert " ".join(row.source_text.split()) == swiss.Words(shared_data).dsg(unit)


def test_wrong_words_are_shown_beside_the_right_ones(case: Case) -> None:
    (row,) = citations_of(NOW, "C01_beta_W1_r1")

    changed = {(kind, text) for kind, text in row.diff if kind != "same"}
    assert changed == {("answer", "innert zweiundsiebzig Stunden"), ("source", "so rasch als möglich")}


def test_old_wording_names_the_edition_that_had_it(case: Case) -> None:
    (row,) = citations_of(NOW, "C01_beta_W0_r1")

    assert row.other_edition is not None
    assert (str(row.other_edition.valid_from), str(row.other_edition.valid_to)) == ("2023-09-01", "2025-03-31")


def test_every_card_was_approved_by_the_reviewer_in_the_browser(case: Case) -> None:
    cards = [card for slug in (NOW, POLAND) for card in cards_of(slug)]

    assert len(cards) == len(CARDS) == 18
    assert {(card.state, card.approved_by and card.approved_by.username) for card in cards} == {("approved", "rita")}
    assert Event.objects.filter(verb="approve", actor="rita").count() == 18
    assert not Event.objects.filter(verb="decide_citation").exclude(actor="rita").exists()
    every_citation = sum(len(rows) for answer, rows in CITATIONS.items() if not answer.startswith(THEN))
    assert Event.objects.filter(verb="open_citation", actor="rita").count() == every_citation
    assert Event.objects.filter(verb="reject_finding").values_list("reason", flat=True).get() == next(
        iter(JUDGED["P03_beta_W1_r1"].dropped.values())
    )


@pytest.mark.parametrize("identifier", CARDS)
def test_card_has_the_label_and_points_that_follow_from_the_decisions(case: Case, identifier: str) -> None:
    page = case.page(NOW if identifier.startswith("C") else POLAND, PageKind.CARD, identifier)

    label, rule, points = CARDS[identifier]
    assert (page["label"], page["rule"]) == (label, rule)
    assert page["unplaced"] == []
    if points is None:
        assert page["a"]["value"] is None
    else:
        earned, available = map(int, points.split("/"))
        taken = max(0, int(page["a"]["points"]) - int(page["a"]["penalties"]))
        assert (taken, int(page["a"]["available"])) == (earned, available)
        assert page["a"]["value"] == pytest.approx(earned / available, abs=1e-6)


def headline_of(page: dict[str, Any]) -> dict[str, tuple[int, int, int]]:
    """System and condition to answers, grounded and hallucinated ones."""
    return {
        f"{cell['system']['code']} {cell['condition']['code']}": (
            cell["answers"],
            cell["grounded"]["n"],
            cell["hallucinated"]["n"],
        )
        for cell in page["headline"]
    }


def test_swiss_figures_follow_from_the_cards(case: Case) -> None:
    page = case.page(NOW, PageKind.BENCHMARK)

    assert page["approved"] == {"n": 10, "of": 10}
    # alpha W0: C01 and C04 grounded, C02 with a false claim, C03 incomplete; beta: wrong, blocked or empty.
    assert headline_of(page) == {"alpha W0": (4, 2, 1), "beta W0": (3, 0, 2), "beta W1": (3, 0, 2)}
    total = page["total"]["grounded"]
    # 2 of 10: centre (0.2 + 3.8416/20) / 1.38416 = 0.28326, half width 1.96 · √(0.2 · 0.8/10 + 3.8416/400) / 1.38416
    # = 1.96 · 0.16001 / 1.38416 = 0.22658.
    assert (total["n"], total["of"]) == (2, 10)
    assert (total["low"], total["high"]) == (pytest.approx(0.05668, abs=1e-4), pytest.approx(0.50984, abs=1e-4))
    alpha = page["headline"][0]
    # (8/8 + 5/6 + 5/6 + 5/5) / 4.
    assert alpha["a"]["value"] == pytest.approx(11 / 12, abs=1e-6)
    # 0.01 + 0.01 + 0.01 + 0.03 USD for two grounded answers; in beta W1 the blocked answer's cost is unknown.
    assert (alpha["cost"]["run"], alpha["cost"]["per_grounded"]) == ("0.060000", "0.030000")
    costs = {f"{cell['system']['code']} {cell['condition']['code']}": cell["cost"] for cell in page["headline"]}
    assert {name: cost["lower"] for name, cost in costs.items()} == {
        "alpha W0": False,
        "beta W0": False,
        "beta W1": True,
    }
    assert [name for name, cost in costs.items() if cost["per_grounded"] is None] == ["beta W1", "beta W0"]


def test_swiss_errors_are_counted_by_answers_class_and_scope(case: Case) -> None:
    page = case.page(NOW, PageKind.BENCHMARK)

    # T: C01_beta_W1 and C02_alpha. W: C01_beta_W0. F: C02_beta and C04_beta. S: C02_beta.
    assert {row["code"]: row["answers"]["n"] for row in page["classes"]} == {"T": 2, "W": 1, "F": 2, "S": 1}
    # Core: C01_beta_W0, C01_beta_W1, C02_beta (the Act's number); beside it: C02_alpha, C04_beta.
    assert page["tables"]["scopes"][0]["counts"] == {"core": 2, "peripheral_only": 3}
    assert page["erring"] == {"n": 5, "of": 10}
    errors = case.page(NOW, PageKind.ERRORS)["findings"]
    by_person = [row for row in errors if row["claim"] == FALSE_CLAIM]
    assert [(row["identifier"], row["class"], row["decider"]) for row in by_person] == [
        ("C02_alpha_W0_r1", "T", by_person[0]["decider"])
    ]
    assert len(errors) == 6


def test_swiss_grounding_follows_the_traces(case: Case) -> None:
    pages = {key: case.page(NOW, PageKind.CARD, key) for key in ("C01_beta_W1_r1", "C04_beta_W1_r1", "C02_beta_W1_r1")}

    assert [page["official_source"] for page in pages.values()] == ["opened", "secondary_only", "not_recorded"]
    # The page that was opened is the Act's own: the misquotation was read there, not remembered.
    assert [row["origin"] for row in pages["C01_beta_W1_r1"]["findings"]] == ["source_read"]


def test_layer_is_measured_against_the_reviewer(case: Case) -> None:
    swiss_layer, polish_layer = (case.page(slug, PageKind.VERIFICATION) for slug in (NOW, POLAND))

    # Recorded: T 2, W 1, F 2, S 1; the false claim in C02_alpha stands at a citation that is right.
    assert swiss_layer["detected_all"] == {"n": 5, "of": 6}
    # Of 18 citations a person confirmed the 10 that code had confirmed.
    assert swiss_layer["false_alarms"] == {"n": 0, "of": 10}
    # The ruling, the act that nobody stored, and its number.
    assert swiss_layer["undetermined"] == {"n": 3, "of": 18}
    # T, W and F in P01_beta, S and W in P02_beta, W twice in P03_alpha.
    assert polish_layer["detected_all"] == {"n": 7, "of": 7}
    # 8 confirmed by code, and § 9, which the answer names only to say that it does not exist.
    assert polish_layer["false_alarms"] == {"n": 1, "of": 9}
    assert polish_layer["undetermined"] == {"n": 3, "of": 19}


def test_polish_figures_follow_from_the_cards(case: Case) -> None:
    page = case.page(POLAND, PageKind.BENCHMARK)

    assert headline_of(page) == {"alpha W0": (3, 2, 1), "beta W0": (3, 0, 2), "beta W1": (2, 1, 0)}
    assert {row["code"]: row["answers"]["n"] for row in page["classes"]} == {"T": 1, "W": 3, "F": 1, "S": 1}
    assert page["total"]["labels"] == {
        "hallucinated": 3,
        "correctly_grounded": 3,
        "no_hallucination": 0,
        "provider_block": 1,
        "none": 1,
    }


def test_confirmation_in_a_reconstructed_edition_grounds_nothing(case: Case) -> None:
    desk = Desk()
    desk.sign_in("rita")
    card = next(card for card in cards_of(THEN) if card.answer.identifier == "C01_beta_W0_r1")
    desk.open(reverse("review:card", args=[card.pk]))
    desk.send(f"//form[@action='{reverse('review:take', args=[card.pk])}']")

    desk.look_at(1)
    assert desk.page.xpath("//*[contains(@class, 'tag')][contains(., 'reconstructed')]")
    desk.review(Judged(points={"A-R": 2, "A1": 2, "A3": 1, "P": 0, "B1": 2, "B2": 1}))

    card.refresh_from_db()
    assert (card.state, card.citations.get().state) == ("approved", "confirmed")
    assert (card.label, card.label_rule) == ("no_hallucination", "no_confirmed_citation")
    publication = publish_as_lead(THEN)
    address = reverse("public:card", args=[THEN, card.answer.identifier])
    assert NOT_OFFICIAL in Client().get(address).content.decode()
    with override("de"):
        report = render_to_string("reports/report.html", {**report_context(publication), "style": ""})
        assert gettext(NOT_OFFICIAL) in report
        assert gettext(NOT_OFFICIAL) not in case.files[NOW]["report.html"].decode()


def test_readers_see_the_cards_and_the_report_without_an_account(case: Case) -> None:
    reader = Client()

    for slug, publication in case.publications.items():
        for name in ("benchmark", "questions", "errors", "verification", "cost", "method", "decisions", "judges"):
            assert reader.get(reverse(f"public:{name}", args=[slug])).status_code == 200, name
        for page in publication.pages.of_kind(PageKind.CARD):
            assert reader.get(reverse("public:card", args=[slug, page.key])).status_code == 200
        assert reader.get(reverse("public:report_pdf", args=[slug])).content.startswith(b"%PDF")
    assert reader.get(reverse("public:benchmark", args=[THEN])).status_code == 404


def test_report_names_every_question_and_answer(case: Case) -> None:
    for slug in (NOW, POLAND):
        assert case.files[slug]["report.pdf"].startswith(b"%PDF")
        page = case.files[slug]["report.html"].decode()
        for identifier in CARDS:
            assert (f">{identifier}<" in page) is (identifier.startswith("C") is (slug == NOW))


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_words_of_the_report_can_be_read_out_of_the_pdf(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(case.files[POLAND]["report.pdf"])

    text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, check=True, text=True).stdout

    for words in ("P01", "P02", "P03", "art. 117 § 2¹ k.c.", "Dz. U. z 2023 r. poz. 1936", "1 sierpnia 2024"):
        assert words.casefold() in " ".join(text.split()).casefold(), words


def test_ledger_holds_after_the_whole_case_and_breaks_with_one_changed_row(case: Case) -> None:
    call_command("verify_ledger")
    event = Event.objects.get(verb="add_finding")

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE ledger_event DISABLE TRIGGER ledger_refuse_change")
        cursor.execute("UPDATE ledger_event SET actor = 'lena' WHERE number = %s", [event.number])

    with pytest.raises(CommandError, match=f"event {event.number}:"):
        call_command("verify_ledger")
