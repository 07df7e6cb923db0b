"""What the page of an adjudication shows: only what differs, the reviews side by side, and what was chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import OfficialSource
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.scoring import shown_points
from lexreview.core.workflow import CardState, CitationState, Round
from lexreview.methodology.words import class_name
from lexreview.review.actions.adjudicating import changed_since_merge, choices_of, made_card_of
from lexreview.review.actions.merging import reviews_behind, target_of
from lexreview.review.blinding import is_shown
from lexreview.review.card_rows import css_of_class, group_of, local
from lexreview.review.differences import Item, elements_named, items_of
from lexreview.review.drawing import lot
from lexreview.review.facts import specification_of
from lexreview.review.models import (
    CITATION_STATE_LABELS,
    LABEL_LABELS,
    OFFICIAL_SOURCE_LABELS,
    ORIGIN_LABELS,
    SCOPE_LABELS,
    Card,
    CardCitation,
    Choice,
    Finding,
    FindingState,
    ItemKind,
    ReviewPlan,
    Score,
)
from lexreview.review.rules import can_adjudicate, siblings_of
from lexreview.translating import written

OWN = "own"
NO_FINDING = "none"
"""What the forms of the page send for a value of one's own, and for no finding as that value."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one review says: a value in few words and what stands behind it. `sign`: an error class, if it is one."""

    review: Card
    letter: str
    value: str
    evidence: str
    reason: str = ""
    sign: str = ""
    chosen: bool = False

    @property
    def key(self) -> str:
        """What the form sends to take this side."""
        return str(self.review.pk)

    @property
    def css(self) -> str:
        return css_of_class(self.sign) if self.sign else ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which the reviews differ. `own` is the value chosen, where it is none of theirs; `own_value` the
    same as the form sends it. `entered`: what was sent and not saved."""

    kind: str
    target: str
    title: str
    text: str
    sides: Sequence[Side]
    choice: Choice | None
    own: str
    own_value: str
    options: Sequence[tuple[str, str]]
    entered: Mapping[str, str]

    @property
    def take(self) -> str:
        """Which side is ticked: the key of a review, "own", or "" for none."""
        if self.entered:
            return self.entered.get("take", "")
        if self.choice is None:
            return ""
        return OWN if self.choice.taken_from_id is None else str(self.choice.taken_from_id)

    @property
    def own_entered(self) -> str:
        return self.entered.get("own", "") if self.entered else self.own_value

    @property
    def reason(self) -> str:
        if self.entered:
            return self.entered.get("reason", "")
        return self.choice.reason if self.choice else ""

    @property
    def chosen_words(self) -> str:
        """What stands chosen: the letter of a review with its value, or the value of one's own."""
        return next((f"{side.letter} {side.value}" for side in self.sides if side.chosen), self.own)

    @property
    def anchor(self) -> str:
        return f"item-{self.kind}-{self.target}".rstrip("-")

    @property
    def is_chosen(self) -> bool:
        return self.choice is not None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review as a column: its letter, whose it is ("" where names are hidden) and the label that follows from it."""

    card: Card
    letter: str
    who: str
    label: str
    label_words: str


class AdjudicationPage:
    """`card`: the first review of an answer; its second reviews and the adjudicated card belong to it. `entered`: the
    fields of a form that was refused, to be shown again."""

    def __init__(self, card: Card, *, user: User, entered: Mapping[str, str] | None = None) -> None:
        self.card = card
        self.user = user
        self.entered = entered or {}
        self.question = card.answer.question
        self.benchmark = self.question.benchmark
        self.specification = specification_of(card)

    @cached_property
    def made(self) -> Card | None:
        """The adjudicated card; while it is made, those who reviewed see nothing of what is chosen."""
        made = made_card_of(self.card)
        return made if made is not None and is_shown(made, self.user) else None

    @cached_property
    def names_hidden(self) -> bool:
        return ReviewPlan.of(self.benchmark).names_hidden

    @cached_property
    def reviews(self) -> list[Card]:
        if self.made is not None:
            return reviews_behind(self.made)
        rows = siblings_of(self.card).filter(round__in=[Round.FIRST, Round.SECOND])
        return list(rows.with_answer().order_by("round", "seat"))

    @cached_property
    def order(self) -> list[int]:
        """In which order the reviews are shown: by lot where names are hidden, so that none is known by its place."""
        places = range(len(self.reviews))
        if not self.names_hidden:
            return list(places)
        seed = ReviewPlan.of(self.benchmark).seed
        return sorted(places, key=lambda place: lot(seed=seed, what="columns", name=self.reviews[place].identifier))

    @cached_property
    def columns(self) -> list[Reviewed]:
        return [
            Reviewed(
                card=self.reviews[place],
                letter=chr(ord("A") + number),
                who="" if self.names_hidden else _name(self.reviews[place].approved_by),
                label=self.reviews[place].label,
                label_words=str(LABEL_LABELS[Label(self.reviews[place].label)]) if self.reviews[place].label else "",
            )
            for number, place in enumerate(self.order)
        ]

    @property
    def labels_differ(self) -> bool:
        return len({each.label for each in self.columns}) > 1

    @cached_property
    def differences(self) -> list[Difference]:
        cards = [*self.reviews, self.made] if self.made else [*self.reviews]
        count = len(self.reviews)
        chosen = choices_of(self.made) if self.made else {}
        found = []
        for item in items_of(cards):
            sides = Item(item.kind, item.name, item.parts[:count])
            made = item.parts[count] if self.made else None
            target = target_of(item.kind, made) if made is not None else item.name
            choice = chosen.get((item.kind.value, target))
            if sides.differs or choice is not None:
                found.append(self._difference(sides, made, target, choice))
        return found

    @property
    def left(self) -> int:
        return sum(not each.is_chosen for each in self.differences)

    @property
    def decided(self) -> int:
        return len(self.differences) - self.left

    @cached_property
    def is_open(self) -> bool:
        return self.card.state == CardState.IN_ADJUDICATION

    @cached_property
    def may_decide(self) -> bool:
        return self.is_open and can_adjudicate(self.user, self.card)

    @property
    def may_choose(self) -> bool:
        """Once the adjudication is begun."""
        return self.may_decide and self.made is not None

    @property
    def is_settled(self) -> bool:
        return self.made is not None and self.made.state == CardState.APPROVED

    @cached_property
    def may_reopen(self) -> bool:
        return self.is_settled and can_adjudicate(self.user, self.card)

    @cached_property
    def changed_since_merge(self) -> bool:
        return self.made is not None and not self.is_settled and changed_since_merge(self.made)

    @property
    def made_label_words(self) -> str:
        return str(LABEL_LABELS[Label(self.made.label)]) if self.made and self.made.label else ""

    def _difference(self, item: Item, made: Any, target: str, choice: Choice | None) -> Difference:
        shown = next((part for part in item.parts if part is not None), None)
        taken_from = choice.taken_from_id if choice else None
        sides = [
            self._side(item, place, letter=chr(ord("A") + number), taken_from=taken_from)
            for number, place in enumerate(self.order)
        ]
        return Difference(
            kind=item.kind.value,
            target=target,
            title=self._title(item, shown, target),
            text=_text_of(shown),
            sides=sides,
            choice=choice,
            own=self._value(item.kind, made) if choice is not None and taken_from is None else "",
            own_value=_own_value(made) if choice is not None and taken_from is None else "",
            options=self._options(item.kind),
            entered=self.entered if self._is_about(item.kind, target) else {},
        )

    def _is_about(self, kind: ItemKind, target: str) -> bool:
        return self.entered.get("kind") == kind.value and self.entered.get("target") == target

    @property
    def reason_entered(self) -> str:
        """The reason typed for the whole card: to settle it, or to open it again."""
        return "" if "kind" in self.entered else self.entered.get("reason", "")

    @property
    def homeless(self) -> str:
        """A reason whose form is not on the page any more: it is shown, so that it is not lost."""
        reason = self.entered.get("reason", "")
        if "kind" in self.entered:
            return "" if any(each.entered for each in self.differences) and self.may_choose else reason
        return "" if self.may_finish or self.may_reopen else reason

    @property
    def may_finish(self) -> bool:
        return self.may_choose and not self.left

    def _side(self, item: Item, place: int, *, letter: str, taken_from: int | None) -> Side:
        part, review = item.parts[place], self.reviews[place]
        return Side(
            review=review,
            letter=letter,
            value=self._value(item.kind, part),
            evidence=_evidence_of(part),
            reason=part.reason if isinstance(part, Score) else "",
            sign=part.error_class if isinstance(part, Finding) else "",
            chosen=taken_from == review.pk,
        )

    def _title(self, item: Item, shown: Any, target: str) -> str:
        match item.kind:
            case ItemKind.CRITERION:
                return f"{item.name} · {local(self.specification.criterion(item.name).name)}"
            case ItemKind.CITATION:
                return _("Citation %(number)s") % {"number": target or shown.number}
            case ItemKind.FINDING:
                return _("Finding")
            case _:
                return _("Official source")

    def _value(self, kind: ItemKind, part: Any) -> str:
        match kind:
            case ItemKind.CRITERION:
                if part is None or part.decided is None:
                    return "–"
                return self._points(part)
            case ItemKind.CITATION:
                state = CitationState(part.state) if part is not None else CitationState.UNCHECKED
                return str(CITATION_STATE_LABELS[state])
            case ItemKind.FINDING:
                if part is None or part.state != FindingState.ACCEPTED:
                    return _("no finding")
                name = class_name(self.specification.error_class(part.error_class).name).words
                aspects = [str(each) for each in (_scope(part), _origin(part))]
                return " · ".join([f"{part.error_class} {name}", *aspects])
            case _:
                return str(OFFICIAL_SOURCE_LABELS[OfficialSource(part)]) if part else "–"

    def _points(self, score: Score) -> str:
        """With the elements that they were given for, where the criterion counts elements of the key."""
        points, named = written(score.decided), elements_named(score)
        if named:
            return f"{points} ({', '.join(named)})"
        if named is None and group_of(self.specification.criterion(score.criterion)):
            return _("%(points)s (elements not named)") % {"points": points}
        return points

    def _options(self, kind: ItemKind) -> list[tuple[str, str]]:
        """What a value of one's own may be; criteria take a number instead."""
        match kind:
            case ItemKind.CITATION:
                return [(state.value, str(words)) for state, words in CITATION_STATE_LABELS.items()]
            case ItemKind.FINDING:
                classes = [
                    (each.code, f"{each.code} · {class_name(each.name).words}")
                    for each in self.specification.error_classes
                ]
                return [(NO_FINDING, _("no finding")), *classes]
            case ItemKind.OFFICIAL_SOURCE:
                return [(source.value, str(words)) for source, words in OFFICIAL_SOURCE_LABELS.items()]
            case _:
                return []


def _own_value(made: Any) -> str:
    """The value of the lead's own as its form sends it; criteria without what was ticked."""
    match made:
        case Score():
            return "" if made.decided is None else shown_points(made.decided)
        case CardCitation():
            return str(made.state)
        case Finding():
            return made.error_class if made.state == FindingState.ACCEPTED else NO_FINDING
        case _:
            return str(made or "")


def _scope(row: Finding) -> Any:
    return next((words for scope, words in SCOPE_LABELS.items() if scope == row.scope), row.scope)


def _origin(row: Finding) -> Any:
    return next((words for origin, words in ORIGIN_LABELS.items() if origin == row.origin), row.origin)


def _text_of(part: Any) -> str:
    """The words of the answer that the thing is about; "" for a criterion."""
    match part:
        case CardCitation():
            return part.raw
        case Finding():
            return part.claim
        case _:
            return ""


def _evidence_of(part: Any) -> str:
    match part:
        case Score():
            return part.evidence
        case CardCitation():
            return part.note
        case Finding():
            return " · ".join(each for each in (part.source_says, part.checked_source) if each)
        case _:
            return ""


def _name(person: User | None) -> str:
    return (person.get_full_name() or person.username) if person else ""
