"""Figures of the core as the JSON of a page: every one with what it is out of, undefined ones with their reason."""

from decimal import Decimal
from typing import Any

from lexreview.core.methods.reference_card.card_rows import Count, Mean
from lexreview.core.methods.reference_card.headline import CostPerGrounded
from lexreview.core.stats.bootstrap import Bootstrap
from lexreview.core.stats.intervals import Proportion

PLACES = 6
"""Decimals kept of a share; the same on every machine, and more than a page shows."""

Json = dict[str, Any]


def count_json(count: Count) -> Json:
    return {"n": count.n, "of": count.of}


def proportion_json(figure: Proportion) -> Json:
    """`share`, `low`, `high` in [0, 1]; Wilson's interval treats the answers as independent."""
    interval = figure.wilson
    return {
        "n": figure.successes,
        "of": figure.n,
        "share": rounded(figure.share),
        "low": rounded(interval.low) if interval else None,
        "high": rounded(interval.high) if interval else None,
        "reason": figure.reason,
    }


def bootstrap_json(figure: Bootstrap) -> Json:
    interval = figure.interval
    return {
        "estimate": rounded(figure.estimate),
        "low": rounded(interval.low) if interval else None,
        "high": rounded(interval.high) if interval else None,
        "clusters": figure.clusters,
        "resamples": figure.resamples,
        "undefined": figure.undefined,
        "reason": figure.reason,
    }


def mean_json(figure: Mean) -> Json:
    return {"value": rounded(figure.value), "n": figure.n, "of": figure.of}


def cost_json(figure: CostPerGrounded) -> Json:
    """Amounts are decimal strings in USD; `lower`: the true amount is this or more."""
    return {
        "run": money(figure.run_cost),
        "priced": count_json(figure.priced),
        "grounded": figure.grounded,
        "per_grounded": money(figure.value),
        "lower": figure.is_lower_bound,
        "reason": figure.reason,
    }


def rounded(value: Any) -> float | None:
    return None if value is None else round(float(value), PLACES)


def money(value: Decimal | None) -> str | None:
    return None if value is None else format(value.quantize(Decimal(1).scaleb(-PLACES)), "f")


def points(value: Decimal | None) -> str | None:
    """Points as people write them, without trailing zeros."""
    return None if value is None else f"{value.normalize():f}"
