"""Who may do what to a card."""

from datetime import datetime

from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed, as_question, check_has_role, roles_of
from lexreview.core.workflow import ASIDE, CardState, Role, Round, TransitionRefused, check_adjudicator
from lexreview.prepared import Prepared
from lexreview.questions.models import Benchmark
from lexreview.review.blinding import REVIEWS, is_shown, reviewers_of
from lexreview.review.models import GIVEN_OUT, Card
from lexreview.review.models.card import CardQuerySet


def check_can_review_card(user: User, card: Card) -> None:
    """Reviewers and leads of the benchmark; a card assigned to a colleague is the colleague's, or a lead's.

    A second review, a repeat and a rehearsal are the work of one person, leads included. An adjudicated card is decided
    on its own page.
    """
    slug = card.benchmark.slug
    check_has_role(user, slug, Role.REVIEWER, Role.LEAD)
    if card.round == Round.ADJUDICATED:
        raise NotAllowed(_("This card holds the result of an adjudication; it is changed on the page of that."))
    if card.assigned_to_id is None:
        check_is_new_to(user, card)
        return
    alone = card.round in (Round.SECOND, *ASIDE)
    if card.assigned_to_id == user.pk or (Role.LEAD in roles_of(user, slug) and not alone):
        return
    raise NotAllowed(_("This card is assigned to somebody else."))


def check_is_new_to(user: User, card: Card) -> None:
    """Raises NotAllowed where the person has part in another review of the same answer: reviews are independent."""
    if card.round not in REVIEWS:
        return
    others = [each for each in _reviews(card.answer_id) if each.pk != card.pk and _is_beside(card, each)]
    if user.pk in reviewers_of(others):
        raise NotAllowed(_("%(person)s takes part in another review of this answer.") % {"person": user.username})


def siblings_of(card: Card) -> CardQuerySet:
    """The cards of the same answer and pass under the same specification and key, this one included."""
    return Card.objects.filter(
        answer=card.answer_id,
        scoring_pass=card.scoring_pass,
        specification=card.specification_id,
        key_version=card.key_version_id,
    )


def _reviews_of(answer: int) -> CardQuerySet:
    """Who has the reviews of the answer. Only its key is compared: of the rest SQLite might take that which thousands
    of cards have in common, and read them all."""
    reviews = Card.objects.filter(answer=answer, round__in=REVIEWS)
    return reviews.only("scoring_pass", "specification_id", "key_version_id", "assigned_to_id", "approved_by_id")


_reviews: Prepared[Card] = Prepared(_reviews_of, int)


def _is_beside(card: Card, other: Card) -> bool:
    """Whether both cards, of one answer, are among what `siblings_of` gives for one of them."""
    return (card.scoring_pass, card.specification_id, card.key_version_id) == (
        other.scoring_pass, other.specification_id, other.key_version_id,
    )  # fmt: skip


def check_can_plan_reviews(user: User | None, benchmark: Benchmark) -> None:
    """Leads: shares, second reviews, checks of quality; code that runs by itself (user None) may too."""
    if user is not None:
        check_has_role(user, benchmark.slug, Role.LEAD)


def check_can_prepare_rehearsal(user: User | None, benchmark: Benchmark) -> None:
    """Leads and operators; code that runs by itself (user None) may too."""
    if user is not None:
        check_has_role(user, benchmark.slug, Role.LEAD, Role.OPERATOR)


def check_can_rule(user: User, card: Card) -> None:
    """Leads who may see the card: a lead who takes part in a blind round does not rule on the other review."""
    check_has_role(user, card.benchmark.slug, Role.LEAD)
    if not is_shown(card, user):
        raise NotAllowed(_("This card is not shown to you."))


def check_can_adjudicate(user: User, card: Card) -> None:
    """Leads who reviewed none of the cards. `card`: any card of the answer. Raises NotAllowed or TransitionRefused."""
    check_has_role(user, card.benchmark.slug, Role.LEAD)
    reviews = siblings_of(card).filter(round__in=REVIEWS)
    check_adjudicator(person_id=user.pk, reviewers=reviewers_of(reviews.only("assigned_to_id", "approved_by_id")))


def is_lapsed(card: Card, now: datetime) -> bool:
    """Whether the person who took the card left it alone for so long that others may have it."""
    return card.claimed_until is not None and card.claimed_until <= now


def check_can_take(user: User, card: Card, now: datetime) -> None:
    """Reviewers and leads take a card that is nobody's or was left alone; a lead any card that is not handed in."""
    check_has_role(user, card.benchmark.slug, Role.REVIEWER, Role.LEAD)
    if card.state not in GIVEN_OUT and card.assigned_to_id != user.pk:
        raise NotAllowed(_("This card is handed in. It changes hands only after it was opened again, with a reason."))
    if is_lapsed(card, now) and not (card.round == Round.SECOND and card.state == CardState.IN_REVIEW):
        check_is_new_to(user, card)
    else:
        check_can_review_card(user, card)


def check_can_lead_review(user: User, benchmark: Benchmark) -> None:
    """Leads give out cards, take them back and see how everybody gets on."""
    check_has_role(user, benchmark.slug, Role.LEAD)


def check_can_prefill(user: User | None, benchmark: Benchmark) -> None:
    """Operators; code that runs by itself (user None) may too."""
    if user is not None:
        check_has_role(user, benchmark.slug, Role.OPERATOR)


def check_can_recompute(user: User | None, benchmark: Benchmark) -> None:
    """Leads; code that runs by itself (user None) may too."""
    if user is not None:
        check_has_role(user, benchmark.slug, Role.LEAD)


def check_can_assign(user: User, card: Card, to: User | None) -> None:
    """Leads assign to anybody who may review here; a reviewer may take a card that nobody has."""
    slug = card.benchmark.slug
    check_has_role(user, slug, Role.REVIEWER, Role.LEAD)
    if card.round == Round.REHEARSAL:
        raise NotAllowed(_("A card of a rehearsal stays with the person to whom it was given."))
    if to is not None:
        check_has_role(to, slug, Role.REVIEWER, Role.LEAD)
        check_is_new_to(to, card)
    if Role.LEAD in roles_of(user, slug):
        return
    if to != user:
        raise NotAllowed(_("Only a lead assigns cards to somebody else."))
    if card.assigned_to_id not in (None, user.pk):
        raise NotAllowed(_("This card is assigned to somebody else."))


def _adjudicates(user: User, card: Card) -> None:
    try:
        check_can_adjudicate(user, card)
    except TransitionRefused as refusal:
        raise NotAllowed(str(refusal)) from refusal


can_plan_reviews = as_question(check_can_plan_reviews)
can_adjudicate = as_question(_adjudicates)
is_new_to = as_question(check_is_new_to)
can_take = as_question(check_can_take)
can_lead_review = as_question(check_can_lead_review)
can_review_card = as_question(check_can_review_card)
can_prefill = as_question(check_can_prefill)
can_assign = as_question(check_can_assign)
can_recompute = as_question(check_can_recompute)
