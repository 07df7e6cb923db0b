"""Points are written in the reader's language where they are read, and with a dot where a form or a record has them."""

import re
from datetime import datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from lexreview.accounts.models import User
from lexreview.core.words import Words
from lexreview.ledger.chain import plain
from lexreview.methodology.models import Specification
from lexreview.review.actions import decide_score
from lexreview.review.models import Card
from lexreview.review.snapshot import record_of
from lexreview.translating import translated, written
from tests.review.factories import make_card, specification_content
from tests.review.swapping import parsed


@pytest.mark.parametrize(
    ("points", "polish", "english"),
    [
        (Decimal("0.50"), "0,5", "0.5"),
        ("1.50", "1,5", "1.5"),
        (Decimal(10), "10", "10"),
        ("-0.25", "-0,25", "-0.25"),
        ("elements", "elements", "elements"),
        ("NaN", "NaN", "NaN"),
        ("1e400", "1e400", "1e400"),
        (None, "", ""),
    ],
)
def test_numbers_are_written_as_the_language_does(points: Decimal | str | None, polish: str, english: str) -> None:
    with override("pl"):
        assert written(points) == polish
    with override("en"):
        assert written(points) == english


def test_numbers_in_sentences_of_core_follow_the_language() -> None:
    words = Words("%(code)s goes up from %(least)s by %(step)s; %(given)s lies between two steps.", code="B1",
                  least=Decimal(0), step=Decimal("0.50"), given=Decimal("0.75"))  # fmt: skip

    assert words == "B1 goes up from 0 by 0.5; 0.75 lies between two steps."
    with override("de"):
        assert re.findall(r"\d+,\d+|\d+\.\d+", translated(words)) == ["0,5", "0,75"]


@pytest.fixture
def halved(db: None, reviewer: User, now: datetime) -> Card:
    """A card on which B1 goes by halves and has one and a half, and A1, too long for a row of buttons, by quarters."""
    card = make_card(assigned_to=reviewer)
    content = plain(specification_content())
    for criterion in content["criteria"]:
        if criterion["code"] in {"B1", "A1"}:
            criterion["step"] = "0.5" if criterion["code"] == "B1" else "0.25"
    Specification.objects.update(content=content, sha256="f" * 64)
    card = Card.objects.with_answer().get(pk=card.pk)
    for code, points in (("B1", "1.5"), ("A1", "0.25")):
        card = decide_score(
            card=card, criterion=code, points=Decimal(points), evidence="Read.", version=card.version, by=reviewer,
            now=now,
        )  # fmt: skip
    return card


def test_half_points_on_the_card_in_polish(client: Client, halved: Card, reviewer: User) -> None:
    """Buttons and history are read; what the forms send and the export holds is not."""
    client.force_login(reviewer)
    page = parsed(client.get(reverse("review:card", args=[halved.pk]), headers={"Accept-Language": "pl"}).content)

    radios = page.xpath("//form[@id='criterion-B1']//input[@name='points']")
    assert [each.get("value") for each in radios] == ["0", "0.5", "1", "1.5", "2"]
    assert [each.getnext().text for each in radios] == ["0", "0,5", "1", "1,5", "2"]
    assert [each.get("aria-label") for each in radios] == ["B1: 0", "B1: 0,5", "B1: 1", "B1: 1,5", "B1: 2"]
    assert [each.get("value") for each in radios if each.get("checked") is not None] == ["1.5"]
    [number] = page.xpath("//form[@id='criterion-A1']//input[@type='number']")
    assert (number.get("step"), number.get("value")) == ("0.25", "0.25")
    assert "0,25" in page.xpath("string(//span[@id='name-A1'])")
    assert "1,5" in page.xpath("string(//*[@id='history-lines'])")
    shown = page.xpath("string(//*[@id='card'])")
    assert not re.findall(r"\d\.(?:5|25)\b", re.sub(r"\d+\.\d+\.\d+", "", shown))
    assert [row["decided"] for row in record_of(halved)["scores"] if row["criterion"] == "B1"] == ["1.5"]
