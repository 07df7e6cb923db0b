"""One change of a card: locked, checked against the version it was made on, recomputed, recorded.

Every action of the room goes through `change_card`, so the version check has one home.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.core.workflow import CARD_TRANSITIONS, CardState, CardVerb, check_transition
from lexreview.ledger.actions import EventDraft, record_events
from lexreview.ledger.models import Event
from lexreview.prepared import Prepared
from lexreview.review.blinding import REVIEWS
from lexreview.review.facts import a_percent_of, facts_of, label_of
from lexreview.review.models import OPEN_STATES, Card, Score
from lexreview.review.parts import CardParts
from lexreview.review.recording import PARTS as PARTS
from lexreview.review.recording import Values, fields_since, values_of, versions_of
from lexreview.review.rules import check_can_review_card
from lexreview.review.snapshot import ROWS

REVIEWABLE = {CardState.EMPTY, CardState.PREFILLED, CardState.STALE}


class StaleCard(Exception):
    """The card was changed since the page was made. `card`: as it is now; `events`: what happened since.

    `is_repeat`: one of these events is this very form, sent before by the same person.
    """

    def __init__(self, card: Card, version: int, *, by: User | None = None) -> None:
        super().__init__(
            _("This card was changed meanwhile (version %(now)s, yours is %(yours)s). Nothing was overwritten.")
            % {"now": card.version, "yours": version}
        )
        self.card = card
        self.version = version
        self.events = list(Event.objects.about("card", card.ledger_id).filter(after__version__gt=version).in_order())
        key = _sent_form.get()
        self.is_repeat = bool(key and by) and any(
            (event.after or {}).get("form") == key and event.actor == by.get_username() for event in self.events if by
        )


@contextmanager
def sent_form(key: str) -> Iterator[None]:
    """Changes made inside carry the key of the form that asked for them, so that a repeat of it is recognised."""
    token = _sent_form.set(key)
    try:
        yield
    finally:
        _sent_form.reset(token)


def key_of_sent_form() -> str:
    """The key of the form that is being done; "" outside of one."""
    return _sent_form.get()


_sent_form: ContextVar[str] = ContextVar("sent_form", default="")


@dataclass
class Change:
    """What an action did: filled in inside `change_card`, recorded as one event at its end.

    An action that writes rows of the card takes them from `parts`, adds to them, and saves: then the event holds the
    rows as they were and as they became, and the change can be taken back. `first`: what the same change did besides,
    each an event of its own before the last, all of one version. `recomputes`: False for what no label and no points
    depend on.
    """

    card: Card
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    nothing: bool = False
    first: list[tuple[str, dict[str, Any], dict[str, Any], str]] = field(default_factory=list)
    recomputes: bool = True
    values: Values = field(default_factory=dict)
    parts: CardParts = field(kw_only=True)

    def put_first(self, verb: str, *, before: dict[str, Any], after: dict[str, Any], reason: str = "") -> None:
        self.first.append((verb, before, after, reason))


def _lock_by_scores(pk: int) -> QuerySet[Score]:
    rows: QuerySet[Score] = ROWS["scores"](Score.objects.filter(card=pk))
    return rows.select_related("card").select_for_update(of=("card",))


_locked = Prepared(lambda pk: Card.objects.select_for_update(of=("self",)).filter(pk=pk), int)
_locked_by_scores: Prepared[Score] = Prepared(_lock_by_scores, int)
UNCHANGING = ("answer", "specification", "key_version", "verification", "model_proposal", "batch")


def locked_card(card: Card) -> Card:
    """The row as it is now, locked until the end of the transaction.

    What a card refers to never changes in place, so rows that the caller has loaded are taken over.
    """
    current = _locked.first(card.pk)
    if current is None:
        raise Card.DoesNotExist(card.pk)
    return _with_loaded(current, card)


def locked_parts(card: Card) -> CardParts:
    """The same with its scores, which nearly every change needs; watched."""
    scores = _locked_by_scores(card.pk)
    if not scores:
        return CardParts(locked_card(card), watched=True)
    parts = CardParts(_with_loaded(scores[0].card, card), watched=True)
    # Who waited for the lock has the card as it is now beside the scores as they were when the waiting began.
    if parts.card.version == card.version:
        parts.take_over("scores", scores)
    return parts


def _with_loaded(current: Card, card: Card) -> Card:
    """`current` with what `card` has loaded and what never changes."""
    for name in UNCHANGING:
        loaded = card._state.fields_cache.get(name)
        if loaded is not None and loaded.pk == getattr(current, f"{name}_id"):
            setattr(current, name, loaded)
    current.decisions_published = card.decisions_published
    question = current.answer.question
    if question.pk == current.key_version.question_id:
        current.key_version.question = question
    return current


@contextmanager
def change_card(
    *,
    card: Card,
    verb: str,
    version: int,
    by: User,
    now: datetime,
    reason: str = "",
    transition: CardVerb = CardVerb.SAVE,
    already: Callable[[Card], bool] = lambda card: False,
    already_in: Callable[[CardParts], bool] | None = None,
    check: Callable[[User, Card], None] = check_can_review_card,
) -> Iterator[Change]:
    """Lock the card, check right, version and state; let the caller write the parts; recompute, count up, record.

    Raises NotAllowed, StaleCard or core's TransitionRefused before anything is written. Saving begins the review of
    an untouched card and takes it for the person. `already`, or for its rows `already_in`, says whether the card is as
    asked for: then a form that was sent twice finds `nothing` set, and neither version nor ledger moves. The caller may
    set `nothing` too. `check`: the rule, where it is not that of a review.
    """
    with transaction.atomic():
        parts = locked_parts(card)
        current = parts.card
        check(by, current)
        change = Change(current, values=values_of(current), parts=parts)
        if already(current) or (already_in is not None and already_in(change.parts)):
            change.nothing = True
            yield change
            return
        if version != current.version:
            raise StaleCard(current, version, by=by)
        state = CardState(current.state)
        roles = roles_of(by, current.benchmark.slug)
        if transition in (CardVerb.SAVE, CardVerb.APPROVE, CardVerb.ASK_RULING) and state in REVIEWABLE:
            state = check_transition(CARD_TRANSITIONS, CardVerb.START_REVIEW, state=state, roles=roles)
        current.state = check_transition(CARD_TRANSITIONS, transition, state=state, roles=roles, reason=reason)
        _keep_claim(current, by=by, now=now)
        yield change
        if change.nothing:
            transaction.set_rollback(True)
            return
        if change.recomputes:
            recompute(current, change.parts)
        current.version += 1
        current.save()
        current.parts_of_change = change.parts
        current.events_of_change = record_events(by=by, drafts=_events_of(change, verb=verb, reason=reason), now=now)


def _events_of(change: Change, *, verb: str, reason: str) -> list[EventDraft]:
    """What was done first, then the change itself, which holds the rows before and after."""
    card = change.card
    common = {"version": card.version, "state": card.state, "label": card.label}
    if card.state != change.values["state"]:
        common |= versions_of(card)
    if form := _sent_form.get():
        common["form"] = form
    was, became = change.parts.changes()
    steps = [*change.first, (verb, change.before, change.after, reason)]
    drafts = [
        EventDraft(
            verb=step_verb,
            object_type="card",
            object_id=card.ledger_id,
            before=before,
            after={**after, **common},
            reason=step_reason,
        )
        for step_verb, before, after, step_reason in steps
    ]
    last = drafts[-1]
    drafts[-1] = last = replace(last, after={**last.after, **fields_since(change.values, card)})
    if was:
        drafts[-1] = replace(last, before={**last.before, PARTS: was}, after={**last.after, PARTS: became})
    return drafts


def claim_end(now: datetime) -> datetime:
    """When a claim that is made or prolonged now would lapse."""
    return now + timedelta(hours=settings.REVIEW_CLAIM_HOURS)


def _keep_claim(card: Card, *, by: User, now: datetime) -> None:
    """Who changes a card that is nobody's claims it; work prolongs a claim; none is needed once the card is done."""
    claimed = card.assigned_to_id is None or (card.claimed_until is not None and card.assigned_to_id == by.pk)
    if card.assigned_to_id is None:
        card.assigned_to = by
    if card.state not in OPEN_STATES or card.round not in REVIEWS:
        card.claimed_until = None
    elif claimed:
        card.claimed_until = claim_end(now)


def recompute(card: Card, parts: CardParts | None = None) -> None:
    """Label and A points of the card from its parts, on the instance."""
    facts = facts_of(card, parts)
    decision = label_of(card, facts)
    percent = a_percent_of(card, facts)
    card.label, card.label_rule = decision.label, decision.reason
    card.a_available = percent.available
    card.a_points = percent.points - percent.penalties if percent.value is not None else None
