"""Signs that steer what is shown are visible where they stand, end there, and move no place in the text."""

import re
from unicodedata import bidirectional, category

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from hypothesis import given
from hypothesis import strategies as st

from lexreview.accounts.models import User
from lexreview.answers.answer_html import Highlight, answer_html
from lexreview.controls import with_controls
from lexreview.core.side_by_side import side_by_side
from tests.review.factories import make_card
from tests.review.swapping import parsed

OVERRIDE = "The fee is \u202e%05\u202c of it."


def test_an_override_is_named_and_ends_where_it_stands() -> None:
    assert with_controls(OVERRIDE) == (
        'The fee is <bdi class="control" data-sign="U+202E">\u202e</bdi>%05'
        '<bdi class="control" data-sign="U+202C">\u202c</bdi> of it.'
    )
    assert (
        with_controls("a\u200b\u200b<b>") == 'a<bdi class="control" data-sign="U+200B × 2">\u200b\u200b</bdi>&lt;b&gt;'
    )


@pytest.mark.parametrize(
    "text", ["Fristen\u00adlauf", "👩\u200d⚖️", "🏴\U000e0067\U000e0062\U000e007f", "zwei\nZeilen\tund"]
)
def test_ordinary_texts_are_left_alone(text: str) -> None:
    assert with_controls(text) == text


def test_every_sign_that_steers_the_direction_or_controls_is_named() -> None:
    steering = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    signs = [
        sign for sign in map(chr, range(0x3000))
        if bidirectional(sign) in steering or (category(sign) == "Cc" and sign not in "\t\n\r")
    ]  # fmt: skip
    marks = ["\u061c", "\u200e", "\u200f", "\u200b", "\u2060", "\ufeff", "\U000e0041"]

    named = {sign for sign in [*signs, *marks] if f'data-sign="U+{ord(sign):04X}"' in with_controls(sign)}

    assert len(signs) == 9 + 62
    assert named == {*signs, *marks}


@given(st.text())
def test_the_text_keeps_every_sign_in_its_place(text: str) -> None:
    without_elements = re.sub(r'<bdi class="control" data-sign="[^"]*">|</bdi>', "", with_controls(text))

    assert without_elements == escape(text)


def test_the_answer_shows_it_and_highlights_stay_where_they_were() -> None:
    start = OVERRIDE.index("of it")
    mark = Highlight(start, start + len("of it"), "finding", 1, "t", "T", "Content")

    page = parsed(f"<div>{answer_html(OVERRIDE, [mark]).html}</div>")

    assert [each.get("data-sign") for each in page.xpath("//bdi[@class='control']")] == ["U+202E", "U+202C"]
    assert page.xpath("string(//mark[@data-finding])") == "of it"
    assert page.text_content().strip() == OVERRIDE


def test_texts_side_by_side_show_it() -> None:
    sides = side_by_side("The fee is due.", OVERRIDE)

    page = Template("{% include 'components/runs.html' with runs=runs side='right' %}").render(
        Context({"runs": sides.right})
    )

    assert 'data-sign="U+202E"' in page


def test_keys_and_questions_show_it_on_the_card(client: Client, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    card.key_version.__class__.objects.filter(pk=card.key_version_id).update(core_answer=OVERRIDE)
    client.force_login(reviewer)

    for address in (
        reverse("review:card", args=[card.pk]),
        reverse("questions:question", args=[card.benchmark.slug, card.answer.question.code]),
    ):
        page = parsed(client.get(address).content.decode())
        assert "U+202E" in page.xpath("//bdi[@class='control']/@data-sign"), address
