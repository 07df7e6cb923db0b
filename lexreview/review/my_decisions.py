"""What a person decided so far: their approved revisions, the newest first."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from lexreview.accounts.models import User
from lexreview.review.models import CardRevision
from lexreview.review.paging import Order

NEWEST_FIRST = Order(("approved_at", "pk"), descending=True)


@dataclass(frozen=True, slots=True)
class DecisionFilter:
    """What is looked for; "" and None filter nothing. `since`, `until`: days of the approval, both inclusive."""

    benchmark: str = ""
    question: str = ""
    label: str = ""
    approved_as: str = ""
    since: date | None = None
    until: date | None = None


def decisions_of(person: User, wanted: DecisionFilter, *, benchmarks: Collection[int]) -> "QuerySet[CardRevision]":
    """Revisions that the person approved in these benchmarks; `label` is the one that the revision had."""
    rows = CardRevision.objects.approved_by(person).filter(card__queue_benchmark__in=benchmarks).with_list_data()
    if wanted.question:
        rows = rows.filter(card__queue_code=wanted.question)
    if wanted.label:
        rows = rows.filter(Q(("label", wanted.label)))
    if wanted.approved_as:
        rows = rows.filter(approved_as=wanted.approved_as)
    if wanted.since:
        rows = rows.filter(approved_at__date__gte=wanted.since)
    if wanted.until:
        rows = rows.filter(approved_at__date__lte=wanted.until)
    return rows
