"""What a model says of a card, held against the specification, the key, the answer and the sources it was given.

Nothing that a model says is taken on trust: a quotation that does not stand where it is said to stand is dropped, and
so is a value that the rules do not know. What is dropped is kept, with the reason, so that a person sees it.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from unicodedata import normalize

from lexreview.core.methods.reference_card.facts import KeyFacts, Origin, Scope
from lexreview.core.methods.reference_card.scoring import PointsRefused, check_range, is_applicable
from lexreview.core.methods.reference_card.specification import Criterion, Specification
from lexreview.core.quotations import Piece, Wording, pieces_of, stretches

SHORTEST_QUOTATION = 4
SHORTEST_PIECE = 12
_INSERTION = re.compile(r"\[[^\[\]\n]*[^\W\d_][^\[\]\n]*\]")


class Why(StrEnum):
    """Why something was dropped."""

    NOT_IN_ANSWER = "not_in_answer"
    NOT_IN_SOURCE = "not_in_source"
    UNKNOWN_SOURCE = "unknown_source"
    UNKNOWN_CRITERION = "unknown_criterion"
    NOT_APPLICABLE = "not_applicable"
    OUT_OF_RANGE = "out_of_range"
    UNKNOWN_ELEMENT = "unknown_element"
    ELEMENTS_DIFFER = "elements_differ"
    UNKNOWN_CLASS = "unknown_class"
    UNKNOWN_ORIGIN = "unknown_origin"
    UNKNOWN_SCOPE = "unknown_scope"
    CLAIM_NOT_IN_ANSWER = "claim_not_in_answer"
    NAMED_TWICE = "named_twice"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a model gives as evidence; `source` names a text it was given, "" is the answer."""

    text: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionOpinion:
    """`elements`: codes of what of the key the points count."""

    criterion: str
    points: Decimal
    reason: str
    quotes: Sequence[Quote] = ()
    elements: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingOpinion:
    """`source_says` is quoted from the text named by `source`; both may be empty."""

    error_class: str
    claim: str
    source: str
    source_says: str
    origin: Origin
    scope: Scope
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DroppedQuote:
    quote: Quote
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCriterion:
    """`quotes` stand where they are said to; `dropped` do not. `why` is set where the whole opinion is dropped."""

    criterion: str
    points: Decimal
    reason: str
    quotes: Sequence[Quote] = ()
    dropped: Sequence[DroppedQuote] = ()
    elements: Sequence[str] = ()
    why: Why | None = None

    @property
    def evidence(self) -> str:
        """Reason and quotations in one text. Empty where quotations were given and none of them holds."""
        if self.dropped and not self.quotes:
            return ""
        return " ".join([self.reason, *(f"“{quote.text}”" for quote in self.quotes)]).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFinding:
    """The claim is the answer's text from `start` to `end` (code points). Dropped whole where `why` is set.

    `source_says` is empty where the source was not quoted, or was quoted wrongly: then `dropped` says so.
    """

    error_class: str
    claim: str
    start: int = 0
    end: int = 0
    source: str = ""
    source_says: str = ""
    origin: Origin
    scope: Scope
    reason: str = ""
    dropped: DroppedQuote | None = None
    why: Why | None = None


@dataclass(frozen=True, kw_only=True)
class Material:
    """What an opinion is held against. `sources`: the texts given to the model, by name. `worth`: points of the key's
    elements by criterion and code, for the criteria that count elements."""

    specification: Specification
    key: KeyFacts
    answer: str
    sources: Mapping[str, str]
    worth: Mapping[str, Mapping[str, Decimal]] = field(default_factory=dict)


def check_criteria(opinions: Sequence[CriterionOpinion], material: Material) -> list[CheckedCriterion]:
    """Every opinion, in order, with what holds of it. Of two on one criterion the later is dropped."""
    reader = _Reader(material)
    seen: set[str] = set()
    checked = []
    for each in opinions:
        why = _fault_of_points(each, material, seen)
        seen.add(each.criterion)
        kept, dropped = reader.sorted_out(each.quotes)
        checked.append(
            CheckedCriterion(
                criterion=each.criterion,
                points=each.points,
                reason=each.reason.strip(),
                quotes=kept,
                dropped=dropped,
                elements=tuple(each.elements),
                why=why,
            )
        )
    return checked


def check_findings(opinions: Sequence[FindingOpinion], material: Material) -> list[CheckedFinding]:
    """Every finding, in order. One whose claim is not in the answer is dropped whole; so is the same one said twice."""
    reader = _Reader(material)
    seen: set[tuple[str, int, int]] = set()
    checked = []
    for each in opinions:
        place = reader.place_in_answer(each.claim)
        why = _fault_of_finding(each, material) or (Why.CLAIM_NOT_IN_ANSWER if place is None else None)
        start, end = place or (0, 0)
        if why is None and (each.error_class, start, end) in seen:
            why = Why.NAMED_TWICE
        seen.add((each.error_class, start, end))
        says = Quote(each.source_says.strip(), each.source.strip())
        fault = reader.fault_of(says) if says.text else None
        if says.text and not says.source:
            fault = Why.UNKNOWN_SOURCE
        checked.append(
            CheckedFinding(
                error_class=each.error_class,
                claim=material.answer[start:end] if place else each.claim,
                start=start,
                end=end,
                source=says.source if says.source in material.sources else "",
                source_says="" if fault else says.text,
                origin=each.origin,
                scope=each.scope,
                reason=each.reason.strip(),
                dropped=DroppedQuote(says, fault) if fault else None,
                why=why,
            )
        )
    return checked


def stands_in(quotation: str, wording: Wording) -> bool:
    """Whether the quotation is verbatim in the text, but for typography and marked omissions.

    Refused as well: fewer than four letters, words added in brackets, and pieces between omissions so short that any
    sentence could be put together of them.
    """
    pieces = _pieces(quotation)
    return bool(pieces) and wording.holds(pieces)


def _pieces(quotation: str) -> list[Piece]:
    """[] for what is no quotation."""
    pieces = pieces_of(quotation)
    too_short = sum(len(piece.letters) for piece in pieces) < SHORTEST_QUOTATION
    in_shreds = len(pieces) > 1 and any(len(piece.letters) < SHORTEST_PIECE for piece in pieces)
    return [] if too_short or in_shreds or _INSERTION.search(quotation) else pieces


class _Reader:
    """The texts of one material, each folded once."""

    def __init__(self, material: Material) -> None:
        self.answer = material.answer
        self.is_composed = normalize("NFC", material.answer) == material.answer
        texts = {"": material.answer, **material.sources}
        self.wordings = {name: Wording(text) for name, text in texts.items()}

    def fault_of(self, quote: Quote) -> Why | None:
        wording = self.wordings.get(quote.source)
        if wording is None:
            return Why.UNKNOWN_SOURCE
        if stands_in(quote.text, wording):
            return None
        return Why.NOT_IN_SOURCE if quote.source else Why.NOT_IN_ANSWER

    def sorted_out(self, quotes: Sequence[Quote]) -> tuple[tuple[Quote, ...], tuple[DroppedQuote, ...]]:
        faults = [(quote, self.fault_of(quote)) for quote in quotes]
        kept = tuple(quote for quote, why in faults if why is None)
        return kept, tuple(DroppedQuote(quote, why) for quote, why in faults if why is not None)

    def place_in_answer(self, claim: str) -> tuple[int, int] | None:
        """From where to where the claim stands, in code points of the stored answer; None where it does not."""
        pieces = _pieces(claim)
        if not pieces or not self.wordings[""].holds(pieces):
            return None
        if not self.is_composed:
            # Places in the composed text are none of the stored one.
            at = self.answer.find(claim)
            return None if at < 0 else (at, at + len(claim))
        found = stretches(pieces, self.answer)
        return (found[0][0], found[-1][1]) if len(found) == len(pieces) else None


def _fault_of_points(opinion: CriterionOpinion, material: Material, seen: Collection[str]) -> Why | None:
    try:
        criterion: Criterion = material.specification.criterion(opinion.criterion)
    except KeyError:
        return Why.UNKNOWN_CRITERION
    if opinion.criterion in seen:
        return Why.NAMED_TWICE
    if not is_applicable(criterion, material.key):
        return Why.NOT_APPLICABLE
    try:
        check_range(criterion, key=material.key, points=opinion.points)
    except PointsRefused:
        return Why.OUT_OF_RANGE
    return _fault_of_elements(opinion, material.worth.get(opinion.criterion))


def _fault_of_elements(opinion: CriterionOpinion, worth: Mapping[str, Decimal] | None) -> Why | None:
    if worth is None:
        return Why.UNKNOWN_ELEMENT if opinion.elements else None
    if len(set(opinion.elements)) < len(opinion.elements):
        return Why.NAMED_TWICE
    if not set(opinion.elements) <= worth.keys():
        return Why.UNKNOWN_ELEMENT
    total = sum((worth[code] for code in opinion.elements), Decimal(0))
    return None if total == opinion.points else Why.ELEMENTS_DIFFER


def _fault_of_finding(opinion: FindingOpinion, material: Material) -> Why | None:
    specification = material.specification
    if opinion.error_class not in {each.code for each in specification.error_classes}:
        return Why.UNKNOWN_CLASS
    if opinion.origin not in specification.origins:
        return Why.UNKNOWN_ORIGIN
    return None if opinion.scope in specification.scopes else Why.UNKNOWN_SCOPE
