"""Publishing: freeze what may be seen, store the files made of it, withdraw."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.versions import MixedSpecifications, UnknownVersion
from lexreview.core.words import says_nothing
from lexreview.ledger.actions import record_event
from lexreview.ledger.chain import plain
from lexreview.questions.models import Benchmark, Method
from lexreview.reports.freezing import FrozenPage, pages_of
from lexreview.reports.freezing.people import display_name
from lexreview.reports.gather import Material, gather
from lexreview.reports.leaks import leaks_in, mixed_decisions
from lexreview.reports.models import Publication, PublicationFile, PublicationPage
from lexreview.reports.rules import check_can_publish
from lexreview.review.models import is_rehearsal

NAMED = 10


class CannotPublish(Exception):
    """The benchmark cannot be published as it stands; the message says why and is fit for the lead."""


class NoteMissing(CannotPublish):
    """Nobody said what changed since the publication before."""


class CannotWithdraw(Exception):
    """The publication cannot be withdrawn; the message says why."""


@transaction.atomic
def publish(*, benchmark: Benchmark, note: str, by: User, now: datetime) -> Publication:
    """Freeze the benchmark's disclosed questions with their approved cards as the next publication.

    Where the newest standing publication has the same content, it comes back and nothing is written. `note` says what
    changed; the first publication may go without. Raises NotAllowed unless `by` is a lead, NoteMissing, and
    CannotPublish: answers that are not intact, no approved card, cards scored under rules that differ, a decision that
    mixes disclosed and undisclosed questions, a leak found in the pages. Call it for nothing else inside the same
    transaction: it holds the benchmark's cards.
    """
    check_can_publish(by, benchmark.slug)
    benchmark = Benchmark.objects.select_for_update(of=("self",)).get(pk=benchmark.pk)
    material = gather(benchmark, lock=True)
    pages = checked_pages(material)
    digest = content_hash(pages)
    earlier = Publication.objects.of_benchmark(benchmark.slug).newest_first().first()
    if earlier is not None and earlier.sha256 == digest and not earlier.is_withdrawn:
        return earlier
    if earlier is not None and says_nothing(note):
        raise NoteMissing(_("Say what changed since publication %(number)s.") % {"number": earlier.number})
    publication = Publication.objects.create(
        benchmark_slug=benchmark.slug,
        number=earlier.number + 1 if earlier else 1,
        titles=benchmark.titles,
        language=benchmark.language,
        note=note.strip(),
        specification=f"{benchmark.specification.name} {material.newest_rules.version}",
        canary=benchmark.canary,
        approved=material.approved,
        answers=len(material.answers),
        sha256=digest,
        published_at=now,
        published_by=by,
        publisher=display_name(by),
    )
    PublicationPage.objects.bulk_create(
        [
            PublicationPage(
                publication=publication, kind=page.kind, key=page.key, position=page.position, content=page.content
            )
            for page in pages
        ],
        batch_size=50,
    )
    _record(publication, verb="publish", by=by, now=now, reason=publication.note, after=_summary(publication, pages))
    return publication


@transaction.atomic
def withdraw_publication(*, publication: Publication, reason: str, by: User, now: datetime) -> Publication:
    """Take a publication back for good: readers find the reason instead of its pages and files.

    Raises NotAllowed, and CannotWithdraw without a reason or when it was withdrawn before.
    """
    check_can_publish(by, publication.benchmark_slug)
    row = Publication.objects.select_for_update(of=("self",)).get(pk=publication.pk)
    if row.is_withdrawn:
        raise CannotWithdraw(_("This publication was withdrawn already."))
    if says_nothing(reason):
        raise CannotWithdraw(_("Say why the publication is withdrawn: readers will see it."))
    row.withdrawn_at, row.withdrawn_by, row.withdrawn_reason = now, by, reason.strip()
    row.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    _record(row, verb="withdraw_publication", by=by, now=now, reason=row.withdrawn_reason, after={"withdrawn": True})
    return row


@transaction.atomic
def store_files(
    *, publication: Publication, files: Mapping[str, tuple[str, bytes]], by: User | None, now: datetime
) -> list[PublicationFile]:
    """Keep files made of the publication: name to media type and content. A file that is stored stays as it is.

    Leads, and code that acts by itself (the job that renders). Raises NotAllowed.
    """
    if by is not None:
        check_can_publish(by, publication.benchmark_slug)
    Publication.objects.select_for_update(of=("self",)).get(pk=publication.pk)
    stored = {row.name: row for row in publication.files.defer("content")}
    for name, (media_type, content) in files.items():
        if name not in stored:
            stored[name] = PublicationFile.objects.create(
                publication=publication,
                name=name,
                media_type=media_type,
                content=content,
                size=len(content),
                sha256=hashlib.sha256(content).hexdigest(),
                made_at=now,
            )
            after = {"name": name, "sha256": stored[name].sha256, "bytes": len(content)}
            _record(publication, verb="store_file", by=by, now=now, after=after)
    return [stored[name] for name in files]


def checked_pages(material: Material) -> list[FrozenPage]:
    """The pages as they would be published. Raises CannotPublish; see `publish`."""
    benchmark = material.benchmark
    if is_rehearsal(benchmark):
        raise CannotPublish(_("This benchmark is a rehearsal: its cards are for practice and are never published."))
    if benchmark.method != Method.REFERENCE_CARD:
        raise CannotPublish(_("Only benchmarks of the reference-card method can be published so far."))
    if broken := [answer.identifier for answer in material.answers if not answer.is_intact]:
        raise CannotPublish(
            _("These answers are not what was stored, their SHA-256 differs: %(answers)s.") % {"answers": _some(broken)}
        )
    if not material.cards:
        raise CannotPublish(_("No card of a disclosed question is approved yet."))
    if stale := [card.identifier for card in material.mixed_keys]:
        raise CannotPublish(
            _("Cards scored by different keys of one question cannot be compared. To be scored again: %(cards)s.")
            % {"cards": _some(stale)}
        )
    if numbers := mixed_decisions(material):
        raise CannotPublish(
            ngettext(
                "Decision %(numbers)s touches disclosed and undisclosed questions. Supersede it by separate entries.",
                "Decisions %(numbers)s touch disclosed and undisclosed questions. Supersede them by separate entries.",
                len(numbers),
            )
            % {"numbers": ", ".join(map(str, numbers))}
        )
    try:
        with override(benchmark.language):
            pages = pages_of(material)
    except (MixedSpecifications, UnknownVersion) as error:
        raise CannotPublish(str(error)) from error
    pages = [FrozenPage(page.kind, page.key, page.position, plain(page.content)) for page in pages]
    if leaks := leaks_in(pages, material):
        raise CannotPublish(_("The pages hold what must not be seen: %(places)s") % {"places": _some(leaks)})
    return pages


def content_hash(pages: Sequence[FrozenPage]) -> str:
    """SHA-256 (hex) over all pages in order of kind and key, as canonical JSON."""
    listed = sorted((page.kind.value, page.key, page.position, page.content) for page in pages)
    text = json.dumps(listed, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _some(items: Sequence[object]) -> str:
    shown = "; ".join(str(each) for each in items[:NAMED])
    more = len(items) - NAMED
    return shown + (_(" and %(number)s more") % {"number": more} if more > 0 else "")


def _summary(publication: Publication, pages: Sequence[FrozenPage]) -> dict[str, Any]:
    return {
        "sha256": publication.sha256,
        "pages": len(pages),
        "approved": publication.approved,
        "answers": publication.answers,
        "specification": publication.specification,
    }


def _record(
    publication: Publication, *, verb: str, by: User | None, now: datetime, after: dict[str, Any], reason: str = ""
) -> None:
    record_event(
        by=by,
        verb=verb,
        object_type="publication",
        object_id=f"{publication.benchmark_slug}#{publication.number}",
        after=after,
        reason=reason,
        now=now,
    )
