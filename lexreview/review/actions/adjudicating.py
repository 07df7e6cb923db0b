"""Adjudication: a lead who reviewed none of the cards decides where they differ, item by item, each with a reason.

The result is a card of its own that points to the reviews; they stay as they were handed in.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.scoring import check_points
from lexreview.core.words import says_nothing
from lexreview.core.workflow import CardState, CardVerb, CitationState, Round
from lexreview.ledger.actions import record_event
from lexreview.questions.key_facts import key_facts_of
from lexreview.review.actions.approval import CannotApprove, keep_revision
from lexreview.review.actions.merging import merge, reviews_behind, take_citation, take_finding, take_score, target_of
from lexreview.review.actions.moving import move_card
from lexreview.review.actions.second_review import RoundRefused, lock_round
from lexreview.review.changing import Change, change_card, locked_card, recompute
from lexreview.review.differences import Item, items_of
from lexreview.review.facts import missing_of, specification_of
from lexreview.review.models import (
    AdjudicatedReview,
    Card,
    CardCitation,
    Choice,
    Finding,
    FindingState,
    ItemKind,
    Score,
)
from lexreview.review.parts import CardParts
from lexreview.review.recording import ROWS, fields_since, versions_of
from lexreview.review.rules import check_can_adjudicate, siblings_of


class OwnValue(NamedTuple):
    """A value of the lead's own: `points` for a criterion, `state` for a citation or an official source, and for a
    finding `error_class` ("" where it does not count), `scope` and `origin`."""

    points: Decimal | None = None
    state: str = ""
    error_class: str = ""
    scope: str = ""
    origin: str = ""


def made_card_of(first: Card) -> Card | None:
    """The adjudicated card of the answer under the same specification and key; None before it is begun."""
    return siblings_of(first).filter(round=Round.ADJUDICATED).with_answer().order_by("-seat").first()


@transaction.atomic
def begin_adjudication(*, card: Card, by: User, now: datetime) -> Card:
    """The adjudicated card of a card in adjudication, laid out from its reviews; begun once.

    Raises NotAllowed, TransitionRefused for whoever reviewed one of the cards, RoundRefused in another state.
    """
    check_can_adjudicate(by, card)
    lock_round(card)
    first = locked_card(card)
    if first.round != Round.FIRST or first.state != CardState.IN_ADJUDICATION:
        raise RoundRefused(_("There is nothing to adjudicate: no reviews of this answer differ."))
    if (made := made_card_of(first)) is not None:
        return made
    seats = Card.objects.filter(
        answer=first.answer_id, scoring_pass=first.scoring_pass, round=Round.ADJUDICATED
    ).count()  # fmt: skip
    made = Card.objects.create(
        answer=first.answer,
        scoring_pass=first.scoring_pass,
        round=Round.ADJUDICATED,
        seat=seats + 1,
        specification=first.specification,
        key_version=first.key_version,
        batch_id=first.batch_id,
        verification=first.verification,
        assigned_to=by,
        state=CardState.IN_REVIEW,
        version=1,
    )
    reviews = list(siblings_of(first).filter(round__in=[Round.FIRST, Round.SECOND]).order_by("round", "seat"))
    merge(made, reviews, by=by, now=now)
    recompute(made)
    made.save()
    record_event(
        by=by,
        verb="begin_adjudication",
        object_type="card",
        object_id=made.ledger_id,
        after={
            "version": made.version,
            "state": made.state,
            **versions_of(made),
            "reviews": [each.identifier for each in reviews],
            **fields_since(None, made),
            ROWS: CardParts(made).records(),
        },
        now=now,
    )
    return made


def choose(
    *,
    card: Card,
    kind: ItemKind,
    target: str,
    review: Card | None,
    own: OwnValue | None = None,
    reason: str,
    version: int,
    by: User,
    now: datetime,
) -> Card:
    """Take what one review says of one thing, or with `review` None a value of one's own; the reason is kept.

    Raises RoundRefused for a thing that the card has not, for a review that is not behind it, for no reason, and
    PointsRefused for points outside the criterion's range.
    """
    if says_nothing(reason):
        raise RoundRefused(_("Say in one line why."))
    with change_card(
        card=card, verb="choose", version=version, by=by, now=now, reason=reason, check=check_can_adjudicate
    ) as change:
        reviews = reviews_behind(change.card)
        item = _item(change.card, reviews, kind, target)
        side = _side(item, reviews, review) if review is not None else None
        if review is not None:
            _take(change, item, side, by=by, now=now, reason=reason)
        elif own is not None:
            _set_own(change, item, own, by=by, now=now, reason=reason)
        else:
            raise RoundRefused(_("Choose one of the reviews, or give a value of your own."))
        Choice.objects.update_or_create(
            card=change.card,
            kind=kind,
            target=target,
            defaults={"taken_from": review, "reason": reason, "decided_by": by, "decided_at": now},
        )
        change.after = {
            "kind": kind.value,
            "target": target,
            "taken_from": review.identifier if review else None,
        }
    return change.card


def merge_again(*, card: Card, version: int, by: User, now: datetime) -> Card:
    """Fill from the reviews as they are now whatever nobody chose on the adjudicated card."""
    with change_card(
        card=card, verb="merge_again", version=version, by=by, now=now, check=check_can_adjudicate
    ) as change:
        reviews = reviews_behind(change.card)
        merge(change.card, reviews, by=by, now=now)
        change.after = {
            "reviews": {each.identifier: each.revision for each in reviews},
            ROWS: CardParts(change.card).records(),
        }
    return change.card


@transaction.atomic
def finish_adjudication(*, card: Card, reason: str, version: int, by: User, now: datetime) -> Card:
    """Approve the adjudicated card; from now on it is the one that counts.

    Raises RoundRefused while something that differs is not chosen or the reviews changed since they were merged, and
    CannotApprove while the card lacks something.
    """
    lock_round(card)
    with change_card(
        card=card,
        verb="approve",
        version=version,
        by=by,
        now=now,
        reason=reason,
        transition=CardVerb.APPROVE,
        check=check_can_adjudicate,
    ) as change:
        current = change.card
        reviews = reviews_behind(current)
        if changed_since_merge(current):
            raise RoundRefused(_("A review changed since the reviews were merged. Merge them again first."))
        if left := unchosen(current, reviews):
            raise RoundRefused(
                ngettext("%(n)s difference is not decided yet.", "%(n)s differences are not decided yet.", len(left))
                % {"n": len(left)}
            )
        if missing := [each for each in missing_of(current, change.parts) if each.blocking]:
            raise CannotApprove(missing)
        keep_revision(change, by=by, now=now)
    first = siblings_of(card).get(round=Round.FIRST)
    move_card(first, CardVerb.ADJUDICATE, by=by, now=now, reason=reason, after={"adjudicated": change.card.identifier})
    return change.card


@transaction.atomic
def reopen_adjudication(*, card: Card, reason: str, version: int, by: User, now: datetime) -> Card:
    """Open an adjudicated card again; until it is approved again its answer counts nowhere."""
    lock_round(card)
    with change_card(
        card=card,
        verb="revise",
        version=version,
        by=by,
        now=now,
        reason=reason,
        transition=CardVerb.REVISE,
        check=check_can_adjudicate,
    ) as change:
        change.card.revision_reason = reason
        change.after = {"revision": change.card.revision}
    move_card(
        siblings_of(card).get(round=Round.FIRST), CardVerb.REOPEN_ADJUDICATION, by=by, now=now, reason=reason
    )  # fmt: skip
    return change.card


def changed_since_merge(card: Card) -> bool:
    rows = AdjudicatedReview.objects.filter(card=card).select_related("review")
    return any(row.revision != row.review.revision or row.review.state not in HANDED_IN for row in rows)


HANDED_IN = (CardState.APPROVED, CardState.IN_ADJUDICATION)


def unchosen(card: Card, reviews: Sequence[Card]) -> list[Item]:
    """What differs between the reviews and was not chosen on the adjudicated card."""
    chosen = set(Choice.objects.filter(card=card).values_list("kind", "target"))
    return [
        item
        for item in items_of([*reviews, card])
        if _sides_differ(item) and (item.kind.value, target_of(item.kind, item.parts[-1])) not in chosen
    ]


def _sides_differ(item: Item) -> bool:
    return Item(item.kind, item.name, item.parts[:-1]).differs


def _item(card: Card, reviews: Sequence[Card], kind: ItemKind, target: str) -> Item:
    for item in items_of([*reviews, card]):
        if item.kind == kind and item.parts[-1] is not None and target_of(kind, item.parts[-1]) == target:
            return item
    raise RoundRefused(_("This card has nothing by that name."))


def _side(item: Item, reviews: Sequence[Card], review: Card) -> Any:
    for part, each in zip(item.parts, reviews, strict=False):
        if each.pk == review.pk:
            return part
    raise RoundRefused(_("This review is not one of those that are compared."))


def _take(change: Change, item: Item, side: Any, *, by: User, now: datetime, reason: str) -> None:
    row = _row(change, item)
    match row:
        case Score():
            if side is None or side.decided is None:
                raise RoundRefused(_("That review gives no points here."))
            take_score(row, side)
            row.reason = reason
        case CardCitation():
            take_citation(row, side)
        case Finding():
            if side is None:
                row.state, row.reason = FindingState.REJECTED, reason
            else:
                take_finding(row, side)
        case _:
            change.card.official_source = side
            return
    _sign(row, by=by, now=now)


def _set_own(change: Change, item: Item, own: OwnValue, *, by: User, now: datetime, reason: str) -> None:
    row = _row(change, item)
    match row:
        case Score():
            if own.points is None:
                raise RoundRefused(_("Give the points."))
            rule = specification_of(change.card).criterion(row.criterion)
            check_points(rule, key=key_facts_of(change.card.key_version), points=own.points)
            row.decided, row.details, row.evidence, row.reason = own.points, {}, reason, reason
        case CardCitation():
            row.state, row.note = CitationState(own.state), reason
        case Finding() if own.error_class:
            classes = [each.code for each in specification_of(change.card).error_classes]
            if own.error_class not in classes:
                raise RoundRefused(_("This class is not one of the specification."))
            row.error_class, row.state, row.reason = own.error_class, FindingState.ACCEPTED, ""
            row.scope, row.origin = own.scope or row.scope, own.origin or row.origin
        case Finding():
            row.state, row.reason = FindingState.REJECTED, reason
        case _:
            change.card.official_source = own.state
            return
    _sign(row, by=by, now=now)


def _row(change: Change, item: Item) -> Score | CardCitation | Finding | None:
    """The card's own row, the one that its parts hold, so that the event shows what became of it."""
    made = item.parts[-1]
    match made:
        case Score():
            return change.parts.score(made.criterion)
        case CardCitation():
            return change.parts.citation(made.number)
        case Finding():
            row = change.parts.finding(made.number)
            row.card = change.card
            return row
        case _:
            return None


def _sign(row: Score | CardCitation | Finding, *, by: User, now: datetime) -> None:
    row.decided_by, row.decided_at = by, now
    if isinstance(row, CardCitation) and row.state == CitationState.UNCHECKED:
        row.decided_by, row.decided_at = None, None
    row.save()


def choices_of(card: Card) -> Mapping[tuple[str, str], Choice]:
    rows = Choice.objects.filter(card=card).select_related("taken_from", "decided_by").in_order()
    return {(row.kind, row.target): row for row in rows}
