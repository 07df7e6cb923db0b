"""D4: one registry of keys, no key with two meanings, and every key has something to do on the page."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from lexreview.review.keys import KEYS, TAKEN_BY_BROWSERS, TAKEN_WITH_CTRL, Context, Key, collisions
from lexreview.review.models import Card
from tests.review.sending import FORMS
from tests.review.swapping import parsed


def test_d4_no_key_means_two_things() -> None:
    assert collisions() == set()
    assert not {key.key for key in KEYS} & TAKEN_BY_BROWSERS - {"Escape"}
    assert not {key.key.removeprefix("Ctrl+") for key in KEYS if key.key.startswith("Ctrl+")} & TAKEN_WITH_CTRL


def test_d4_a_collision_would_be_noticed() -> None:
    assert collisions([*KEYS, Key("j", "other", "other", Context.CITATION)]) == {"j"}
    assert collisions([*KEYS, Key("a", "other", "other", Context.CARD)]) == {"a"}
    assert collisions([*KEYS, Key("t", "other", "other", Context.CRITERION)]) == set()
    assert collisions([*KEYS, Key("g q", "other", "other", Context.CITATION)]) == {"g q"}
    assert collisions([*KEYS, Key("g", "other", "other", Context.CITATION)]) == {"g", "g q", "g m", "g l"}
    assert collisions([*KEYS, Key("q x", "other", "other", Context.CARD)]) == {"q", "q x"}
    assert collisions([*KEYS, Key("", "one", "one", Context.CARD), Key("", "two", "two", Context.CARD)]) == set()


@pytest.mark.django_db
def test_d6_every_key_is_on_the_sheet_and_does_something(reviewers_client: Client, card: Card) -> None:
    note = FORMS["note"](card)
    reviewers_client.post(note.address, note.fields)
    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk])).content)
    script = (settings.BASE_DIR / "static/js/review-keys.js").read_text()
    functions = set(re.findall(r'^    "([a-z-]+)": function|^    "([a-z-]+)": \w+,', script, re.MULTILINE))
    handled = {name for pair in functions for name in pair if name} | {"points", "leave-field"}

    rows = page.xpath("//dialog[@id='keys']//div[@data-key]")

    assert [(row.get("data-key"), row.get("data-run"), row.get("data-context")) for row in rows] == [
        (key.key, key.does, key.context.value) for context in Context for key in KEYS if key.context is context
    ]
    for key in KEYS:
        assert key.does in handled or page.xpath(f"//*[@data-do='{key.does}']"), key
