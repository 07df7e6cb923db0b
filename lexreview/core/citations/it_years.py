"""Two-digit years in Italian citations."""

from __future__ import annotations

PIVOT_YEAR = 2026


def full_year(written: str) -> int:
    """A year in full: two digits up to the pivot's belong to this century, others to the last one.

    The pivot is a constant because the core has no clock; move it on with the material.
    """
    year = int(written)
    if len(written) > 2:
        return year
    return 2000 + year if year <= PIVOT_YEAR % 100 else 1900 + year
