"""How far all who assessed the same answers agree on "hallucinated": people and model judges together."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import F

from lexreview.core.methods.reference_card.label import Label
from lexreview.core.stats.krippendorff import Alpha, krippendorff_alpha
from lexreview.judging.models import Verdict
from lexreview.questions.models import Benchmark
from lexreview.review.agreement import LABEL, AgreementPage
from lexreview.review.models import ModelProposal
from lexreview.verification.models import SupportCheck

SAY_NOTHING = {Label.NONE, Label.PROVIDER_BLOCK}


@dataclass(frozen=True, slots=True)
class AllAssessors:
    """`reviews` of people and `verdicts` of `judges` that stand beside another one of the same answer."""

    alpha: Alpha
    reviews: int
    verdicts: int
    judges: int


def all_assessors(benchmark: Benchmark, version: str, *, hidden: Collection[int] = ()) -> AllAssessors:
    """Krippendorff's alpha over reviews and verdicts given under one version of the specification.

    People count as they handed in before seeing another review; a judge with its one verdict that counts. Left out are
    answers in `hidden` (primary keys), cards without an outcome, failed votes, and verdicts on answers whose card the
    judge's own model helped to fill. The alpha is undefined as `krippendorff_alpha` says.
    """
    people = {
        answer: [said == Label.HALLUCINATED for each in reviews if (said := each.values[LABEL]) not in SAY_NOTHING]
        for answer, reviews in AgreementPage(benchmark).reviews_under(version).items()
    }
    by_judges: dict[int, dict[str, bool]] = {}
    assisted = models_that_assisted(benchmark)
    verdicts = Verdict.objects.of_benchmark(benchmark).counting(version).valid().filter(specification_version=version)
    said_by = verdicts.values_list("answer", "judge__code", "judge__model_identifier", "hallucinated")
    for answer, judge, model, hallucinated in said_by:
        if model.strip().lower() not in assisted.get(answer, ()):
            by_judges.setdefault(answer, {})[judge] = bool(hallucinated)
    rows = {
        answer: (people.get(answer, []), by_judges.get(answer, {}))
        for answer in sorted(people.keys() | by_judges.keys())
        if answer not in hidden
    }
    paired = [(reviews, votes) for reviews, votes in rows.values() if len(reviews) + len(votes) > 1]
    return AllAssessors(
        alpha=krippendorff_alpha([*reviews, *votes.values()] for reviews, votes in paired),
        reviews=sum(len(reviews) for reviews, _votes in paired),
        verdicts=sum(len(votes) for _reviews, votes in paired),
        judges=len({judge for _reviews, votes in paired for judge in votes}),
    )


def models_that_assisted(benchmark: Benchmark) -> dict[int, set[str]]:
    """By answer the names, in small letters, of models that made proposals on a card of it or checked its sources."""
    proposals = ModelProposal.objects.filter(card__queue_benchmark=benchmark)
    checks = SupportCheck.objects.of_benchmark(benchmark)
    found: dict[int, set[str]] = {}
    for rows in (
        proposals.values_list(F("card__answer_id"), "model", "served_model"),
        checks.values_list(F("citation__verification__answer_id"), "model", "served_model"),
    ):
        for answer, *names in rows.order_by().distinct():
            found.setdefault(answer, set()).update(name.lower() for name in names if name)
    return found
