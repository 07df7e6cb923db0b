"""How far the citations of a benchmark's answers are checked: in sum, and answer by answer."""

from dataclasses import dataclass
from functools import cached_property

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet
from django.utils.functional import Promise

from lexreview.accounts.models import User
from lexreview.answers.masking import answers_unmasked_for
from lexreview.answers.models import Answer
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.questions.models import Benchmark
from lexreview.verification.advice import withheld_from
from lexreview.verification.models import RESULT_LABELS, Citation, Verification
from lexreview.verification.pending import pending
from lexreview.verification.report_page import DECIDED

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class ResultCount:
    """How many citations have a result."""

    result: str
    label: str | Promise
    count: int


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One answer: `checked` of `total` citations were decided, `flagged` of these are not plainly confirmed.

    `is_verified` is False before the first verification, `is_withheld` holds where the person reviews the answer
    without proposals; the numbers are 0 in both cases.
    """

    answer: Answer
    is_verified: bool
    is_withheld: bool
    total: int
    checked: int
    flagged: int


class BenchmarkPage:
    """All figures of the page; each is asked for once and in a fixed number of queries."""

    def __init__(self, benchmark: Benchmark, *, user: User, number: int) -> None:
        self.benchmark = benchmark
        self.user = user
        answers = Answer.objects.of_benchmark(benchmark).scored().with_run().defer("text", "trace").in_order()
        self.answers: Page[Answer] = Paginator(answers, PER_PAGE).get_page(number)
        self._withheld = withheld_from(user).filter(question__benchmark=benchmark).values("pk")

    @cached_property
    def pending_count(self) -> int:
        return pending(self.benchmark).count()

    @cached_property
    def results(self) -> list[ResultCount]:
        """Every result that occurs, in the order of the results, over all current verifications but those withheld: a
        sum of all answers would tell of the one that is not shown."""
        counts = _counts(self._citations())
        return [
            ResultCount(result.value, RESULT_LABELS[result], counts[result.value])
            for result in CheckResult
            if counts.get(result.value)
        ]

    @property
    def total(self) -> int:
        return sum(each.count for each in self.results)

    @property
    def checked(self) -> int:
        return sum(each.count for each in self.results if CheckResult(each.result) in DECIDED)

    @cached_property
    def lines(self) -> list[AnswerLine]:
        """The answers of the page shown."""
        shown = list(self.answers.object_list)
        verified = set(Verification.objects.current().filter(answer__in=shown).values_list("answer_id", flat=True))
        rows = self._citations().filter(verification__answer__in=shown)
        counted = rows.values_list("verification__answer_id", "result").annotate(n=Count("pk")).order_by()
        by_answer: dict[int, dict[str, int]] = {}
        for answer_pk, result, count in counted:
            by_answer.setdefault(answer_pk, {})[result] = count
        # Masked answers stand in no order that tells which system gave them.
        shown.sort(key=lambda each: (each.question.code, "" if each.pk in self.unmasked else each.sha256))
        withheld = set(self._withheld.filter(pk__in=[answer.pk for answer in shown]).values_list("pk", flat=True))
        return [
            _line(
                answer,
                is_verified=answer.pk in verified,
                is_withheld=answer.pk in withheld,
                counts=by_answer.get(answer.pk, {}),
            )
            for answer in shown
        ]

    @cached_property
    def withheld_count(self) -> int:
        """How many answers of the benchmark the person reviews without proposals, or may get to review so."""
        return self._withheld.count()

    @cached_property
    def unmasked(self) -> set[int]:
        """Primary keys of the answers of the page whose system the person may learn."""
        return answers_unmasked_for(self.user, list(self.answers.object_list))

    def _citations(self) -> QuerySet[Citation]:
        current = Citation.objects.filter(
            verification__is_current=True, verification__answer__question__benchmark=self.benchmark
        )
        return current.exclude(verification__answer__in=self._withheld)


def _counts(citations: QuerySet[Citation]) -> dict[str, int]:
    return dict(citations.values_list("result").annotate(n=Count("pk")).order_by())


def _line(answer: Answer, *, is_verified: bool, is_withheld: bool, counts: dict[str, int]) -> AnswerLine:
    checked = sum(count for result, count in counts.items() if CheckResult(result) in DECIDED)
    return AnswerLine(
        answer=answer,
        is_verified=is_verified,
        is_withheld=is_withheld,
        total=sum(counts.values()),
        checked=checked,
        flagged=checked - counts.get(CheckResult.CONFIRMED.value, 0),
    )
