# ruff: noqa: E501
"""The sources against a local server: recorded answers where the shared folder has them, else synthetic ones (each test says which)."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

import httpx
import pytest

from lexreview.law.models import Act, Amendment, Edition, Ruling, SourceCoverage, StoredResponse
from lexreview.law.on_date import unit_on
from lexreview.law.parsed import UnreadableSource
from lexreview.law.sources.ask_cellar import Cellar
from lexreview.law.sources.ask_entscheidsuche import parse_entscheidsuche
from lexreview.law.sources.ask_fedlex import Fedlex, sparql_rows
from lexreview.law.sources.ask_normattiva import Normattiva
from lexreview.law.sources.ask_saos import parse_saos, spellings
from lexreview.law.sources.ask_sentenzeweb import parse_sentenzeweb
from lexreview.law.syncing import SyncFailed, sync
from lexreview.ledger.models import Event
from tests.law.files import NOW, article, fedlex, paragraph
from tests.law.invented_polish import Family
from tests.law.serving import Desk, Reply, fetcher_for, serving
from tests.law.test_eurlex import MODERN
from tests.law.test_polish_wording import days_of, true_unit


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def client(desk: Desk) -> Iterator[httpx.Client]:
    with serving(desk) as client:
        yield client


def do_sync(client: httpx.Client, source: str, *identifiers: str, **more: Any) -> Any:
    fields: dict[str, Any] = {"languages": [], "by": None, "now": NOW, "client": client, "wait": lambda seconds: None}
    return sync(source=source, identifiers=identifiers, **fields | more)


def bindings(*rows: dict[str, str]) -> bytes:
    """A SPARQL answer in the shape of the endpoint (synthetic)."""
    cells = [{name: {"type": "literal", "value": value} for name, value in row.items()} for row in rows]
    return json.dumps({"head": {"vars": []}, "results": {"bindings": cells}}).encode()


ACT = "https://fedlex.data.admin.ch/eli/cc/2020/1"
LANGUAGE = "http://publications.europa.eu/resource/authority/language/"


def fedlex_desk(desk: Desk) -> None:
    """A synthetic graph: two editions in German, the second rendered twice, one without any file."""
    texts = {
        "20220101": fedlex(article("1", paragraph("1", "Alt.")), day="2022-01-01"),
        "20240101": fedlex(article("1", paragraph("1", "Neu.")), day="2024-01-01"),
    }

    def reply(method: str, path: str, body: bytes) -> Reply:
        query = unquote(parse_qs(body.decode()).get("query", [""])[0])
        if "id-systematique" in query:
            return Reply(bindings({"work": ACT, "from": "2020-06-01"}))
        if "isRealizedBy" in query:
            rows = [
                {
                    "c": f"{ACT}/20220101",
                    "from": "2022-01-01",
                    "to": "2023-12-31",
                    "lang": f"{LANGUAGE}DEU",
                    "url": f"{ACT}/20220101/de/xml/a-1.xml",
                },
                {
                    "c": f"{ACT}/20240101",
                    "from": "2024-01-01",
                    "lang": f"{LANGUAGE}DEU",
                    "url": f"{ACT}/20240101/de/xml/a-2.xml",
                },
                {
                    "c": f"{ACT}/20240101",
                    "from": "2024-01-01",
                    "lang": f"{LANGUAGE}DEU",
                    "url": f"{ACT}/20240101/de/xml/a-12.xml",
                },
            ]
            return Reply(bindings(*rows))
        if "ConsolidationAbstract" not in query and "isMemberOf" in query:
            return Reply(
                bindings(
                    {"c": f"{ACT}/20210101", "from": "2021-01-01", "to": "2021-12-31"},
                    {"c": f"{ACT}/20220101", "from": "2022-01-01"},
                )
            )
        day = next((day for day in texts if day in path), "")
        return Reply(texts[day], content_type="application/xml") if day else Reply(status=404)

    desk.fallback = reply


@pytest.mark.django_db
def test_fedlex_brings_editions_with_their_days_and_the_newest_rendering(desk: Desk, client: httpx.Client) -> None:
    fedlex_desk(desk)

    report = do_sync(client, "fedlex", "SR 999.1", languages=["de"])

    editions = Edition.objects.in_time_order()
    assert [(e.valid_from, e.valid_to) for e in editions] == [
        (date(2022, 1, 1), date(2023, 12, 31)),
        (date(2024, 1, 1), None),
    ]
    assert editions[1].source_url.endswith("a-12.xml")
    assert any("no XML of 1 edition," in warning for warning in report.warnings)
    act = Act.objects.get()
    assert unit_on(act=act, unit="art=1/ust=1", on=date(2023, 5, 5), lang="de").text == "Alt."
    assert unit_on(act=act, unit="art=1", on=date(2021, 5, 5), lang="de").reason == "no_edition_on_date"


@pytest.mark.django_db
def test_syncing_again_fetches_and_changes_nothing_and_works_offline(desk: Desk, client: httpx.Client) -> None:
    fedlex_desk(desk)
    do_sync(client, "fedlex", "999.1")
    asked, events = len(desk.asked), Event.objects.count()

    again = do_sync(client, "fedlex", "999.1")
    offline = do_sync(client, "fedlex", "999.1", offline=True)

    assert (len(desk.asked), Event.objects.count()) == (asked, events)
    assert not again.changed_anything
    assert not offline.changed_anything


@pytest.mark.django_db
def test_a_sync_that_broke_off_goes_on_with_what_is_stored(desk: Desk, client: httpx.Client) -> None:
    fedlex_desk(desk)
    whole = desk.fallback
    desk.fallback = lambda method, path, body: Reply(status=500) if "20240101" in path else whole(method, path, body)  # type: ignore[misc]

    first = do_sync(client, "fedlex", "eli/cc/2020/1")
    desk.fallback = whole
    second = do_sync(client, "fedlex", "eli/cc/2020/1")

    assert (first.editions_added, second.editions_added) == (1, 1)
    assert any("status 500" in warning for warning in first.warnings)


@pytest.mark.django_db
def test_a_source_that_is_down_is_a_failure_with_its_reason(desk: Desk, client: httpx.Client) -> None:
    desk.fallback = lambda method, path, body: Reply(b"<html>Wartung</html>", content_type="text/html")

    with pytest.raises(SyncFailed, match="expected application/sparql-results"):
        do_sync(client, "fedlex", "eli/cc/2020/1")
    assert not StoredResponse.objects.exists()


@pytest.mark.parametrize("identifier", ["OR", "eli/cc/../x", "1; DROP"])
def test_identifiers_that_are_none_are_refused_before_asking(desk: Desk, client: httpx.Client, identifier: str) -> None:
    source = Fedlex(fetcher_for(client, Fedlex.hosts))

    with pytest.raises(UnreadableSource):
        source.search(identifier)
    with pytest.raises(UnreadableSource):
        source.editions(identifier)
    assert desk.asked == []


def test_recorded_sparql_answers_are_read(shared_data: Path) -> None:
    files = sorted((shared_data / "fedlex-sparql").glob("sparql-*.json"))

    assert len(files) == 5
    for file in files:
        rows = sparql_rows(file.read_bytes())
        assert rows
        assert all(value for row in rows for value in row.values())


def sejm_desk(desk: Desk, family: Family, *, without_text: frozenset[str] = frozenset()) -> None:
    """An invented act family as the Sejm's service would serve it (synthetic)."""
    base = {
        "ELI": family.identifier, "title": "Ustawa z dnia 3 grudnia 2019 r. - Prawo wymyślone", "textHTML": True, "announcementDate": "2019-12-03",
        "promulgation": "2019-12-10", "entryIntoForce": family.start.isoformat(), "references": {
            "Akty zmieniające": [{"id": act.identifier, "date": day.isoformat()} for act in family.amending for day in act.days],
            "Inf. o tekście jednolitym": [{"id": identifier} for identifier, _ in family.consolidated]},
    }  # fmt: skip
    metas: dict[str, dict[str, Any]] = {family.identifier: base}
    texts = {family.identifier: family.promulgated_html()}
    for act in family.amending:
        metas[act.identifier] = {
            "ELI": act.identifier, "title": "Ustawa o zmianie ustawy - Prawo wymyślone", "textHTML": act.identifier not in without_text,
            "promulgation": act.promulgated_on.isoformat(), "entryIntoForce": act.effective_on.isoformat(), "comments": act.force_note,
        }  # fmt: skip
        texts[act.identifier] = family.amending_html(act)
    for identifier, state_on in family.consolidated:
        metas[identifier] = {
            "ELI": identifier, "title": "Obwieszczenie", "textHTML": True, "legalStatusDate": state_on.isoformat(),
            "references": {"Tekst jednolity dla aktu": [{"id": family.identifier}]},
        }  # fmt: skip
        texts[identifier] = family.consolidated_html(state_on)
    references = {
        "Akty zmieniające": [
            {"act": {"ELI": act.identifier, "promulgation": act.promulgated_on.isoformat()}} for act in family.amending
        ]
    }

    def reply(method: str, path: str, body: bytes) -> Reply:
        rest = path.removeprefix("/eli/acts/")
        if rest.endswith("/text.html"):
            return Reply(texts[rest.removesuffix("/text.html")], content_type="text/html")
        if rest.endswith("/references"):
            return Reply(json.dumps(references).encode())
        return Reply(json.dumps(metas[rest]).encode()) if rest in metas else Reply(status=404, body=b"{}")

    desk.fallback = reply


@pytest.mark.django_db
def test_the_sejms_service_brings_texts_and_amendments_and_the_wording_of_any_day(
    desk: Desk, client: httpx.Client
) -> None:
    family = Family(7)
    sejm_desk(desk, family)

    do_sync(client, "sejm", family.identifier)

    act = Act.objects.get()
    assert Edition.objects.filter(act=act).count() == 1 + len(family.consolidated)
    assert not Amendment.objects.filter(instructions__isnull=True).exists()
    for key in family.unit_keys()[::3]:
        for day in days_of(family)[::4]:
            answer, truth = unit_on(act=act, unit=key, on=day, lang="pl"), true_unit(family, key, day)
            assert (answer.outcome == "found") == (truth is not None and not truth.gone), (key, day, answer)
            if answer.outcome == "found" and truth is not None:
                assert answer.text == truth.words()


@pytest.mark.django_db
def test_amending_acts_that_are_pdf_only_stay_unread_and_are_named(desk: Desk, client: httpx.Client) -> None:
    family = Family(7)
    last = family.amending[-1]
    sejm_desk(desk, family, without_text=frozenset({last.identifier}))

    report = do_sync(client, "sejm", family.identifier)

    assert any(last.identifier in warning for warning in report.warnings)
    on = last.days[-1]
    assert unit_on(act=Act.objects.get(), unit="art=1", on=on, lang="pl").reason in {
        "amendment_not_read",
        "repealed",
        "",
    }
    assert Amendment.objects.filter(amending_eli=last.identifier, promulgated_on=last.promulgated_on).exists()


@pytest.mark.django_db
def test_recorded_metadata_of_the_civil_code_leave_later_days_open(
    desk: Desk, client: httpx.Client, shared_data: Path
) -> None:
    """Recorded metadata and an excerpt of the text; what was not recorded is missing (404)."""
    folder = shared_data / "pl" / "recorded-eli"
    recorded = {
        "DU/1964/93": "du_1964_93.meta.trimmed.json", "DU/2024/1061": "du_2024_1061.meta.json", "DU/2025/1071": "du_2025_1071.meta.json",
        "DU/2026/795": "du_2026_795.meta.json", "DU/1964/93/references": "du_1964_93.references.excerpt.json",
    }  # fmt: skip

    def reply(method: str, path: str, body: bytes) -> Reply:
        rest = path.removeprefix("/eli/acts/")
        if rest == "DU/2024/1061/text.html":
            return Reply((folder / "du_2024_1061.excerpt.html").read_bytes(), content_type="text/html")
        return Reply((folder / recorded[rest]).read_bytes()) if rest in recorded else Reply(status=404, body=b"{}")

    desk.fallback = reply
    do_sync(client, "sejm", "DU/2026/795")

    act = Act.objects.get()
    assert act.eli == "DU/1964/93"
    assert {e.identifier: e.extent for e in Edition.objects.filter(valid_from__gte=date(2024, 1, 1))} == {
        "DU/2024/1061": "whole", "DU/2025/1071": "no_text", "DU/2026/795": "no_text"
    }  # fmt: skip
    answer = unit_on(act=act, unit="art=117/par=2^1", on=date(2024, 8, 20), lang="pl")
    assert (answer.outcome, answer.certainty) == ("found", "established")
    assert unit_on(act=act, unit="art=117/par=3", on=date(2024, 8, 20), lang="pl").reason == "repealed"
    assert unit_on(act=act, unit="art=118", on=date(2026, 10, 1), lang="pl").reason == "amendment_not_read"


@pytest.mark.django_db
def test_the_sejms_maintenance_page_proves_nothing(desk: Desk, client: httpx.Client) -> None:
    desk.fallback = lambda method, path, body: Reply(b"<html>Przerwa</html>", content_type="text/html")

    with pytest.raises(SyncFailed, match="expected application/json"):
        do_sync(client, "sejm", "DU/2020/1")


@pytest.mark.django_db
def test_cellar_brings_consolidations_that_follow_each_other(desk: Desk, client: httpx.Client) -> None:
    """A synthetic catalogue; the first consolidation is withdrawn."""
    second = MODERN.replace("01.03.2022", "01.09.2023").encode()

    def reply(method: str, path: str, body: bytes) -> Reply:
        if path.startswith("/webapi"):
            return Reply(
                bindings(
                    {"celex": "02021R0077-20230901"},
                    {"celex": "02021R0077-20220301"},
                    {"celex": "02021R0077-20210601"},
                    {"celex": "02099R0001-20230901"},
                )
            )
        if path.endswith("20220301"):
            return Reply(MODERN.encode(), content_type="application/xhtml+xml")
        if path.endswith("20230901"):
            return Reply(status=303, headers={"Location": "http://publications.europa.eu/resource/cellar/x"})
        return (
            Reply(second, content_type="application/xhtml+xml") if path == "/resource/cellar/x" else Reply(status=404)
        )

    desk.fallback = reply

    report = do_sync(client, "cellar", "CELEX 32021R0077")

    assert [(e.valid_from, e.valid_to) for e in Edition.objects.in_time_order()] == [
        (date(2022, 3, 1), date(2023, 8, 31)),
        (date(2023, 9, 1), None),
    ]
    assert any("withdrawn" in warning for warning in report.warnings)
    assert Act.objects.get().eli == "CELEX 32021R0077"


def test_cellar_finds_an_act_with_its_days(desk: Desk, client: httpx.Client) -> None:
    desk.fallback = lambda method, path, body: Reply(
        bindings({"from": "2018-05-25", "until": "9999-12-31"}, {"from": "2016-05-24"})
    )

    (found,) = Cellar(fetcher_for(client, Cellar.hosts)).search("32016R0679")

    assert (found.in_force_on, found.repealed_on) == (date(2016, 5, 24), None)


@pytest.mark.django_db
def test_saos_is_asked_in_several_spellings_and_says_what_it_covers(desk: Desk, client: httpx.Client) -> None:
    """Synthetic search results; the ruling is stored there with a four-digit year."""
    judgment = {
        "data": {"id": 7, "courtType": "SUPREME", "courtCases": [{"caseNumber": "III CZP 67/2012"}], "judgmentType": "RESOLUTION", "judgmentDate": "2012-11-22",
                 "textContent": "<p>Studnia<br>jest studnią.</p>", "referencedRegulations": [{"text": "Ustawa - art. 1"}], "source": {}}
    }  # fmt: skip

    def reply(method: str, path: str, body: bytes) -> Reply:
        if "search" in path:
            return Reply(json.dumps({"items": [{"id": 7}] if "2012" in path else []}).encode())
        return Reply(json.dumps(judgment).encode())

    desk.fallback = reply

    do_sync(client, "saos", "III CZP 67/12")

    ruling = Ruling.objects.get()
    assert (ruling.court, ruling.docket, ruling.form, ruling.decided_on) == (
        "Sąd Najwyższy",
        "III CZP 67/2012",
        "uchwała",
        date(2012, 11, 22),
    )
    assert (ruling.text, ruling.cited_law) == ("Studnia jest studnią.", ["Ustawa - art. 1"])
    assert SourceCoverage.objects.filter(source="saos", is_complete=False).count() == 3
    assert not SourceCoverage.objects.covering(jurisdiction="PL", court="Sąd Najwyższy", day=date(2010, 1, 1)).exists()


def test_spellings_of_a_docket() -> None:
    assert spellings("III CZP 25/22") == ["III CZP 25/22", "III CZP 25/2022", "III  CZP 25/22", "IIICZP 25/22"]
    assert spellings("U 3/86") == ["U 3/86"]


def test_a_recorded_ruling_of_saos_is_read(shared_data: Path) -> None:
    ruling = parse_saos((shared_data / "pl-decisions" / "recorded-saos" / "judgment_205374_U_3_86.json").read_bytes())

    assert (ruling.court, ruling.docket, ruling.decided_on, ruling.form) == (
        "Trybunał Konstytucyjny",
        "U 3/86",
        date(1986, 6, 16),
        "wyrok",
    )
    assert len(ruling.cited_law) == 3


def test_a_day_that_cannot_be_is_left_out() -> None:
    record = {"courtCases": [{"caseNumber": "I C 1/20"}], "judgmentDate": "3013-12-04", "courtType": "COMMON"}

    assert parse_saos(json.dumps(record).encode()).decided_on is None


def test_recorded_answers_of_entscheidsuche_are_read(shared_data: Path) -> None:
    rulings = list(parse_entscheidsuche((shared_data / "ch-decisions" / "search_bger_1.json").read_bytes()))

    assert ("Bundesgericht", "5A_459/2025", date(2025, 6, 17), "de") in [
        (r.court, r.docket, r.decided_on, r.language) for r in rulings
    ]
    assert all(ruling.source_url.startswith("https://entscheidsuche.ch/docs/") for ruling in rulings)


@pytest.mark.django_db
def test_entscheidsuche_is_searched_by_docket(desk: Desk, client: httpx.Client, shared_data: Path) -> None:
    desk.replies["/_searchV2.php"] = [Reply((shared_data / "ch-decisions" / "search_bger_1.json").read_bytes())]

    do_sync(client, "entscheidsuche", "5A_459/2025")

    assert b'"5A_459/2025' in desk.asked[0][2].replace(b'\\"', b'"')
    assert Ruling.objects.with_docket("5a_459/2025").get().decided_on == date(2025, 6, 17)


def test_a_recorded_answer_of_sentenzeweb_keeps_no_names_of_parties(shared_data: Path) -> None:
    (ruling,) = parse_sentenzeweb((shared_data / "it" / "cassazione-sentenzeweb-solr-pseudonymised.json").read_bytes())

    assert (ruling.court, ruling.docket, ruling.decided_on, ruling.ecli, ruling.form) == (
        "Corte di cassazione civile", "21018/2021", date(2021, 7, 22), "ECLI:IT:CASS:2021:21018CIV", "ordinanza"
    )  # fmt: skip
    assert ruling.text == ""
    assert "ALFA" not in "".join(ruling.theses)


@pytest.mark.django_db
def test_sentenzeweb_is_asked_by_number_and_year(desk: Desk, client: httpx.Client, shared_data: Path) -> None:
    recorded = (shared_data / "it" / "cassazione-sentenzeweb-solr-pseudonymised.json").read_bytes()
    desk.fallback = lambda method, path, body: Reply(recorded)

    do_sync(client, "sentenzeweb", "Cass. n. 21018/2021")

    assert 'numdec:"21018" AND pd:2021*' in parse_qs(desk.asked[0][1].partition("?")[2])["q"][0]
    assert Ruling.objects.get().docket == "21018/2021"


@pytest.mark.django_db
def test_normattiva_brings_one_article_with_its_period(desk: Desk, client: httpx.Client, shared_data: Path) -> None:
    recorded = (shared_data / "it" / "normattiva-sample-ordinary-law.json").read_bytes()
    desk.fallback = lambda method, path, body: Reply(recorded)

    do_sync(client, "normattiva", "urn:nir:stato:legge:1990-08-07;241~art1!vig=2025-01-30")

    act = Act.objects.get()
    answer = unit_on(act=act, unit="art=1/ust=1bis", on=date(2025, 1, 30), lang="it")
    assert act.eli == "urn:nir:stato:legge:1990-08-07;241"
    assert answer.outcome == "found"
    assert answer.text.startswith("La pubblica amministrazione")
    assert unit_on(act=act, unit="art=2", on=date(2025, 1, 30), lang="it").reason == "unit_not_in_excerpt"


@pytest.mark.parametrize("identifier", ["legge 241", "urn:nir:stato:legge:1990;241", "urn:nir:x!vig=yesterday"])
def test_a_urn_without_a_day_is_refused(client: httpx.Client, identifier: str) -> None:
    with pytest.raises(UnreadableSource):
        Normattiva(fetcher_for(client, Normattiva.hosts)).editions(identifier)


@pytest.mark.parametrize(
    "parse", [parse_saos, lambda c: list(parse_entscheidsuche(c)), lambda c: list(parse_sentenzeweb(c)), sparql_rows]
)
@pytest.mark.parametrize(
    "content", [b"", b"<html></html>", b"[]", b"{}", b'{"data": 5}', b'{"hits": null}', b'{"results": []}', b"null"]
)
def test_answers_of_another_kind_are_refused(parse: Any, content: bytes) -> None:
    with pytest.raises(UnreadableSource):
        parse(content)
