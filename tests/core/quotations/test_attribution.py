"""Texts in which `{…}` marks citations; the quotation must belong to the one given, or to none."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.quotations import CitedSpan, attribute, find_quotations

CITED = re.compile(r"\{(\w+)\}")


def owners(marked: str) -> list[tuple[str, str | None, bool]]:
    """For each quotation its words, the name of the citation it is given to, and whether the tie is strong."""
    text, spans, names, at = "", [], [], 0
    for match in CITED.finditer(marked):
        text += marked[at : match.start()]
        names.append(match[1])
        spans.append(CitedSpan(len(text), len(text) + 6, holds_words=not match[1].startswith("number")))
        text += "Art. 9"
        at = match.end()
    text += marked[at:]
    found = attribute(text, find_quotations(text), spans)
    return [
        (
            each.quotation.text.strip(),
            names[each.candidates[0].span] if each.candidates else None,
            bool(each.candidates) and each.candidates[0].is_strong,
        )
        for each in found
    ]


@pytest.mark.parametrize(
    ("marked", "owner"),
    [
        ("Nach {a} gilt: «Gebühr ist fällig.»", "a"),
        ("Exceptions follow from {a}; “data trusts” under {b}.", "b"),
        ("Die Behörde handelt «so rasch als möglich» ({a}).", "a"),
        ("«Der andere Elternteil hat Anspruch.» ({a}) Bezogen wird später ({b}).", "a"),
        ("{a}: Sie können «gemeinsam klagen». Bei Einigung wäre es {b}.", "a"),
        ("Kriterien von {a}, darunter «die Dauer» ({b}).", "b"),
        ("{a} spricht von «weniger als 250 Personen» und {b} nicht.", "a"),
        ("«Das Eigentum ist sicher» ({a}); Verluste werden «voll ersetzt» ({b}).", "a"),
        ("„są obowiązane do wniosku” – {a}.", "a"),
        ("{a} stanowi: „Wyraża się zgodę”. Ustawa „wchodzi w życie” ({b}).", "a"),
        ("„Ustawa wchodzi w życie” przepisów wymienionych w {a}.", "a"),
        ("L'{a} dispose que « chaque partie doit prouver ».", "a"),
        ("{a} (« Fardeau de la preuve »)", "a"),
        ("«Fee» und «Frist» ({a}).", "a"),
        ("{a}: «Gebühr» und «Frist» sind genannt.", "a"),
        ("Nach {a}, «die Gebühr ist fällig».\n«Eine andere Regel gilt» ({b}).", "a"),
        ("{a} lautet: «Gebühr ist fällig»\n(vgl. {b})", "a"),
        ("- {a}: «Gebühr ist fällig»\n\n(vgl. {b})", "a"),
        ("{a} says “the fee is due” (see also {b}).", "a"),
        ("This “applies once a total is reached” under {a}.", "a"),
        ("| K | {a}: «bis zu 3000 Franken» | x |\n| L | {b} | y |", "a"),
        ("| «ustalenie stanu» | {a} |\n| «inne słowa» | {b} |", "a"),
        ("1. «Erste Regel» – {a}\n2. «Zweite Regel» – {b}", "a"),
        ("{a} reads:\n\n> The fee is due within seven days.\n\nThen {b}.", "a"),
        ("> The fee is due within seven days ({a}).\n\nThen {b} applies.", "a"),
        ("> {a}: The fee is due within seven days.\n", "a"),
        ("{a} lautet:\n- «erstens»\n- «zweitens»\n", "a"),
        ("«Chiunque può chiedere.» È la regola dell'{a}.", "a"),
        ("The court bereitet den Betrag «innert sieben Tagen» bereit ({a}).", "a"),
    ],
)
def test_the_first_quotation_belongs_to(marked: str, owner: str) -> None:
    assert owners(marked)[0][1] == owner


@pytest.mark.parametrize(
    ("text_mark", "note_mark"),
    [("[^1]", "[^1]:"), ("[^gebühr]", "[^gebühr]:"), ("¹", "¹"), (" [1]", "[1]"), (".[^1]", "[^1]:")],
)
def test_a_quotation_belongs_to_the_footnote_whose_mark_stands_behind_it(text_mark: str, note_mark: str) -> None:
    note = f"{note_mark} Siehe {{b}}; {{c}}.\n"
    marked = f"Es gilt: „Die Gebühr ist fällig“{text_mark} Mehr nicht ({{a}}).\n\nWeiter.\n\n{note}"

    assert owners(marked) == [("Die Gebühr ist fällig", "b", True)]


def test_a_mark_without_a_note_ties_nothing() -> None:
    assert owners("„Die Gebühr ist fällig“[^2] gilt nach {a}.\n\n[^1]: {b}")[0][1] == "a"


@pytest.mark.parametrize(
    "marked",
    [
        "«Gebühr ist fällig» ergibt sich aus {a}, «Rettung ist frei» aus {b}.",
        "„opłata jest należna” wynika z {a}, kwota „trzydzieści koron” – z {b}.",
    ],
)
def test_a_preposition_alone_ties_the_second_quotation_to_what_follows(marked: str) -> None:
    assert owners(marked)[1][1:] == ("b", True)


@pytest.mark.parametrize(
    "marked",
    [
        "Die Regel ist klar ({a}), soit, en traduction libre, « un abus manifeste ».",
        "w tłumaczeniu „nadużycie prawa nie zasługuje na ochronę” ({a})",
        "«abuse gets no protection» (translation), {a}",
        "ustawa o „Intersputniku” ({number}) obowiązuje",
        "The client wrote “please hurry”.",
    ],
)
def test_translations_titles_and_lone_words_belong_to_none(marked: str) -> None:
    assert owners(marked)[0][1] is None


def test_a_loose_tie_is_not_a_strong_one() -> None:
    (only,) = owners("Die «Washington Principles» sind bei der Suche nach einer Lösung zu beachten ({a}).")

    assert only == ("Washington Principles", "a", False)


def test_every_quotation_of_a_chain_finds_its_own_bracket() -> None:
    found = owners("Sie erhält «an 98 Tagen» ({a}), «höchstens 220 Franken» ({b}) und «keine Zulage» ({c}).")

    assert [owner for _, owner, _ in found] == ["a", "b", "c"]


def test_both_quotations_behind_a_colon_belong_to_the_citation() -> None:
    assert [owner for _, owner, _ in owners("{a}: «Gebühr» und «Frist» sind genannt.")] == ["a", "a"]


def test_words_that_a_court_says_are_not_the_provisions() -> None:
    assert owners("{a} does not bind, and the same judgment says “guidelines bind nobody”.")[0][1] is None


@given(st.text(alphabet='ab .:;()\n"«»{}-|>', max_size=200))
def test_any_text_can_be_attributed(marked: str) -> None:
    owners(marked.replace("{", " {x} ").replace("}", ""))


def test_many_quotations_and_citations_stay_linear() -> None:
    text = "«a» (Art. 5) und so weiter. " * 20_000
    spans = [CitedSpan(match.start(), match.end()) for match in re.finditer(r"Art\. 5", text)]
    started = time.process_time()

    attribute(text, find_quotations(text), spans)

    assert time.process_time() - started < 10
