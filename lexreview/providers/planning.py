"""What plans of calls have in common, whatever they are for: what is missing, what it may cost, why there is none."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from lexreview.providers.confirming import needs_confirmation
from lexreview.providers.money import money
from lexreview.providers.pricing import Cost


class CannotPlan(Exception):
    """The calls cannot be made as asked; `problems` are sentences that name what is wrong and the remedy."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = list(problems)


@dataclass(frozen=True, kw_only=True)
class EstimateRow:
    """What some calls of a plan may take. `recorded`: of so many the usage is known from an earlier call about the
    same. `at_most`: fewer may be needed."""

    calls: int
    recorded: int
    tokens: int
    cost: Cost
    at_most: bool = False

    @property
    def usd(self) -> str:
        return money(self.cost.usd, lower=self.cost.is_lower_bound)


class CallPlan(ABC):
    """Calls that a person chose and that were not made yet."""

    @property
    @abstractmethod
    def missing(self) -> Sequence[Any]:
        """What is to be asked for, one row per call."""

    @property
    @abstractmethod
    def estimate(self) -> Sequence[EstimateRow]:
        """Together the rows are the plan."""

    @property
    def is_upper_bound(self) -> bool:
        """Whether fewer calls may do."""
        return False

    @property
    def cost(self) -> Cost:
        return Cost.sum([row.cost for row in self.estimate if row.calls])

    @property
    def usd(self) -> str:
        return money(self.cost.usd, lower=self.cost.is_lower_bound)

    @property
    def seen(self) -> str:
        """What a person who looks at the plan sees of it, in a form that `has_grown_since` reads."""
        return f"{len(self.missing)} {'' if self.cost.is_lower_bound else self.cost.usd or ''}"

    def has_grown_since(self, seen: str) -> bool:
        """Whether this is more calls, or more or less known money, than was seen. False where nothing says what was."""
        if not seen or seen == self.seen:
            return False
        calls, _sign, usd = seen.partition(" ")
        try:
            most_calls, most_usd = int(calls), Decimal(usd) if usd else None
        except (ValueError, InvalidOperation):
            return True
        if most_usd is not None and not most_usd.is_finite():
            return True
        return len(self.missing) > most_calls or (most_usd is not None and not self._is_at_most(most_usd))

    def _is_at_most(self, usd: Decimal) -> bool:
        return not self.cost.is_lower_bound and self.cost.usd is not None and bool(self.cost.usd <= usd)

    @property
    def needs_confirmation(self) -> bool:
        return bool(self.missing) and needs_confirmation(self.cost)
