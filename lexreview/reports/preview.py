"""The figures as they would be published now, for members."""

from typing import Any, NamedTuple

from django.core.cache import cache

from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark
from lexreview.reports.actions import CannotPublish, checked_pages, content_hash
from lexreview.reports.gather import gather
from lexreview.reports.models import PageKind

KEPT_SECONDS = 3600


class Preview(NamedTuple):
    """`main` is the page of results, `sha256` that of all pages; without them, `refusal` says why not."""

    main: dict[str, Any] | None
    sha256: str
    refusal: str


def preview_of(benchmark: Benchmark) -> Preview:
    """Computed anew after every event of the ledger, whatever it is about: nothing changes without one."""
    newest = Event.objects.newest_first().values_list("hash", flat=True).first() or ""
    key = f"reports.preview.{benchmark.slug}.{newest}"
    kept: Preview | None = cache.get(key)
    if kept is None:
        kept = _preview(benchmark)
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def _preview(benchmark: Benchmark) -> Preview:
    try:
        pages = checked_pages(gather(benchmark))
    except CannotPublish as refusal:
        return Preview(None, "", str(refusal))
    main = next(page.content for page in pages if page.kind == PageKind.BENCHMARK)
    return Preview(main, content_hash(pages), "")
