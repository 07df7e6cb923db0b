"""Judges whose model also worked on what they are compared with: an agreement with its own proposals proves little."""

from collections.abc import Collection

from lexreview.judging.models import Judge
from lexreview.providers.models import Call, Role

ASSISTING = (Role.PREFILL, Role.VERIFICATION)


def assisting_models(slug: str) -> frozenset[str]:
    """Models that pre-filled cards of the benchmark or checked support for its citations, by both of their names."""
    calls = Call.objects.of_benchmark(slug).filter(role__in=ASSISTING)
    rows = calls.order_by().values_list("model", "served_model").distinct()
    return frozenset(name.casefold() for row in rows for name in row if name)


def also_assisted(judge: Judge, models: Collection[str]) -> bool:
    """Whether the judge's model is one of those that `assisting_models` gives."""
    return judge.model_identifier.strip().casefold() in models
