"""The set of ten cards that comes with lexreview, prepared by its command."""

from collections import Counter
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.planted import planted_in
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark
from lexreview.review.judgements import restored
from lexreview.review.models import Card, Rehearsal, RehearsalItem
from tests.factories import make_user

pytestmark = pytest.mark.django_db
SLUG = "kestria-rehearsal"


def command(*args: str, **options: object) -> str:
    out = StringIO()
    call_command("prepare_rehearsal", *args, stdout=out, **options)
    return out.getvalue()


def test_the_set_has_ten_cards_ninety_citations_and_twelve_planted_errors_of_six_kinds(lead: User) -> None:
    anna, piotr = make_user("anna"), make_user("piotr")

    said = command(lead=lead.username, give=[anna.username, piotr.username])

    assert "kestria-rehearsal: 10 cards" in said
    items = list(RehearsalItem.objects.all())
    planted = [each for row in items for each in planted_in(restored(row.right), restored(row.proposed))]
    assert Counter(each.kind.value for each in planted) == {
        "missed_error": 2, "false_alarm": 2, "error_class": 2, "origin": 1, "scope": 2, "points": 3,
    }  # fmt: skip
    blind = {}
    for person in (anna, piotr):
        cards = list(Card.objects.rehearsed().filter(assigned_to=person))
        assert (len(cards), sum(card.citations.count() for card in cards)) == (10, 90)
        blind[person] = {card.answer_id for card in cards if card.blind}
    assert [len(each) for each in blind.values()] == [2, 2]
    assert blind[anna] != blind[piotr]
    assert set(anna.memberships.values_list("role", flat=True)) == {Role.REVIEWER}
    call_command("verify_ledger", stdout=StringIO())

    events = Event.objects.count()
    command(lead=lead.username)
    assert (Rehearsal.objects.count(), Event.objects.count()) == (1, events)


def test_what_the_command_refuses_leaves_nothing(lead: User, tmp_path: Path, now: datetime) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "rehearsal.yaml").write_text("name: x\n", encoding="utf-8")

    for args, options, said in (
        ([], {"give": [lead.username]}, "--give takes --lead"),
        ([], {"lead": "nobody"}, "no active account nobody"),
        ([str(tmp_path)], {}, "rehearsal.yaml cannot be read"),
        ([str(folder)], {}, "blind_share"),
        ([], {"lead": lead.username, "give": [lead.username]}, "neither lead nor operator"),
    ):
        with pytest.raises(CommandError, match=said):
            command(*args, **options)
    assert not Benchmark.objects.filter(slug=SLUG).exists()
