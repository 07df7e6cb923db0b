"""A judge beside the approved cards of its benchmark, answer by answer: for leads and operators, not for publication.

Undisclosed questions count. A disagreement often shows a rule that nobody wrote down, so each leads to the log of
decisions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.answers.open_reviews import under_review_by
from lexreview.core.methods.reference_card.agreement import (
    USUAL,
    JudgeAgreement,
    LeftOut,
    VerdictRow,
    judge_agreement,
)
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.specification import Specification, specification_from_dict
from lexreview.core.methods.reference_card.versions import UnknownVersion, parse_version, rescoring_needed
from lexreview.core.stats.sampling import stratified_sample
from lexreview.judging.models import Judge, Verdict
from lexreview.methodology.models import Specification as SpecificationRow
from lexreview.methodology.rules import can_decide
from lexreview.reports.assessors import AllAssessors, all_assessors, models_that_assisted
from lexreview.reports.freezing.numbers import Json, bootstrap_json, proportion_json, rounded
from lexreview.reports.records import verdict_row
from lexreview.review.models import Card, Finding, Score
from lexreview.translating import written

SEED = 20261002
RESAMPLES = 2000
PER_PAGE = 50


class Difference(StrEnum):
    """How a verdict differs from the card, the gravest that holds. In a false alarm only the judge objects."""

    MISS = "miss"
    FALSE_ALARM = "false_alarm"
    CLASSES = "classes"
    POINTS = "points"
    NONE = "none"


DIFFERENCE_WORDS = {
    Difference.MISS: gettext_lazy("the judge missed it"),
    Difference.FALSE_ALARM: gettext_lazy("false alarm"),
    Difference.CLASSES: gettext_lazy("other classes"),
    Difference.POINTS: gettext_lazy("other points"),
    Difference.NONE: gettext_lazy("none"),
}


class Kind(StrEnum):
    """What the two differ in."""

    OUTCOME = "outcome"
    POINTS = "points"
    NOTHING = "nothing"


ORDER = {difference: place for place, difference in enumerate(Difference)}


@dataclass(frozen=True, slots=True)
class PointsPair:
    """A criterion on which the two differ."""

    criterion: str
    card: str
    judge: str


@dataclass(frozen=True)
class Comparison:
    """A valid verdict beside the card that counts, both under the same rules. `kin` is "own", "family" or "";
    `assisted`: the judge's model worked on the card, so the two are not independent."""

    verdict: Verdict
    card: Card
    card_classes: tuple[str, ...]
    judge_classes: tuple[str, ...]
    points: tuple[PointsPair, ...]
    kin: str
    assisted: bool

    @property
    def card_says(self) -> bool:
        return self.card.label == Label.HALLUCINATED

    @property
    def difference(self) -> Difference:
        if self.card_says != self.verdict.hallucinated:
            return Difference.MISS if self.card_says else Difference.FALSE_ALARM
        if set(self.card_classes) != set(self.judge_classes):
            return Difference.CLASSES
        return Difference.POINTS if self.points else Difference.NONE

    @property
    def kind(self) -> Kind:
        match self.difference:
            case Difference.NONE:
                return Kind.NOTHING
            case Difference.POINTS:
                return Kind.POINTS
            case _:
                return Kind.OUTCOME

    @property
    def difference_words(self) -> str:
        return str(DIFFERENCE_WORDS[self.difference])

    @property
    def differing_classes(self) -> set[str]:
        return set(self.card_classes) ^ set(self.judge_classes)

    @property
    def decision_url(self) -> str:
        """The form of a new entry of the decision log with what is known of the disagreement."""
        answer, judge = self.card.answer, self.verdict.judge
        names = {"judge": judge.name, "answer": answer.identifier}
        entered = {
            "question": _("Why does the judge %(judge)s come to another result than the card of %(answer)s?") % names,
            "reason": self._both_sides,
            "criteria": ", ".join(each.criterion for each in self.points),
            "questions": answer.question.code,
            "cards": answer.identifier,
        }
        address = reverse("methodology:new_decision", args=[answer.question.benchmark.slug])
        return f"{address}?{urlencode(entered)}"

    @property
    def _both_sides(self) -> str:
        sides = [
            (_("Card"), self.card_says, self.card_classes, [(each.criterion, each.card) for each in self.points]),
            (
                _("Judge"),
                self.verdict.hallucinated,
                self.judge_classes,
                [(each.criterion, each.judge) for each in self.points],
            ),
        ]
        return "\n".join(
            f"{who}: {_('hallucinated') if says else _('not hallucinated')}"
            + "".join(f", {code}" for code in classes)
            + "".join(f", {criterion} {points}" for criterion, points in pairs)
            for who, says, classes, pairs in sides
        )


@dataclass(frozen=True, slots=True)
class Group:
    """Comparisons of one page: those with another outcome by class, then those with other points, then the same.

    `code` is "" where they name no class, and where the outcome is the same.
    """

    kind: Kind
    code: str
    name: Mapping[str, str]
    rows: Sequence[Comparison]


@dataclass(frozen=True, slots=True)
class VersionFigures:
    """Agreement on the cards of one version of the specification, with all answers and without the judge's kin."""

    version: str
    rows: Sequence[Json]


class CalibrationPage:
    """`size`: how many answers of the sample to list, 0 for all; figures are always over all of them."""

    def __init__(self, judge: Judge, *, user: User, size: int = 0, seed: int = SEED, number: str | None = None) -> None:
        self.judge = judge
        self.benchmark = judge.benchmark
        self.user = user
        self.size = size
        self.seed = seed
        self._number = number
        self._chain = list(SpecificationRow.objects.named(self.benchmark.specification.name).in_version_order())

    @cached_property
    def specification(self) -> Specification:
        return specification_from_dict(self.benchmark.specification.content)

    @cached_property
    def may_decide(self) -> bool:
        return can_decide(self.user, self.benchmark.slug)

    @cached_property
    def _cards(self) -> dict[int, Card]:
        """The cards that count, by answer; without those of answers that the person has still to judge."""
        parts = (
            Prefetch("findings", Finding.objects.standing().in_order()),
            Prefetch("scores", Score.objects.order_by("pk")),
        )
        rows = (
            Card.objects.of_benchmark(self.benchmark)
            .counting()
            .select_related("specification", "answer__question__set", "answer__question__benchmark")
            .select_related("answer__run__system", "answer__run__condition")
            .defer("answer__text", "answer__trace", "specification__content")
            .prefetch_related(*parts)
        )
        found = {card.answer_id: card for card in rows.order_by("answer__identifier")}
        hidden = under_review_by(self.user, self.benchmark)
        return {pk: card for pk, card in found.items() if pk not in hidden}

    @cached_property
    def everybody(self) -> AllAssessors:
        """Agreement of all people and judges under the benchmark's specification as it stands."""
        hidden = under_review_by(self.user, self.benchmark)
        return all_assessors(self.benchmark, self.benchmark.specification.version, hidden=hidden)

    @cached_property
    def _verdicts(self) -> list[Verdict]:
        """One for each answer with a card: the newest under the version of the card, else the newest of all."""
        best: dict[int, Verdict] = {}
        rows = self.judge.verdicts.filter(answer__in=self._cards, repeat=1).order_by("judged_at", "pk")
        for verdict in rows:
            verdict.judge = self.judge
            card = self._cards[verdict.answer_id]
            verdict.answer = card.answer
            old = best.get(verdict.answer_id)
            if old is None or self._fits(verdict, card) >= self._fits(old, card):
                best[verdict.answer_id] = verdict
        return [best[pk] for pk in self._cards if pk in best]

    @staticmethod
    def _fits(verdict: Verdict, card: Card) -> bool:
        return verdict.specification_version == card.specification.version

    @cached_property
    def _comparable(self) -> list[Verdict]:
        return [each for each in self._verdicts if not self._other_rules(each)]

    def _other_rules(self, verdict: Verdict) -> bool:
        of_card = self._cards[verdict.answer_id].specification.version
        try:
            return rescoring_needed(verdict.specification_version, of_card, chain=self._chain)
        except UnknownVersion:
            return True

    @property
    def judged(self) -> int:
        return len(self._verdicts)

    @property
    def failed(self) -> int:
        return sum(not each.is_valid for each in self._comparable)

    @property
    def under_other_rules(self) -> int:
        """Verdicts under rules that changed before the card was scored: they are compared with nothing."""
        return len(self._verdicts) - len(self._comparable)

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Another outcome first, by class in the order of the specification, the gravest first in each."""
        made = [
            self._comparison(each, self._cards[each.answer_id])
            for each in self._comparable
            if each.hallucinated is not None
        ]
        return sorted(made, key=self._place)

    def _comparison(self, verdict: Verdict, card: Card) -> Comparison:
        decided = {row.criterion: row.decided for row in card.scores.all() if row.decided is not None}
        pairs = [
            PointsPair(code, written(points), written(f"{verdict.criteria[code]:g}"))
            for code, points in decided.items()
            if code in verdict.criteria and float(points) != float(verdict.criteria[code])
        ]
        return Comparison(
            verdict=verdict,
            card=card,
            card_classes=self._in_order(finding.error_class for finding in card.findings.all()),
            judge_classes=self._in_order(str(finding.get("class", "")) for finding in verdict.findings),
            points=tuple(pairs),
            kin=self._kin(verdict),
            assisted=verdict.answer_id in self._assisted,
        )

    @cached_property
    def _assisted(self) -> frozenset[int]:
        """Answers for which the judge's model proposed on a card or checked a source, whichever card counts now."""
        return assisted_answers(self.judge)

    @cached_property
    def assisted(self) -> int:
        """Comparisons with a card that the judge's own model helped to fill."""
        return sum(each.assisted for each in self.comparisons)

    def _kin(self, verdict: Verdict) -> str:
        if self.judge.gave(verdict.answer):
            return "own"
        return "family" if self.judge.is_of_family_of(verdict.answer.run.system) else ""

    def _in_order(self, codes: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted({code for code in codes if code}, key=lambda code: (self._rank(code), code)))

    def _rank(self, code: str) -> int:
        known = [each.code for each in self.specification.error_classes]
        return known.index(code) if code in known else len(known)

    def _class_of(self, comparison: Comparison) -> str:
        """Under which class another outcome is listed: the first on which the two differ, else the first named."""
        if comparison.kind is not Kind.OUTCOME:
            return ""
        named = {*comparison.card_classes, *comparison.judge_classes}
        return next(iter(self._in_order(comparison.differing_classes or named)), "")

    def _place(self, comparison: Comparison) -> tuple[int, int, str, int, str]:
        code = self._class_of(comparison)
        rank = self._rank(code) if code else -1
        identifier = comparison.card.answer.identifier
        return list(Kind).index(comparison.kind), rank, code, ORDER[comparison.difference], identifier

    @cached_property
    def sample(self) -> list[Comparison]:
        """The drawn ones, in the same order: a share of every system and condition."""
        if not self.size:
            return self.comparisons
        drawn = stratified_sample(
            self.comparisons,
            lambda each: (each.card.answer.run.system_id, each.card.answer.run.condition_id),
            size=self.size,
            seed=self.seed,
            name_key=lambda each: each.card.answer.identifier,
        )
        return sorted(drawn, key=self._place)

    @cached_property
    def rows(self) -> Page[Comparison]:
        return Paginator(self.sample, PER_PAGE).get_page(self._number)

    @cached_property
    def groups(self) -> list[Group]:
        """The comparisons of the page, in their order."""
        names = {each.code: each.name for each in self.specification.error_classes}
        groups: dict[tuple[Kind, str], list[Comparison]] = {}
        for each in self.rows.object_list:
            groups.setdefault((each.kind, self._class_of(each)), []).append(each)
        return [Group(kind, code, names.get(code, {}), rows) for (kind, code), rows in groups.items()]

    @cached_property
    def figures(self) -> list[VersionFigures]:
        """The newest version first."""
        by_version: dict[str, list[VerdictRow]] = {}
        for verdict in self._comparable:
            card = self._cards[verdict.answer_id]
            assisted = verdict.answer_id in self._assisted
            row = verdict_row(verdict, card, card.specification.version, assisted=assisted)
            by_version.setdefault(card.specification.version, []).append(row)
        return [
            VersionFigures(version, [_figures(each) for each in self._agreement(by_version[version])])
            for version in sorted(by_version, key=parse_version, reverse=True)
        ]

    def _agreement(self, rows: list[VerdictRow]) -> list[JudgeAgreement]:
        leaving_out = [*USUAL, LeftOut.ASSISTED] if any(row.assisted for row in rows) else USUAL
        found = judge_agreement(rows, chain=self._chain, seed=SEED, resamples=RESAMPLES, leaving_out=leaving_out)
        return [each for each in found if each.question_set is None]


def assisted_answers(judge: Judge) -> frozenset[int]:
    """Answers of the benchmark on whose cards the judge's model made proposals, or whose sources it checked."""
    name = judge.model_identifier.strip().lower()
    return frozenset(answer for answer, models in models_that_assisted(judge.benchmark).items() if name in models)


def _figures(figure: JudgeAgreement) -> Json:
    table = figure.table
    return {
        "left_out": figure.left_out.value,
        "n": figure.n,
        "questions": figure.questions,
        "failed": figure.failed_votes,
        "base_rate": rounded(table.positives / table.n) if table.n else None,
        "constant_guess": rounded(figure.constant_guess),
        "agreement": proportion_json(figure.agreement),
        "kappa": rounded(figure.kappa.value),
        "kappa_reason": figure.kappa.reason,
        "over_questions": bootstrap_json(figure.kappa_over_questions),
        "false_alarms": figure.false_alarms,
        "misses": figure.misses,
    }
