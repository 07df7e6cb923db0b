"""What a call costs: tokens by kind times the price list dated on or before it, in exact decimals."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar

from lexreview.providers.models import Price

PER = {"searches": Decimal(1000)}
MILLION = Decimal(1_000_000)
EXACT = Decimal("0.0000000001")
KINDS = ("input", "cached", "cache_written", "cache_written_1h", "output", "searches")


@dataclass(frozen=True)
class Cost:
    """`usd` None: nothing is known. `is_lower_bound`: a part has no price, and the cost is at least this."""

    usd: Decimal | None
    is_lower_bound: bool = False

    @classmethod
    def sum(cls, costs: Sequence["Cost"]) -> "Cost":
        """None when not one is known; a lower bound as soon as one is not, or is one itself."""
        known = [cost.usd for cost in costs if cost.usd is not None]
        if not known:
            return cls(None, bool(costs))
        return cls(sum(known, Decimal(0)), len(known) < len(costs) or any(cost.is_lower_bound for cost in costs))


class PriceList:
    """Price rows of some providers, read once; for pricing many calls."""

    _newest: ClassVar[tuple[Any, "PriceList | None"]] = (None, None)

    def __init__(self) -> None:
        self._rows: dict[str, list[Price]] = {}
        self._found: dict[tuple[str, str, date], Price | None] = {}

    @classmethod
    def current(cls) -> "PriceList":
        """The list as it stands; kept until a row is added, for rows are never changed."""
        newest = Price.objects.order_by("-pk").values_list("pk", "model", "valid_from", "added_at").first()
        if cls._newest[0] != newest or cls._newest[1] is None:
            cls._newest = newest, cls()
        kept = cls._newest[1]
        assert kept is not None
        return kept

    def price_of(self, provider: str, model: str, on: date) -> Price | None:
        """The newest row dated on or before `on` that fits the model: one of its very name goes before a pattern."""
        key = provider, model, on
        if key not in self._found:
            rows = self._of_provider(provider)
            dated = [row for row in rows if row.valid_from <= on]
            named = next((row for row in dated if row.model == model), None)
            self._found[key] = named or next((row for row in dated if row.match and fits(row.match, model)), None)
        return self._found[key]

    def cost(self, *, provider: str, models: Sequence[str], on: date, usage: Mapping[str, int]) -> Cost:
        """The cost of `usage` at the price of the first of `models` (the one that served, then the one asked) that
        has one."""
        if not usage:
            return Cost(None, True)
        found = (self.price_of(provider, model, on) for model in models if model)
        price = next((row for row in found if row is not None), None)
        return cost_of(usage, price) if price else Cost(None, True)

    def _of_provider(self, provider: str) -> list[Price]:
        if provider not in self._rows:
            self._rows[provider] = list(Price.objects.of(provider).newest_first())
        return self._rows[provider]


def cost_of(usage: Mapping[str, int], price: Price) -> Cost:
    """Cached and written tokens are part of `input` and charged at their own price, once."""
    prices = price.prices
    for tier in sorted(price.tiers, key=lambda tier: int(tier["above"])):
        if usage.get("input", 0) > tier["above"]:
            prices = {**prices, **tier["prices"]}
    written_1h = usage.get("cache_written_1h", 0)
    amounts = {
        "cached": usage.get("cached", 0),
        "cache_written": max(usage.get("cache_written", 0) - written_1h, 0),
        "cache_written_1h": written_1h,
        "output": usage.get("output", 0),
        "searches": usage.get("searches", 0),
    }
    plain = usage.get("input", 0) - amounts["cached"] - amounts["cache_written"] - written_1h
    amounts["input"] = max(plain, 0)
    total, lower = Decimal(0), "input" not in usage or "output" not in usage
    for kind, amount in amounts.items():
        if kind in prices:
            total += amount * Decimal(prices[kind]) / PER.get(kind, MILLION)
        elif amount:
            lower = True
    return Cost(total.quantize(EXACT), lower)


def fits(match: Mapping[str, Any], name: str) -> bool:
    """Whether a name of a model fits a pattern of genai-prices; upper and lower case are one."""
    folded = name.lower()
    for rule, value in match.items():
        if rule == "or":
            good = any(fits(each, name) for each in value)
        elif rule == "and":
            good = all(fits(each, name) for each in value)
        elif rule == "equals":
            good = folded == value.lower()
        elif rule == "starts_with":
            good = folded.startswith(value.lower())
        elif rule == "ends_with":
            good = folded.endswith(value.lower())
        elif rule == "contains":
            good = value.lower() in folded
        elif rule == "regex":
            good = re.search(value, name) is not None
        else:
            raise ValueError(f"a pattern of models cannot have the rule {rule!r}")
        if not good:
            return False
    return True
