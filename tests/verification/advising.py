"""A model's advice on a citation without a call: how it is asked for is tested in `test_support_job`."""

from datetime import UTC, datetime

from lexreview.answers.models import sha256_of
from lexreview.providers.models import Call, CallState, Role
from lexreview.verification.actions import store_support_check
from lexreview.verification.models import Citation, Support, SupportCheck
from lexreview.verification.support import SupportOpinion

ASKED_AT = datetime(2026, 10, 19, 10, 0, tzinfo=UTC)


def make_advice(
    citation: Citation, support: Support = Support.CONTRADICTS, *, sentence: str = "", model: str = "plain"
) -> SupportCheck:
    stored = Citation.objects.with_sources().get(pk=citation.pk)
    call = Call.objects.create(
        benchmark_slug=stored.verification.answer.question.benchmark.slug, role=Role.VERIFICATION, provider="local",
        model=model, served_model=f"{model}-2026-09", request_sha256=sha256_of(f"{model} {citation.pk}"),
        state=CallState.ANSWERED, started_at=ASKED_AT, finished_at=ASKED_AT,
    )  # fmt: skip
    return store_support_check(
        citation=stored, opinion=SupportOpinion(support, support, sentence), call=call, by=None, now=ASKED_AT
    )
