"""Points, applicability and A % of one card. The rules are those of the card's specification."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from lexreview.core.methods.reference_card.facts import CardFacts, KeyFacts, QuestionType
from lexreview.core.methods.reference_card.specification import (
    Criterion,
    Enters,
    KeyMaximum,
    NotApplicableWhen,
    Rule,
    Specification,
)
from lexreview.core.words import Words, gettext_noop, shown_number
from lexreview.core.workflow import AnswerState


class PointsRefused(ValueError):
    """The points cannot be given for that criterion; the text is fit for the user."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


@dataclass(frozen=True, slots=True)
class APercent:
    """A % of a card with what it was made of.

    `value` is exact, normally in [0, 1]; None when undefined, and `reason` says why. `points`,
    `penalties` and `available` are in points; `floored` is set when the penalties outweighed the
    points and the value was raised to 0.
    """

    points: Decimal
    penalties: Decimal
    available: Decimal
    value: Fraction | None
    reason: str = ""
    floored: bool = False


@dataclass(frozen=True, slots=True)
class SeparateScore:
    """A criterion that stands beside A % (block B): `points` is None while undecided."""

    criterion: str
    points: Decimal | None
    maximum: Decimal


def applicable_criteria(specification: Specification, key: KeyFacts) -> tuple[Criterion, ...]:
    """The criteria that count for a card under that key version, in the specification's order."""
    return tuple(criterion for criterion in specification.criteria if is_applicable(criterion, key))


def is_applicable(criterion: Criterion, key: KeyFacts) -> bool:
    """False when the criterion's own condition for "not applicable" holds for the key."""
    match criterion.not_applicable_when:
        case None:
            return True
        case NotApplicableWhen.KEY_HAS_NO_RUBRIC:
            return key.rubric_points > 0
        case NotApplicableWhen.KEY_HAS_NO_BASES:
            return key.bases > 0
        case NotApplicableWhen.KEY_HAS_NO_PENALTIES:
            return key.penalties > 0
        case NotApplicableWhen.NO_TRAP:
            return key.trap
        case NotApplicableWhen.QUESTION_CLOSED:
            return key.question_type is not QuestionType.CLOSED
        case NotApplicableWhen.NOT_DISPUTED:
            return key.disputed


def maximum_of(criterion: Criterion, key: KeyFacts) -> Decimal:
    """The most points the criterion can give under that key; for a penalty, the most that can be given."""
    match criterion.maximum:
        case KeyMaximum.RUBRIC:
            return key.rubric_points
        case KeyMaximum.BASES:
            return Decimal(key.bases)
        case KeyMaximum.PENALTIES:
            return Decimal(key.penalties)
        case Decimal() as fixed:
            return fixed


def check_points(criterion: Criterion, *, key: KeyFacts, points: Decimal) -> None:
    """Raise `PointsRefused` unless the points may be given for that criterion under that key.

    Refused: a criterion that is not applicable or follows from a rule, points outside
    [minimum, maximum], and points that no number of whole steps above the minimum reaches.
    """
    if not is_applicable(criterion, key):
        raise PointsRefused(Words(gettext_noop("%(code)s does not apply to this question."), code=criterion.code))
    if criterion.rule is not None:
        template = gettext_noop("%(code)s follows from the findings and is not scored by hand.")
        raise PointsRefused(Words(template, code=criterion.code))
    check_range(criterion, key=key, points=points)


def check_range(criterion: Criterion, *, key: KeyFacts, points: Decimal) -> None:
    """As `check_points`, of the number alone: also for a criterion that follows from a rule."""
    maximum = maximum_of(criterion, key)
    if not points.is_finite() or not criterion.minimum <= points <= maximum:
        template = gettext_noop("%(code)s takes %(least)s to %(most)s points, not %(given)s.")
        raise PointsRefused(Words(template, code=criterion.code, least=criterion.minimum, most=maximum, given=points))
    if (points - criterion.minimum) % criterion.step:
        template = gettext_noop("%(code)s goes up from %(least)s by %(step)s; %(given)s lies between two steps.")
        raise PointsRefused(
            Words(template, code=criterion.code, least=criterion.minimum, step=criterion.step, given=points)
        )


def shown_points(points: Decimal) -> str:
    """Points as code and English write them; for readers in other languages see `translating.written`."""
    return shown_number(points)


def a6_points(card: CardFacts) -> Decimal | None:
    """Points of the criterion "no hallucination": 0 or 1, None where there is nothing to score or it is not decided.

    An empty answer has 0; one finding of a hallucination gives 0; while one is proposed and undecided there are no
    points; otherwise 1, also for an answer without any citation. A provider block is neither, and a failed answer is
    never scored.
    """
    match card.answer_state:
        case AnswerState.PROVIDER_BLOCK | AnswerState.FAILED:
            return None
        case AnswerState.EMPTY:
            return Decimal(0)
        case AnswerState.ANSWERED:
            if any(finding.hallucination for finding in card.findings):
                return Decimal(0)
            return None if card.undecided else Decimal(1)


def points_of(criterion: Criterion, card: CardFacts) -> Decimal | None:
    """The points that stand for a criterion: by its rule, else by a person; None while undecided."""
    if criterion.rule is Rule.NO_HALLUCINATION:
        return a6_points(card)
    score = card.scores_by_criterion.get(criterion.code)
    return None if score is None else score.points


def a_percent(specification: Specification, *, key: KeyFacts, card: CardFacts) -> APercent:
    """A % = (points - penalties) / points available, over the applicable criteria of block A.

    Undefined, with a reason: nothing to score (provider block, failed answer), a criterion without
    a decision, no points available. Below 0 it is raised to 0 unless the specification allows less.
    """
    block = [criterion for criterion in applicable_criteria(specification, key) if criterion.block == "A"]
    given = {criterion.code: points_of(criterion, card) for criterion in block}
    points = _sum(given, block, enters=Enters.POINTS)
    penalties = _sum(given, block, enters=Enters.PENALTY)
    available = sum((maximum_of(each, key) for each in block if each.enters is Enters.POINTS), Decimal(0))
    undecided = [code for code, decided in given.items() if decided is None]
    reason = _undefined(card, undecided=undecided, available=available)
    if reason:
        return APercent(points, penalties, available, None, reason)
    value = Fraction(points - penalties) / Fraction(available)
    floored = value < 0 and not specification.a_percent_below_zero
    return APercent(points, penalties, available, Fraction(0) if floored else value, floored=floored)


def separate_scores(specification: Specification, *, key: KeyFacts, card: CardFacts) -> tuple[SeparateScore, ...]:
    """The criteria that stand beside A % (block B), each on its own: they are never summed or averaged."""
    return tuple(
        SeparateScore(criterion.code, points_of(criterion, card), maximum_of(criterion, key))
        for criterion in applicable_criteria(specification, key)
        if criterion.enters is Enters.SEPARATE
    )


def _sum(given: Mapping[str, Decimal | None], block: list[Criterion], *, enters: Enters) -> Decimal:
    return sum((given[each.code] or Decimal(0) for each in block if each.enters is enters), Decimal(0))


def _undefined(card: CardFacts, *, undecided: list[str], available: Decimal) -> str:
    if card.answer_state is AnswerState.PROVIDER_BLOCK:
        return Words(gettext_noop("the provider blocked the answer"))
    if card.answer_state is AnswerState.FAILED:
        return Words(gettext_noop("the answer was not collected"))
    if undecided:
        return Words(gettext_noop("not decided yet: %(codes)s"), codes=", ".join(undecided))
    return "" if available else Words(gettext_noop("no points are available"))
