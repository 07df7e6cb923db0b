"""How often people changed what a model had proposed: read before one trusts the next proposal."""

from django.db.models import Count, F, Q

from lexreview.core.stats.intervals import Proportion, proportion
from lexreview.core.workflow import CardState, Round
from lexreview.questions.models import Benchmark
from lexreview.review.models import PROPOSED_BY_MODEL, Card, ModelProposal, Score

NEWEST_CARDS = 500
LEAST_DECISIONS = 10
"""Below so many decisions no share is shown: it would say nothing, and point at single reviewers."""


def changes_of(proposal: ModelProposal, benchmark: Benchmark) -> dict[str, Proportion]:
    """By criterion: of how many points that the same model proposed people decided others. One query.

    Counted on the newest approved first reviews of the benchmark whose reviewers saw the proposals; criteria with
    fewer than LEAST_DECISIONS decisions are left out.
    """
    cards = Card.objects.filter(
        queue_benchmark=benchmark,
        model_proposal__isnull=False,
        model_proposal__provider=proposal.provider,
        model_proposal__model=proposal.model,
        state=CardState.APPROVED,
        round=Round.FIRST,
    ).order_by("-approved_at", "-pk")
    decided = Score.objects.filter(
        card__in=cards.values("pk")[:NEWEST_CARDS], proposed_by=PROPOSED_BY_MODEL, decided__isnull=False
    )
    counted = (
        decided.values_list("criterion")
        .annotate(n=Count("pk"), changed=Count("pk", filter=~Q(decided=F("proposed"))))
        .order_by("criterion")
    )
    return {criterion: proportion(changed, n) for criterion, n, changed in counted if n >= LEAST_DECISIONS}
