"""What the layer found is withheld by every rule that a room above registers, not by the last one."""

import pytest

from lexreview.answers.models import Answer
from lexreview.verification import advice
from tests.factories import make_user
from tests.review.factories import make_card

pytestmark = pytest.mark.django_db


def test_an_answer_that_any_rule_withholds_is_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, free = (make_card(code=code).answer for code in ("P01", "P02", "P03"))
    rules = [
        lambda _user, pk=each.pk: Answer.objects.filter(pk=pk).values_list("pk", flat=True) for each in (first, second)
    ]
    monkeypatch.setattr(advice._registry, "rules", rules)
    person = make_user("rita")

    assert set(advice.withheld_from(person)) == {first, second}
    assert not advice.is_withheld_from(person, free)
    monkeypatch.setattr(advice._registry, "rules", [])
    assert not advice.withheld_from(person).exists()
