"""What the corpus holds, and where its editions overlap, leave gaps, or lie in the future."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from django.db.models import Count

from lexreview.core.periods import gaps, overlaps
from lexreview.law.models import Act, Amendment, Edition, Ruling, SourceCoverage, StoredResponse, Unit


@dataclass(frozen=True, slots=True)
class Counts:
    acts: int
    editions: int
    units: int
    amendments: int
    unread_amendments: int
    rulings: int
    covered: int
    responses: int


@dataclass(frozen=True, slots=True)
class Oddity:
    """A finding about the editions of an act in a language: overlap, gap, end_unknown, future, or an extent."""

    act: str
    language: str
    kind: str
    first: date
    last: date | None
    text: str


def counts() -> Counts:
    return Counts(
        acts=Act.objects.count(),
        editions=Edition.objects.count(),
        units=Unit.objects.count(),
        amendments=Amendment.objects.count(),
        unread_amendments=Amendment.objects.filter(instructions__isnull=True, units__isnull=True).count(),
        rulings=Ruling.objects.count(),
        covered=SourceCoverage.objects.count(),
        responses=StoredResponse.objects.count(),
    )


def by_jurisdiction() -> list[tuple[str, int, int]]:
    """State, number of acts, number of editions."""
    rows = Act.objects.values("jurisdiction").annotate(
        how_many=Count("pk", distinct=True), texts=Count("editions", distinct=True)
    )
    return [(row["jurisdiction"], row["how_many"], row["texts"]) for row in rows.order_by("jurisdiction")]


def oddities(acts: Iterable[Act], *, today: date) -> list[Oddity]:
    """Everything about editions that a reader should know, in reading order. One query."""
    groups: dict[tuple[str, str], list[Edition]] = {}
    rows = Edition.objects.filter(act__in=list(acts)).select_related("act")
    for edition in rows.order_by("act__eli", "language", "valid_from", "pk"):
        groups.setdefault((edition.act.eli, edition.language), []).append(edition)
    return [oddity for (act, language), editions in groups.items() for oddity in _of(act, language, editions, today)]


def _of(act: str, language: str, editions: list[Edition], today: date) -> list[Oddity]:
    found = []
    ended = [edition for edition in editions if edition.valid_to is not None]
    for overlap in overlaps(edition.period for edition in ended):
        one, other = ended[overlap.first], ended[overlap.second]
        text = f"{one.identifier or one.pk} and {other.identifier or other.pk} both claim these days"
        found.append(Oddity(act, language, "overlap", overlap.shared.valid_from, overlap.shared.valid_to, text))
    for gap in gaps(edition.period for edition in editions):
        found.append(Oddity(act, language, "gap", gap.valid_from, gap.valid_to, "no edition is stored for these days"))
    for edition, following in pairwise(editions):
        if edition.valid_to is None and following.valid_from > edition.valid_from:
            text = "its file does not say when it ended; a later edition is stored"
            found.append(Oddity(act, language, "end_unknown", edition.valid_from, None, text))
    for edition in editions:
        if edition.valid_from > today:
            found.append(Oddity(act, language, "future", edition.valid_from, edition.valid_to, "not yet in force"))
        if edition.extent != Edition.Extent.WHOLE:
            found.append(Oddity(act, language, edition.extent, edition.valid_from, edition.valid_to, edition.note))
    return found
