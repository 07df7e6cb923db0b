"""The reviews of the demonstration name the elements that their points were given for."""

from datetime import datetime
from decimal import Decimal

import pytest

from lexreview.accounts.models import User
from lexreview.reports.demonstration import DemoReview, FaultyReview
from tests.review.factories import make_card


@pytest.mark.parametrize(
    ("named", "said"), [(["R1", "R9"], "A1: the key has no R9"), (["R1", "R2"], "A1: R1, R2 make 2, not 1")]
)
def test_elements_that_are_not_of_the_key_or_make_other_points_are_refused(
    reviewer: User, now: datetime, named: list[str], said: str
) -> None:
    card = make_card(assigned_to=reviewer)
    review = DemoReview(card=card, record={"elements": {"A1": named}}, by=reviewer, now=now)

    with pytest.raises(FaultyReview, match=said):
        review.details("A1", Decimal(1))
    assert DemoReview(card=card, record={"elements": {"A1": ["R1"]}}, by=reviewer, now=now).details(
        "A1", Decimal(1)
    ) == {"elements": ["R1"]}
