"""Planted errors: a pre-fill in which some proposals are wrong on purpose, and what a reviewer made of them.

Seeding known errors is how software inspections and document review measure the people who look for them: H. D. Mills,
On the statistical validation of computer programs, IBM FSC-72-6015 (1972); as control items in annotation, A. Kittur,
E. H. Chi, B. Suh, CHI 2008, 453. Whether a person follows a wrong proposal is automation bias: L. J. Skitka, K. Mosier,
M. Burdick, Int. J. Human-Computer Studies 51 (1999) 991; cards without pre-fill show what they decide unaided.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from lexreview.core.stats.intervals import Proportion, proportion


class Aspect(StrEnum):
    """What is judged at a place: the points of a criterion; of a citation whether it is wrong, and its error."""

    POINTS = "points"
    VERDICT = "verdict"
    ERROR_CLASS = "error_class"
    ORIGIN = "origin"
    SCOPE = "scope"


class Place(NamedTuple):
    """`target`: the code of a criterion, or the number of a citation on its card."""

    aspect: Aspect
    target: str


class Verdict(StrEnum):
    """On a citation. `open`: it cannot be established. A citation that nobody decided has none."""

    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "open"


Judgement = Mapping[Place, str]
"""What is said of a card, place by place; error class, origin and scope only of a citation that is called wrong."""


class Kind(StrEnum):
    """Kinds of planted errors. `missed_error`: a wrong citation that is called right, or left open; `false_alarm`: a
    right one that is called wrong."""

    MISSED_ERROR = "missed_error"
    FALSE_ALARM = "false_alarm"
    ERROR_CLASS = "error_class"
    ORIGIN = "origin"
    SCOPE = "scope"
    POINTS = "points"


class Fate(StrEnum):
    """What became of a planted error. `otherwise`: changed, and not to what is right."""

    FOUND = "found"
    LEFT_IN = "left_in"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True)
class Planted:
    """An error in a pre-fill: at `place` it proposes `proposed` where `right` would be right."""

    place: Place
    proposed: str
    right: str

    @property
    def kind(self) -> Kind:
        if self.place.aspect is Aspect.VERDICT:
            return Kind.MISSED_ERROR if self.right == Verdict.WRONG else Kind.FALSE_ALARM
        return Kind(self.place.aspect.value)


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """One card of one person: what is right, what the pre-fill proposes, what the person decided when they approved it
    first. `blind`: they saw no proposal. `seconds`: active time, None where none was measured."""

    answer: str
    right: Judgement
    proposed: Judgement
    decided: Judgement
    blind: bool = False
    seconds: int | None = None


@dataclass(frozen=True, kw_only=True)
class Tally:
    """Shares over the cards of one kind, pre-filled or blind; each undefined where there is nothing to count.

    `found`: of the planted errors those that the person decided rightly. `spoiled`: of the right proposals those that
    they decided otherwise, which is an over-correction where they saw them and a mistake of their own where not.
    `by_kind`: as `found`, kinds without a planted error left out. `seconds`: mean active seconds per timed card.
    """

    cards: int
    found: Proportion
    left_in: int
    otherwise: int
    spoiled: Proportion
    by_kind: Mapping[Kind, Proportion]
    seconds: float | None


def planted_in(right: Judgement, proposed: Judgement) -> tuple[Planted, ...]:
    """Where the pre-fill proposes something that is not right, in order of the places of `right`.

    A place for which nothing is proposed is none; nor is what is said of an error that is no error.
    """
    return tuple(
        Planted(place, proposed[place], value)
        for place, value in right.items()
        if place in proposed and proposed[place] != value
    )


def fate_of(planted: Planted, decided: Judgement) -> Fate:
    """A verdict that nobody gave leaves what is proposed; so does nothing else: whoever calls an error none has changed
    its class."""
    said = decided.get(planted.place)
    if said == planted.right:
        return Fate.FOUND
    undecided = said is None and planted.place.aspect is Aspect.VERDICT
    return Fate.LEFT_IN if undecided or said == planted.proposed else Fate.OTHERWISE


def spoiled_in(card: Reviewed) -> tuple[Place, ...]:
    """Places at which the proposal was right and the person decided otherwise; what they left undecided is none."""
    return tuple(
        place for place in _rightly_proposed(card) if place in card.decided and card.decided[place] != card.right[place]
    )


def tally(cards: Iterable[Reviewed]) -> Tally:
    """Over any cards; errors count as independent of one another."""
    every = list(cards)
    fates = [
        (each.kind, fate_of(each, card.decided)) for card in every for each in planted_in(card.right, card.proposed)
    ]
    timed = [card.seconds for card in every if card.seconds is not None]
    return Tally(
        cards=len(every),
        found=_found(fates),
        left_in=sum(fate is Fate.LEFT_IN for _kind, fate in fates),
        otherwise=sum(fate is Fate.OTHERWISE for _kind, fate in fates),
        spoiled=proportion(
            sum(len(spoiled_in(card)) for card in every), sum(len(_rightly_proposed(card)) for card in every)
        ),
        by_kind={
            kind: _found([each for each in fates if each[0] is kind])
            for kind in Kind
            if any(found is kind for found, _fate in fates)
        },
        seconds=sum(timed) / len(timed) if timed else None,
    )


def _found(fates: Sequence[tuple[Kind, Fate]]) -> Proportion:
    return proportion(sum(fate is Fate.FOUND for _kind, fate in fates), len(fates))


def _rightly_proposed(card: Reviewed) -> tuple[Place, ...]:
    return tuple(place for place, value in card.right.items() if card.proposed.get(place) == value)
