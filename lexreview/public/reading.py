"""What a public address shows: a publication that stands, and its frozen pages. Nothing else is ever read."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import http_date
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

import lexreview
from lexreview.reports.canary import canary_sentence
from lexreview.reports.files import PDF_NAME
from lexreview.reports.models import PageKind, Publication, PublicationPage


@dataclass(frozen=True)
class Shown:
    """A publication as a reader came to it. `pinned`: the address names its number; otherwise it is the newest one."""

    publication: Publication
    pinned: bool
    newest: int
    others: int

    @property
    def is_newest(self) -> bool:
        return self.publication.number == self.newest

    @property
    def changed_at(self) -> datetime:
        return self.publication.withdrawn_at or self.publication.published_at

    @property
    def canary(self) -> str:
        return canary_sentence(self.publication.canary)

    def content(self, kind: PageKind, key: str = "") -> dict[str, Any]:
        """The frozen content of one page; Http404 where the publication has none."""
        page = PublicationPage.objects.filter(publication=self.publication, kind=kind, key=key).first()
        if page is None:
            raise Http404
        content: dict[str, Any] = page.content
        return content

    def contents(self, kind: PageKind) -> list[dict[str, Any]]:
        return [page.content for page in PublicationPage.objects.filter(publication=self.publication).of_kind(kind)]

    def etag(self, path: str) -> str:
        """Changes with the content, the language, the templates' version, and what newer publications there are."""
        parts = [self.publication.sha256, self.newest, self.publication.is_withdrawn, get_language(), path]
        text = "\n".join(str(part) for part in (*parts, self.has_report, lexreview.__version__))
        return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'

    @property
    def has_report(self) -> bool:
        return bool(getattr(self.publication, "pdf_files", 0))


def shown_or_404(slug: str, number: int | None) -> Shown:
    """The publication of that number, else the newest that was not withdrawn, else the newest. One query."""
    rows = list(
        Publication.objects.of_benchmark(slug)
        .annotate(pdf_files=Count("files", filter=Q(files__name=PDF_NAME)))
        .newest_first()
    )
    if not rows:
        raise Http404
    standing = [row for row in rows if not row.is_withdrawn] or rows
    wanted = standing[0] if number is None else next((row for row in rows if row.number == number), None)
    if wanted is None:
        raise Http404
    return Shown(wanted, pinned=number is not None, newest=standing[0].number, others=len(rows) - 1)


def published(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """A public page of `view(request, shown, ...)`: for everybody, read-only, with validators.

    A publication that was withdrawn shows its reason instead, with status 410.
    """

    @login_not_required
    @require_safe
    @wraps(view)
    def page(request: HttpRequest, slug: str, number: int | None = None, **kwargs: Any) -> HttpResponseBase:
        shown = shown_or_404(slug, number)
        etag, changed = shown.etag(request.get_full_path()), int(shown.changed_at.timestamp())
        unchanged = get_conditional_response(request, etag=etag, last_modified=changed)
        if unchanged is not None:
            return unchanged
        if shown.publication.is_withdrawn:
            response = render(request, "public/withdrawn.html", {"shown": shown}, status=410)
        else:
            response = view(request, shown, **kwargs)
            if response.status_code == HTTPStatus.CONFLICT:
                # What is still being made is there the next time; nobody may keep that it was not.
                patch_cache_control(response, no_store=True)
                return response
        response.headers.setdefault("ETag", etag)
        response.headers.setdefault("Last-Modified", http_date(changed))
        patch_cache_control(response, public=True, no_cache=True)
        return response

    return page
