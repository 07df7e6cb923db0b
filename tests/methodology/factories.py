from datetime import date
from typing import Any

from lexreview.methodology.actions import DecisionDraft, publish_decision, write_decision
from lexreview.methodology.models import Decision
from tests.factories import LONG_AGO
from tests.review.factories import SLUG

DRAFT = DecisionDraft(
    decided_on=date(2026, 10, 14),
    question="Is an incomplete description a hallucination?",
    decision="No. It costs points in the rubric.",
    reason="Only a statement can disagree with a source.",
)


def make_decision(*, slug: str = SLUG, published: bool = True, **fields: Any) -> Decision:
    draft = DecisionDraft(**{**DRAFT.__dict__, **fields})
    decision = write_decision(benchmark_slug=slug, draft=draft, by=None, now=LONG_AGO)
    return publish_decision(decision=decision, by=None, now=LONG_AGO) if published else decision
