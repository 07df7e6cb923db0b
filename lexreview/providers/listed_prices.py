"""Rows of prices from the list that genai-prices brings along, as it stands on a day."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

FIELDS = {
    "input_mtok": "input",
    "cache_read_mtok": "cached",
    "cache_write_mtok": "cache_written",
    "cache_write_1h_mtok": "cache_written_1h",
    "output_mtok": "output",
    "web_searches_kcount": "searches",
}
LISTED = ("anthropic", "google", "openai")


@dataclass(frozen=True, kw_only=True)
class ListedPrice:
    """A price as rows keep it; see the model Price."""

    provider: str
    model: str
    match: dict[str, Any] | None
    valid_from: date
    prices: dict[str, str]
    tiers: list[dict[str, Any]]
    source: str


def listed_prices(*, on: date, providers: tuple[str, ...] = LISTED) -> Iterator[ListedPrice]:
    """Of every model the price of that day, dated with its own first day where the list gives one, else with `on`;
    and prices that the list announces for later days. Prices by the hour of the day are left out.
    """
    from genai_prices import __version__
    from genai_prices.data_snapshot import get_snapshot
    from genai_prices.types import ClauseEquals, ConditionalPrice, StartDateConstraint

    source = f"genai-prices {__version__}"
    for provider in get_snapshot().providers:
        if provider.id not in providers:
            continue
        for model in provider.models:
            rows = model.prices if isinstance(model.prices, list) else [ConditionalPrice(prices=model.prices)]
            dated = [
                (row.constraint.start_date if row.constraint else None, row.prices)
                for row in rows
                if row.constraint is None or isinstance(row.constraint, StartDateConstraint)
            ]
            begun = [(start, prices) for start, prices in dated if start is None or start <= on]
            coming = [(start, prices) for start, prices in dated if start is not None and start > on]
            is_named = isinstance(model.match, ClauseEquals) and model.match.equals == model.id
            for start, prices in [*begun[-1:], *coming]:
                plain, tiers = _amounts(prices)
                if "input" in plain or "output" in plain:
                    yield ListedPrice(
                        provider=provider.id,
                        model=model.id,
                        match=None if is_named else _pattern(model.match),
                        valid_from=start or on,
                        prices=plain,
                        tiers=tiers,
                        source=source,
                    )


def today() -> date:
    return datetime.now(UTC).date()


def _amounts(prices: Any) -> tuple[dict[str, str], list[dict[str, Any]]]:
    plain: dict[str, str] = {}
    tiers: dict[int, dict[str, str]] = {}
    for field, kind in FIELDS.items():
        value = getattr(prices, field, None)
        if isinstance(value, Decimal):
            plain[kind] = str(value)
        elif value is not None:
            plain[kind] = str(value.base)
            for tier in value.tiers:
                tiers.setdefault(tier.start, {})[kind] = str(tier.price)
    return plain, [{"above": above, "prices": tiers[above]} for above in sorted(tiers)]


def _pattern(match: Any) -> dict[str, Any]:
    """A clause as the list writes it in JSON: its one field, without the trailing underscore of `or_` and `and_`."""
    (name, value), *others = vars(match).items()
    if others:
        raise ValueError(f"a pattern of models has more than one field: {match}")
    made = [_pattern(each) for each in value] if isinstance(value, list) else value
    return {name.removesuffix("_"): made}
