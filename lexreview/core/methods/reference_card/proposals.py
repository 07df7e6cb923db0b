"""What code can propose for a card from the verification results; a person decides."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from lexreview.core.methods.reference_card.facts import (
    CardFacts,
    CheckResult,
    CitationFacts,
    KeyFacts,
    OfficialSource,
    Origin,
    RequiredBase,
    Scope,
)
from lexreview.core.methods.reference_card.scoring import applicable_criteria
from lexreview.core.methods.reference_card.specification import Criterion, Enters, KeyMaximum, Rule, Specification
from lexreview.core.words import counted
from lexreview.core.workflow import AnswerState


@dataclass(frozen=True, slots=True)
class Proposal:
    """A criterion's proposed points, None where code cannot tell, with the evidence for it.

    `bases` are the codes of the required bases that the points count.
    """

    criterion: str
    points: Decimal | None
    evidence: str = ""
    bases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposedFinding:
    """An error finding proposed for the citation at index `citation` of the card."""

    citation: int
    error_class: str
    origin: Origin
    scope: Scope
    evidence: str


def propose_scores(
    specification: Specification, *, key: KeyFacts, card: CardFacts, bases: Sequence[RequiredBase]
) -> tuple[Proposal, ...]:
    """A proposal per applicable criterion, in the specification's order.

    Code decides the criterion "no hallucination" where every citation is settled, the number of
    required bases cited, and that a key without penalties gives none. An empty answer gets the
    minimum everywhere. A blocked or failed answer gets no proposal.
    """
    if card.answer_state not in {AnswerState.ANSWERED, AnswerState.EMPTY}:
        return ()
    criteria = applicable_criteria(specification, key)
    if card.answer_state is AnswerState.EMPTY:
        return tuple(Proposal(criterion.code, criterion.minimum, "The answer is empty.") for criterion in criteria)
    return tuple(_propose(criterion, key=key, card=card, bases=bases) for criterion in criteria)


def propose_findings(
    specification: Specification,
    *,
    card: CardFacts,
    bases: Sequence[RequiredBase],
    tools: bool,
    trace_recorded: bool,
    secondary_only: bool = False,
) -> tuple[ProposedFinding, ...]:
    """A finding for each citation for which the layer proposes an error class that the specification has.

    What it proposes none for is left to a person: undetermined results, and what the answer says itself, such as that
    a provision is not in force. `tools` says whether the condition gave tools,
    `trace_recorded` whether their use was written down, `secondary_only` that pages were opened
    and none of them is of an official source.
    """
    known = {error_class.code for error_class in specification.error_classes}
    found: list[ProposedFinding] = []
    for position, citation in enumerate(card.citations):
        if citation.proposed_class not in known:
            continue
        core = any(_is_about(citation, base) for base in bases)
        origin = propose_origin(
            tools=tools,
            trace_recorded=trace_recorded,
            source_opened=citation.source_opened,
            secondary_only=secondary_only,
        )
        scope = Scope.CORE if core else Scope.PERIPHERAL
        found.append(ProposedFinding(position, citation.proposed_class, origin, scope, _described(citation)))
    return tuple(found)


def propose_origin(*, tools: bool, trace_recorded: bool, source_opened: bool, secondary_only: bool = False) -> Origin:
    """Memory without tools or where the trace does not hold the source; undetermined without a trace.

    `secondary_only`: the trace shows pages that were opened, and none of an official source.
    """
    if not tools:
        return Origin.MEMORY
    if not trace_recorded:
        return Origin.UNDETERMINED
    if source_opened:
        return Origin.SOURCE_READ
    return Origin.SECONDARY_SOURCE if secondary_only else Origin.MEMORY


def official_source_of(opened: Iterable[bool] | None) -> OfficialSource:
    """The card's `official_source`; `opened` says of each page opened whether it is official.

    None means that the tool recorded no trace. Searches that opened nothing are no source.
    """
    if opened is None:
        return OfficialSource.NOT_RECORDED
    pages = list(opened)
    if any(pages):
        return OfficialSource.OPENED
    return OfficialSource.SECONDARY_ONLY if pages else OfficialSource.NONE


def cites(citation: CitationFacts, base: RequiredBase) -> bool:
    """Whether the citation names the base: the same docket, or the same act and its unit or a part of it."""
    if base.docket is not None:
        return citation.docket is not None and _plain(citation.docket) == _plain(base.docket)
    if base.act is None or citation.act != base.act:
        return False
    return base.unit is None or _within(citation.unit, base.unit)


def _is_about(citation: CitationFacts, base: RequiredBase) -> bool:
    """As `_touches`; but the bare name or number of an act is about a base only where the base is the whole act."""
    return cites(citation, base) or (citation.unit is not None and _touches(citation, base))


def _touches(citation: CitationFacts, base: RequiredBase) -> bool:
    """As `cites`, and also when the citation names a unit that holds the base, or its act."""
    same_act = base.act is not None and citation.act == base.act
    return cites(citation, base) or (same_act and base.docket is None and _within(base.unit, citation.unit))


def _propose(criterion: Criterion, *, key: KeyFacts, card: CardFacts, bases: Sequence[RequiredBase]) -> Proposal:
    if criterion.rule is Rule.NO_HALLUCINATION:
        return _no_hallucination(criterion, card.citations)
    if criterion.maximum is KeyMaximum.BASES:
        return _bases_cited(criterion, citations=card.citations, bases=bases)
    if criterion.enters is Enters.PENALTY and key.penalties == 0:
        return Proposal(criterion.code, Decimal(0), "The key names no penalty.")
    return Proposal(criterion.code, None)


def _no_hallucination(criterion: Criterion, citations: Sequence[CitationFacts]) -> Proposal:
    if not citations:
        return Proposal(criterion.code, Decimal(1), "The answer cites no source of law.")
    at_odds = [citation for citation in citations if citation.proposed_class]
    if at_odds:
        return Proposal(criterion.code, Decimal(0), "; ".join(_described(citation) for citation in at_odds))
    open_ones = [citation for citation in citations if citation.result is not CheckResult.CONFIRMED]
    if open_ones:
        listed = "; ".join(_described(citation) for citation in open_ones)
        return Proposal(criterion.code, None, f"Not settled by code: {listed}")
    return Proposal(
        criterion.code, Decimal(1), f"{len(citations)} of {counted(len(citations), 'citation')} confirmed by code."
    )


def _bases_cited(
    criterion: Criterion, *, citations: Sequence[CitationFacts], bases: Sequence[RequiredBase]
) -> Proposal:
    lines = []
    cited = []
    for base in bases:
        naming = [citation.raw for citation in citations if cites(citation, base)]
        wider = [citation.raw for citation in citations if _touches(citation, base)]
        if naming:
            cited.append(base.code)
            lines.append(f"{base.label}: cited as “{naming[0]}”")
        elif wider:
            lines.append(f"{base.label}: not cited itself, only “{wider[0]}”")
        else:
            lines.append(f"{base.label}: not cited")
    return Proposal(criterion.code, Decimal(len(cited)), "; ".join(lines), tuple(cited))


def _described(citation: CitationFacts) -> str:
    result = "not checked by code" if citation.result is None else citation.result.replace("_", " ")
    return f"“{citation.raw}”: {result}"


def _within(unit: str | None, whole: str | None) -> bool:
    """Whether a unit is `whole` or lies inside it; without a unit the whole act is meant."""
    if whole is None:
        return True
    return unit is not None and (unit == whole or unit.startswith(f"{whole}/"))


def _plain(docket: str) -> str:
    return "".join(docket.split()).casefold()
