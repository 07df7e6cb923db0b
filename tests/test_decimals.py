"""Figures that are shown with fewer decimals than they have are rounded, never cut off."""

import ast
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from lexreview.reports.templatetags.published import figure, per_cent, usd
from lexreview.translating import decimals

ROOT = Path(settings.BASE_DIR) / "lexreview"


@pytest.mark.parametrize(
    ("value", "places", "said"),
    [
        (0.399, 2, "0.40"),
        (0.4 - 1e-16, 2, "0.40"),
        (0.394, 2, "0.39"),
        ("0.125", 2, "0.13"),
        (-0.006, 2, "-0.01"),
        (1, 2, "1.00"),
        (float("nan"), 2, "nan"),
    ],
)
def test_a_number_is_rounded_to_the_nearest(value: float | str, places: int, said: str) -> None:
    with translation.override("en"):
        assert decimals(value, places) == said


def test_it_is_written_as_the_reader_writes_numbers() -> None:
    with translation.override("de"):
        assert (decimals(0.399, 2), figure(1234.567, 1), figure(None)) == ("0,40", "1234,6", "k. A.")


def test_shares_and_amounts_are_rounded_and_what_an_amount_is_at_least_stays_true() -> None:
    with translation.override("en"):
        assert (per_cent(0.286), per_cent(0.28649, 1)) == ("29", "28.6")
        assert (usd("0.056789"), usd("1.239"), usd("0")) == ("0.057", "1.24", "0.00")
        assert (usd("0.056789", True), usd("1.239", True)) == ("0.056", "1.23")


def cuts_off(source: str) -> bool:
    """Whether it asks Django's `number_format` for so many decimals."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return any(
        (getattr(call.func, "id", "") or getattr(call.func, "attr", "")) == "number_format"
        and (len(call.args) > 1 or any(each.arg == "decimal_pos" for each in call.keywords))
        for call in calls
    )


def test_decimals_are_chosen_in_one_place() -> None:
    assert cuts_off("formats.number_format(Decimal(str(value)), places)") and not cuts_off("number_format(value)")

    found = [path.name for path in ROOT.rglob("*.py") if cuts_off(path.read_text(encoding="utf-8"))]

    assert found == ["translating.py"]
