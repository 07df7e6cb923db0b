"""Which cards were scored under rules that no longer count, and what becomes of them under those that do."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q
from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.card_rows import Mean, mean_of
from lexreview.core.methods.reference_card.facts import FindingFacts, KeyFacts, Origin, Scope, ScoreInput
from lexreview.core.methods.reference_card.label import Label, decide_label
from lexreview.core.methods.reference_card.scoring import (
    PointsRefused,
    a_percent,
    check_points,
    is_applicable,
)
from lexreview.core.methods.reference_card.specification import (
    Criterion,
    ErrorClass,
    Specification,
    specification_from_dict,
)
from lexreview.core.methods.reference_card.versions import rescoring_needed
from lexreview.core.workflow import CardState
from lexreview.methodology.models import Specification as SpecificationRow
from lexreview.questions.key_facts import key_facts_of
from lexreview.questions.models import Benchmark, KeyVersion
from lexreview.review.card_rows import group_of
from lexreview.review.facts import facts_of, specification_of
from lexreview.review.models import LABEL_LABELS, Card, CardCitation, Finding, FindingState, Score
from lexreview.review.models.card import CardQuerySet
from lexreview.review.parts import CardParts
from lexreview.translating import written

SCORED_PARTS = ("core_answer", "rubric", "penalties", "bases", "calibration", "condition", "disputed")
MOST_PLANNED = 2_000
PAGE = 200


@dataclass(frozen=True)
class Rules:
    """What counts in a benchmark: a version of its specification (perhaps not yet stored) and the approved keys."""

    specification: SpecificationRow
    chain: Sequence[SpecificationRow]
    keys: Mapping[int, KeyVersion]

    @cached_property
    def content(self) -> Specification:
        return specification_from_dict(self.specification.content)

    def key_of(self, card: Card) -> KeyVersion:
        """The approved key of the card's question; where there is none, the card's own."""
        return self.keys.get(card.key_version.question_id, card.key_version)

    def reasons(self, card: Card) -> list[str]:
        """Why the card has to be scored again: "specification", "key", both or neither."""
        found = []
        if rescoring_needed(card.specification.version, self.specification.version, chain=self.chain):
            found.append("specification")
        if is_scored_otherwise(card.key_version, self.key_of(card)):
            found.append("key")
        return found


def rules_of(benchmark: Benchmark, specification: SpecificationRow | None = None) -> Rules:
    """The rules that count now, or would with another version of the specification; two queries."""
    target = specification or benchmark.specification
    chain = [
        row
        for row in SpecificationRow.objects.named(target.name).defer("content").in_version_order()
        if row.version != target.version
    ]
    keys = KeyVersion.objects.of_benchmark(benchmark).approved().select_related("question")
    return Rules(target, [*chain, target], {key.question_id: key for key in keys})


def is_scored_otherwise(old: KeyVersion, new: KeyVersion) -> bool:
    """Whether two versions of a key differ in something that points depend on."""
    return old.pk != new.pk and any(getattr(old, name) != getattr(new, name) for name in SCORED_PARTS)


def outdated(benchmark: Benchmark, rules: Rules) -> Iterator[Card]:
    """Cards of the newest scoring pass that were scored under other rules, in the order of the queue."""
    for card in _candidates(benchmark, rules).iterator(chunk_size=500):
        if rules.reasons(card):
            yield card


def _candidates(benchmark: Benchmark, rules: Rules) -> CardQuerySet:
    """First reviews that are not at both versions; which of them matter is seen only by comparing the versions.

    Second reviews and adjudications stay records of the rules that they were made under.
    """
    later = Card.objects.filter(answer=OuterRef("answer"), scoring_pass__gt=OuterRef("scoring_pass"))
    stored = rules.specification.pk is not None
    at_target = Q(specification=rules.specification) if stored else Q(pk__in=[])
    keys = [key.pk for key in rules.keys.values()]
    cards = Card.objects.of_benchmark(benchmark).first_round().filter(~Exists(later))
    cards = cards.exclude(at_target & Q(key_version__in=keys))
    return (
        cards.with_answer()
        .select_related("key_version__question")
        .defer("answer__text", "answer__trace", "specification__content")
        .in_queue_order()
    )


@dataclass(frozen=True, slots=True)
class Carried:
    """A criterion under new rules. `points`: the value taken over as a proposal, None where a person has to decide.

    `why` says why nothing was taken over although there was a value, which `evidence` still speaks for.
    """

    criterion: Criterion
    points: Decimal | None
    evidence: str = ""
    details: Mapping[str, Any] | None = None
    applicable: bool = True
    why: str = ""

    @property
    def needs_person(self) -> bool:
        return self.applicable and self.criterion.rule is None and self.points is None


def carried_over(parts: CardParts, *, old_key: KeyVersion, rules: Rules, key: KeyVersion) -> list[Carried]:
    """The values of a card under other rules, in the order of the new specification's criteria."""
    facts = key_facts_of(key)
    core = rules.content.core_criterion.code if old_key.core_answer != key.core_answer else ""
    return [
        _carried(criterion, parts.score(criterion.code), old_key=old_key, key=key, facts=facts, core=core)
        for criterion in rules.content.criteria
    ]


def _carried(
    criterion: Criterion, row: Score | None, *, old_key: KeyVersion, key: KeyVersion, facts: KeyFacts, core: str
) -> Carried:
    """`core`: the code of the criterion that is about the core answer, where that reads otherwise now; else ""."""
    if not is_applicable(criterion, facts):
        return Carried(criterion, None, applicable=False)
    if row is None or criterion.rule is not None or row.points is None:
        return Carried(criterion, None)
    points, details = _by_elements(row, old_key=old_key, key=key)
    if why := _never_judged(criterion, old_key=old_key, key=key, core=core):
        return Carried(criterion, None, row.evidence or row.proposed_evidence, details, why=why)
    try:
        check_points(criterion, key=facts, points=points)
    except PointsRefused as refusal:
        return Carried(criterion, None, row.evidence, details, why=str(refusal))
    return Carried(criterion, points, row.evidence or row.proposed_evidence, details)


def _never_judged(criterion: Criterion, *, old_key: KeyVersion, key: KeyVersion, core: str) -> str:
    """What of the key nobody has held the answer against: such points are no proposal, however they were given."""
    if criterion.code == core:
        return _("The core answer of the key reads otherwise.")
    part = ELEMENT_LISTS.get(group_of(criterion), "")
    known = {each["code"] for each in getattr(old_key, part)} if part else set()
    new = [each["code"] for each in getattr(key, part) if each["code"] not in known] if part else []
    return _("New in the key: %(codes)s.") % {"codes": ", ".join(new)} if new else ""


ELEMENT_LISTS = {"elements": "rubric", "bases": "bases", "penalties": "penalties"}


def _by_elements(row: Score, *, old_key: KeyVersion, key: KeyVersion) -> tuple[Decimal, Mapping[str, Any]]:
    """Points that are the sum of ticked elements follow the new key's elements; other points stay as they are."""
    points = row.points or Decimal(0)
    details: Mapping[str, Any] = row.details
    for name, part in ELEMENT_LISTS.items():
        if name in details:
            codes = details[name]
            old, new = _worth(getattr(old_key, part)), _worth(getattr(key, part))
            kept = [code for code in codes if code in new]
            if points == sum((old.get(code, Decimal(0)) for code in codes), Decimal(0)):
                points = sum((new[code] for code in kept), Decimal(0))
            return points, {**details, name: kept}
    return points, details


def _worth(elements: Iterable[Mapping[str, Any]]) -> dict[str, Decimal]:
    return {str(each["code"]): Decimal(str(each.get("points", 1))) for each in elements}


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A card before and after. `a_before`, `a_after`: A %, None where it is undefined; `open`: criteria that need a
    person; `lost`: findings whose class is gone."""

    card: Card
    reasons: Sequence[str]
    label_before: str
    label_after: str
    points_before: str
    points_after: str
    a_before: Fraction | None
    a_after: Fraction | None
    open: Sequence[str]
    lost: Sequence[int]

    @property
    def label_before_words(self) -> str:
        return words_of_label(self.label_before)

    @property
    def label_after_words(self) -> str:
        return words_of_label(self.label_after)

    @property
    def changes(self) -> bool:
        return (self.label_before, self.points_before) != (self.label_after, self.points_after)


@dataclass(frozen=True, slots=True)
class Total:
    """What the headline says of one system in one condition, of the approved cards of a plan, before and after."""

    system: str
    condition: str
    rows: Sequence[PlanRow]

    @property
    def cards(self) -> int:
        return len(self.rows)

    @property
    def grounded_before(self) -> int:
        return sum(row.label_before == Label.CORRECTLY_GROUNDED for row in self.rows)

    @property
    def grounded_after(self) -> int:
        return sum(row.label_after == Label.CORRECTLY_GROUNDED for row in self.rows)

    @property
    def a_before(self) -> Mean:
        return mean_of(row.a_before for row in self.rows)

    @property
    def a_after(self) -> Mean:
        """Over the cards of which every criterion has points by then."""
        return mean_of(row.a_after for row in self.rows)

    @property
    def changes(self) -> bool:
        return (self.grounded_before, self.a_before) != (self.grounded_after, self.a_after)


@dataclass(frozen=True)
class Plan:
    """What a recompute would do. `rows`: cards that somebody has worked on; `untouched`: cards of which nobody has,
    which only get new proposals. `kept_back`: how many of the former are not shown to whoever asks. `whole`: whether
    every card was looked at.
    """

    rules: Rules
    rows: Sequence[PlanRow]
    untouched: int
    kept_back: int
    whole: bool

    @property
    def cards(self) -> int:
        return len(self.rows) + self.kept_back + self.untouched

    @property
    def stale(self) -> int:
        return len(self.rows) + self.kept_back

    @property
    def changing(self) -> list[PlanRow]:
        return [row for row in self.rows if row.changes]

    @property
    def needing_person(self) -> list[PlanRow]:
        return [row for row in self.rows if row.open or row.lost]

    @property
    def approved(self) -> list[PlanRow]:
        return [row for row in self.rows if row.card.state == CardState.APPROVED]

    @property
    def totals(self) -> list[Total]:
        """Of each system in each condition, by name and code."""
        groups: dict[tuple[str, str], list[PlanRow]] = {}
        for row in self.approved:
            run = row.card.answer.run
            groups.setdefault((run.system.name, run.condition.code), []).append(row)
        return [Total(*names, rows) for names, rows in sorted(groups.items())]

    @property
    def labels(self) -> list[tuple[str, int, int]]:
        """(label, cards before, cards after) among approved cards, for labels that occur."""
        before = Counter(row.label_before for row in self.approved)
        after = Counter(row.label_after for row in self.approved)
        return [(label, before[label], after[label]) for label in sorted(before | after)]


def words_of_label(label: str) -> str:
    return str(_LABELS.get(label, _LABELS[Label.NONE.value]))


_LABELS = {label.value: words for label, words in LABEL_LABELS.items()}
WORKED_ON = frozenset(CardState) - {CardState.EMPTY, CardState.PREFILLED}


def plan_of(benchmark: Benchmark, rules: Rules, *, shown: CardQuerySet) -> Plan:
    """What recomputing under the rules would do; nothing is written. At most 2,000 cards are looked at.

    `shown`: the cards that whoever asks may see; what becomes of the others is not said.
    """
    looked_at = list(islice(outdated(benchmark, rules), MOST_PLANNED + 1))
    whole = len(looked_at) <= MOST_PLANNED
    worked_on = [card for card in looked_at[:MOST_PLANNED] if card.state in WORKED_ON]
    seen = set(shown.values_list("pk", flat=True)) if worked_on else set()
    told = [card for card in worked_on if card.pk in seen]
    rows = [row for page in _pages(told) for row in _plan_rows(page, rules)]
    untouched = min(len(looked_at), MOST_PLANNED) - len(worked_on)
    return Plan(rules, rows, untouched, len(worked_on) - len(told), whole)


def _pages(cards: Sequence[Card]) -> Iterator[Sequence[Card]]:
    return (cards[start : start + PAGE] for start in range(0, len(cards), PAGE))


def _plan_rows(cards: Sequence[Card], rules: Rules) -> list[PlanRow]:
    filled = Card.objects.filter(pk__in=[card.pk for card in cards]).prefetch_related(
        Prefetch("scores", Score.objects.order_by("pk")),
        Prefetch("citations", CardCitation.objects.in_text_order().with_result()),
        Prefetch("findings", Finding.objects.in_order()),
    )
    with_parts = {card.pk: card for card in filled.with_answer().select_related("key_version__question")}
    return [_plan_row(with_parts[card.pk], rules) for card in cards]


def _plan_row(card: Card, rules: Rules) -> PlanRow:
    parts = CardParts(card)
    parts.scores = list(card.scores.all())
    parts.citations = list(card.citations.all())
    parts.findings = list(card.findings.all())
    key = rules.key_of(card)
    carried = carried_over(parts, old_key=card.key_version, rules=rules, key=key)
    known = {each.code: each for each in rules.content.error_classes}
    standing = [row for row in parts.findings if row.state == FindingState.ACCEPTED]
    facts = replace(
        facts_of(card, parts),
        scores=tuple(ScoreInput(criterion=each.criterion.code, points=each.points) for each in carried),
        findings=tuple(_finding(row, known[row.error_class]) for row in standing if row.error_class in known),
    )
    percent = a_percent(rules.content, key=key_facts_of(key), card=facts)
    return PlanRow(
        card=card,
        reasons=rules.reasons(card),
        label_before=card.label,
        label_after=str(decide_label(rules.content, facts).label),
        points_before=_fraction(card.a_points, card.a_available),
        points_after=_fraction(
            None if percent.value is None else percent.points - percent.penalties, percent.available
        ),
        a_before=_a_percent(card),
        a_after=percent.value,
        open=[each.criterion.code for each in carried if each.needs_person],
        lost=[row.number for row in standing if row.error_class not in known],
    )


def _a_percent(card: Card) -> Fraction | None:
    """As the card's own specification has it; the points on the card have the penalties taken off."""
    if card.a_points is None or not card.a_available:
        return None
    value = Fraction(card.a_points) / Fraction(card.a_available)
    return value if specification_of(card).a_percent_below_zero else max(value, Fraction(0))


def _finding(row: Finding, error_class: ErrorClass) -> FindingFacts:
    return FindingFacts(
        error_class=row.error_class,
        origin=Origin(row.origin),
        scope=Scope(row.scope),
        hallucination=error_class.hallucination,
    )


def _fraction(points: Decimal | None, available: Decimal | None) -> str:
    if points is None or available is None:
        return "–"
    return f"{written(points)} / {written(available)}"
