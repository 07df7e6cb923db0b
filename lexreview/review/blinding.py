"""Blinding: whose review a person may see, decided here for every page, list, route of the API and history.

There is one rule, core's `visible_reviews`. `sees` asks it about one card; `shown_to` is the same rule as a
condition of the database, for lists; `is_shown` and `plainly_shown` answer the common cases without that condition,
which is long. A test holds all of them against each other in every case.

A first review is the card of its answer, so who may see it is asked of the outcome; a second review is a slip. The
adjudicated card is shown to leads while it is made and to those who took part once it is approved. A repeat is between
its reviewer and the leads, and so is a rehearsal; `sees_planted` says when what was planted in it is told.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_by_benchmark, roles_of
from lexreview.core.workflow import (
    ASIDE,
    CardState,
    ReviewPhase,
    ReviewSlip,
    Role,
    Round,
    Viewer,
    outcome_visible,
    phase_of,
    visible_reviews,
)

if TYPE_CHECKING:
    from lexreview.review.models import Card

Cards = TypeVar("Cards", bound="QuerySet[Any]")
REVIEWS = (Round.FIRST, Round.SECOND)
UNDECIDED = (CardState.SECOND_REVIEW, CardState.IN_ADJUDICATION)
NOBODY = 0
HANDED_IN = (CardState.APPROVED, *UNDECIDED)


def sees(card: "Card", *, family: Sequence["Card"], viewer: Viewer) -> bool:
    """Whether the viewer may see what stands on the card. `family`: all cards of its answer and scoring pass."""
    if viewer.person_id is None or not viewer.roles:
        return False
    is_lead = Role.LEAD in viewer.roles
    if viewer.person_id in (card.assigned_to_id, card.approved_by_id):
        return True
    if card.round in ASIDE:
        return is_lead
    first = next((each for each in family if each.round == Round.FIRST), None)
    phase = phase_of(CardState(first.state)) if first else ReviewPhase.SETTLED
    reviews = [each for each in family if each.round in REVIEWS]
    slips = [slip for each in reviews if (slip := _slip(each)) is not None]
    free_seat = any(each.assigned_to_id is None and each.approved_by_id is None for each in reviews)
    asked = reviewers_of(reviews) | ({NOBODY} if free_seat else set())
    if card.round == Round.SECOND:
        if card.assigned_to_id is None and card.approved_by_id is None:
            return viewer.person_id not in asked
        shown = visible_reviews(slips, phase=phase, viewer=viewer, asked=asked)
        return any(slip.review_id == card.pk for slip in shown)
    outcome = outcome_visible(slips, phase=phase, viewer=viewer, asked=asked)
    if card.round == Round.FIRST or not outcome:
        return outcome
    if phase is ReviewPhase.SECOND_REVIEW:
        return is_lead and viewer.person_id not in asked
    return is_lead or card.state == CardState.APPROVED


def reviewers_of(reviews: Collection["Card"]) -> set[int]:
    """Ids of everybody who reviewed one of the cards or was asked to."""
    people = {person for card in reviews for person in (card.assigned_to_id, card.approved_by_id)}
    return {person for person in people if person is not None}


def _slip(card: "Card") -> ReviewSlip | None:
    """None while nobody has the card."""
    submitted = card.state in HANDED_IN
    reviewer = (card.approved_by_id if submitted else card.assigned_to_id) or card.assigned_to_id
    return None if reviewer is None else ReviewSlip(card.pk, reviewer, submitted)


def shown_to(cards: Cards, person: User | AnonymousUser) -> Cards:
    """The cards that `sees` lets the person see, among those of their benchmarks; one query for the memberships."""
    if not isinstance(person, User) or not person.is_active:
        return cards.none()
    roles = [(slug, role) for slug, held in roles_by_benchmark(person).items() for role in held]
    where = "queue_benchmark__slug"
    led = [slug for slug, role in roles if role == Role.LEAD]
    member = Q(**{f"{where}__in": {slug for slug, _role in roles}})
    return cards.filter(member, _shown(cards, person.pk, lead=Q(**{f"{where}__in": led}) if led else Q(pk__in=[])))


def shown_at_desk(cards: Cards, person: int, *, led: Collection[int]) -> Cards:
    """The same among cards of benchmarks that the person, an active one, is known to be a member of.

    `person`: the primary key; `led`: keys of the benchmarks that they lead."""
    return cards.filter(_shown(cards, person, lead=Q(queue_benchmark__in=led) if led else Q(pk__in=[])))


def is_shown(card: "Card", person: User | AnonymousUser) -> bool:
    """Whether `shown_to` has the card. Own cards and first reviews that nobody is blind to need no further query."""
    if not isinstance(person, User) or not person.is_active:
        return False
    if not roles_of(person, card.benchmark.slug):
        return False
    if person.pk in (card.assigned_to_id, card.approved_by_id):
        return True
    if card.round == Round.FIRST and card.state not in UNDECIDED:
        return True
    return shown_to(type(card)._default_manager.filter(pk=card.pk), person).exists()


def sees_planted(person: User | AnonymousUser, slug: str, cards: "QuerySet[Any]") -> bool:
    """Whether the person may learn what was planted in the rehearsal of that benchmark: leads, and reviewers who
    have approved every one of the `cards`, those of the rehearsal, that they were given. Then it is shown of their own
    cards only, which is what `shown_to` gives."""
    if not isinstance(person, User) or not person.is_active:
        return False
    roles = roles_of(person, slug)
    if Role.LEAD in roles:
        return True
    approved = list(cards.filter(assigned_to=person).values_list("revision", flat=True)) if roles else []
    return bool(approved) and all(approved)


def plainly_shown(cards: Cards, person: int) -> Cards:
    """First reviews that are the person's own or that nobody is blind to. All of them are in `shown_to`, if the person
    is a member of their benchmarks; a card in its second review or in adjudication may be there and not here.

    `person`: the primary key."""
    own = Q(assigned_to=person) | Q(approved_by=person)
    return cards.filter(~Q(state__in=UNDECIDED) | own, round=Round.FIRST)


def _shown(cards: Any, person: int, *, lead: Q) -> Q:
    family = cards.model._default_manager.filter(answer=OuterRef("answer"), scoring_pass=OuterRef("scoring_pass"))
    own = Q(assigned_to=person) | Q(approved_by=person)
    firsts = family.filter(round=Round.FIRST)
    blind = Q(Exists(firsts.filter(state=CardState.SECOND_REVIEW)))
    adjudicating = Q(Exists(firsts.filter(state=CardState.IN_ADJUDICATION)))
    settled = Q(Exists(firsts.filter(state=CardState.APPROVED))) | ~Q(Exists(firsts))
    takes_part = Q(Exists(family.filter(own, round__in=REVIEWS)))
    handed_in = Q(state=CardState.APPROVED)
    unread = lead & ~takes_part
    first = Q(round=Round.FIRST) & (
        ~Q(state__in=UNDECIDED)
        | own
        | (Q(state=CardState.SECOND_REVIEW) & unread)
        | (Q(state=CardState.IN_ADJUDICATION) & (lead | takes_part))
    )
    second = Q(round=Round.SECOND) & (
        own
        | (Q(assigned_to=None, approved_by=None) & ~takes_part)
        | (
            (Q(assigned_to__isnull=False) | Q(approved_by__isnull=False))
            & (
                (blind & unread)
                | (adjudicating & handed_in & (lead | takes_part))
                | (settled & handed_in)
                | (~blind & ~adjudicating & ~settled & (handed_in | lead))
            )
        )
    )
    made = lead | handed_in
    adjudicated = Q(round=Round.ADJUDICATED) & (
        own | (blind & unread) | (adjudicating & (lead | (takes_part & handed_in))) | (~blind & ~adjudicating & made)
    )
    return first | second | adjudicated | (Q(round__in=ASIDE) & (own | lead))
