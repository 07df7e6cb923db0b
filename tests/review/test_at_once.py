"""Several processes at once on one file of SQLite, as they are where one machine serves everybody without PostgreSQL.

The same is tested with threads on PostgreSQL (`test_claiming`, `test_second_review`).
"""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from tests.factories import make_user
from tests.review.factories import make_card, make_many_cards
from tests.review.rounds import ask, review

TAKES_WHAT_IT_CAN = """
import sys, time
from pathlib import Path
import django
django.setup()
from django.utils import timezone
from lexreview.accounts.models import User
from lexreview.review.actions.second_review import RoundRefused, take_seat
from lexreview.review.claiming import claim
from lexreview.review.models import Card
name, folder, seat_of = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
person, first = User.objects.get(username=name), Card.objects.with_answer().get(pk=seat_of)
(folder / f"ready-{name}").touch()
while not (folder / "go").exists():
    time.sleep(0.005)
try:
    print("seat", take_seat(card=first, by=person, now=timezone.now()).pk)
except RoundRefused:
    print("refused", 0)
for card in Card.objects.with_answer().open().first_round().order_by("pk"):
    if claim(card, user=person, now=timezone.now()):
        print("card", card.pk)
"""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the copy of the database is one of SQLite")
@pytest.mark.django_db(transaction=True)
def test_b1_b9_processes_on_one_file_take_no_card_twice_and_no_seat_too_many(
    reviewer: User, lead: User, tmp_path: Path, now: datetime
) -> None:
    first = review(make_card(assigned_to=reviewer), by=reviewer, now=now)
    ask(by=lead, card=first, now=now, seats=2)
    free = {card.pk for card in make_many_cards(15)}
    people = [make_user(name, roles=(Role.REVIEWER,)).username for name in ("nina", "omar", "petra")]
    file = tmp_path / "copy.sqlite3"
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{file}",
        "LEXREVIEW_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "lexreview.settings",
    }

    at_work = [
        subprocess.Popen(
            [sys.executable, "-c", TAKES_WHAT_IT_CAN, name, str(tmp_path), str(first.pk)],
            env=environment,
            cwd=settings.BASE_DIR,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in people
    ]
    while len(list(tmp_path.glob("ready-*"))) < len(people) and all(each.poll() is None for each in at_work):
        time.sleep(0.01)
    (tmp_path / "go").touch()
    said = [each.communicate(timeout=120) for each in at_work]

    assert [each.returncode for each in at_work] == [0, 0, 0], [err for _out, err in said]
    lines = [tuple(line.split()) for out, _err in said for line in out.splitlines()]
    assert sorted(what for what, _pk in lines if what != "card") == ["refused", "seat", "seat"]
    seats = [int(pk) for what, pk in lines if what == "seat"]
    cards = [int(pk) for what, pk in lines if what == "card"]
    assert len(set(seats)) == 2
    assert sorted(cards) == sorted(free)
    with closing(sqlite3.connect(file)) as copy:
        taken = copy.execute("SELECT count(*) FROM ledger_event WHERE verb = 'assign' AND actor <> 'rita'").fetchone()
    assert taken == (len(cards) + len(seats),)
