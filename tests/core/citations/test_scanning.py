from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.citations import ch, pl
from lexreview.core.citations.language_words import LANGUAGES
from lexreview.core.citations.rulings import RulingRules
from lexreview.core.citations.scanning import matches_at, word_starts
from lexreview.core.citations.view import _FOLD, _TIDY, fold, view_of
from tests.core.citations.test_robustness import PIECES

RULINGS = [pl._rulings(), ch._rulings("de"), ch._rulings("it")]
TEXTS = st.lists(
    PIECES | st.sampled_from([" ", "wyrok ", "Urteil ", "dalej ", "sentenza ", "5 maja 2010 "]), max_size=30
)


def plainly(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """The obvious twin: every place is tried."""
    return [match.span() for match in re.finditer(rf"(?<![^\W_])(?:{pattern.pattern})", text)]


@given(TEXTS)
def test_places_lose_no_form_of_decision(pieces: list[str]) -> None:
    text = view_of("".join(pieces)).folded

    for rules in RULINGS:
        found = [match.span() for match in matches_at(rules.form_places, rules.form_pattern, text)]
        assert found == plainly(rules.form_pattern, text)


@given(TEXTS)
def test_places_lose_no_alias_phrase(pieces: list[str]) -> None:
    text = view_of("".join(pieces)).folded

    for words in LANGUAGES.values():
        alias = re.compile(words.alias)
        assert [match.span() for match in matches_at(word_starts(words.alias), alias, text)] == plainly(alias, text)


@given(TEXTS)
def test_places_lose_no_date_court_or_form(pieces: list[str]) -> None:
    text = view_of("".join(pieces)).folded

    for rules in RULINGS:
        assert spans(rules, text) == [match.span() for match in rules.parts.finditer(text)]


def spans(rules: RulingRules, text: str) -> list[tuple[int, int]]:
    return [match.span() for match in matches_at(rules.part_places, rules.parts, text)]


def test_places_stand_at_the_start_of_words_only() -> None:
    places = word_starts(r"art(?:icle)?\b", "(?:of|on)x", anywhere="§")

    found = [match.start() for match in places.finditer("art smart ofx 5§ _artur article onx")]

    assert found == [0, 10, 15, 18, 24, 32]


def test_a_pattern_that_may_begin_with_anything_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be listed"):
        word_starts(r"\w{0,3}contract")


@given(st.text(alphabet=st.sampled_from("aĄŻßİ–—*`\u00a0\u202f’KX ¹ñÅ"), max_size=40) | st.text(max_size=40))
def test_folding_by_few_characters_equals_folding_by_table(text: str) -> None:
    assert fold(text) == text.translate(_FOLD)
    assert len(fold(text)) == len(text)
    assert view_of("a" + text.replace("<", "").replace("&", "")).text is not None
    assert all(ord(char) not in _TIDY or _TIDY[ord(char)] == char for char in view_of(text).text)
