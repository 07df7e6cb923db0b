"""The job "check support": a model's advice on every citation that has a source text, one call each.

Safe to repeat at any moment: what a call brought is stored before its item is closed, and a request whose advice is
on record is not put again, whichever citation it was about.
"""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext_lazy

from lexreview.jobs.kinds import Aside, Failed, JobKind, Later, Params, Remarked, Wait, register
from lexreview.jobs.models import Job, JobItem
from lexreview.providers.actions import fingerprint
from lexreview.providers.asking import Arrived, ask, calls, take
from lexreview.providers.models import Call, Role
from lexreview.providers.obstacles import InTheWay
from lexreview.questions.models import Benchmark
from lexreview.verification.actions import repeat_support_check, store_support_check
from lexreview.verification.models import SupportCheck
from lexreview.verification.support import SupportReply, opinion_of, question_about, request_about
from lexreview.verification.support_planning import PREFIX, SupportPlan, citation_of

CHECK_SUPPORT = "check_support"
TWIN_SECONDS = 1.0


def items(params: Params) -> Iterator[str]:
    plan = SupportPlan(
        benchmark=Benchmark.objects.get(slug=params["benchmark"]), provider=params["provider"], model=params["model"]
    )
    return (each.key for each in plan.waiting)


def prepare(item: JobItem, params: Params, job: Job) -> Wait | Aside | None:
    citation = citation_of(item.key)
    question = question_about(citation) if citation else None
    if citation is None or question is None:
        return None
    request = request_about(question, provider=params["provider"], model=params["model"])
    sha256 = fingerprint(request)
    known = SupportCheck.objects.of_benchmark(citation.verification.answer.question.benchmark)
    if (same := known.filter(request_sha256=sha256).oldest_first().first()) is not None:
        repeat_support_check(check=same, citation=citation, by=job.created_by, now=timezone.now())
        return None
    if Call.objects.twins_at_work(job, sha256).exists():
        return Later(seconds=TWIN_SECONDS, reason="", obstacle=InTheWay.TWIN, is_try=False)
    return ask(job=job, item=item, role=Role.VERIFICATION, subject=item.key, request=request, prefix=PREFIX)


def store(item: JobItem, arrived: Arrived, params: Params, job: Job) -> Aside | None:
    call, aside = take(arrived, item, prefix=PREFIX)
    if aside is not None and not isinstance(aside, Remarked):
        return aside
    reply, citation = arrived.reply, citation_of(item.key)
    if not isinstance(reply.output, SupportReply):
        reason = reply.reason or "no reason given"
        return Failed(
            reason=f"{call.provider} {call.model}: {reason}", obstacle=reply.obstacle or InTheWay.NOT_STRUCTURED
        )
    if citation is not None:
        opinion = opinion_of(reply.output, source_text=citation.source_text)
        store_support_check(citation=citation, opinion=opinion, call=call, by=job.created_by, now=timezone.now())
    return None


def register_job() -> None:
    register(
        JobKind(
            name=CHECK_SUPPORT,
            label=gettext_lazy("Check support"),
            items=items,
            elsewhere=calls(prepare=prepare, store=store),
        )
    )
