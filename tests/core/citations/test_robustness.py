from __future__ import annotations

import sys
import time
import unicodedata
from collections.abc import Callable
from inspect import unwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexreview.core.citations import extract, parse_unit_key
from lexreview.core.citations.registry import grammar_of
from tests.core.citations.profiles import ACTS, KESTRIA

GRAMMARS = (
    ("pl", "pl"),
    ("ch", "de"),
    ("ch", "fr"),
    ("ch", "it"),
    ("eu", "en"),
    ("it", "it"),
    ("auto", "it"),
    ("QK", "en"),
)
PIECES = st.sampled_from(
    [
        "art. ",
        "§ ",
        "1",
        "12",
        "385¹",
        "^1",
        "(1)",
        "[2]",
        " i ",
        ", ",
        "–",
        "-",
        " k.c.",
        " KC",
        " OR",
        " CO",
        " c.c.",
        " ust. ",
        "pkt ",
        "lit. ",
        "a",
        "b)",
        "Dz.U. ",
        "2024 ",
        "poz. ",
        "z dnia ",
        "5 maja 2010 r.",
        " w zw. z ",
        "wyrok SN ",
        "III CZP 25/22",
        "C-260/18",
        "ECLI:EU:C:2019:819",
        "BGE 140 III 86",
        "4A_1/2020",
        "SR 235.1",
        "RODO",
        "tej ustawy",
        "(dalej: ",
        "„u.k.”",
        ")",
        "Cass. ",
        "n. 12/2020",
        "sez. un.",
        "TAR Lazio",
        "Id.",
        "comma 2",
        "d.lgs. 231/2001",
        "<sup>1</sup>",
        "&nbsp;",
        "**",
        "`",
        "\n",
        "\n\n",
        "",
        " ",
        "\xad",
        "é",
        "🦊",
        "https://a.b/c",
        "x@y.zz",
        "[^1]",
        "](u/v)",
        "\\_",
        "umowa ",
        "Ziff. ",
        "Abs. ",
        "f.",
        "ff.",
        "Art. ",
        "al. ",
        "let. ",
        "cpv. ",
        "in der ",
        "des ",
        "of the ",
        "Act",
        "CPA",
        "OJ 2024, 118",
        "II Civ 44/24",
        "\x00",
        "\ud7ff",
        "\u200f",
        "ß",
        "İ",
    ]
)
FRAGMENTS = (
    "TAR a",
    "art. ",
    "Dz.U. ",
    "§ ",
    "Cass. ",
    "(",
    "*",
    "a",
    "1 ",
    "lit. a i ",
    "z dnia ",
    "ustawy o ",
    "ECLI:",
    "BGE ",
    "1/",
    "C-",
    "dalej: ",
    "k. ",
    "w zw. z ",
    "umowa ",
    "art. 5 ust. ",
    "Art. 8 Abs. ",
    "&nbsp;",
    "<a",
    "a@",
    "](",
    "5 maja 2010 ",
    "n. 1/2020 ",
    "sez. ",
    "wyrok ",
    "Trib. R",
    "[^",
    "X Y c. ",
)


def read(text: str, jurisdiction: str, lang: str) -> list:
    profile = KESTRIA if jurisdiction == "QK" else None
    return extract(text, jurisdiction=jurisdiction, lang=lang, acts=ACTS if profile else (), profile=profile)


def assert_sound(text: str, jurisdiction: str, lang: str) -> None:
    found = read(text, jurisdiction, lang)
    assert all(text[one.start : one.end] == one.raw and one.raw for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)
    for one in found:
        parse_unit_key(one.unit)
        one.to_case()


@settings(max_examples=250, deadline=None)
@given(pieces=st.lists(PIECES, max_size=40), grammar=st.sampled_from(GRAMMARS))
def test_any_mixture_of_legal_pieces_gives_sound_citations(pieces: list[str], grammar: tuple[str, str]) -> None:
    assert_sound("".join(pieces), *grammar)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=120), grammar=st.sampled_from(GRAMMARS))
def test_any_text_gives_sound_citations(text: str, grammar: tuple[str, str]) -> None:
    assert_sound(text, *grammar)


DISGUISES: dict[str, Callable[[str], str]] = {
    "bold": lambda text: text.replace("art. 471", "**art. 471**"),
    "italic": lambda text: f"*{text}*",
    "underscores": lambda text: f"_{text}_",
    "code": lambda text: text.replace("art. 471", "`art. 471`"),
    "non-breaking space": lambda text: text.replace(" ", "\u00a0"),
    "thin space": lambda text: text.replace("§ 1", "§\u2009" + "1"),
    "entity": lambda text: text.replace(" ", "&nbsp;").replace("§", "&sect;"),
    "tags": lambda text: text.replace("art. 471", "<b>art. 471</b>"),
    "soft hyphen": lambda text: text.replace("umowy", "umo\u00adwy"),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "line break": lambda text: text.replace("471 §", "471\r\n§"),
    "emoji": lambda text: f"✅🦊 {text} 👩‍⚖️",
    "table": lambda text: f"| Przepis | Treść |\n|---|---|\n| {text} | x |",
    "footnote": lambda text: text.replace("k.c.", "k.c.[^3]"),
    "link": lambda text: text.replace("art. 471 § 1 k.c.", "[art. 471 § 1 k.c.](https://isap.example/art.5?k.c.=1)"),
}


@pytest.mark.parametrize("name", sorted(DISGUISES))
def test_disguise_does_not_hide_a_citation(name: str) -> None:
    text = DISGUISES[name]("Niewykonanie umowy: art. 471 § 1 k.c., zażółć gęślą jaźń.")

    found = read(text, "pl", "pl")

    assert [(one.act, one.unit) for one in found] == [("KC", "art=471/par=1")]
    assert text[found[0].start : found[0].end] == found[0].raw
    assert "471" in found[0].raw


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_work_grows_in_proportion_to_a_repeated_fragment(fragment: str) -> None:
    """Twenty times the text may cost at most a hundred times the processor time: quadratic work would cost 400."""
    short, long = 3_000 // len(fragment), 60_000 // len(fragment)
    for jurisdiction, lang in (("pl", "pl"), ("ch", "fr"), ("it", "it"), ("eu", "en"), ("QK", "en")):
        read(fragment * 5, jurisdiction, lang)
        base = min(_processor_time(fragment * short, jurisdiction, lang) for _ in range(3))
        allowed = 100 * max(base, 0.0015)
        assert any(_processor_time(fragment * long, jurisdiction, lang) <= allowed for _ in range(3))


def test_work_grows_in_proportion_to_names_that_the_text_defines() -> None:
    def text(count: int) -> str:
        return "".join(f"Ustawa o VAT (dalej: ab{number}). Zob. art. 5 ab{number}. " for number in range(count))

    read(text(5), "pl", "pl")
    base = min(_processor_time(text(60), "pl", "pl") for _ in range(3))
    assert any(_processor_time(text(1_200), "pl", "pl") <= 100 * max(base, 0.0015) for _ in range(3))


@pytest.mark.parametrize("fragment", ["art. 5 k.c. ", "Cass. n. 1/2020 ", "§ 1 i ", "III CZP 25/22, "])
def test_calls_grow_in_proportion_to_repeated_citations(fragment: str) -> None:
    for jurisdiction, lang in (("pl", "pl"), ("it", "it"), ("ch", "de")):
        read(fragment * 5, jurisdiction, lang)
        once, twice = (_calls(fragment * count, jurisdiction, lang) for count in (200, 400))
        assert twice <= 2.3 * once + 500


def _processor_time(text: str, jurisdiction: str, lang: str) -> float:
    """The time for reading all of the text, also where it repeats itself for long."""
    profile = KESTRIA if jurisdiction == "QK" else None
    grammar = unwrap(grammar_of(jurisdiction))
    start = time.process_time()
    grammar(text, lang=lang, acts=ACTS if profile else (), profile=profile)
    return time.process_time() - start


def _calls(text: str, jurisdiction: str, lang: str) -> int:
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    previous = sys.getprofile()
    sys.setprofile(counted)
    try:
        read(text, jurisdiction, lang)
    finally:
        sys.setprofile(previous)
    return count
