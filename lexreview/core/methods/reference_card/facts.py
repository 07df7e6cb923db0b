"""What the method needs to know of a key and of a card: rows become these before they enter."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from lexreview.core.workflow import AnswerState, CitationState


class QuestionType(StrEnum):
    CLOSED = "closed"
    CALCULATION = "calculation"
    VERIFICATION = "verification"


class Calibration(StrEnum):
    CATEGORICAL = "categorical"
    CONDITIONAL = "conditional"


class Origin(StrEnum):
    """Where an error is thought to come from."""

    MEMORY = "memory"
    SOURCE_READ = "source_read"
    SECONDARY_SOURCE = "secondary_source"
    UNDETERMINED = "undetermined"


class Scope(StrEnum):
    CORE = "core"
    PERIPHERAL = "peripheral"


class OfficialSource(StrEnum):
    """Whether the trace shows that the answering system opened an official source."""

    OPENED = "opened"
    SECONDARY_ONLY = "secondary_only"
    NONE = "none"
    NOT_RECORDED = "not_recorded"


class CheckResult(StrEnum):
    """What the verification layer established about one citation. Facts, never an error class."""

    CONFIRMED = "confirmed"
    WORDING_DIFFERS = "wording_differs"
    WRONG_IDENTIFIER = "wrong_identifier"
    NOT_FOUND = "not_found"
    NOT_IN_FORCE = "not_in_force"
    AMBIGUOUS = "ambiguous"
    OUT_OF_SCOPE = "out_of_scope"
    UNDETERMINED = "undetermined"

    @property
    def is_flagged(self) -> bool:
        """Whether a person has to open the citation before the card can be approved."""
        return self is not CheckResult.CONFIRMED


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """One key version. `rubric_points` is the sum over its elements, `bases` and `penalties` are counts."""

    rubric_points: Decimal
    bases: int
    penalties: int
    trap: bool
    disputed: bool
    question_type: QuestionType
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class RequiredBase:
    """One required basis of a key: a unit of an act, or a ruling by its docket number."""

    code: str
    label: str
    act: str | None = None
    unit: str | None = None
    docket: str | None = None


@dataclass(frozen=True, slots=True)
class ScoreInput:
    """One criterion on one card. `points` is a person's decision, None while there is none.

    For a criterion that enters as a penalty, `points` is the number of penalties given (0 or more).
    """

    criterion: str
    points: Decimal | None
    proposed: Decimal | None = None
    evidence: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FindingFacts:
    """One error finding. `hallucination` is that of its class in the card's specification."""

    error_class: str
    origin: Origin
    scope: Scope
    hallucination: bool
    has_evidence: bool = True


@dataclass(frozen=True, slots=True)
class CitationFacts:
    """One citation of an answer.

    `result` is None when the layer has not run on it; `opened` says whether a person looked at it;
    `official` whether what it was compared with comes from an official source; `source_opened`
    whether the trace shows that the answering system opened that act or ruling there; `proposed_class`
    the error class that the layer proposes, where it could tell one.
    """

    raw: str
    result: CheckResult | None
    state: CitationState = CitationState.UNCHECKED
    opened: bool = False
    official: bool = True
    act: str | None = None
    unit: str | None = None
    docket: str | None = None
    source_opened: bool = False
    proposed_class: str = ""

    @property
    def confirmed_in_official_source(self) -> bool:
        return self.state is CitationState.CONFIRMED and self.official


@dataclass(frozen=True, slots=True)
class CardFacts:
    """One card as it stands: the state of its answer, scores, findings, citations.

    `findings` are those that count; `undecided` is the number of further findings of a hallucination that are proposed
    and that nobody has accepted or rejected.
    """

    answer_state: AnswerState
    scores: tuple[ScoreInput, ...] = ()
    findings: tuple[FindingFacts, ...] = ()
    citations: tuple[CitationFacts, ...] = ()
    undecided: int = 0

    @property
    def scores_by_criterion(self) -> Mapping[str, ScoreInput]:
        return {score.criterion: score for score in self.scores}

    @property
    def citations_checked(self) -> int:
        return sum(citation.state.is_checked for citation in self.citations)
