"""A small rehearsal: one answer whose pre-fill has four planted errors, one of them in a proposal of code."""

import json
from copy import deepcopy
from datetime import datetime
from typing import Any

from lexreview.review.actions.rehearsing import prepare_rehearsal
from lexreview.review.models import Rehearsal
from lexreview.review.rehearsal_set import read_set
from tests.review.factories import CITATIONS, SLUG, make_answer, make_benchmark, make_question, make_verification

NAME = "P04_argon-4_W0_r1"

ERROR = {"error_class": "T", "origin": "memory", "scope": "peripheral"}
SET: dict[str, Any] = {
    "name": "set-one",
    "blind_share": "0",
    "seed": 7,
    "answers": {
        NAME: {
            "citations": 7,
            "points": {
                "A-R": {"right": 1, "reason": "Half of it."},
                "A1": {"right": 1, "elements": ["R1"], "reason": "R1 is there."},
                "A2": {"right": 2},
                "A3": {"right": 0, "reason": "Not named."},
                "P": {"right": 1, "elements": ["K1"], "reason": "Says fourteen days."},
                "B1": {"right": 1, "proposed": 2, "reason": "Planted reason of B1."},
                "B2": {"right": 1, "reason": "Firm."},
            },
            "said": [
                {"citation": 1, "raw": "Art. 17 § 1 CPA", "by_code": True,
                 "right": {"error_class": "T", "origin": "memory", "scope": "core"},
                 "proposed": {"error_class": "W", "origin": "memory", "scope": "core"}},
                {"citation": 2, "raw": "Art. 21^1 § 2 CPA", "proposed": "right",
                 "right": {"error_class": "T", "origin": "memory", "scope": "peripheral"}},
                {"citation": 3, "raw": "Art. 94 § 6 CPA", "by_code": True,
                 "right": {"error_class": "F", "origin": "memory", "scope": "peripheral"},
                 "proposed": {"error_class": "F", "origin": "memory", "scope": "peripheral"}},
                {"citation": 4, "raw": "Art. 3 FA", "right": "right", "reason": "It exempts nobody.",
                 "proposed": {"error_class": "T", "origin": "memory", "scope": "peripheral"}},
                {"citation": 6, "raw": "II Civ 44/24", "right": "open", "proposed": "open"},
            ],
        },
    },
}  # fmt: skip


def the_set(**changes: Any) -> str:
    return json.dumps({**deepcopy(SET), **changes})


def prepared(text: str, now: datetime, *, slug: str = SLUG) -> Rehearsal:
    """A benchmark of that slug with one answer, as a rehearsal by this set."""
    benchmark = make_benchmark(slug)
    make_verification(make_answer(make_question(benchmark)), CITATIONS)
    return prepare_rehearsal(benchmark=benchmark, record=read_set(text), by=None, now=now)
