# ruff: noqa: E501
from datetime import date

import pytest

from lexreview.law.parsed import ParsedUnit, UnreadableSource, full_text, walk
from lexreview.law.sources.eurlex import parse_eurlex

HEAD = """<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Consolidated TEXT: 32021R0077 — EN — 01.03.2022</title></head>
<body><p class="reference">02021R0077 — EN — 01.03.2022 — 001.001</p>
<p class="title-doc-first">REGULATION (EU) 2021/77 OF NOBODY</p><p class="title-doc-first">of 5 May 2021</p>
<p class="title-doc-first">on wells (Wells Regulation)</p><p class="title-doc-last">(Text with EEA relevance)</p>"""


def item(label: str, text: str) -> str:
    return (
        f'<div class="grid-container grid-list"><div class="list grid-list-column-1"><span>{label} </span></div>'
        f'<div class="grid-list-column-2"><p class="norm">{text}</p></div></div>'
    )


MODERN = (
    HEAD
    + '<p class="title-division-1">CHAPTER I</p><p class="title-division-2">General</p>'
    + '<div class="eli-subdivision" id="art_1"><p class="title-article-norm">Article 1</p><div class="eli-title"><p class="stitle-article-norm">Scope</p></div>'
    + '<div class="norm"><span class="no-parag">1.  </span><div class="norm inline-element"><p class="norm inline-element">It covers:</p>'
    + item("(a)", 'wells (<a href="#E1" id="src.E1"><span class="superscript">1</span></a>);')
    + item("(b)", "springs:" + "</p>" + item("(i)", "hot;") + item("(ii)", "cold;") + '<p class="norm">')
    + '</div></div><p class="norm">The first subparagraph does not cover:</p>'
    + item("(a)", "taps.")
    + '<p class="modref"><a>▼M1</a></p><div class="norm"><span class="no-parag">2.  </span><div class="norm inline-element">—————</div></div></div>'
    + '<div class="eli-subdivision" id="art_2"><p class="title-article-norm">Article 2</p>'
    + item("(1)", "‘well’ means a hole;")
    + "</div>"
    + '<p class="title-annex-1">ANNEX I</p><p class="norm">Forms</p>'
    + '<p class="footnote">(<a href="#src.E1" id="E1"><span class="superscript">1</span></a>) Directive of old (OJ L 1).</p></body></html>'
)

OLD = (
    HEAD
    + '<p class="title-article-norm">Article 1</p><p class="stitle-article-norm">Scope</p><p class="norm">1.  It covers:</p>'
    + '<div style="margin-left: 30pt; text-indent: -30pt"><p class="norm">(a)<span> </span>wells;</p></div>'
    + '<div style="margin-left: 30pt; text-indent: -30pt"><p class="norm">(b)<span> </span>springs:</p>'
    + '<div style="margin-left: 30pt; text-indent: -30pt"><p class="norm">(i)<span> </span>hot;</p></div></div>'
    + '<p class="norm">2.  It ends.</p></body></html>'
)

JOURNAL = """<html><body><table><tr><td><p class="oj-hd-date">6.5.2021</p></td><td><p class="oj-hd-lg">EN</p></td></tr></table>
<p class="oj-doc-ti">REGULATION (EU) 2021/77 OF NOBODY</p><p class="oj-doc-ti">of 5 May 2021</p>
<table><tr><td><p class="oj-normal">(1)</p></td><td><p class="oj-normal">Wells matter.</p></td></tr></table>
<p class="oj-ti-art">Article 1</p><p class="oj-sti-art">Change</p><p class="oj-normal">The old act is amended:</p>
<table><tr><td><p class="oj-normal">(1)</p></td><td><p class="oj-normal">this is added:</p>
<p class="oj-ti-art">‘Article 9</p><p class="oj-normal">New.’</p></td></tr></table>
<div class="oj-final"><p class="oj-normal">Done at Nowhere.</p></div></body></html>"""


def units(page: str, **more: object) -> dict[str, ParsedUnit]:
    found: dict[str, ParsedUnit] = {}
    for unit in walk(parse_eurlex(page.encode(), **more).editions[0].units):  # type: ignore[arg-type]
        found.setdefault(unit.key, unit)
    return found


def test_head_of_a_consolidated_text() -> None:
    act = parse_eurlex(MODERN.encode())
    edition = act.editions[0]

    assert (act.eli, edition.identifier, edition.valid_from) == (
        "CELEX 32021R0077",
        "02021R0077-20220301",
        date(2022, 3, 1),
    )
    assert edition.standing == "consolidated"
    assert act.adopted_on == date(2021, 5, 5)
    assert {"32021R0077", "2021/77", "Regulation (EU) 2021/77", "Wells Regulation"} <= {
        name.value for name in act.names
    }


def test_units_of_the_present_style() -> None:
    found = units(MODERN)

    assert found["art=1"].heading == "Scope"
    assert found["art=1/ust=1/lit=a"].text == "wells;"
    assert found["art=1/ust=1/lit=a"].notes == ["Directive of old (OJ L 1)."]
    assert found["art=1/ust=1/pkt=ii/lit=b"].text == "cold;"
    assert found["art=1/ust=2"].is_repealed
    assert found["art=2/pkt=1"].text == "‘well’ means a hole;"
    assert found["@annex/i"].text == "Forms"
    assert full_text(found["art=1/ust=1"]).splitlines()[-2:] == ["The first subparagraph does not cover:", "(a) taps."]


def test_units_of_the_older_style_have_the_same_keys() -> None:
    found = units(OLD)

    assert found["art=1/ust=1/lit=a"].text == "wells;"
    assert found["art=1/ust=1/pkt=i/lit=b"].text == "hot;"
    assert found["art=1/ust=2"].text == "It ends."


def test_the_journal_gives_recitals_and_keeps_quoted_articles_as_text() -> None:
    act = parse_eurlex(JOURNAL.encode())
    found = units(JOURNAL)

    assert (act.editions[0].standing, act.editions[0].valid_from, act.editions[0].promulgated_on) == (
        "promulgated",
        None,
        date(2021, 5, 6),
    )
    assert found["motyw=1"].text == "Wells matter."
    assert "art=9" not in found
    assert "‘Article 9" in full_text(found["art=1/pkt=1"])
    assert "Done at" not in full_text(found["art=1"])


@pytest.mark.parametrize(
    ("title", "celex"),
    [
        ("REGULATION (EU) No 596/2014 of nobody", "32014R0596"),
        ("DIRECTIVE 93/13/EEC of nobody", "31993L0013"),
        ("COUNCIL REGULATION (EEC) No 1408/71 of nobody", "31971R1408"),
        ("DECISION (EU) 2019/1 of nobody", "32019D0001"),
    ],
)
def test_the_number_of_an_act_is_read_from_its_title(title: str, celex: str) -> None:
    page = f'<html><body><p class="oj-doc-ti">{title}</p><p class="oj-ti-art">Article 1</p><p class="oj-normal">X.</p></body></html>'

    assert parse_eurlex(page.encode()).eli == f"CELEX {celex}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"), (b"plain words", "without any markup"), (b"<html><body><p>Challenge</p></body></html>", "no CELEX"),
        (HEAD.encode(), "found none"),
    ],
)  # fmt: skip
def test_other_pages_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(UnreadableSource, match=message):
        parse_eurlex(content)
