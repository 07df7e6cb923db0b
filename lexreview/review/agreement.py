"""Agreement between people, of a person with themselves, and of people with the pre-fill they saw or did not see.

Read from approved revisions as they were handed in, before anybody saw another review: later changes do not enter.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Any

from django.utils.translation import gettext_lazy as _

from lexreview.core.methods.reference_card.human_agreement import (
    Cell,
    HumanAgreement,
    Measure,
    PairRow,
    human_agreement,
    is_in,
)
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.specification import Specification, specification_from_dict
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.core.stats.intervals import Proportion, proportion
from lexreview.core.stats.krippendorff import Alpha, krippendorff_alpha
from lexreview.core.workflow import CardState, Round
from lexreview.methodology.models import Specification as SpecificationRow
from lexreview.questions.models import Benchmark
from lexreview.review.models import Card, CardRevision
from lexreview.review.withholding import points_of_code, points_of_model

LABEL = "label"
SELF = "self"
"""The group of people with themselves."""
SEED = 1


class Group(StrEnum):
    """How the two reviews of a pair came about."""

    ALL = "all"
    PREFILLED = "prefilled"
    BLIND = "blind"
    MIXED = "mixed"


GROUP_LABELS = {
    Group.ALL: _("all pairs"),
    Group.PREFILLED: _("both with pre-fill"),
    Group.BLIND: _("both without pre-fill"),
    Group.MIXED: _("one with, one without pre-fill"),
}


@dataclass(frozen=True, slots=True)
class Handed:
    """A review as it was handed in."""

    card: Card
    specification: str
    values: Mapping[str, str]
    snapshot: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two reviews of one answer, with the value of a measure that each was handed in with."""

    first: Card
    second: Card
    first_value: str
    second_value: str


@dataclass(frozen=True, slots=True)
class WithPrefill:
    """How often the person said what was proposed: where they saw the proposal, and where it was withheld."""

    name: str
    shown: Proportion
    hidden: Proportion


Compare = Callable[[Handed], Iterable[tuple[str, bool, bool]]]


class AgreementPage:
    """The figures of one benchmark under one version of the specification: the newest with pairs, if none is given."""

    def __init__(self, benchmark: Benchmark, *, version: str = "") -> None:
        self.benchmark = benchmark
        self._asked = version

    @cached_property
    def _first(self) -> dict[tuple[int, int], list[CardRevision]]:
        """Revisions of first reviews by answer and pass, oldest first."""
        found: dict[tuple[int, int], list[CardRevision]] = {}
        for row in self._revisions(Round.FIRST):
            found.setdefault((row.card.answer_id, row.card.scoring_pass), []).append(row)
        return found

    def _revisions(self, round_: Round) -> Iterable[CardRevision]:
        rows = CardRevision.objects.filter(card__queue_benchmark=self.benchmark, card__round=round_)
        return (
            rows.select_related("card__answer", "card__model_proposal", "approved_by")
            .defer("card__model_proposal__content")
            .order_by("card_id", "number")
        )

    def _pairs_with(self, round_: Round) -> list[tuple[Handed, Handed]]:
        """Each first handing in of a later round with the first review as it stood then. Open rounds are left out."""
        pairs = []
        for later in self._revisions(round_):
            earlier = [
                row
                for row in self._first.get((later.card.answer_id, later.card.scoring_pass), [])
                if row.approved_at <= later.approved_at
            ]
            if later.number > 1 or not earlier or _is_blind(earlier[-1].card):
                continue
            pairs.append((handed(earlier[-1]), handed(later)))
        return [pair for pair in pairs if pair[0].specification == pair[1].specification]

    @cached_property
    def _people(self) -> list[tuple[Handed, Handed]]:
        return self._pairs_with(Round.SECOND)

    @cached_property
    def _repeats(self) -> list[tuple[Handed, Handed]]:
        return self._pairs_with(Round.REPEAT)

    @cached_property
    def versions(self) -> list[str]:
        """Versions of the specification under which there are pairs, newest first: figures never mix them."""
        found = {pair[0].specification for pair in [*self._people, *self._repeats]}
        return sorted(found, key=parse_version, reverse=True)

    @cached_property
    def version(self) -> str:
        if self._asked in self.versions:
            return self._asked
        return self.versions[0] if self.versions else self.benchmark.specification.version

    @cached_property
    def specification(self) -> Specification:
        rows = SpecificationRow.objects.named(self.benchmark.specification.name).with_version(self.version)
        return specification_from_dict((rows.first() or self.benchmark.specification).content)

    @cached_property
    def measures(self) -> list[Measure]:
        codes = [each.code for each in self.specification.criteria if each.rule is None]
        labels = (Label.HALLUCINATED, Label.CORRECTLY_GROUNDED, Label.NO_HALLUCINATION)
        return [Measure(LABEL), *(Measure(LABEL, label.value) for label in labels), *map(Measure, codes)]

    @cached_property
    def rows(self) -> list[PairRow]:
        return [_row(first, second) for first, second in self._people if first.specification == self.version]

    @cached_property
    def groups(self) -> list[tuple[Group, Sequence[HumanAgreement]]]:
        """The figures of all pairs, then of each kind of pair that there is."""
        found = [(Group.ALL, self._figures(self.rows))] if self.rows else []
        for group in (Group.PREFILLED, Group.BLIND, Group.MIXED):
            rows = [row for row in self.rows if row.group == group]
            if rows and len(rows) < len(self.rows):
                found.append((group, self._figures(rows)))
            elif rows:
                found = [(group, found[0][1])]
        return found

    def pairs(self, group: str, measure: Measure, cell: Cell) -> list[Pair]:
        """Those that are counted in a cell of a group's figures, or of `SELF`, by question and answer."""
        found = []
        for first, second in self._repeats if group == SELF else self._people:
            row = _row(first, second)
            counted = first.specification == self.version and group in (SELF, Group.ALL, row.group)
            if counted and is_in(cell, row, measure):
                found.append(Pair(first.card, second.card, first.values[measure.name], second.values[measure.name]))
        return sorted(found, key=lambda pair: (pair.first.queue_code, pair.first.answer.identifier, pair.second.pk))

    @cached_property
    def self_agreement(self) -> Sequence[HumanAgreement]:
        """Of people with themselves, over the repeats that they did not know of."""
        rows = [_row(*pair) for pair in self._repeats if pair[0].specification == self.version]
        return self._figures(rows) if rows else ()

    @cached_property
    def alpha(self) -> Alpha:
        """Krippendorff's alpha of the label over everybody who reviewed one of the answers."""
        by_answer: dict[str, list[str]] = {}
        for first, second in self._people:
            if first.specification == self.version:
                answer = first.card.answer.identifier
                by_answer.setdefault(answer, [first.values[LABEL]]).append(second.values[LABEL])
        return krippendorff_alpha(by_answer.values())

    def reviews_under(self, version: str) -> dict[int, list[Handed]]:
        """By answer what people said of it under a version of the specification, each before seeing another review:
        first reviews as handed in, and second ones, of rounds that are done."""
        found: dict[int, list[Handed]] = {}
        for first, second in self._people:
            if first.specification == version:
                found.setdefault(first.card.answer_id, [first]).append(second)
        for rows in self._first.values():
            first = handed(rows[0])
            if first.specification == version and not _is_blind(first.card):
                found.setdefault(first.card.answer_id, [first])
        return found

    @cached_property
    def with_prefill(self) -> list[WithPrefill]:
        """First reviews as first handed in, beside what code proposed for them."""
        return self._beside(self._handed_first, _same_as_code)

    @cached_property
    def with_models(self) -> list[tuple[str, list[WithPrefill]]]:
        """The same beside what each model (provider:model) proposed for them."""
        by_model: dict[str, list[Handed]] = {}
        for review in self._handed_first:
            if review.card.model_proposal is not None:
                by_model.setdefault(review.card.model_proposal.asked_model, []).append(review)
        found = [(name, self._beside(reviews, _same_as_model)) for name, reviews in sorted(by_model.items())]
        return [(name, rows) for name, rows in found if rows]

    @cached_property
    def _handed_first(self) -> list[Handed]:
        """Of the version shown. Those that somebody reviews blind now are left out: a small count would tell them."""
        reviews = [handed(rows[0]) for rows in self._first.values() if not _is_blind(rows[0].card)]
        return [review for review in reviews if review.specification == self.version]

    def _beside(self, reviews: Iterable[Handed], compare: Compare) -> list[WithPrefill]:
        shown: dict[str, list[bool]] = {}
        hidden: dict[str, list[bool]] = {}
        for review in reviews:
            for code, same, was_hidden in compare(review):
                (hidden if was_hidden else shown).setdefault(code, []).append(same)
        codes = [each.code for each in self.specification.criteria if each.code in shown or each.code in hidden]
        return [WithPrefill(code, _share(shown.get(code, [])), _share(hidden.get(code, []))) for code in codes]

    def _figures(self, rows: Sequence[PairRow]) -> Sequence[HumanAgreement]:
        """Measures of which no pair has both values are left out."""
        figures = human_agreement(rows, measures=self.measures, seed=SEED)
        return tuple(each for each in figures if each.n)


def _is_blind(first: Card) -> bool:
    """Whether a second review of it is under way."""
    return first.state == CardState.SECOND_REVIEW


def handed(revision: CardRevision) -> Handed:
    snapshot = revision.snapshot
    values = {row["criterion"]: row["decided"] for row in snapshot["scores"] if row["decided"] is not None}
    return Handed(
        card=revision.card,
        specification=snapshot["specification"],
        values={**values, LABEL: snapshot["label"] or Label.NONE.value},
        snapshot=snapshot,
    )


def _row(first: Handed, second: Handed) -> PairRow:
    kinds = {first.card.blind, second.card.blind}
    group = Group.MIXED if len(kinds) == 2 else Group.BLIND if True in kinds else Group.PREFILLED
    answer = first.card.answer
    return PairRow(first.card.queue_code, answer.identifier, group, first.values, second.values)


def _same_as_code(review: Handed) -> Iterator[tuple[str, bool, bool]]:
    """By criterion whether the points are those that code proposed, and whether these were withheld."""
    card = review.card
    for row in review.snapshot["scores"]:
        by_model = bool(row.get("proposed_by"))
        seen = None if by_model else row["proposed"]
        yield from _compared(row, points_of_code(card.withheld, row["criterion"]) if card.blind else seen, card.blind)


def _same_as_model(review: Handed) -> Iterator[tuple[str, bool, bool]]:
    """The same of what a model proposed."""
    for row in review.snapshot["scores"]:
        kept_back = points_of_model(review.card.withheld, row["criterion"])
        seen = row["proposed"] if row.get("proposed_by") else None
        yield from _compared(row, seen if kept_back is None else kept_back, kept_back is not None)


def _compared(row: Mapping[str, Any], proposed: Any, was_hidden: bool) -> Iterator[tuple[str, bool, bool]]:
    """Nothing where there is no proposal, or no decision."""
    if proposed is not None and row["decided"] is not None:
        yield row["criterion"], Decimal(str(proposed)) == Decimal(row["decided"]), was_hidden


def _share(same: Sequence[bool]) -> Proportion:
    return proportion(sum(same), len(same))
