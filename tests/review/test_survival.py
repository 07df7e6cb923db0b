"""A14: what was acknowledged as saved is there after the process was killed."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from lexreview.accounts.models import User
from tests.review.factories import make_card

SAVE_AND_DIE = """
import os, signal
import django
django.setup()
from django.utils import timezone
from lexreview.accounts.models import User
from lexreview.review.actions import set_note
from lexreview.review.models import Card
person, card = User.objects.get(username="rita"), Card.objects.with_answer().get()
saved = set_note(card=card, note="Acknowledged.", version=card.version, by=person, now=timezone.now())
print(saved.version, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.django_db(transaction=True)
def test_a14_an_acknowledged_save_survives_a_kill(reviewer: User, tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the copy of the database is one of SQLite")
    card = make_card(assigned_to=reviewer)
    file = tmp_path / "copy.sqlite3"
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{file}",
        "LEXREVIEW_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "lexreview.settings",
    }

    process = subprocess.run(
        [sys.executable, "-c", SAVE_AND_DIE],
        env=environment,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert process.returncode == -signal.SIGKILL, process.stderr
    assert int(process.stdout) == card.version + 1
    with closing(sqlite3.connect(file)) as copy:
        assert copy.execute("SELECT note, version FROM review_card").fetchone() == ("Acknowledged.", card.version + 1)
        verb = copy.execute("SELECT verb FROM ledger_event ORDER BY number DESC LIMIT 1").fetchone()
    assert verb == ("set_note",)
