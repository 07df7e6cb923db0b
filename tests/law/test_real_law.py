# ruff: noqa: E501
"""Real law from the shared folder: every file is read or refused with a reason, and known values come out."""

from datetime import date
from pathlib import Path

import pytest
from django.conf import settings

from lexreview.law.actions import import_manifest
from lexreview.law.changes import changes_between
from lexreview.law.files import Given, read_act_file
from lexreview.law.models import Edition
from lexreview.law.on_date import resolve_act, unit_on
from lexreview.law.parsed import ParsedAct, ParsedUnit, UnreadableSource, full_text, walk
from lexreview.law.polish.amending import AmendedAct, read_orders
from lexreview.law.polish.instructions import keys_named
from lexreview.law.sources.eurlex import parse_eurlex
from lexreview.law.sources.fedlex import parse_fedlex
from tests.law.files import NOW

READ = {".xml", ".md", ".html", ".xhtml", ".json"}


def by_key(act: ParsedAct) -> dict[str, ParsedUnit]:
    found: dict[str, ParsedUnit] = {}
    for unit in walk(act.editions[0].units):
        found.setdefault(unit.key, unit)
    return found


def test_every_file_is_read_or_refused_with_a_reason(shared_data: Path) -> None:
    read, refused = 0, []
    for path in sorted(path for path in shared_data.rglob("*") if path.suffix in READ):
        try:
            read_act_file(path, given=Given())
            read += 1
        except UnreadableSource as error:
            refused.append(str(error))

    assert read >= 175
    assert all("expected" in reason for reason in refused)
    assert any("act_loi_2018_text.xml" in reason and "not well-formed" in reason for reason in refused)
    assert any("za_Judgement" in reason and "found judgment" in reason for reason in refused)


@pytest.mark.parametrize(
    ("name", "articles", "paragraphs"),
    [("cc-24-233_245_233-20260701-de", 1277, 2593), ("cc-1999-404-20240303-de", 232, 664), ("cc-1991-1184_1184_1184-20260101-de", 240, 621),
     ("cc-2022-491-20250707-fr", 77, 209), ("cc-2024-620-20250101-de", 5, 10), ("cc-2026-51-20260301-de", 13, 18)],
)  # fmt: skip
def test_no_article_of_a_swiss_file_is_lost(shared_data: Path, name: str, articles: int, paragraphs: int) -> None:
    units = list(walk(parse_fedlex((shared_data / "fedlex-xml" / f"{name}.xml").read_bytes()).editions[0].units))

    assert sum(unit.level == "art" for unit in units) == articles
    assert sum(unit.level == "ust" for unit in units) <= paragraphs
    assert all(unit.text or unit.children or unit.is_repealed or unit.notes for unit in units if unit.level == "art")


def test_the_civil_code_keeps_its_ranges_and_its_final_title_apart(shared_data: Path) -> None:
    units = by_key(parse_fedlex((shared_data / "fedlex-xml" / "cc-24-233_245_233-20260701-de.xml").read_bytes()))

    assert (units["art=28d"].range_end, units["art=28d"].is_repealed) == ("28f", True)
    assert units["art=268abis"].heading.endswith("Anhörung des Kindes")
    assert units["art=1/ust=1"].text.startswith("Das Gesetz findet auf alle Rechtsfragen Anwendung")
    assert units["dis=1/art=1/ust=2"].text.startswith("Demgemäss unterliegen")
    assert units["art=28a/ust=1/pkt=2"].text.startswith("eine bestehende Verletzung")


def test_four_generations_of_one_regulation_agree(shared_data: Path) -> None:
    folder = shared_data / "eu" / "mar_versions"
    texts = [by_key(parse_eurlex((folder / f"32014R0596_v{n}.xhtml").read_bytes())) for n in range(1, 6)]

    assert [sum(key.startswith("art=") and "/" not in key for key in text) for text in texts] == [39, 39, 39, 40, 41]
    for key in ("art=7/ust=1/lit=b", "art=17/ust=1", "art=3/ust=1/pkt=1", "art=14"):
        assert len({"".join(full_text(text[key]).split()) for text in texts[:3]}) == 1, key


def test_a_real_amending_act_is_understood_almost_whole(shared_data: Path) -> None:
    content = (shared_data / "pl" / "sample-ustawa-odra-2023-1963.html").read_bytes()
    water = AmendedAct(frozenset({"DU/2023/1478"}), date(2017, 7, 20), "Prawo wodne")

    orders = read_orders(
        content,
        amended=water,
        in_force_on=date(2023, 10, 7),
        force_note="1) art. 13 pkt 34 wchodzi w życie z dniem 1 stycznia 2024 r.",
    )

    assert len(orders) > 60
    assert sum(order.verb == "unknown" for order in orders) <= 2
    assert {"art=476/ust=1", "art=478a", "art=194d", "art=281"} <= set(keys_named(orders))
    assert {order.effective_on for order in orders if order.where == "art=13/pkt=34"} == {date(2024, 1, 1)}


@pytest.fixture
def corpus(db: None, shared_data: Path) -> None:
    manifest = Path(settings.SHARED_DATA) / "cases" / "verification-corpus.json"
    if not manifest.exists():
        pytest.skip("the manifest of real law is not there (LEXREVIEW_SHARED)")
    import_manifest(manifest=manifest, root=shared_data, by=None, now=NOW)


WORDINGS = [
        ("BGÖ", "art=17/ust=1", "2023-10-31", "de", "found", "", "Für den Zugang zu amtlichen Dokumenten wird in der Regel eine Gebühr"),
        ("BGÖ", "art=17/ust=1", "2023-11-01", "de", "found", "", "In Verfahren für den Zugang zu amtlichen Dokumenten werden keine Gebühren"),
        ("BGÖ", "art=17/ust=2/lit=a", "2023-11-01", "de", "not_in_force", "unit_in_earlier_edition", ""),
        ("LTrans", "art=23a", "2023-10-31", "fr", "not_in_force", "unit_in_later_edition", ""),
        ("DSG", "art=24/ust=1", "2024-01-01", "de", "found", "", ""),
        ("DSG", "art=24/ust=1", "2025-05-01", "de", "undetermined", "no_edition_on_date", ""),
        ("DSG", "art=24/ust=1", "2025-08-01", "rm", "undetermined", "language_not_stored", ""),
        ("SR 210", "art=28e", "2026-08-01", "de", "not_in_force", "repealed", ""),
        ("LAPG", "art=3", "2025-04-07", "fr", "not_in_force", "repealed", ""),
        ("GDPR", "art=33/ust=8", "2024-10-10", "en", "not_found", "unit_in_no_edition", ""),
        ("GDPR", "art=4/ust=1", "2024-10-10", "en", "found", "", "‘personal data’ means"),
        ("MAR", "art=19/ust=8", "2024-12-03", "en", "found", "", ""),
        ("KC", "art=118", "2024-07-01", "pl", "undetermined", "unit_not_in_excerpt", ""),
        ("KC", "art=117/par=4", "2024-07-01", "pl", "not_found", "unit_in_no_edition", ""),
        ("KC", "art=117/par=1", "2024-08-29", "pl", "undetermined", "amendment_not_read", ""),
        ("DU/2023/1963", "art=16/ust=1", "2023-11-15", "pl", "not_in_force", "staged_entry", ""),
        ("DU/2023/1963", "art=13/pkt=34", "2024-01-01", "pl", "found", "", "w art. 476 ust. 1 otrzymuje brzmienie:"),
        ("DU/2024/1907", "art=1", "2025-02-01", "pl", "undetermined", "structure_only", ""),
    ]  # fmt: skip


def test_known_wordings_and_changes(corpus: None) -> None:
    """One import for all: act, unit, day, language, then outcome, reason, and how the wording begins."""
    for name, unit, on, lang, outcome, reason, begins in WORDINGS:
        (act,) = resolve_act(name)
        answer = unit_on(act=act, unit=unit, on=date.fromisoformat(on), lang=lang)
        assert (answer.outcome, answer.reason, answer.text.startswith(begins)) == (outcome, reason, True), (
            name,
            unit,
            on,
        )
        if name == "DSG" and outcome == "found":
            assert answer.certainty == "reconstructed"
    assert changes("BGÖ", "2023-09-01", "2023-11-01", "de") == [
        ("footnote_only", "art=13"),
        ("modified", "art=17"),
        ("added", "art=23a"),
    ]
    for lang in ("de", "fr", "it"):
        assert changes("eli/cc/2022/491", "2023-09-01", "2025-07-07", lang) == [("modified", "art=24")]


def changes(name: str, before: str, after: str, lang: str) -> list[tuple[str, str | None]]:
    (act,) = resolve_act(name)
    editions = Edition.objects.filter(act=act, language=lang)
    pair = [editions.get(valid_from=date.fromisoformat(day)) for day in (before, after)]
    return [(change.kind, change.key_after) for change in changes_between(*pair)]
