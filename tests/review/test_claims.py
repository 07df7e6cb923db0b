import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexreview.answers.answer_html import visible_text
from lexreview.review.actions import InvalidFinding
from lexreview.review.claims import find_claim
from tests.review.factories import ANSWER


def test_words_are_found_through_emphasis_and_keep_their_markup() -> None:
    claim = find_claim(ANSWER, "due within fourteen days of service")

    assert claim.text == "due **within fourteen days** of service"
    assert ANSWER[claim.start : claim.end] == claim.text


def test_later_occurrence_is_chosen_by_its_number() -> None:
    first = find_claim(ANSWER, "fourteen days")
    second = find_claim(ANSWER, "fourteen days", 2)

    assert ANSWER[first.start : first.end] == ANSWER[second.start : second.end] == "fourteen days"
    assert second.start == ANSWER.index("fourteen days", first.end)


def test_quote_over_a_line_break_and_a_list_is_found() -> None:
    text = "- one **two**\n- three\n\n> four\r\n> five"

    assert find_claim(text, "two\nthree").text == "two**\n- three"
    assert find_claim(text, "four five").text == "four\r\n> five"


def test_quote_with_its_markup_is_found_in_the_stored_text() -> None:
    assert find_claim(ANSWER, "**within fourteen days**").text == "**within fourteen days**"


def test_entities_and_escapes_are_taken_whole() -> None:
    text = "fee \\* of &sect; 17"

    assert find_claim(text, "* of §").text == "\\* of &sect;"


@pytest.mark.parametrize("quote", ["", "  \n", "words that are not there", "within fourteen days of servise"])
def test_words_that_are_not_there_are_refused(quote: str) -> None:
    with pytest.raises(InvalidFinding):
        find_claim(ANSWER, quote)


def test_too_high_an_occurrence_says_so() -> None:
    with pytest.raises(InvalidFinding, match="smaller number"):
        find_claim(ANSWER, "fourteen days", 9)


PIECES = [
    "The fee is due 😀 within 👩‍⚖️ days. ",
    "Opłata, e\u0301te\u0301, Zürich, ﬁne. ",
    "**bold _both_** and `code` ",
    "\r\n\r\n- one\r\n  - two **three**\r\n    1. four 😀\r\n",
    "\n\n> cited\n> words\n\n",
    "\n\n| a | b |\n|---|---|\n| 1 😀 | e\u0301 |\n\n",
    "&sect; 17 \\* [link](https://law.example/a) ",
    "\u202bעברית\u202c 中文 ",
    "the same the same ",
]


def check_words(text: str, start: int, length: int) -> None:
    """Words that are read on the page are found where they stand, and their place gives back what is kept of them."""
    shown, spans = visible_text(text)
    quote = shown[start : start + length].strip()
    if not quote:
        return
    begin = shown.index(quote, start)
    read, wanted = " ".join(shown.split()), " ".join(quote.split())
    place = len(" ".join((shown[:begin] + "x").split())) - 1
    occurrence = len([before for before in range(place + 1) if read.startswith(wanted, before)])

    claim = find_claim(text, quote, occurrence)

    assert claim.start == spans[begin][0]
    assert text[claim.start : claim.end] == claim.text


@settings(max_examples=300, deadline=None)
@given(start=st.integers(0, len(ANSWER)), length=st.integers(1, 60))
def test_any_words_read_on_the_page_are_found_where_they_stand(start: int, length: int) -> None:
    check_words(ANSWER, start, length)


@settings(max_examples=300, deadline=None)
@given(
    pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=8),
    start=st.integers(0, 150),
    length=st.integers(1, 40),
)
def test_e1_words_of_any_text_are_found_where_they_stand(pieces: list[str], start: int, length: int) -> None:
    """With emoji, combining marks, both ends of lines, nested lists, tables, and the same words again."""
    check_words("".join(pieces), start, length)
