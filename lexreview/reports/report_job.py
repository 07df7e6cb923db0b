"""The job that makes the report of a publication."""

from django.utils.translation import gettext_lazy as _

from lexreview.core.workflow import Role
from lexreview.jobs.kinds import JobKind, Params, register
from lexreview.jobs.models import Job
from lexreview.reports.models import Publication

REPORT = "report"


def _items(params: Params) -> list[str]:
    """The publication, unless its files are there. `params`: {"benchmark": slug, "publication": number}."""
    # The PDF library and the statistics take seconds to load; only this job needs them.
    from lexreview.reports.files import NAMES

    rows = Publication.objects.of_benchmark(params["benchmark"]).filter(number=params["publication"])
    return [str(row.pk) for row in rows if row.files.filter(name__in=NAMES).count() < len(NAMES)]


def _process(key: str, params: Params, job: Job) -> None:
    """Safe to repeat: files that are stored stay, and the same publication always gives the same files."""
    from lexreview.reports.files import report_files

    publication = Publication.objects.filter(pk=key).first()
    if publication is not None:
        report_files(publication)


def publications_at_work(benchmark_slug: str) -> set[int]:
    """The numbers of the publications whose report waits to be made or is being made; one query."""
    jobs = Job.objects.of_benchmark(benchmark_slug).filter(kind=REPORT).live().values_list("params", flat=True)
    return {params["publication"] for params in jobs}


def register_report() -> None:
    register(
        JobKind(
            name=REPORT,
            label=_("Make the report"),
            items=_items,
            process=_process,
            role=Role.LEAD,
            exclusive=False,
        )
    )
