# ruff: noqa: E501
from datetime import date

import pytest

from lexreview.law.parsed import ParsedUnit, UnreadableSource, full_text, walk
from lexreview.law.sources.fedlex import parse_fedlex, read_number
from tests.law.files import article, fedlex, paragraph


def units(body: str, **more: str) -> dict[str, ParsedUnit]:
    found: dict[str, ParsedUnit] = {}
    for unit in walk(parse_fedlex(fedlex(body, **more)).editions[0].units):
        found.setdefault(unit.key, unit)
    return found


def test_head_gives_act_edition_and_names() -> None:
    act = parse_fedlex(fedlex(article("1", paragraph("", "Ein Brunnen spendet Wasser."))))
    names = {(name.kind, name.language, name.value) for name in act.names}

    assert (act.eli, act.jurisdiction, act.adopted_on, act.in_force_on) == (
        "eli/cc/2020/1", "CH", date(2019, 12, 13), date(2020, 6, 1)
    )  # fmt: skip
    assert act.editions[0].valid_from == date(2024, 1, 1)
    assert act.editions[0].valid_to is None
    assert {("number", "", "SR 999.1"), ("number", "", "RS 999.1"), ("abbreviation", "de", "BruG")} <= names
    assert {
        ("abbreviation", "fr", "LFon"),
        ("title", "de", "Bundesgesetz über Brunnen"),
        ("title", "de", "Brunnengesetz"),
    } <= names


def test_paragraphs_lists_and_notes() -> None:
    body = article(
        "3",
        "<paragraph><num>1<sup>bis</sup></num><content><blockList><listIntroduction>Es gilt für:</listIntroduction>"
        "<item><num>a. </num><p>Brunnen<authorialNote><p>Eingefügt durch nichts.</p></authorialNote> aller Art;</p></item>"
        "<item><num>b. </num><blockList><listIntroduction>Quellen:</listIntroduction><item><num>1. </num><p>heisse,</p></item>"
        "<item><num>2. </num><p>kalte.</p></item></blockList></item></blockList></content></paragraph>",
        heading="Geltung,<br/>Umfang",
    )

    found = units(body)

    assert found["art=3"].heading == "Geltung, Umfang"
    assert found["art=3/ust=1bis"].text == "Es gilt für:"
    assert found["art=3/ust=1bis/lit=a"].text == "Brunnen aller Art;"
    assert found["art=3/ust=1bis/lit=a"].notes == ["Eingefügt durch nichts."]
    assert found["art=3/ust=1bis/pkt=2/lit=b"].text == "kalte."
    assert full_text(found["art=3"]) == ("1bis Es gilt für:\na. Brunnen aller Art;\nb. Quellen:\n1. heisse,\n2. kalte.")


def test_inline_marks_do_not_cut_words_and_blocks_do() -> None:
    found = units(article("1", "<paragraph><content><p><b>nic</b>ht <i>so</i></p><p>neu</p></content></paragraph>"))

    assert found["art=1"].text == "nicht so\nneu"


def test_a_repealed_range_answers_with_its_end() -> None:
    body = '<article eId="art_28_d_28_f"><num><b>Art. 28</b><i>d–</i><b>28</b><i>f</i><authorialNote><p>Aufgehoben durch Ziff. I.</p></authorialNote></num></article>'

    unit = units(body)["art=28d"]

    assert (unit.range_end, unit.is_repealed) == ("28f", True)


@pytest.mark.parametrize(
    ("text", "note", "is_repealed"),
    [
        ("…", "Aufgehoben durch Ziff. I, mit Wirkung seit 1. Jan. 2020.", True),
        ("", "", True),
        ("…", "Die Änderung kann unter AS 2020 1 konsultiert werden.", False),
        ("Der Brunnen läuft.", "", False),
    ],
)
def test_an_ellipsis_is_a_repeal_unless_the_text_stands_elsewhere(text: str, note: str, is_repealed: bool) -> None:
    note = f"<authorialNote><p>{note}</p></authorialNote>" if note else ""
    body = article("4", f"<paragraph><content><p>{text}{note}</p></content></paragraph>")

    assert units(body)["art=4"].is_repealed is is_repealed


def test_marginal_titles_are_the_heading_of_articles_without_one() -> None:
    body = (
        '<level fedlex:role="marginal"><num>A. </num><heading>Brunnen</heading>'
        '<level fedlex:role="marginal"><num>I. </num><heading>Pflege</heading>'
        + article("5", paragraph("1", "Man pflegt sie."))
        + "</level></level>"
    )

    assert units(body)["art=5"].heading == "A. Brunnen / I. Pflege"


def test_transitional_articles_stand_apart_and_raised_digits_number_their_paragraphs() -> None:
    body = article("1", paragraph("", "Haupttext.")) + (
        '<proviso eId="disp_u1"><heading>Schlusstitel</heading><article eId="disp_u1/art_1"><num>Art. 1</num><content>'
        "<paragraph><content><p><sup>1</sup> Alt.</p><p><sup>2</sup> Neu.</p></content></paragraph></content></article></proviso>"
    )

    found = units(body)

    assert found["art=1"].text == "Haupttext."
    assert found["dis=1/art=1/ust=2"].text == "Neu."


def test_a_list_that_goes_on_behind_a_picture_stays_the_inner_list() -> None:
    body = article(
        "22",
        "<paragraph><num>3</num><content><blockList><item><num>a. </num><blockList><item><num>1. </num><p>eins</p></item></blockList></item></blockList>"
        '<p><img src="image1.png"/></p><blockList><item><num>2. </num><p>zwei</p></item><item><num>b. </num><p>B</p></item></blockList></content></paragraph>',
    )

    found = units(body)

    assert found["art=22/ust=3/pkt=2/lit=a"].text == "zwei"
    assert found["art=22/ust=3/lit=b"].text == "B"


@pytest.mark.parametrize(
    ("label", "number"),
    [
        ("Art. 268abis", ("268abis", "")), ("Art. 86 und 87", ("86", "87")), ("Art. 43–48", ("43", "48")),
        ("Art. 2 e 3", ("2", "3")), ("3 und 4", ("3", "4")), ("5bis", ("5bis", "")), ("§ 7", ("7", "")), ("Schluss", ("", "")),
    ],
)  # fmt: skip
def test_numbers_of_labels(label: str, number: tuple[str, str]) -> None:
    assert read_number(label) == number


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty file"),
        (b"<!DOCTYPE html><html><body>App</body></html>", "HTML page"),
        (fedlex("")[:700], "not well-formed"),
        (b"<akomaNtoso><bill/></akomaNtoso>", "akomaNtoso/act"),
        (fedlex("").replace(b"fedlex.data.admin.ch", b"law.example"), "address of a Fedlex consolidation"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><akomaNtoso><act>&x;</act></akomaNtoso>', "entities"),
    ],
)
def test_other_files_are_refused_with_what_was_expected(content: bytes, message: str) -> None:
    with pytest.raises(UnreadableSource, match=message):
        parse_fedlex(content)


def test_external_entities_are_not_read(tmp_path: object) -> None:
    content = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><akomaNtoso><act>&x;</act></akomaNtoso>'

    with pytest.raises(UnreadableSource, match="entities"):
        parse_fedlex(content)
