from decimal import Decimal
from typing import Any

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from lexreview.core.methods.reference_card.facts import OfficialSource
from lexreview.review.actions import accept_proposals, decide_score, set_note, set_official_source
from lexreview.review.card_rows import elements_of, group_of, ticked_in
from lexreview.review.changed_parts import NOTE, OFFICIAL_SOURCE, PROPOSALS, points_of
from lexreview.review.facts import specification_of
from lexreview.review.forms import CardForm, NoteForm, OfficialSourceForm, ScoreForm
from lexreview.review.models import Card, Score
from lexreview.review.sure import is_sure
from lexreview.review.views.rendering import ReviewRequest, card_to_change, save


@require_POST
def decide(request: ReviewRequest, pk: int, code: str) -> HttpResponse:
    card = card_to_change(request, pk)
    try:
        criterion = specification_of(card).criterion(code)
    except KeyError:
        raise Http404 from None
    elements = elements_of(criterion, card.key_version)
    # What was decided and ticked before matters only where elements can be ticked.
    score = (card.scores.filter(criterion=code).first() if elements else None) or Score()
    form = ScoreForm(
        request.POST,
        elements=elements,
        ticked=ticked_in(criterion, score),
        group=group_of(criterion),
        decided=score.decided,
    )

    def act(*, points: Decimal, evidence: str, reason: str, details: dict[str, Any], version: int) -> Card:
        return decide_score(
            card=card,
            criterion=code,
            points=points,
            evidence=evidence,
            reason=reason,
            details=details,
            version=version,
            by=request.user,
            now=timezone.now(),
        )

    return save(request, card, form, act, target=f"criterion-{code}", reach=points_of(code))


@require_POST
def accept_all(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_to_change(request, pk)

    def act(*, version: int) -> Card:
        return accept_proposals(card=card, version=version, by=request.user, now=timezone.now())

    form = CardForm(request.POST)
    return save(request, card, form, act, target="criteria", as_asked=_nothing_sure_is_proposed, reach=PROPOSALS)


def _nothing_sure_is_proposed(card: Card) -> bool:
    by_hand = [criterion.code for criterion in specification_of(card).criteria if criterion.rule is None]
    open_ = card.scores.filter(criterion__in=by_hand, decided=None, not_applicable=False)
    return not any(is_sure(row) for row in open_)


@require_POST
def official_source(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_to_change(request, pk)
    if not card.answer.run.condition.tools:
        raise Http404

    def act(*, official_source: str, version: int) -> Card:
        source = OfficialSource(official_source)
        return set_official_source(
            card=card, official_source=source, version=version, by=request.user, now=timezone.now()
        )

    return save(request, card, OfficialSourceForm(request.POST), act, target="official-source", reach=OFFICIAL_SOURCE)


@require_POST
def note(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_to_change(request, pk)

    def act(*, note: str, version: int) -> Card:
        return set_note(card=card, note=note, version=version, by=request.user, now=timezone.now())

    return save(request, card, NoteForm(request.POST), act, target="note", reach=NOTE)
