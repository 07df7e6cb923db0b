"""Invented content for the style page, which shows every component once in each theme."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Paginator

from lexreview.accounts.forms import AccountForm
from lexreview.accounts.models import User


@dataclass(frozen=True, kw_only=True)
class SampleEdition:
    valid_from: date
    url: str = "#editions"


@dataclass(frozen=True, kw_only=True)
class SampleRow:
    system: str
    condition: str
    grounded: int
    answers: int
    low: float | None
    high: float | None
    false_claims: int
    cost: str
    lower_bound: bool = False

    @property
    def hollow(self) -> bool:
        return self.condition == "no tools"

    @property
    def share(self) -> float | None:
        return self.grounded / self.answers if self.answers else None


ROWS = [
    SampleRow(
        system="Basalt 2",
        condition="web search",
        grounded=6,
        answers=12,
        low=0.24,
        high=0.76,
        false_claims=5,
        cost="0.37",
    ),
    SampleRow(
        system="", condition="no tools", grounded=3, answers=12, low=0.07, high=0.51, false_claims=7, cost="0.10"
    ),
    SampleRow(
        system="Fjord",
        condition="web search",
        grounded=4,
        answers=12,
        low=0.11,
        high=0.6,
        false_claims=6,
        cost="0.29",
        lower_bound=True,
    ),
    SampleRow(system="", condition="no tools", grounded=0, answers=12, low=0.0, high=0.24, false_claims=11, cost=""),
    SampleRow(
        system="Quartz", condition="web search", grounded=0, answers=0, low=None, high=None, false_claims=0, cost=""
    ),
]


def gallery_context(*, user: User, asked_on: date) -> dict[str, Any]:
    editions = [
        SampleEdition(valid_from=day)
        for day in (date(2017, 4, 1), date(2020, 1, 1), date(2022, 7, 1), date(2024, 3, 15), date(2026, 2, 1))
    ]
    invalid = AccountForm({"language": "xx", "first_name": "Ada", "last_name": "", "theme": ""}, user=user)
    invalid.is_valid()
    return {
        "editions": editions,
        "shown": editions[3],
        "asked_on": asked_on,
        "rows": ROWS,
        "scores": [{"value": points, "label": points} for points in (0, 1, 2)],
        "calibrations": [
            {"value": "categorical", "label": "categorical"},
            {"value": "conditional", "label": "conditional"},
        ],
        "page_obj": Paginator(range(431), 20).page(6),
        "invalid_form": invalid,
        "colours": [
            "paper", "sheet", "sunk", "ink", "ink-2", "ink-3", "line", "line-2", "edge", "accent", "accent-soft",
            "ok", "ok-soft", "open", "open-soft", "t", "t-soft", "w", "w-soft", "f", "f-soft", "s", "s-soft",
        ],
    }  # fmt: skip
