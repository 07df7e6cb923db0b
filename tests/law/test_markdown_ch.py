# ruff: noqa: E501
from datetime import date

import pytest

from lexreview.law.parsed import ParsedUnit, UnreadableSource, walk
from lexreview.law.sources.markdown_ch import parse_markdown_ch
from lexreview.law.sources.swiss_notes import split_notes

FRONT = """---
abbreviation: BruG
language: de
source: https://fedlex.data.admin.ch
sr_number: '999.1'
title: Bundesgesetz vom 13. Dezember 2019 über Brunnen (Brunnengesetz, BruG)
version_date: '2024-01-01'
---

"""


def units(body: str) -> dict[str, ParsedUnit]:
    return {unit.key: unit for unit in walk(parse_markdown_ch((FRONT + body).encode()).editions[0].units)}


def test_front_matter_gives_act_and_day() -> None:
    act = parse_markdown_ch((FRONT + "**Art. 1** Art. 1 Zweck\n\nWasser.").encode())

    assert act.eli == "SR 999.1"
    assert {("number", "RS 999.1"), ("abbreviation", "BruG"), ("title", "Brunnengesetz")} <= {
        (n.kind, n.value) for n in act.names
    }
    assert (act.editions[0].valid_from, act.editions[0].standing) == (date(2024, 1, 1), "converted")


def test_glued_lists_are_split_and_figures_in_the_text_are_not() -> None:
    found = units(
        "**Art. 2** Art. 2 Geltung\n\n1 Es gilt für:a. Brunnen;b. Quellen, nämlich:1. heisse,2. kalte; oderc. Bäche.\n\n"
        "2 Die Frist beträgt:\n\n60 Tage im Sommer.\n"
    )

    assert found["art=2"].heading == "Geltung"
    assert found["art=2/ust=1/lit=a"].text == "Brunnen;"
    assert found["art=2/ust=1/pkt=2/lit=b"].text == "kalte; oder"
    assert found["art=2/ust=1/lit=c"].text == "Bäche."
    assert found["art=2/ust=2"].text == "Die Frist beträgt:\n60 Tage im Sommer."


def test_numbers_that_hold_letters_stay_numbers() -> None:
    found = units(
        "**Art. 16** Art. 16 Sachen\n\nAls Sachen gelten:1. Steine;1bis. Wasser, das:a. fliesst, oder"
        "b. steht;2. Holz.\n"
    )

    assert [found[key].text for key in ("art=16/pkt=1", "art=16/pkt=1bis/lit=b", "art=16/pkt=2")] == [
        "Steine;",
        "steht;",
        "Holz.",
    ]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Er regelt:a den Brunnen;b. die Quelle.", "lit=a lit=b"),
        ("Er regelt:a....b. die Quelle;c. den Bach.", "lit=a lit=b lit=c"),
        ("Er regelt:a. den Brunnen;b.–d. … e. die Quelle.f. den Bach.", "lit=a lit=b lit=e lit=f"),
        ("Il règle:a. le puits;[tab]b. à d. ...e. la source;f. l’eau.", "lit=a lit=b lit=e lit=f"),
        ("Er regelt:a. den Brunnen;a.bis die Quelle;b. den Bach.", "lit=a lit=abis lit=b"),
        ("concernenti1. pozzi,2. sorgenti, nonché3. fonti.", "pkt=1 pkt=2 pkt=3"),
        ("Si applica se:a. il pozzo è aperto; oppureb. la fonte scorre.", "lit=a lit=b"),
        ("Elle vaut si:a. le puits est ouvert, et queb. la source coule, et quic. donne.", "lit=a lit=b lit=c"),
        ("Der Brunnen wird gespeist durcha. die Quelle;b. den Bach.", "lit=a lit=b"),
        ("Vigila su:a. il pozzo;b verifica la fonte;c. apre.", "lit=a lit=b lit=c"),
        ("Die Pacht ruht durch A. und B.; b. bleibt.", ""),
        ("Er misst: a priori gilt nichts.", ""),
        ("Es gilt Artikel1. Weiter nichts.", ""),
    ],
)
def test_lists_that_lost_a_sign_are_split(text: str, keys: str) -> None:
    found = units(f"**Art. 5** Art. 5 Liste\n\n1 {text}\n")

    assert [key.rpartition("/")[2] for key in found if key.startswith("art=5/ust=1/")] == keys.split()
    assert all(unit.is_repealed == ("…" in unit.text or "..." in unit.text) for unit in found.values())


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("1 Il vaut pour:a. le puits;b. la source.[tab]2 Le canton paie.[tab]3 Il décide.", "1 2 3"),
        ("[tab]1 Il pozzo è aperto.\n\n2 La fonte scorre.", "1 2"),
        ("1 Le puits est ouvert.\n\n2 Sont réputés:a. puits les trous.3 Le canton paie.\n\n4 Il décide.", "1 2 3 4"),
        ("1 Il pozzo è aperto.\n\n2bis Se chiude, si paga.\n\n2 La fonte scorre.\n\n3 Finisce.", "1 2bis 2 3"),
        ("1 Der Brunnen fasst mehr als Art.2 Liter.\n\n2 Die Quelle fliesst.", "1 2"),
    ],
)
def test_paragraphs_glued_together_or_out_of_order_are_told_apart(text: str, keys: str) -> None:
    found = units(f"**Art. 7** Art. 7 Brunnen\n\n{text}\n\n**Art 8ter ** Art 8ter Fin\n\nLe puits.\n")

    paragraphs = [unit.key.partition("ust=")[2] for unit in found.values() if unit.level == "ust"]
    assert paragraphs == keys.split()
    assert found["art=8ter"].text == "Le puits."


@pytest.mark.parametrize("printed", ["19–22", "19 à 22", "19 a 22", "19 bis 22", "19 et 22", "19 e 22", "19 und 22"])
def test_a_repealed_range_in_every_language(printed: str) -> None:
    note = "Abrogés par le ch. I de la LF du 3 avril 2020 (RO 2021 37)."

    found = units(f"**Art. {printed} {note}** Art. {printed} {note}\n\n**Art. 23** Art. 23 Fin\n\nLe puits.\n")

    assert (found["art=19"].range_end, found["art=19"].is_repealed) == ("22", True)
    assert found["art=23"].text == "Le puits."


def test_indented_notes_leave_the_text() -> None:
    found = units(
        "**Art. 16c\n\t\t Fassung gemäss Ziff. I.** Art. 16c\n\t\t Fassung gemäss Ziff. I. Höhe\n\n"
        "1 Der Brunnen gibt 20 Liter\n\t\t Betrag gemäss V.\n\t im Tag.\n"
    )

    assert (found["art=16c"].heading, found["art=16c"].notes) == ("Höhe", ["Fassung gemäss Ziff. I."])
    assert found["art=16c/ust=1"].text == "Der Brunnen gibt 20 Liter im Tag."


def test_a_merged_repeal_is_a_range() -> None:
    note = "Aufgehoben durch Ziff. I der V vom 3. April 2020, mit Wirkung seit 1. März 2021 (AS 2021 37)."
    found = units(f"**Art. 45a–45e {note}** Art. 45a–45e {note}\n\n**Art. 46** Art. 46 Rest\n\nText.")

    assert (found["art=45a"].range_end, found["art=45a"].is_repealed) == ("45e", True)
    assert (
        units("**Art. 2 et 3 Abrogés par le ch. I (RO 2005 1)** Art. 2 et 3 Abrogés par le ch. I (RO 2005 1)")[
            "art=2"
        ].range_end
        == "3"
    )


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Es gilt. Fassung gemäss Anhang Ziff. 1 des BG vom 22. Juni 2007, in Kraft seit 1. Jan. 2009 (AS 2008 5207; BBl 2006 2829).", "Es gilt."),
        ("im Sinn des Gesetzes vom 20. Dezember 1968 SR 172.021 über", "im Sinn des Gesetzes vom 20. Dezember 1968 über"),
        ("ne peut dépasser 24 francs Montant adapté selon l’art. 9 de l’O 21, en vigueur depuis le 1er janv. 2021 (RO 2020 4683). par an.", "ne peut dépasser 24 francs par an."),
        ("Il Consiglio decide. Nuovo testo giusta il n. I della LF del 1° gen. 2020 (RU 2020 1).", "Il Consiglio decide."),
        ("1 Per costi si intendono i pozzi. Per. introdotto dal n. I della LF del 1° gen. 2020 (RU 2020 1).", "1 Per costi si intendono i pozzi."),
        ("1 Per la fonte vale altro. Nuovo testo giusta il n. I della LF del 1° gen. 2020 (RU 2020 1).", "1 Per la fonte vale altro."),
        ("c. Siehe auch die SchlB Änd. 18. März 1994 am Ende dieses BG. der Brunnen fliesst; d. Fassung gemäss Ziff. I des BG vom 3. April 2020 (AS 2021 37). die Quelle steht.", "c. der Brunnen fliesst; d. die Quelle steht."),
        ("e. Ursprünglich: Bst. d. Eingefügt durch Ziff. I des BG vom 3. April 2020 (AS 2021 37). der Bach.", "e. der Bach."),
        ("Die Behörde trägt (Art. 5) die Kosten.", "Die Behörde trägt (Art. 5) die Kosten."),
    ],
)  # fmt: skip
def test_notes_are_known_by_their_wording(text: str, clean: str) -> None:
    assert " ".join(split_notes(text)[0].split()) == clean


def test_a_text_without_article_marks_is_kept_whole_and_proves_nothing() -> None:
    edition = parse_markdown_ch((FRONT + "## Titel\n\nAlles in einem.").encode()).editions[0]

    assert edition.extent == "excerpt"
    assert edition.warnings


@pytest.mark.parametrize(
    "content",
    [
        b"# no front",
        b"---\nlanguage: de\n---\n",
        b"\xff\xfe",
        b"---\nsr_number: '1'\nlanguage: de\nversion_date: soon\n---\n",
    ],
)
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(UnreadableSource):
        parse_markdown_ch(content)
