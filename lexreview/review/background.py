"""What lies behind a card: its history, decisions that govern it, rulings asked for on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from lexreview.core.workflow import CardState
from lexreview.ledger.models import Event
from lexreview.methodology.models import Decision
from lexreview.prepared import Prepared
from lexreview.questions.key_differences import differences
from lexreview.review.models import Card, RecheckMark, RulingRequest
from lexreview.review.standing import Standing
from lexreview.review.undoing import change_to_undo
from lexreview.review.words import words_of_event

HISTORY = 60
_events = Prepared(lambda ledger_id: Event.objects.about("card", ledger_id).newest_first()[:HISTORY], str)
_decisions = Prepared(lambda slug: Decision.objects.of_benchmark(slug).published().in_order(), str)


class HistoryLine(NamedTuple):
    event: Event
    words: str


class ChangeOfRules(NamedTuple):
    """`specification`: the version that the card is under now, "" where that stayed. `key`: the numbers of the version
    that it was scored by and of the one that counts; `parts`: what differs between these."""

    specification: str = ""
    key: tuple[int, int] | None = None
    parts: Sequence[str] = ()


@dataclass(frozen=True)
class Background:
    """The card's events and what was decided about it, read when first asked for."""

    card: Card
    standing: Standing

    @cached_property
    def events(self) -> list[Event]:
        return _events(self.card.ledger_id)

    @property
    def history(self) -> list[HistoryLine]:
        return [HistoryLine(event, words_of_event(event)) for event in self.events]

    @property
    def history_of_version(self) -> list[HistoryLine]:
        """The lines of the change that led to the card's present version; no query right after that change."""
        return [HistoryLine(event, words_of_event(event)) for event in self._newest if self._is_of_version(event)]

    @cached_property
    def saved(self) -> Event | None:
        """The last event that moved the card's version: what "saved" on the page stands for."""
        return next(filter(self._is_of_version, self._newest), None)

    @cached_property
    def last_change(self) -> Event | None:
        if not self.standing.editable:
            return None
        return (self.card.events_of_change and change_to_undo(self._newest)) or change_to_undo(self.events)

    @property
    def _newest(self) -> Sequence[Event]:
        """Newest first: those of the change that has just been made, where the card comes from one, else all."""
        return self.card.events_of_change[::-1] or self.events

    def _is_of_version(self, event: Event) -> bool:
        return (event.after or {}).get("version") == self.card.version

    @property
    def can_undo(self) -> bool:
        return self.last_change is not None and self.last_change.actor == self.standing.user.get_username()

    @property
    def last_change_words(self) -> str:
        return words_of_event(self.last_change) if self.last_change else ""

    @cached_property
    def decisions_of_benchmark(self) -> list[Decision]:
        return _decisions(self.card.benchmark.slug) if self.card.decisions_published else []

    @property
    def decisions(self) -> Sequence[Decision]:
        """Those that govern the card or its question."""
        code, identifier = self.card.answer.question.code, self.card.answer.identifier
        return [each for each in self.decisions_of_benchmark if each.governs(question=code, card=identifier)]

    @property
    def decisions_newest_first(self) -> Sequence[Decision]:
        return list(Decision.objects.of_benchmark(self.card.benchmark.slug).published().newest_first())

    @property
    def why_again(self) -> str:
        """Why a card that was worked on is to be done again; "" for others."""
        again = self.card.revision or self.card.state == CardState.STALE
        return self.card.revision_reason if again and self.standing.editable else ""

    @cached_property
    def change_of_rules(self) -> ChangeOfRules | None:
        """What the card is to be done again under; None where that is not why, or it was approved since."""
        since = list(takewhile(lambda event: event.verb != "approve", self.events)) if self.why_again else []
        marks = [event for event in since if event.verb == "mark_stale"]
        if not marks:
            return None
        was, now = marks[-1].before or {}, marks[0].after or {}
        specification = now["specification"] if was["specification"] != now["specification"] else ""
        if was["key_version"] == now["key_version"]:
            return ChangeOfRules(specification=specification)
        old = self.card.key_version.question.key_versions.get(number=was["key_version"])
        parts = [each.name for each in differences(old, self.card.key_version)]
        return ChangeOfRules(specification=specification, key=(old.number, self.card.key_version.number), parts=parts)

    @property
    def parked_because(self) -> str:
        """Why the card was put aside; "" for one that is not."""
        if self.card.state != CardState.PARKED:
            return ""
        return next((event.reason for event in self.events if event.verb == "park"), "")

    @cached_property
    def recheck_marks(self) -> list[RecheckMark]:
        """Decisions because of which a lead wants the card looked at again, and has not sent it back."""
        if not self.standing.editable or not any(event.verb == "mark_for_recheck" for event in self.events):
            return []
        return list(RecheckMark.objects.standing().filter(card=self.card).select_related("decision").in_order())

    @cached_property
    def rulings(self) -> list[RulingRequest]:
        """What was asked on the card and is answered; no query where nothing was asked."""
        if not self.card.ruling_question:
            return []
        answered = self.card.ruling_requests.exclude(decision=None)
        return list(answered.select_related("decision").in_order())
