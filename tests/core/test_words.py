import pytest

from lexreview.core.words import Words, says_nothing
from lexreview.core.workflow import CARD_TRANSITIONS, CardState, CardVerb, Role, TransitionRefused, check_transition


def test_a_sentence_is_english_and_keeps_what_it_is_made_of() -> None:
    words = Words("%(code)s takes %(most)s points.", code="A1", most=3)

    assert words == "A1 takes 3 points."
    assert (words.template, words.values) == ("%(code)s takes %(most)s points.", {"code": "A1", "most": 3})


@pytest.mark.parametrize("text", ["", "  ", "\n\t", "\u200b", " \u2060\ufeff ", "\u202e\u202c", "\u00ad", "\u00a0"])
def test_what_shows_no_sign_says_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize("text", ["x", "\u200bno", "é", "–", "👍", "理由"])
def test_anything_that_shows_says_something(text: str) -> None:
    assert not says_nothing(text)


def test_a_reason_of_signs_without_width_is_none() -> None:
    with pytest.raises(TransitionRefused) as refusal:
        check_transition(
            CARD_TRANSITIONS, CardVerb.PARK, state=CardState.IN_REVIEW, roles={Role.REVIEWER}, reason=" \u200b "
        )

    assert refusal.value.why == "reason"
