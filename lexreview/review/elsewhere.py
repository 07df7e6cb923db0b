"""How the same provision was judged on other cards of the benchmark."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.workflow import CitationState
from lexreview.prepared import Prepared
from lexreview.review.blinding import plainly_shown
from lexreview.review.models import CITATION_STATE_LABELS, Card, CardCitation, Finding
from lexreview.review.models.card import CardQuerySet
from lexreview.review.sure import ALIVE
from lexreview.verification.models import Citation

AT_MOST = 40
SIGNS = {CitationState.CONFIRMED: "ok", CitationState.ERROR: "!", CitationState.UNDETERMINED: "open"}


class Elsewhere(NamedTuple):
    """Citations of other cards that cite the same and were judged alike. `sign`: what the tag `mark` draws."""

    sign: str
    words: str
    citations: Sequence[CardCitation]


def _judged_before(person: int, *, benchmark: int, answer: int) -> CardQuerySet:
    """The other cards of the benchmark whose judgements a person who is shown a card of this answer may see while they
    work on it. What is blind to them is left out here and nowhere else, and what may be blind to somebody with it.
    """
    return plainly_shown(Card.objects.in_benchmark(benchmark), person).exclude(answer=answer)


def judged_elsewhere(checked: Citation | None, *, card: Card, user: User) -> list[Elsewhere]:
    """By judgement, that of most cards first, of the AT_MOST newest; empty for what names no unit of an act and no
    ruling. One query."""
    groups: dict[tuple[str, str], list[CardCitation]] = {}
    for row in _same_source(checked, of=(user.pk, card.queue_benchmark_id, card.answer_id)):
        groups.setdefault(_judgement(row), []).append(row)
    alike = [Elsewhere(sign, words, citations) for (sign, words), citations in groups.items()]
    return sorted(alike, key=lambda each: -len(each.citations))


def _judgement(row: CardCitation) -> tuple[str, str]:
    state = CitationState(row.state)
    error_class = getattr(row, "error_class", None)
    if state is CitationState.ERROR and error_class:
        return error_class, _("class %(code)s") % {"code": error_class}
    return SIGNS[state], str(CITATION_STATE_LABELS[state])


def _same_source(checked: Citation | None, *, of: tuple[int, int, int]) -> list[CardCitation]:
    if checked is None:
        return []
    if checked.ruling_id is not None:
        return _same_ruling(*of, checked.ruling_id)
    if checked.act_id is not None and checked.unit_key:
        return _same_unit(*of, checked.act_id, checked.unit_key)
    return []


def _judged(person: int, benchmark: int, answer: int, **same: Any) -> QuerySet[CardCitation]:
    # Asked of each such citation: as a list of keys SQLite would first read every card of the benchmark.
    shown = _judged_before(person, benchmark=benchmark, answer=answer)
    finding = Finding.objects.filter(citation=OuterRef("pk"), state__in=ALIVE).order_by("-number")
    return (
        CardCitation.objects.filter(Exists(shown.filter(pk=OuterRef("card"))), **same)
        .exclude(state=CitationState.UNCHECKED)
        .select_related("card", "decided_by")
        .only("number", "raw", "state", "decided_at", "card__queue_code", "decided_by__username")
        .annotate(error_class=Subquery(finding.values("error_class")[:1]))
        .order_by("-decided_at", "-pk")[:AT_MOST]
    )


_same_ruling = Prepared(
    lambda person, benchmark, answer, ruling: _judged(person, benchmark, answer, checked__ruling=ruling),
    int, int, int, int, keep_plan=True,
)  # fmt: skip
_same_unit = Prepared(
    lambda person, benchmark, answer, act, unit: _judged(
        person, benchmark, answer, checked__act=act, checked__unit_key=unit
    ),
    int, int, int, int, str, keep_plan=True,
)  # fmt: skip
