import itertools
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError

from lexreview.accounts.models import User
from lexreview.jobs import elsewhere, patience
from lexreview.jobs.actions import start_job
from lexreview.jobs.models import Job
from tests.factories import offered_to_nobody
from tests.jobs.kinds import REHEARSAL

SLUG = "kestria-01"


class Rehearsals:
    """Starts jobs of the tests' kinds and reads what their items left behind."""

    def __init__(self, log: Path, by: User | None, now: datetime) -> None:
        self.log, self.by, self.now = log, by, now

    def start(self, kind: str = REHEARSAL.name, *, slug: str = SLUG, count: int = 3, **params: Any) -> Job:
        return start_job(
            kind=kind,
            benchmark_slug=slug,
            params={"log": str(self.log), "count": count, **params},
            by=self.by,
            now=self.now,
        )

    def repair(self) -> None:
        Path(f"{self.log}.repaired").touch()


@pytest.fixture
def rehearsals(db: None, tmp_path: Path, operator: User, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Rehearsals:
    """Jobs that are offered to nobody: the test itself takes their turns."""
    monkeypatch.setattr("lexreview.jobs.queue.current_app.send_task", offered_to_nobody)
    return Rehearsals(tmp_path / "log", operator, now)


def unheard_commits(monkeypatch: pytest.MonkeyPatch, *, at: list[int]) -> None:
    """The beginnings of these numbers are committed, and the connection breaks before the worker hears of it."""
    monkeypatch.setattr(patience, "FIRST_PAUSE", 0.01)
    begun_in_one, numbers = elsewhere.Turn._begun_in_one, itertools.count(1)

    def unheard(*arguments: Any, **named: Any) -> Any:
        made = begun_in_one(*arguments, **named)
        if next(numbers) in at:
            raise OperationalError("the connection is gone")
        return made

    monkeypatch.setattr(elsewhere.Turn, "_begun_in_one", unheard)
