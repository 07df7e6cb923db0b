"""What the pages of the decision log show."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.ledger.models import Event, EventQuerySet
from lexreview.methodology.decision_sections import DecisionSection, decision_sections
from lexreview.methodology.models import Decision, Specification
from lexreview.methodology.naming import TouchedCard, touched_cards
from lexreview.methodology.rules import can_decide, slugs_to_decide

EVENT_WORDS: dict[str, str | Promise] = {
    "write_decision": _("wrote the entry"),
    "edit_decision": _("changed the draft"),
    "publish_decision": _("published the entry"),
}


@dataclass(frozen=True, slots=True)
class DecisionGroup:
    """The entries of one benchmark, newest first."""

    slug: str
    may_decide: bool
    decisions: list[Decision]


class TouchedKey(NamedTuple):
    """A key version that an entry touches: `P09.v2` is version 2 of question P09."""

    name: str
    question: str
    anchor: str


class HistoryLine(NamedTuple):
    event: Event
    words: str | Promise


def decision_groups(decisions: Sequence[Decision], *, slugs: Sequence[str], user: User) -> list[DecisionGroup]:
    """The entries by benchmark, `decisions` ordered so; `slugs` are listed even where they have no entry."""
    by_slug = {slug: list(group) for slug, group in groupby(decisions, key=lambda each: each.benchmark_slug)}
    own = slugs_to_decide(user)
    return [DecisionGroup(slug, slug in own, by_slug.get(slug, [])) for slug in slugs]


class DecisionPage:
    """One entry as a member sees it; it was fetched `with_list_data()`."""

    def __init__(self, decision: Decision, *, user: User) -> None:
        self.decision = decision
        self.user = user

    @property
    def slug(self) -> str:
        return self.decision.benchmark_slug

    @property
    def history_name(self) -> str:
        return f"{self.slug}/{self.decision.number}"

    @cached_property
    def may_decide(self) -> bool:
        return can_decide(self.user, self.slug)

    @property
    def superseded_by(self) -> list[Decision]:
        return list(self.decision.superseded_by.all())

    def _touched(self, kind: str) -> list[str]:
        touches: dict[str, list[str]] = self.decision.touches
        return touches.get(kind, [])

    @property
    def criteria(self) -> list[str]:
        return self._touched("criteria")

    @property
    def questions(self) -> list[str]:
        return self._touched("questions")

    @cached_property
    def cards(self) -> list[TouchedCard]:
        return touched_cards(self.user, self.slug, self._touched("cards"))

    @property
    def keys(self) -> list[TouchedKey]:
        parts = ((name, *name.rpartition(".")[::2]) for name in self._touched("key_versions"))
        return [TouchedKey(name, question, anchor) for name, question, anchor in parts if question]

    @cached_property
    def specifications(self) -> list[Specification]:
        """The specifications that bear the version in which the entry lands."""
        versions = Specification.objects.with_version(self.decision.specification_version)
        return list(versions.defer("content").in_version_order())

    @cached_property
    def sections(self) -> list[DecisionSection]:
        return decision_sections(self.decision, self.user)

    @cached_property
    def history(self) -> list[HistoryLine]:
        events = events_of(self.decision).newest_first()
        return [HistoryLine(event, EVENT_WORDS.get(event.verb, event.verb.replace("_", " "))) for event in events]


def events_of(decision: Decision) -> EventQuerySet:
    return Event.objects.about("decision", f"{decision.benchmark_slug}#{decision.number}")
