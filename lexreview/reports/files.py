"""The files of a publication: stored ones as they are, missing ones made and stored."""

from datetime import datetime

from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.reports.actions import store_files
from lexreview.reports.models import Publication
from lexreview.reports.render import render_report

HTML_NAME = "report.html"
PDF_NAME = "report.pdf"
NAMES = (PDF_NAME, HTML_NAME)
MEDIA_TYPES = {PDF_NAME: "application/pdf", HTML_NAME: "text/html; charset=utf-8"}


def report_files(publication: Publication, *, by: User | None = None, now: datetime | None = None) -> dict[str, bytes]:
    """Name to content of report.pdf and report.html. Rendered the first time, outside any transaction.

    Raises CannotRender.
    """
    stored = {row.name: bytes(row.content) for row in publication.files.filter(name__in=NAMES)}
    if len(stored) < len(NAMES):
        made = render_report(publication)
        files = {
            PDF_NAME: (MEDIA_TYPES[PDF_NAME], made.pdf),
            HTML_NAME: (MEDIA_TYPES[HTML_NAME], made.html),
        }
        rows = store_files(publication=publication, files=files, by=by, now=now or timezone.now())
        stored = {row.name: bytes(row.content) for row in rows}
    return {name: stored[name] for name in NAMES}
