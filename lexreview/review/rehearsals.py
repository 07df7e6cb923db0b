"""What reviewers made of the planted errors of a rehearsal: for its lead, and for each reviewer who is through."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.urls import reverse

from lexreview.accounts.models import Membership, User
from lexreview.accounts.rules import roles_of
from lexreview.core.csv_cells import plain_cell
from lexreview.core.methods.reference_card.planted import (
    Fate,
    Kind,
    Place,
    Planted,
    Reviewed,
    Tally,
    fate_of,
    planted_in,
    spoiled_in,
    tally,
)
from lexreview.core.stats.intervals import Interval, Proportion, proportion
from lexreview.core.workflow import Role
from lexreview.questions.models import Benchmark
from lexreview.review.judgements import decided_in, restored
from lexreview.review.models import Attendance, Card, CardRevision, Rehearsal, RehearsalItem

PREFILLED, BLIND = "prefilled", "blind"


@dataclass(frozen=True, kw_only=True)
class Handed:
    """A card that its reviewer has approved, judged by what they approved first."""

    card: Card
    reviewed: Reviewed

    @property
    def planted(self) -> tuple[Planted, ...]:
        return planted_in(self.reviewed.right, self.reviewed.proposed)


@dataclass(frozen=True, kw_only=True)
class ReviewerResult:
    """Of one reviewer, or of all together where `reviewer` is None. `given` cards, of which `handed` are approved."""

    reviewer: User | None
    given: int
    handed: Sequence[Handed]

    @cached_property
    def prefilled(self) -> Tally:
        return tally(each.reviewed for each in self.handed if not each.reviewed.blind)

    @cached_property
    def blind(self) -> Tally:
        return tally(each.reviewed for each in self.handed if each.reviewed.blind)

    @cached_property
    def all(self) -> Tally:
        return tally(each.reviewed for each in self.handed)

    @property
    def tallies(self) -> list[tuple[str, Tally]]:
        return [(PREFILLED, self.prefilled), (BLIND, self.blind)]

    @property
    def is_through(self) -> bool:
        return len(self.handed) == self.given


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one reviewer made of one planted error. `decided`: None where they said nothing there."""

    card: Card
    blind: bool
    fate: Fate
    decided: str | None


@dataclass(frozen=True, kw_only=True)
class PlantedLine:
    """A planted error with what everybody made of it; `words` are those of the citation, "" for a criterion."""

    item: RehearsalItem
    planted: Planted
    words: str
    outcomes: Sequence[Outcome]


@dataclass(frozen=True, kw_only=True)
class SpoiledLine:
    """A place at which the pre-fill was right and the person decided otherwise."""

    card: Card
    place: Place
    right: str
    decided: str
    blind: bool
    words: str


class RehearsalReport:
    """As one person may see it: a lead of everybody, a reviewer of themselves and only once they are through.

    What is planted is asked of `RehearsalItem.visible_to`, whose cards of `Card.visible_to`. A dozen queries at most.
    """

    def __init__(self, rehearsal: Rehearsal, person: User) -> None:
        self.rehearsal, self.person = rehearsal, person
        self.benchmark: Benchmark = rehearsal.benchmark
        self.is_lead = Role.LEAD in roles_of(person, self.benchmark.slug)
        visible = RehearsalItem.objects.visible_to(person, self.benchmark)
        self.items = list(visible.select_related("answer__question").defer("answer__text", "answer__trace").in_order())

    @property
    def is_told(self) -> bool:
        """Whether the person may see what is planted."""
        return bool(self.items)

    @cached_property
    def cards(self) -> list[Card]:
        """Those of the rehearsal that the person sees of it: all for a lead, else their own."""
        cards = Card.objects.visible_to(self.person).of_benchmark(self.benchmark).rehearsed()
        if not self.is_lead:
            cards = cards.filter(assigned_to=self.person)
        return list(cards.with_list_data().in_queue_order())

    @property
    def approved(self) -> int:
        """How many of these cards were approved at least once."""
        return sum(card.revision > 0 for card in self.cards)

    @cached_property
    def results(self) -> list[ReviewerResult]:
        """By user name; empty while the person is not told."""
        if not self.is_told:
            return []
        by_person: dict[User, list[Card]] = {}
        for card in self.cards:
            if card.assigned_to is not None:
                by_person.setdefault(card.assigned_to, []).append(card)
        return [
            ReviewerResult(
                reviewer=person,
                given=len(cards),
                handed=[self._handed[card.pk] for card in cards if card.pk in self._handed],
            )
            for person, cards in sorted(by_person.items(), key=lambda each: each[0].username)
        ]

    @property
    def together(self) -> ReviewerResult:
        """All reviewers whom the person sees."""
        handed = [each for result in self.results for each in result.handed]
        return ReviewerResult(reviewer=None, given=sum(result.given for result in self.results), handed=handed)

    @property
    def rows(self) -> list[ReviewerResult]:
        """The results as a table has them: with all together below, where there are several."""
        return [*self.results, self.together] if len(self.results) > 1 else self.results

    @property
    def kinds(self) -> list[tuple[Kind, Proportion, Proportion]]:
        """Of all together, by kind the share put right on pre-filled and on blind cards; kinds that nobody met are
        left out."""
        result, none = self.together, proportion(0, 0)
        shown, hidden = result.prefilled.by_kind, result.blind.by_kind
        return [
            (kind, shown.get(kind, none), hidden.get(kind, none)) for kind in Kind if kind in shown or kind in hidden
        ]

    @property
    def queue_url(self) -> str:
        return f"{reverse('review:queue')}?benchmark={self.benchmark.slug}"

    @property
    def planted(self) -> list[PlantedLine]:
        """In order of the cards and places."""
        by_answer: dict[int, list[Handed]] = {}
        for result in self.results:
            for each in result.handed:
                by_answer.setdefault(each.card.answer_id, []).append(each)
        return [
            PlantedLine(
                item=item,
                planted=error,
                words=self._words.get((item.answer_id, error.place.target), ""),
                outcomes=[_outcome(each, error) for each in by_answer.get(item.answer_id, [])],
            )
            for item in self.items
            for error in planted_in(restored(item.right), restored(item.proposed))
        ]

    @property
    def spoiled(self) -> list[SpoiledLine]:
        return [
            SpoiledLine(
                card=each.card,
                place=place,
                right=each.reviewed.right[place],
                decided=each.reviewed.decided[place],
                blind=each.reviewed.blind,
                words=self._words.get((each.card.answer_id, place.target), ""),
            )
            for result in self.results
            for each in result.handed
            for place in spoiled_in(each.reviewed)
        ]

    @property
    def candidates(self) -> list[User]:
        """For a lead: reviewers who can be given the set, who are neither leads nor operators and do not have it."""
        if not self.is_lead:
            return []
        members = Membership.objects.of_benchmark(self.benchmark.slug)
        knowing = members.filter(role__in=[Role.LEAD, Role.OPERATOR]).values("user")
        reviewing = members.filter(role=Role.REVIEWER, user__is_active=True).values("user")
        having = {card.assigned_to_id for card in self.cards}
        people = User.objects.filter(pk__in=reviewing).exclude(pk__in=knowing).order_by("username")
        return [person for person in people if person.pk not in having]

    @cached_property
    def _handed(self) -> dict[int, Handed]:
        items = {item.answer_id: item for item in self.items}
        cards = {card.pk: card for card in self.cards if card.revision}
        firsts = CardRevision.objects.filter(card__in=list(cards), number=1).values_list("card_id", "snapshot")
        timed = Attendance.objects.filter(card__in=list(cards), active_seconds__gt=0)
        seconds = {(row.card_id, row.person_id): row.active_seconds for row in timed}
        return {
            pk: Handed(
                card=cards[pk],
                reviewed=Reviewed(
                    answer=cards[pk].answer.identifier,
                    right=restored(items[cards[pk].answer_id].right),
                    proposed=restored(items[cards[pk].answer_id].proposed),
                    decided=decided_in(snapshot),
                    blind=cards[pk].blind,
                    seconds=seconds.get((pk, cards[pk].assigned_to_id or 0)),
                ),
            )
            for pk, snapshot in firsts
        }

    @cached_property
    def _words(self) -> Mapping[tuple[int, str], str]:
        """The words of the citations, by answer and number."""
        return {(item.answer_id, number): raw for item in self.items for number, raw in item.proposals["raws"].items()}


def _outcome(handed: Handed, error: Planted) -> Outcome:
    reviewed = handed.reviewed
    return Outcome(
        card=handed.card,
        blind=reviewed.blind,
        fate=fate_of(error, reviewed.decided),
        decided=reviewed.decided.get(error.place),
    )


COLUMNS = (
    "reviewer", "prefill", "cards", "seconds_per_card", "measure", "kind", "successes", "n", "share", "low", "high",
    "confidence",
)  # fmt: skip


def report_lines(report: RehearsalReport) -> Iterator[list[str]]:
    """As a table, a line per reviewer, pre-filled or blind, and measure: `found` in all and by kind, `spoiled`."""
    for result in report.results:
        name = plain_cell(result.reviewer.username) if result.reviewer else ""
        for prefill, figures in result.tallies:
            head = [name, prefill, str(figures.cards), _number(figures.seconds, 1)]
            yield [*head, "found", "", *_share_cells(figures.found)]
            for kind, share in figures.by_kind.items():
                yield [*head, "found", kind.value, *_share_cells(share)]
            yield [*head, "spoiled", "", *_share_cells(figures.spoiled)]


def report_record(report: RehearsalReport) -> dict[str, Any]:
    """The same as plain data, with each planted error and what became of it."""
    return {
        "benchmark": report.benchmark.slug,
        "set_sha256": report.rehearsal.sha256,
        "reviewers": [
            {
                "reviewer": result.reviewer.username if result.reviewer else None,
                "given": result.given,
                "approved": len(result.handed),
                **{prefill: _tally_record(figures) for prefill, figures in result.tallies},
            }
            for result in report.results
        ],
        "planted": [
            {
                "question": line.item.answer.question.code,
                # It names the system, which may still be masked for the reviewer's colleagues and for them.
                "answer": line.item.answer.identifier if report.is_lead else None,
                "aspect": line.planted.place.aspect.value,
                "target": line.planted.place.target,
                "kind": line.planted.kind.value,
                "proposed": line.planted.proposed,
                "right": line.planted.right,
                "outcomes": [
                    {
                        "reviewer": each.card.assigned_to.username if each.card.assigned_to else None,
                        "blind": each.blind,
                        "decided": each.decided,
                        "fate": each.fate.value,
                    }
                    for each in line.outcomes
                ],
            }
            for line in report.planted
        ],
    }


def _tally_record(figures: Tally) -> dict[str, Any]:
    return {
        "cards": figures.cards,
        "seconds_per_card": figures.seconds,
        "found": _share_record(figures.found),
        "left_in": figures.left_in,
        "otherwise": figures.otherwise,
        "spoiled": _share_record(figures.spoiled),
        "by_kind": {kind.value: _share_record(share) for kind, share in figures.by_kind.items()},
    }


def _share_record(share: Proportion) -> dict[str, Any]:
    interval: Interval | None = share.wilson
    return {
        "successes": share.successes,
        "n": share.n,
        "share": None if share.share is None else float(share.share),
        "wilson": None if interval is None else [interval.low, interval.high],
    }


def _share_cells(share: Proportion) -> list[str]:
    interval = share.wilson
    return [
        str(share.successes),
        str(share.n),
        _number(None if share.share is None else float(share.share)),
        _number(interval.low if interval else None),
        _number(interval.high if interval else None),
        _number(interval.confidence if interval else None),
    ]


def _number(value: float | None, digits: int = 6) -> str:
    return "" if value is None else f"{value:.{digits}f}"
