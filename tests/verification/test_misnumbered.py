"""Acts with a wrong number: the number is found wherever the sentence gives it, and spoils nothing cited under it.

The acts are invented, the registries of the grammars are not: abbreviations are those of no real act.
"""

from datetime import date

import pytest

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.law.actions import import_acts
from lexreview.law.models import Act
from lexreview.law.parsed import ParsedAct, ParsedName
from lexreview.verification.checked import CheckedCitation
from lexreview.verification.corpus import Corpus
from lexreview.verification.layer import check_citations
from lexreview.verification.short_titles import speaks_of
from tests.verification.factories import NOW, edition

ON = date(2026, 10, 1)
HARBOURS = "# Hafengesetz\n\n### Art. 2. Gebühr\n1. Die Gebühr beträgt 75 Franken.\n2. Frei ist die Rettung.\n"
QUAYS = "# Quay Regulation\n\n### Art. 6. Grounds\n1. A quay is closed in a storm.\n"
BUOYS = (
    "# Rozporządzenie\n\n### § 1. Boje\n1) stawka za boję wynosi 38 koron;\n2) stawka za pławę wynosi 12 koron.\n\n"
    "### § 2. Wejście w życie\nRozporządzenie wchodzi w życie z dniem ogłoszenia.\n"
)
LIGHTS = "# Rozporządzenie\n\n### § 1. Latarnie\nLatarnie świecą.\n\n### § 2. Koszty\n1) koszty ponosi port;\n"
FERRIES = "# Ustawa\n\n### Art. 1. Promy\nPromy pływają bezpłatnie.\n\n### Art. 2. Kary\nKar nie ma.\n"


def act(eli: str, state: str, text: str, language: str, **fields: object) -> ParsedAct:
    names = fields.pop("names")
    return ParsedAct(
        eli=eli,
        jurisdiction=state,
        names=tuple(ParsedName(*name) for name in names),  # type: ignore[attr-defined]
        in_force_on=date(2019, 1, 1),
        editions=(edition(text, start=date(2019, 1, 1), end=None, language=language),),
        **fields,  # type: ignore[arg-type]
    )


@pytest.fixture
def acts(db: None) -> None:
    import_acts(
        parsed=[
            act(
                "SR 799.1",
                "CH",
                HARBOURS,
                "de",
                names=[("abbreviation", "HafG", "de"), ("abbreviation", "LPorts", "fr"), ("number", "SR 799.1")],
                titles={"de": "Hafengesetz"},
            ),
            act(
                "CELEX 32017R0876",
                "EU",
                QUAYS,
                "en",
                names=[("abbreviation", "QUAR", "en"), ("number", "32017R0876")],
                titles={"en": "Quay Regulation"},
            ),
            act(
                "DU/2018/1234",
                "PL",
                BUOYS,
                "pl",
                names=[("number", "DU/2018/1234")],
                titles={
                    "pl": "Rozporządzenie Ministra Boi z dnia 30 grudnia 2018 r. zmieniające rozporządzenie o pławach"
                },
                adopted_on=date(2018, 12, 30),
            ),
            act(
                "DU/2018/1240",
                "PL",
                FERRIES,
                "pl",
                names=[("number", "DU/2018/1240")],
                titles={"pl": "Ustawa z dnia 5 grudnia 2018 r. o promach i przeprawach rzecznych"},
                adopted_on=date(2018, 12, 5),
            ),
            act(
                "DU/2018/1301",
                "PL",
                LIGHTS,
                "pl",
                names=[("number", "DU/2018/1301")],
                titles={"pl": "Rozporządzenie Rady Portów z dnia 30 grudnia 2018 r. w sprawie latarni"},
                adopted_on=date(2018, 12, 30),
            ),
        ],
        by=None,
        now=NOW,
    )


def check(text: str, state: str, lang: str) -> list[CheckedCitation]:
    return check_citations(text, jurisdiction=state, lang=lang, on=ON, corpus=Corpus.current())


def results(text: str, state: str, lang: str) -> list[tuple[str | None, CheckResult]]:
    return [(row.unit, row.result) for row in check(text, state, lang)]


WRONG, RIGHT = CheckResult.WRONG_IDENTIFIER, CheckResult.CONFIRMED


@pytest.mark.usefixtures("acts")
@pytest.mark.parametrize(
    ("text", "state", "lang"),
    [
        ("Das Hafengesetz findet sich unter der SR-Nr. 799.2.", "ch", "de"),
        ("Das HafG steht in der Systematischen Rechtssammlung unter der Nummer SR 799.2.", "ch", "de"),
        ("Hafengesetz (abgekürzt «HafG»; SR 799.2)", "ch", "de"),
        ("La LPorts porte le numéro RS 799.2.", "ch", "fr"),
        ("La LPorts è la RS 799.2.", "ch", "it"),
        ("The Quay Regulation (QUAR), CELEX number 32017R0867.", "eu", "en"),
        ("QUAR, that is Regulation (EU) 2017/867.", "eu", "en"),
        ("The act on quays (QUAR), Regulation (EU) 2017/867.", "eu", "en"),
        ("QUAR to rozporządzenie Parlamentu Europejskiego i Rady (UE) 2017/867.", "pl", "pl"),
        (
            "Ustawa z 5 grudnia 2018 r. o promach i przeprawach rzecznych, opublikowana w Dz.U. 2018 poz. 1204.",
            "pl",
            "pl",
        ),
        ("Przeprawy (DU/2018/1204; ustawa z dnia 5 grudnia 2018 r. o promach i przeprawach rzecznych)", "pl", "pl"),
        ("| HafG | SR 799.2 |", "ch", "de"),
        ("**HafG** — SR 799.2", "ch", "de"),
        ("[HafG](https://law.example/799.1) – SR 799.2", "ch", "de"),
        ("Siehe SR 799.2: Hafengesetz.", "ch", "de"),
        ("Das Hafengesetz des Bundes (SR 799.2) gilt.", "ch", "de"),
        ("Heute trägt das Hafengesetz seit 2019 die Ordnungsnummer SR 799.2.", "ch", "de"),
        ("La LPorts, inscrite au RS 799.2, le dit.", "ch", "fr"),
        ("The QUAR's number is Regulation (EU) 2017/867.", "eu", "en"),
        ("Regulation (EU) 2017/867, better known as the QUAR.", "eu", "en"),
        ("Ustawa o promach i przeprawach rzecznych z 2018 r. (Dz.U. poz. 1204).", "pl", "pl"),
        ("HafG, seit langem in Geltung (SR 799.2), regelt das.", "ch", "de"),
        ("La LPorts (numero sistematico RS 799.2) lo dice.", "ch", "it"),
        ("Ustawa o promach i przeprawach rzecznych, czyli WDU20180001204.", "pl", "pl"),
        ("Ustawa z dnia 5 grudnia 2018 r. o promach i przeprawach rzecznych (Dz.U. z 2019 r. poz. 1240).", "pl", "pl"),
        ("Reg. (EU) 2018/876 (QUAR).", "eu", "en"),
        ("Umowa podaje błędnie rozporządzenie (UE) 2017/867 jako QUAR.", "pl", "pl"),
        ("Taką uchwalono 5 grudnia 2018 r. (ustawa o promach i przeprawach, Dz.U. 2018 poz. 1204).", "pl", "pl"),
        ("Tekst ustawy o promach i przeprawach rzecznych to Dz.U. 2018 poz. 1204.", "pl", "pl"),
        ("Under QUAR (in force since 2019), see CELEX 32017R0867, quays close.", "eu", "en"),
    ],
)
def test_a_number_is_wrong_however_the_sentence_leads_to_it(text: str, state: str, lang: str) -> None:
    assert (None, WRONG) in results(text, state, lang)


@pytest.mark.usefixtures("acts")
@pytest.mark.parametrize(
    ("text", "state", "lang"),
    [
        ("Das HafG und die Verordnung dazu (SR 799.2).", "ch", "de"),
        ("Neben dem HafG ist die SR 799.2 zu beachten.", "ch", "de"),
        ("Die Verordnung zum HafG hat die Nummer SR 799.2.", "ch", "de"),
        ("Das HafG gilt. Die Nummer SR 799.2 trägt ein anderer Erlass.", "ch", "de"),
        ("La LPorts et son ordonnance (RS 799.2).", "ch", "fr"),
        ("The QUAR amends Regulation (EU) 2017/867.", "eu", "en"),
        ("Both QUAR and Regulation (EU) 2017/867 apply.", "eu", "en"),
        ("QUAR applies. Regulation (EU) 2017/867 is another matter.", "eu", "en"),
        ("Besides QUAR see Regulation (EU) 2017/967 as well as the MOAR.", "eu", "en"),
        (
            "Ustawa z 5 grudnia 2018 r. o promach i przeprawach rzecznych zmienia ustawę o boi (Dz.U. 2018 poz. 1204).",
            "pl",
            "pl",
        ),
    ],
)
def test_the_number_of_something_else_is_not_the_named_act_s(text: str, state: str, lang: str) -> None:
    assert all(result is not WRONG for _, result in results(text, state, lang))


@pytest.mark.usefixtures("acts")
@pytest.mark.parametrize(
    ("text", "state", "lang", "units"),
    [
        (
            "SR 799.2 (HafG): Art. 2 Abs. 1 HafG, Art. 7 HafG.",
            "ch",
            "de",
            {"art=2/ust=1": RIGHT, "art=7": CheckResult.NOT_FOUND},
        ),
        ("Regulation (EU) 2017/867 (QUAR). See Article 6(1) QUAR.", "eu", "en", {"art=6/ust=1": RIGHT}),
        (
            "Ustawa z dnia 5 grudnia 2018 r. o promach i przeprawach rzecznych (Dz.U. z 2018 r. poz. 1204). Zob. "
            "art. 1 tej ustawy i art. 3 ustawy z dnia 5 grudnia 2018 r. o promach i przeprawach rzecznych.",
            "pl",
            "pl",
            {"art=1": RIGHT, "art=3": CheckResult.NOT_FOUND},
        ),
    ],
)
def test_what_is_cited_under_a_wrong_number_is_checked_in_the_act_that_is_named(
    text: str, state: str, lang: str, units: dict[str, CheckResult]
) -> None:
    found = dict(results(text, state, lang))

    assert found == {None: WRONG, **units}


@pytest.mark.usefixtures("acts")
def test_the_number_of_another_known_act_does_not_take_the_name_away() -> None:
    rows = check("SR 799.1 (LPorts). Art. 2 Abs. 2 LPorts.", "ch", "fr")
    assert [row.result for row in rows] == [RIGHT, RIGHT]

    rows = check("Ustawa z dnia 5 grudnia 2018 r. o promach i przeprawach rzecznych (t.j. Dz.U. 2018, poz. 1234). "
                 "Zob. art. 2 ww. ustawy.", "pl", "pl")  # fmt: skip
    assert [(row.act.eli if row.act else "", row.result) for row in rows] == [
        ("DU/2018/1240", WRONG),
        ("DU/2018/1240", RIGHT),
    ]


SHORT = "rozporządzenia Ministra Boi z dnia 30 grudnia 2018 r."


@pytest.mark.usefixtures("acts")
def test_quoted_words_show_which_act_of_a_day_is_meant() -> None:
    text = f"„stawka za boję wynosi 38 koron” (§ 1 pkt 1 {SHORT}, Dz.U. 2018 poz. 1243), § 1 pkt 7 {SHORT}."

    assert results(text, "pl", "pl") == [
        ("par=1/pkt=1", RIGHT),
        (None, WRONG),
        ("par=1/pkt=7", CheckResult.NOT_FOUND),
    ]


@pytest.mark.usefixtures("acts")
def test_a_reference_back_has_the_wrong_number_of_the_name_that_it_refers_to() -> None:
    named = "Stawkę zmieniono rozporządzeniem Ministra Boi z dnia 30 grudnia 2018 r. (Dz.U. 2018 poz. 1243)"
    back = "tego rozporządzenia"
    text = f"{named}: „stawka za boję wynosi 38 koron” (§ 1 pkt 1 {back}), zob. § 1 pkt 7 {back}."

    assert results(text, "pl", "pl") == [
        (None, WRONG),
        ("par=1/pkt=1", RIGHT),
        ("par=1/pkt=7", CheckResult.NOT_FOUND),
    ]


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        ("Stawki FROS od 2019 r.:", True),
        ("Chodzi o ratowanie okrętów i o wsparcie stoczni.", True),
        ("Chodzi o stawki.", False),
        ("Stawki PFRON od 2019 r.:", False),
    ],
)
def test_a_text_speaks_of_an_act_by_a_body_s_initials_or_by_words_of_the_title(text: str, speaks: bool) -> None:
    named = "Rozporządzenie Ministra Boi z dnia 30 grudnia 2018 r."
    title = f"{named} w sprawie Funduszu Ratowania Okrętów i Stoczni oraz wsparcia"

    assert speaks_of(text, Act(eli="DU/2018/1", jurisdiction="PL", titles={"pl": title})) is speaks


@pytest.mark.usefixtures("acts")
def test_the_number_of_another_act_of_that_day_is_not_the_one_of_the_issuer_named() -> None:
    named = "rozporządzenie Rady Portów z dnia 30 grudnia 2018 r."

    assert results(f"Zob. {named} (Dz.U. z 2018 r. poz. 1234).", "pl", "pl") == [(None, WRONG)]
    assert results(f"Zob. {named} (Dz.U. z 2018 r. poz. 1301).", "pl", "pl") == [(None, RIGHT)]


@pytest.mark.usefixtures("acts")
@pytest.mark.parametrize(
    "text",
    [
        f"„stawka za boję wynosi 40 koron” (§ 1 pkt 1 {SHORT}, Dz.U. 2018 poz. 1243)",
        f"Zob. § 1 pkt 7 {SHORT}.",
        "Zob. § 1 pkt 7 rozporządzenia Ministra Promów z dnia 30 grudnia 2018 r.; „stawka za boję wynosi 38 koron”.",
    ],
)
def test_without_such_words_an_act_of_that_day_stays_open(text: str) -> None:
    assert all(result is CheckResult.UNDETERMINED for _, result in results(text, "pl", "pl"))


@pytest.mark.usefixtures("acts")
def test_a_unit_that_an_amending_act_lacks_may_be_that_of_the_act_it_amends() -> None:
    text = "Zob. § 1 pkt 1 rozporządzenia z dnia 30 grudnia 2018 r. (Dz.U. 2018 poz. 1234), a w § 5 ust. 4 nową kwotę."

    found = dict(results(text, "pl", "pl"))

    assert found["par=5/ust=4"] is CheckResult.UNDETERMINED
    assert found["par=1/pkt=1"] is RIGHT


@pytest.mark.usefixtures("acts")
@pytest.mark.parametrize(
    ("text", "state", "lang"),
    [
        ("| HafG | SR 799.1 |\n| HafV | SR 799.11 |", "ch", "de"),
        ("Das Quaigesetz: SR 954.1, Hafengesetz: SR 799.1.", "ch", "de"),
        ("Das Quaigesetz, SR 954.1, HafG, SR 799.1.", "ch", "de"),
        ("Das HafG ist bekannt; die Hafenverordnung trägt die Nummer SR 799.11.", "ch", "de"),
        ("L'ordinanza relativa alla LPorts (RS 799.11).", "ch", "it"),
        ("Nach dem HafG bewilligt dies das Hafenamt (HafA, SR 799.3).", "ch", "de"),
        ("Neben dem HafG gilt das Abkommen über die Seen (SR 799.2).", "ch", "de"),
        ("QUAR, as amended by Regulation (EU) 2020/852.", "eu", "en"),
        ("Przepisy wprowadzające ustawę o promach i przeprawach rzecznych (Dz.U. z 2018 r. poz. 1241).", "pl", "pl"),
        ("Ustawa o promach i przeprawach rzecznych z 2018 r. (Dz.U. poz. 1240).", "pl", "pl"),
    ],
)
def test_number_of_an_act_beside_the_named_one_is_not_held_against_it(text: str, state: str, lang: str) -> None:
    assert (None, WRONG) not in results(text, state, lang)
