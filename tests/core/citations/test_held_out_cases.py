from __future__ import annotations

import pytest

from lexreview.core.citations import extract
from tests.core.citations.case_files import expected_of, found_of, italian_of, lines_of
from tests.core.citations.profiles import ACTS, KESTRIA

SWISS = [tuple(cells) for cells in lines_of("ch")]
POLISH = [tuple(cells) for cells in lines_of("pl")]
EUROPEAN = [tuple(cells) for cells in lines_of("eu")]
INVENTED = [tuple(cells) for cells in lines_of("generic")]
OF_ANY_LAW = [tuple(cells) for cells in lines_of("auto")]
ITALIAN = [tuple(cells) for cells in lines_of("it")]


@pytest.mark.parametrize(("lang", "text", "expected"), POLISH)
def test_polish_text_gives_the_expected_citations(lang: str, text: str, expected: str) -> None:
    found = extract(text, jurisdiction="pl", lang=lang)

    assert found_of(found) == expected_of(expected)
    assert all(text[one.start : one.end] == one.raw for one in found)


@pytest.mark.parametrize(("lang", "text", "expected"), SWISS)
def test_swiss_text_gives_the_expected_citations(lang: str, text: str, expected: str) -> None:
    found = extract(text, jurisdiction="ch", lang=lang)

    assert found_of(found) == expected_of(expected)
    assert all(text[one.start : one.end] == one.raw for one in found)


@pytest.mark.parametrize(("lang", "text", "expected"), EUROPEAN)
def test_text_on_european_law_gives_the_expected_citations(lang: str, text: str, expected: str) -> None:
    assert found_of(extract(text, jurisdiction="eu", lang=lang)) == expected_of(expected)


@pytest.mark.parametrize(("lang", "text", "expected"), OF_ANY_LAW)
def test_text_on_a_law_that_is_not_said_gives_the_expected_citations(lang: str, text: str, expected: str) -> None:
    assert found_of(extract(text, jurisdiction="auto", lang=lang)) == expected_of(expected)


@pytest.mark.parametrize(("lang", "text", "expected"), INVENTED)
def test_text_on_an_invented_state_gives_the_expected_citations(lang: str, text: str, expected: str) -> None:
    found = extract(text, jurisdiction="QK", lang=lang, acts=ACTS, profile=KESTRIA)

    assert found_of(found) == expected_of(expected)
    assert all(text[one.start : one.end] == one.raw for one in found)


@pytest.mark.parametrize(("text", "expected"), ITALIAN)
def test_italian_text_gives_the_expected_rulings_and_norms(text: str, expected: str) -> None:
    found = extract(text, jurisdiction="it", lang="it")

    assert italian_of(found) == expected_of(expected)
    assert all(text[one.start : one.end] == one.raw for one in found)


def test_there_are_enough_cases_and_enough_negatives() -> None:
    cases = [*POLISH, *SWISS, *EUROPEAN, *OF_ANY_LAW, *INVENTED, *ITALIAN]
    negatives = [case for case in cases if not case[-1]]

    assert len(cases) >= 300
    assert len(negatives) >= 60
