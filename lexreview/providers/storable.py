"""What came from elsewhere, made fit for a row: databases take neither NUL nor half a pair of UTF-16."""

import math
import re
from collections.abc import Mapping
from typing import Any

UNFIT = re.compile("[\x00\ud800-\udfff]")
# An escape of NUL in JSON, behind an even number of backslashes.
NUL_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")
REPLACED = "\ufffd"
# Beyond this no call of any provider goes; a number that is larger was not counted.
MOST_TOKENS, MOST_SEARCHES = 10**8, 10**5


def storable(text: str) -> str:
    """`text` with U+FFFD for every character that cannot be stored."""
    return UNFIT.sub(REPLACED, text)


def storable_json(body: str) -> str:
    """A text of JSON whose strings can be stored once it is read."""
    return NUL_ESCAPED.sub(r"\1\\ufffd", storable(body))


def storable_steps(value: Any) -> Any:
    """The same for all texts in lists and mappings."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {name: storable_steps(each) for name, each in value.items()}
    return [storable_steps(each) for each in value] if isinstance(value, list) else value


def plausible_usage(usage: Mapping[str, Any]) -> dict[str, int]:
    """`usage` where it can have been counted: numbers within reason, no part larger than its whole. Empty where it
    cannot, so that the cost is unknown and not wrong."""
    most = {kind: MOST_SEARCHES if kind == "searches" else MOST_TOKENS for kind in usage}
    if not all(_is_count(number) and number <= most[kind] for kind, number in usage.items()):
        return {}
    kept_before = sum(usage.get(kind, 0) for kind in ("cached", "cache_written"))
    if kept_before > usage.get("input", 0) or usage.get("reasoning", 0) > usage.get("output", 0):
        return {}
    return dict(usage)


def _is_count(number: Any) -> bool:
    return isinstance(number, int | float) and math.isfinite(number) and number >= 0
