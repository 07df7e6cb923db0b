"""What a job has spent so far: calls that are back, and what those at work may still cost."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from threading import Lock

from django.db.models import Q

from lexreview.jobs.models import Job
from lexreview.providers.models import Call, CallState

ZERO = Decimal(0)
AWAY = (CallState.STARTED, CallState.LOST)


@dataclass(frozen=True, kw_only=True)
class Spent:
    """`usd` sums what is known; `is_lower_bound` when a call's cost is not, or not all of it. `lost` calls are among
    the `calls`, `at_work` ones are not. `unpriced`: so many told what they used, and nobody knows its price."""

    calls: int = 0
    tokens: int = 0
    usd: Decimal = ZERO
    is_lower_bound: bool = False
    lost: int = 0
    unpriced: int = 0
    at_work: int = 0
    tokens_at_work: int = 0
    usd_at_work: Decimal = ZERO

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            usd=self.usd + other.usd,
            is_lower_bound=self.is_lower_bound or other.is_lower_bound,
            lost=self.lost + other.lost,
            unpriced=self.unpriced + other.unpriced,
            at_work=self.at_work + other.at_work,
            tokens_at_work=self.tokens_at_work + other.tokens_at_work,
            usd_at_work=self.usd_at_work + other.usd_at_work,
        )


Model = tuple[str, str]
"""Provider and model."""
NEEDED = (
    "provider", "model", "state", "usage", "cost_usd", "cost_is_lower_bound", "estimated_tokens", "estimated_usd",
)  # fmt: skip


def spent_by(job: Job) -> Spent:
    return sum(spent_by_model(job).values(), Spent())


def spent_on(calls: Iterable[Call]) -> Spent:
    """A lost call counts with its estimate in tokens, for a budget, and makes the cost a lower bound."""
    return sum((_spent_on(call) for call in calls), Spent())


def spent_by_model(job: Job) -> dict[Model, Spent]:
    """In order. For its worker, and for everybody who looks at a job at work: asked again in the same turn, this reads
    only what is new."""
    tally = _tally(job.pk, job.turn) if job.turn else _Tally(job.pk)
    return dict(sorted(tally.read().items()))


def _spent_on(call: Call) -> Spent:
    if call.state == CallState.STARTED:
        return Spent(at_work=1, tokens_at_work=call.estimated_tokens, usd_at_work=call.estimated_usd or ZERO)
    unsure = call.cost_usd is None or call.cost_is_lower_bound
    return Spent(
        calls=1,
        tokens=_tokens(call),
        usd=call.cost_usd or ZERO,
        is_lower_bound=unsure,
        lost=int(call.state == CallState.LOST),
        unpriced=int(unsure and bool(call.usage)),
    )


def _tokens(call: Call) -> int:
    if call.state == CallState.LOST:
        return call.estimated_tokens
    return int(call.usage.get("input", 0)) + int(call.usage.get("output", 0))


@dataclass
class _Tally:
    """Calls that are back do not change: they are added up once. Newer ones, and those that have not come back, are
    read; a lost one comes back where its worker lives after all. `newest`: of those that are back, for a call that was
    only begun may be undone and its number given to another."""

    job_id: int
    back: dict[Model, Spent] = field(default_factory=dict)
    newest: int = 0
    away: set[int] = field(default_factory=set)
    lock: Lock = field(default_factory=Lock)

    def read(self) -> dict[Model, Spent]:
        with self.lock:
            wanted = Q(pk__gt=self.newest) | Q(pk__in=self.away)
            calls = list(Call.objects.filter(wanted, job_id=self.job_id).only(*NEEDED))
            away = [call for call in calls if call.state in AWAY]
            back = [call for call in calls if call.state not in AWAY]
            _add(self.back, back)
            self.newest = max([self.newest, *(call.pk for call in back)])
            self.away = {call.pk for call in away}
            return _add(dict(self.back), away)


def _add(sums: dict[Model, Spent], calls: Iterable[Call]) -> dict[Model, Spent]:
    for call in calls:
        model = call.provider, call.model
        sums[model] = sums.get(model, Spent()) + _spent_on(call)
    return sums


@lru_cache(maxsize=64)
def _tally(job_id: int, turn: str) -> _Tally:
    return _Tally(job_id)
