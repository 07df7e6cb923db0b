"""What a job has spent so far: calls that are back, and what those at work may still cost."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from django.db.models import Q

from lexreview.jobs.models import Job
from lexreview.providers.models import Call, CallState

ZERO = Decimal(0)


@dataclass(frozen=True, kw_only=True)
class Spent:
    """`usd` sums what is known; `is_lower_bound` when a call's cost is not, or not all of it."""

    calls: int = 0
    tokens: int = 0
    usd: Decimal = ZERO
    is_lower_bound: bool = False
    tokens_at_work: int = 0
    usd_at_work: Decimal = ZERO

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            usd=self.usd + other.usd,
            is_lower_bound=self.is_lower_bound or other.is_lower_bound,
            tokens_at_work=self.tokens_at_work + other.tokens_at_work,
            usd_at_work=self.usd_at_work + other.usd_at_work,
        )


def spent_by(job: Job) -> Spent:
    return spent_on(Call.objects.of_job(job))


def spent_on(calls: Iterable[Call]) -> Spent:
    """A lost call counts with its estimate in tokens, for a budget, and makes the cost a lower bound."""
    return sum((_spent_on(call) for call in calls), Spent())


def spent_in_turn(job: Job) -> Spent:
    """As `spent_by`, for the worker that has the job: asked again in the same turn, it reads only what is new."""
    return _tally(job.pk, job.turn).read()


def _spent_on(call: Call) -> Spent:
    if call.state == CallState.STARTED:
        return Spent(tokens_at_work=call.estimated_tokens, usd_at_work=call.estimated_usd or ZERO)
    unsure = call.cost_usd is None or call.cost_is_lower_bound
    return Spent(calls=1, tokens=_tokens(call), usd=call.cost_usd or ZERO, is_lower_bound=unsure)


def _tokens(call: Call) -> int:
    if call.state == CallState.LOST:
        return call.estimated_tokens
    return int(call.usage.get("input", 0)) + int(call.usage.get("output", 0))


@dataclass
class _Tally:
    """Calls that are back do not change: they are added up once. Newer ones, and those that were at work, are read."""

    job_id: int
    back: Spent = Spent()
    newest_back: int = 0
    at_work: set[int] = field(default_factory=set)

    def read(self) -> Spent:
        wanted = Q(pk__gt=self.newest_back) | Q(pk__in=self.at_work)
        calls = list(Call.objects.filter(wanted, job_id=self.job_id))
        at_work = [call for call in calls if call.state == CallState.STARTED]
        back = [call for call in calls if call.state != CallState.STARTED]
        self.back += spent_on(back)
        self.newest_back = max([self.newest_back, *(call.pk for call in back)])
        self.at_work = {call.pk for call in at_work}
        return self.back + spent_on(at_work)


@lru_cache(maxsize=16)
def _tally(job_id: int, turn: str) -> _Tally:
    return _Tally(job_id)
