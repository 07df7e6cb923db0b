"""The citations that point at a unit of an act, in the benchmarks of one person."""

from dataclasses import dataclass
from typing import Self

from django.db.models import Q

from lexreview.accounts.models import User
from lexreview.answers.masking import answers_unmasked_for
from lexreview.law.models import Act
from lexreview.verification.advice import withheld_from
from lexreview.verification.models import Citation

MOST = 50


@dataclass(frozen=True, slots=True)
class CitingSection:
    """`rows`: at most `MOST` of the `count` citations, by benchmark, question, answer and place.

    `unmasked`: primary keys of the answers whose system the person may learn; `withheld`: of those that they review
    without proposals, and so without the result.
    """

    rows: list[Citation]
    count: int
    unmasked: set[int]
    withheld: set[int]

    @classmethod
    def of_unit(cls, act: Act, *, keys: set[str], user: User) -> Self:
        """Citations of the units with these keys and of anything below them, from the newest check of each answer.

        Three queries, and those of masking. Only benchmarks that the person is a member of.
        """
        at_or_below = Q(unit_key__in=keys)
        for key in sorted(keys):
            at_or_below |= Q(unit_key__startswith=f"{key}/")
        answer = "verification__answer"
        found = Citation.objects.visible_to(user).filter(at_or_below, act=act, verification__is_current=True)
        rows = found.select_related(f"{answer}__question__benchmark").defer(
            "source_text", "diff", "explanation", f"{answer}__text", f"{answer}__trace"
        )
        question = f"{answer}__question"
        ordered = rows.order_by(
            f"{question}__benchmark__slug", f"{question}__code", f"{answer}__sha256", "number", "pk"
        )
        shown = list(ordered[:MOST])
        answers = [row.verification.answer for row in shown]
        withheld = withheld_from(user).filter(pk__in={answer.pk for answer in answers}).values_list("pk", flat=True)
        return cls(shown, found.count(), answers_unmasked_for(user, answers), set(withheld))

    @property
    def left_out(self) -> int:
        return self.count - len(self.rows)
