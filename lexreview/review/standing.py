"""What one person may do with one card as a whole, and why not."""

from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.answers.masking import is_settled, sees_systems
from lexreview.core.workflow import CARD_TRANSITIONS, CardState, CardVerb, Role, allowed_verbs
from lexreview.review.models import OPEN_STATES, Card
from lexreview.review.rules import can_review_card, can_take, is_lapsed


@dataclass(frozen=True)
class Standing:
    """A person before a card, as both are now."""

    card: Card
    user: User

    @cached_property
    def roles(self) -> set[str]:
        return roles_of(self.user, self.card.benchmark.slug)

    @cached_property
    def may_review(self) -> bool:
        return can_review_card(self.user, self.card)

    @cached_property
    def editable(self) -> bool:
        return self.may_review and self.card.state in OPEN_STATES

    @cached_property
    def verbs(self) -> set[str]:
        """What the person may do with the card as a whole: names of CardVerb; saving begins the review."""
        if not self.may_review:
            return set()
        verbs = {
            verb.value for verb in allowed_verbs(CARD_TRANSITIONS, state=CardState(self.card.state), roles=self.roles)
        }
        if CardVerb.START_REVIEW in verbs:
            verbs |= {CardVerb.APPROVE, CardVerb.ASK_RULING}
        return verbs

    @property
    def can_take(self) -> bool:
        """Whether the card is free and the person may take it."""
        if self.card.assigned_to_id is None:
            return self.editable
        now = timezone.now()
        lapsed = is_lapsed(self.card, now) and self.card.state in OPEN_STATES
        return lapsed and not self.may_review and can_take(self.user, self.card, now)

    @property
    def why_read_only(self) -> str:
        if self.editable:
            return ""
        if Role.REVIEWER not in self.roles and Role.LEAD not in self.roles:
            return _("You may read this card. Reviewers and leads of the benchmark decide it.")
        if not self.may_review:
            return _("This card is assigned to %(person)s.") % {"person": self.card.assigned_to}
        return ""

    @property
    def why_closed(self) -> str:
        """Why nothing on the card can be changed; "" where it can."""
        if self.editable or self.why_read_only:
            return self.why_read_only
        if self.card.state == CardState.APPROVED:
            return _("The card is approved. It has to be opened again before anything on it is changed.")
        return _("The card takes no changes now: %(state)s.") % {"state": self.card.get_state_display()}

    @cached_property
    def system_shown(self) -> bool:
        """The system's name stays hidden while a card of the answer is open, so that it cannot colour the judgement.

        One query for an approved card of masked systems, otherwise none.
        """
        if sees_systems(self.roles, self.card.benchmark, in_masked_batch=self.card.in_masked_batch):
            return True
        return self.card.state == CardState.APPROVED and is_settled(self.card.answer_id)
