"""Many cells begun and stored at once: the same number of queries for one as for many, one fault stays one cell's."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from lexreview.answers.actions import AnswerDraft, store_answer
from lexreview.answers.collect_job import prepare_all, store, store_all
from lexreview.answers.models import Answer, Run
from lexreview.core.workflow import AnswerState
from lexreview.jobs.kinds import Failed
from lexreview.ledger.models import Event
from lexreview.providers.asking import Arrived
from lexreview.providers.models import Call, CallState
from lexreview.questions.models import Question
from tests.answers.collecting import Collection, collection, model_server, running_server

__all__ = ["collection", "model_server", "running_server"]
pytestmark = pytest.mark.django_db


def queries_of(step: Callable[[], Any]) -> tuple[int, Any]:
    with (
        CaptureQueriesContext(
            connection,
        ) as queries,
        transaction.atomic(),
    ):
        made = step()
    return len([query for query in queries if "SAVEPOINT" not in query["sql"]]), made


def all_back(waits: list[Any]) -> list[Arrived]:
    async def wait_for_all() -> list[Arrived]:
        return list(await asyncio.gather(*(wait() for wait in waits)))

    return asyncio.run(wait_for_all())


def test_many_cells_take_as_many_queries_as_one(collection: Collection) -> None:
    collection.system("argon-4")
    job = collection.start(["argon-4"], repetitions=10)
    items = list(job.items.in_order())
    counts = []
    # The first cells freeze keys and condition; after that all are alike.
    for chosen in [items[:4], items[4:5], items[5:20]]:
        begun, waits = queries_of(lambda chosen=chosen: prepare_all(chosen, job.params, job))
        arrived = list(zip(chosen, all_back(waits), strict=True))
        stored, asides = queries_of(lambda arrived=arrived: store_all(arrived, job.params, job))
        assert asides == [None] * len(chosen)
        counts.append((begun, stored))

    assert counts[1] == counts[2]
    assert Answer.objects.count() == Event.objects.filter(verb="store_answer").count() == 20


def test_stored_twice_is_stored_once(collection: Collection) -> None:
    """The database had committed, and the connection broke before we heard of it."""
    collection.system("argon-4")
    job = collection.start(["argon-4"], repetitions=2)
    items = list(job.items.in_order())
    arrived = list(zip(items, all_back(prepare_all(items, job.params, job)), strict=True))

    for _ in range(2):
        assert store_all(arrived, job.params, job) == [None] * 4

    assert Answer.objects.count() == Event.objects.filter(verb="store_answer").count() == 4
    assert Call.objects.filter(state=CallState.ANSWERED).count() == 4


def test_answer_that_meets_another_one_fails_and_its_call_is_on_record(collection: Collection, now: datetime) -> None:
    """Somebody imported an answer to the cell while the model was asked."""
    collection.system("argon-4")
    job = collection.start(["argon-4"])
    item = job.items.in_order().first()
    [arrived] = all_back(prepare_all([item], job.params, job))
    store_answer(
        question=Question.objects.get(code="P01"), run=Run.objects.get(), by=None, now=now,
        draft=AnswerDraft(text="Other.", state=AnswerState.ANSWERED, answered_at=now, served_model="x"),
    )  # fmt: skip

    outcome = store(item, arrived, job.params, job)

    assert isinstance(outcome, Failed)
    assert "is stored and differs in" in outcome.reason
    assert Answer.objects.get().text == "Other."
    call = Call.objects.get()
    assert (call.state, call.usage) == (CallState.ANSWERED, {"input": 120, "output": 40})
