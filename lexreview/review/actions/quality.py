"""Checks of quality: approved cards drawn at random, looked at by a lead, agreed or overturned."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.words import says_nothing
from lexreview.core.workflow import CardState
from lexreview.ledger.actions import EventDraft, record_event, record_events
from lexreview.questions.models import Benchmark
from lexreview.review.actions.returning import return_card
from lexreview.review.actions.sent_once import check_not_sent_before, lock_benchmark, with_key
from lexreview.review.blinding import is_shown
from lexreview.review.models import Card, CheckOrigin, CheckOutcome, QualityCheck
from lexreview.review.quality import Draw, drawn_cards, fast_cards_of
from lexreview.review.rules import check_can_plan_reviews

DRAW = "draw_checks"


class CheckRefused(ValueError):
    """Nothing can be drawn, or the check is done already; the text says why."""


@transaction.atomic
def draw_checks(*, benchmark: Benchmark, draw: Draw, by: User, now: datetime) -> list[QualityCheck]:
    """Draw approved cards for checking, and add those that were approved strikingly fast, which count apart.

    Cards whose present revision was drawn before are not drawn again.

    Raises SentBefore for a form that was sent twice, CheckRefused where no card is left.
    """
    check_can_plan_reviews(by, benchmark)
    check_not_sent_before(benchmark, verb=DRAW, by=by)
    cards = drawn_cards(benchmark, draw, by=by)
    if not cards:
        raise CheckRefused(_("No card is left to draw: every approved one was drawn before, or there is none."))
    taken = {card.pk for card in cards}
    fast = [card for card in fast_cards_of(benchmark, draw, by=by) if card.pk not in taken]
    checks = _open_checks(cards, origin=CheckOrigin.DRAWN, by=by, now=now, seed=draw.seed)
    checks += _open_checks(fast, origin=CheckOrigin.FAST, by=by, now=now)
    sample = {
        "cards": len(checks),
        "fast": len(fast),
        "size": draw.size,
        "seed": draw.seed,
        "reviewer": draw.reviewer.username if draw.reviewer else None,
        "question": draw.question or None,
    }
    record_event(
        by=by, verb=DRAW, object_type="benchmark", object_id=benchmark.slug, now=now, after=with_key({"sample": sample})
    )  # fmt: skip
    return checks


@transaction.atomic
def add_checks(*, cards: Sequence[Card], by: User, now: datetime) -> list[QualityCheck]:
    """Add cards that were approved very fast; those whose present revision was drawn before are passed over."""
    for card in cards:
        check_can_plan_reviews(by, card.benchmark)
    for key in sorted({card.queue_benchmark_id for card in cards}):
        lock_benchmark(key)
    known = set(QualityCheck.objects.filter(card__in=cards).values_list("card_id", "revision"))
    new = [card for card in cards if (card.pk, card.revision) not in known and card.approved_by_id != by.pk]
    return _open_checks(new, origin=CheckOrigin.FAST, by=by, now=now)


def _open_checks(
    cards: Sequence[Card], *, origin: CheckOrigin, by: User, now: datetime, seed: int | None = None
) -> list[QualityCheck]:
    """The events are about the checks, not the cards: a reviewer need not know that a card is in the sample."""
    checks = []
    for card in cards:
        if card.approved_by is None:
            raise CheckRefused(_("Only an approved card can be checked."))
        checks.append(
            QualityCheck(
                card=card, revision=card.revision, reviewer=card.approved_by, origin=origin, drawn_by=by, drawn_at=now
            )
        )
    rows = QualityCheck.objects.bulk_create(checks)
    after = {"origin": origin.value} | ({"seed": seed} if seed is not None else {})
    drafts = [
        EventDraft(verb="draw_check", object_type="quality_check", object_id=ledger_id_of(row), after=after)
        for row in rows
    ]
    record_events(by=by, drafts=drafts, now=now)
    return rows


@transaction.atomic
def check_card(*, check: QualityCheck, outcome: CheckOutcome, reason: str, by: User, now: datetime) -> QualityCheck:
    """Agree with the card, or overturn it with a reason: then an approved card goes back to its reviewer.

    Raises NotAllowed for whoever approved the card, CheckRefused without a reason to overturn and for a check that is
    done, unless it is the same once more.
    """
    row = QualityCheck.objects.select_for_update(of=("self",)).get(pk=check.pk)
    card = Card.objects.with_answer().get(pk=row.card_id)
    check_can_plan_reviews(by, card.benchmark)
    if not is_shown(card, by):
        raise NotAllowed(_("This card is not shown to you."))
    if row.reviewer_id == by.pk:
        raise NotAllowed(_("You approved this card, so somebody else has to check it."))
    if (row.outcome, row.reason, row.checked_by_id) == (outcome, reason, by.pk):
        return row
    if row.outcome != CheckOutcome.OPEN:
        raise CheckRefused(_("This card was checked already."))
    if outcome == CheckOutcome.OPEN or (outcome == CheckOutcome.OVERTURNED and says_nothing(reason)):
        raise CheckRefused(_("Say whether you agree; to overturn takes a reason."))
    row.outcome, row.reason, row.checked_by, row.checked_at = outcome, reason, by, now
    row.save()
    if outcome == CheckOutcome.OVERTURNED and card.state == CardState.APPROVED and card.revision == row.revision:
        return_card(card=card, reason=reason, by=by, now=now, after={"overturned": True})
    record_event(
        by=by,
        verb="check_card",
        object_type="quality_check",
        object_id=ledger_id_of(row),
        before={"outcome": CheckOutcome.OPEN.value},
        after={"outcome": outcome.value},
        reason=reason,
        now=now,
    )
    return row


def ledger_id_of(check: QualityCheck) -> str:
    return f"{check.card.ledger_id}@{check.revision}"
