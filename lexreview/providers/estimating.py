"""What a call will take before it is made: for budgets, limits and dry runs."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from lexreview.providers.requests import CallRequest

# Letters per token in the languages of the benchmarks; on the safe side.
LETTERS_PER_TOKEN = 3
OVERHEAD = 50
# Of an answer without a limit of its own.
USUAL_OUTPUT = 1500


def estimated_usage(request: CallRequest) -> dict[str, int]:
    """Tokens read from the letters, tokens written from the limit `max_tokens`, at most USUAL_OUTPUT."""
    letters = len(request.prompt) + len(request.instructions)
    return {"input": math.ceil(letters / LETTERS_PER_TOKEN) + OVERHEAD, "output": expected_output(request.settings)}


def expected_output(settings: Mapping[str, Any]) -> int:
    return min(int(settings.get("max_tokens") or USUAL_OUTPUT), USUAL_OUTPUT)


def mean_usage(usages: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """The mean by kind over recorded usages, at least one, rounded up; a kind that one lacks counts as 0 there."""
    kinds = {kind for usage in usages for kind in usage}
    return {kind: -(-sum(usage.get(kind, 0) for usage in usages) // len(usages)) for kind in sorted(kinds)}
