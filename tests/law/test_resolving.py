# ruff: noqa: E501
from datetime import date

import pytest

from lexreview.core.citations import extract
from lexreview.law.actions import import_jurisdiction
from lexreview.law.models import Act
from lexreview.law.on_date import resolve_act
from lexreview.law.parsed import ParsedName
from lexreview.law.registry import act_entries, profile_of
from lexreview.law.resolving import canonical_number
from tests.law.files import NOW, edition, parsed_act, stored_act, unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def acts() -> None:
    def act(eli: str, jurisdiction: str, *names: tuple[str, str, str]) -> None:
        stored_act(
            parsed_act(
                eli,
                edition(eli, "2020-01-01", unit("art=1", "X.")),
                jurisdiction=jurisdiction,
                names=tuple(ParsedName(kind, value, language) for kind, value, language in names),
                identifiers={"journal": eli} if jurisdiction == "QK" else {},
                adopted_on=date(2019, 1, 1),
            )
        )

    act(
        "eli/cc/2022/491",
        "CH",
        ("abbreviation", "DSG", "de"),
        ("abbreviation", "LPD", "fr"),
        ("number", "SR 235.1", ""),
    )
    act("eli/cc/1993/1945", "CH", ("abbreviation", "aDSG", "de"), ("number", "SR 235.1", ""))
    act(
        "DU/1964/93",
        "PL",
        ("abbreviation", "k.c.", "pl"),
        ("title", "Kodeks cywilny", "pl"),
        ("number", "DU/2024/1061", ""),
    )
    act("CELEX 32014R0596", "EU", ("number", "32014R0596", ""), ("abbreviation", "MAR", "en"))
    act(
        "eli/qk/act/2011/9",
        "QK",
        ("abbreviation", "CPA", "en"),
        ("abbreviation", "CC", "en"),
        ("title", "Civil Procedure Act", "en"),
    )
    act("eli/cc/24/233", "CH", ("abbreviation", "CC", "fr"), ("abbreviation", "ZGB", "de"))


@pytest.mark.parametrize(
    ("name", "eli"),
    [
        ("DSG", "eli/cc/2022/491"), ("dsg", "eli/cc/2022/491"), ("CH:DSG", "eli/cc/2022/491"), ("KC", "DU/1964/93"), ("k.c.", "DU/1964/93"),
        ("Kodeks  cywilny", "DU/1964/93"), ("DU/1964/93", "DU/1964/93"), ("Dz.U. z 1964 r. poz. 93", "DU/1964/93"), ("DU/2024/1061", "DU/1964/93"),
        ("PL:DU/1964/93", "DU/1964/93"), ("WDU20240001061", "DU/1964/93"), ("32014R0596", "CELEX 32014R0596"), ("EU:32014R0596", "CELEX 32014R0596"),
        ("CELEX 32014R0596", "CELEX 32014R0596"), ("celex:32014r0596", "CELEX 32014R0596"), ("QK:CPA", "eli/qk/act/2011/9"), ("Civil Procedure Act", "eli/qk/act/2011/9"),
        ("https://www.fedlex.admin.ch/eli/cc/2022/491/de#art_5", "eli/cc/2022/491"), ("https://fedlex.data.admin.ch/eli/cc/2022/491/20230901", "eli/cc/2022/491"),
        ("https://api.sejm.gov.pl/eli/acts/DU/1964/93/text.html", "DU/1964/93"),
    ],
)  # fmt: skip
def test_every_name_of_an_act_finds_it(acts: None, name: str, eli: str) -> None:
    assert [act.eli for act in resolve_act(name)] == [eli]


def test_a_shared_number_gives_all_acts_that_carry_it(acts: None) -> None:
    assert [act.eli for act in resolve_act("SR 235.1")] == ["eli/cc/1993/1945", "eli/cc/2022/491"]


def test_state_and_language_tell_shared_names_apart(acts: None) -> None:
    assert len(resolve_act("CC")) == 2
    assert [act.eli for act in resolve_act("CC", jurisdiction="ch")] == ["eli/cc/24/233"]
    assert [act.eli for act in resolve_act("CC", lang="fr")] == ["eli/cc/24/233"]
    assert [act.eli for act in resolve_act("QK:CC")] == ["eli/qk/act/2011/9"]


@pytest.mark.parametrize("name", ["", " ", "…", "Wells Act", "CH:", "XX:DSG", "SR 999"])
def test_an_unknown_name_finds_nothing(acts: None, name: str) -> None:
    assert resolve_act(name) == []


@pytest.mark.parametrize(
    ("name", "number"),
    [("M.P. z 2023 r. poz. 1261", "MP/2023/1261"), ("t.j. Dz.U. 2024 poz. 1061", "DU/2024/1061"), ("Dz.U. 1997 nr 78 poz. 483", "DU/1997/483"),
     ("02016R0679-20160504", "02016R0679"), ("OR", "OR")],
)  # fmt: skip
def test_numbers_in_their_many_spellings(name: str, number: str) -> None:
    assert canonical_number(name) == number


def test_acts_of_the_corpus_are_cited_by_their_names(acts: None) -> None:
    import_jurisdiction(profile={"code": "QK", "languages": ["en"]}, by=None, now=NOW)
    entries = act_entries(Act.objects.of_jurisdiction("qk"))

    found = extract("See Article 17 § 1 CPA.", jurisdiction="qk", lang="en", acts=entries, profile=profile_of("qk"))

    assert [(citation.act, citation.unit) for citation in found] == [("QK:CPA", "art=17/par=1")]
    assert profile_of("zz") is None
