"""Writing calls (`calls`), the gate before an account (`gates`) and price rows (`prices`)."""

from lexreview.providers.actions.calls import (
    Asked,
    Begun,
    aside_of,
    begin_calls,
    budget_of,
    drop_unsent,
    end_calls,
    fingerprint,
    limits_as_params,
    mark_lost,
    pause_before,
)
from lexreview.providers.actions.gates import Ended
from lexreview.providers.actions.prices import BadPrice, add_price, import_prices

__all__ = [
    "Asked",
    "BadPrice",
    "Begun",
    "Ended",
    "add_price",
    "aside_of",
    "begin_calls",
    "budget_of",
    "drop_unsent",
    "end_calls",
    "fingerprint",
    "import_prices",
    "limits_as_params",
    "mark_lost",
    "pause_before",
]
