"""The gate before an account, and what refusals teach it; the clock is the test's own."""

from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel

from lexreview.jobs.kinds import Failed, Hold, Later
from lexreview.jobs.models import Job, JobItem
from lexreview.providers.actions import Asked, Begun, Ended, aside_of, begin_calls, end_calls, fingerprint, pause_before
from lexreview.providers.actions.calls import LONGEST_PAUSE
from lexreview.providers.actions.gates import AHEAD_SECONDS
from lexreview.providers.models import Call, Gate, Role
from lexreview.providers.pricing import PriceList
from lexreview.providers.requests import CallRequest, Outcome, Reply

pytestmark = pytest.mark.django_db


class Vote(BaseModel):
    hallucinated: bool


REQUEST = CallRequest(provider="local", model="plain", prompt="May she appeal?", settings={"max_tokens": 100})


@pytest.fixture
def job(now: datetime) -> Job:
    job = Job.objects.create(
        kind="asking", benchmark_slug="kestria-01", total=99, created_at=now, heartbeat_at=now, params={}
    )
    JobItem.objects.bulk_create(JobItem(job=job, key=f"argon/{number}") for number in range(99))
    return job


def begin(job: Job, number: int, at: datetime, **changes: Any) -> Any:
    return begin_together(job, [number], at, **changes)[0]


def begin_together(job: Job, numbers: list[int], at: datetime, **changes: Any) -> list[Any]:
    request = changes.get("request", REQUEST)
    asked = [
        Asked(item=job.items.get(key=f"argon/{number}"), role=Role.ANSWER, subject="", request=request, prefix="argon/")
        for number in numbers
    ]
    return list(begin_calls(job=job, asked=asked, prices=PriceList.current(), now=at))


def end(begun: Begun, came: Reply, at: datetime) -> Call:
    ended = [Ended(begun.call, came, begun.is_paced)]
    return end_calls(ended=ended, prices=PriceList.current(), now=at)[0]


def reply(at: datetime, **changes: Any) -> Reply:
    values: dict[str, Any] = {
        "outcome": Outcome.ANSWERED, "started_at": at, "finished_at": at, "latency_ms": 1, "text": "Yes.",
        "usage": {"input": 50, "output": 50}, "http_status": 200,
    }  # fmt: skip
    return Reply(**{**values, **changes})


def test_starts_are_spaced_so_that_no_minute_holds_more_than_the_limit(job: Job, now: datetime, settings: Any) -> None:
    settings.PROVIDER_LIMITS = {"local": (120, 0)}
    starts, at = [], now
    for number in range(60):
        begun = begin(job, number, at)
        while isinstance(begun, Later):
            assert begun.seconds > AHEAD_SECONDS
            assert begun.prefix == "argon/"
            assert not begun.is_try
            at += timedelta(seconds=begun.seconds)
            begun = begin(job, number, at)
        starts.append(at + timedelta(seconds=begun.after))

    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(starts)]
    assert min(gaps) >= 0.5
    assert max(gaps) < 0.52


def test_without_limits_nobody_waits(job: Job, now: datetime) -> None:
    assert [begin(job, number, now).after for number in range(20)] == [0.0] * 20


def test_tokens_a_minute_are_a_limit_of_their_own_and_put_right_afterwards(
    job: Job, now: datetime, settings: Any
) -> None:
    """A call is expected to take 5 + 50 + 100 tokens (15 letters, OVERHEAD, the limit); it takes 100."""
    settings.PROVIDER_LIMITS = {"local": (0, 6000)}
    first = begin(job, 0, now)
    assert isinstance(first, Begun)
    expected = first.call.estimated_tokens
    waits = begin(job, 1, now).after

    assert waits == pytest.approx(expected / 100 * 1.02)
    before = Gate.objects.get().next_token_at
    end(first, reply(now), now)
    saved = (before - Gate.objects.get().next_token_at).total_seconds()
    assert saved == pytest.approx((expected - 100) / 100)


def test_h12_refusal_for_going_too_fast_holds_everybody_and_slows_down(job: Job, now: datetime) -> None:
    begun = begin(job, 0, now)

    refused = reply(now, outcome=Outcome.PASSING, http_status=429, retry_after=30.0, usage={}, text="")
    end(begun, refused, now)

    held = begin(job, 1, now)
    assert isinstance(held, Later)
    assert held.seconds == pytest.approx(30)
    later = now + timedelta(seconds=31)
    first, second = begin(job, 1, later), begin(job, 2, later)
    assert second.after - first.after == pytest.approx(0.25)
    for _ in range(40):
        end(first, reply(later), later)
    assert Gate.objects.get().pace_seconds == 0


def test_h12_refusals_of_one_burst_slow_down_once_and_those_after_it_again(job: Job, now: datetime) -> None:
    burst = begin_together(job, list(range(8)), now)
    refusal = {"outcome": Outcome.PASSING, "http_status": 429, "retry_after": 1.0, "usage": {}, "text": ""}

    for begun in burst:
        end(begun, reply(now, **refusal), now + timedelta(milliseconds=20))
    assert Gate.objects.get().pace_seconds == pytest.approx(0.25)

    later = now + timedelta(seconds=2)
    end(begin(job, 9, later), reply(later, **refusal), later)
    assert Gate.objects.get().pace_seconds == pytest.approx(0.5)


def test_one_provider_does_not_hold_another(job: Job, now: datetime, settings: Any) -> None:
    settings.PROVIDER_LIMITS = {"local": (1, 0)}
    begin(job, 0, now)

    assert isinstance(begin(job, 1, now), Later)
    other = CallRequest(provider="openai", model="plain", prompt="May she appeal?")
    assert begin(job, 2, now, request=other).after == 0


def test_pauses_double_stay_bounded_and_honour_the_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", lambda low, high: 1.0)

    assert [pause_before(tries, None) for tries in (1, 2, 3)] == [1.0, 2.0, 4.0]
    assert pause_before(40, None) == LONGEST_PAUSE
    assert pause_before(1, 77.0) == 77.0


@pytest.mark.parametrize(
    ("outcome", "tries", "expected"),
    [
        (Outcome.ANSWERED, 0, None),
        (Outcome.EMPTY, 0, None),
        (Outcome.BLOCKED, 0, None),
        (Outcome.PASSING, 0, Later),
        (Outcome.PASSING, 5, Failed),
        (Outcome.PAUSING, 0, Hold),
        (Outcome.REJECTED, 0, Failed),
    ],
)
def test_what_becomes_of_an_item(
    job: Job, now: datetime, settings: Any, outcome: Outcome, tries: int, expected: Any
) -> None:
    settings.PROVIDER_TRIES = 6
    item = job.items.first()
    item.tries = tries
    call = Call(provider="local", model="plain")

    made = aside_of(call, reply(now, outcome=outcome, reason="HTTP 503: busy"), item, prefix="argon/")

    assert made is None if expected is None else isinstance(made, expected)
    if made is not None:
        assert "local plain: HTTP 503: busy" in made.reason


def test_refused_requests_cost_nothing_and_broken_ones_nobody_knows_what(job: Job, now: datetime) -> None:
    costs = []
    failures = [
        {"outcome": Outcome.PASSING, "http_status": 503},
        {"outcome": Outcome.PAUSING, "http_status": 402},
        {"outcome": Outcome.PASSING, "http_status": None},
        {"outcome": Outcome.PASSING, "http_status": 200},
    ]
    for number, failure in enumerate(failures):
        begun = begin(job, number, now)
        call = end(begun, reply(now, usage={}, **failure), now)
        costs.append((call.cost_usd, call.cost_is_lower_bound))

    assert costs == [(Decimal(0), False), (Decimal(0), False), (None, True), (None, True)]


@pytest.mark.parametrize(
    "changes",
    [
        {"model": "other"}, {"provider": "openai"}, {"prompt": "May he appeal?"}, {"instructions": "Briefly."},
        {"settings": {"max_tokens": 101}}, {"search": True}, {"output": Vote},
    ],
)  # fmt: skip
def test_fingerprint_changes_with_everything_that_shapes_the_answer(changes: dict[str, Any]) -> None:
    values = {name: getattr(REQUEST, name) for name in REQUEST.__dataclass_fields__}

    assert fingerprint(CallRequest(**{**values, **changes})) != fingerprint(REQUEST)
    assert fingerprint(CallRequest(**values)) == fingerprint(REQUEST)
