"""How the same provision was judged on other cards of the benchmark."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Subquery
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.workflow import CitationState
from lexreview.review.blinding import plainly_shown
from lexreview.review.models import CITATION_STATE_LABELS, Card, CardCitation, Finding
from lexreview.review.models.card import CardQuerySet
from lexreview.review.sure import ALIVE
from lexreview.verification.models import Citation

AT_MOST = 40
SIGNS = {CitationState.CONFIRMED: "ok", CitationState.ERROR: "open", CitationState.UNDETERMINED: "open"}


class Elsewhere(NamedTuple):
    """Citations of other cards that cite the same and were judged alike. `sign`: what the tag `mark` draws."""

    sign: str
    words: str
    citations: Sequence[CardCitation]


def cards_judged_before(user: User, card: Card) -> CardQuerySet:
    """The other cards of the benchmark whose judgements the person, who is shown this card, may see while they work
    on it. What is blind to them is left out here and nowhere else, and what may be blind to somebody with it.
    """
    return plainly_shown(Card.objects.of_benchmark(card.benchmark), user).exclude(answer=card.answer_id)


def judged_elsewhere(checked: Citation | None, *, card: Card, user: User) -> list[Elsewhere]:
    """By judgement, that of most cards first, of the AT_MOST newest; empty for what names no unit of an act and no
    ruling. One query."""
    same = _same_source(checked)
    if not same:
        return []
    # Asked of each such citation: as a list of keys SQLite would first read every card of the benchmark.
    shown = cards_judged_before(user, card)
    finding = Finding.objects.filter(citation=OuterRef("pk"), state__in=ALIVE).order_by("-number")
    rows = list(
        CardCitation.objects.filter(Exists(shown.filter(pk=OuterRef("card"))), **same)
        .exclude(state=CitationState.UNCHECKED)
        .select_related("card", "decided_by")
        .only("number", "raw", "state", "decided_at", "card__queue_code", "decided_by__username")
        .annotate(error_class=Subquery(finding.values("error_class")[:1]))
        .order_by("-decided_at", "-pk")[:AT_MOST]
    )
    groups: dict[tuple[str, str], list[CardCitation]] = {}
    for row in rows:
        groups.setdefault(_judgement(row), []).append(row)
    alike = [Elsewhere(sign, words, citations) for (sign, words), citations in groups.items()]
    return sorted(alike, key=lambda each: -len(each.citations))


def _judgement(row: CardCitation) -> tuple[str, str]:
    state = CitationState(row.state)
    error_class = getattr(row, "error_class", None)
    if state is CitationState.ERROR and error_class:
        return error_class, _("class %(code)s") % {"code": error_class}
    return SIGNS[state], str(CITATION_STATE_LABELS[state])


def _same_source(checked: Citation | None) -> dict[str, object]:
    if checked is None:
        return {}
    if checked.ruling_id is not None:
        return {"checked__ruling": checked.ruling_id}
    if checked.act_id is not None and checked.unit_key:
        return {"checked__act": checked.act_id, "checked__unit_key": checked.unit_key}
    return {}
