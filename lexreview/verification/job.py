"""The job that verifies what is pending in a benchmark."""

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lexreview.answers.models import Answer
from lexreview.jobs.kinds import JobKind, Params, register
from lexreview.jobs.models import Job
from lexreview.questions.models import Benchmark
from lexreview.verification.actions import verify_answer
from lexreview.verification.pending import pending

VERIFY = "verify"


def _items(params: Params) -> list[str]:
    """Primary keys of the answers to do. `params`: {"benchmark": slug, "all": true to verify done ones again}.

    A benchmark that does not exist has none.
    """
    benchmark = Benchmark.objects.filter(slug=params.get("benchmark")).first()
    if benchmark is None:
        return []
    answers = Answer.objects.of_benchmark(benchmark).scored().in_order() if params.get("all") else pending(benchmark)
    return [str(pk) for pk in answers.values_list("pk", flat=True)]


def _process(key: str, params: Params, job: Job) -> None:
    """One answer. Safe to repeat: an answer verified by this layer on this corpus is left alone.

    An answer that was removed since the job began is nothing to do.
    """
    answer = Answer.objects.with_run().filter(pk=key).first()
    if answer is not None:
        verify_answer(answer=answer, by=job.created_by, now=timezone.now())


def register_job() -> None:
    register(JobKind(name=VERIFY, label=_("Check citations"), items=_items, process=_process))
