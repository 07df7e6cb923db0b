"""Rulings to read in: the list, and one ruling with its translations."""

from functools import cached_property

from django.db.models import Exists, OuterRef, Q, QuerySet

from lexreview.law.browsing import web_address
from lexreview.law.models import Ruling
from lexreview.law.names import fold_docket

IDENTITY = ("jurisdiction", "court", "docket_folded", "decided_on", "form")
"""What makes two rows one ruling in two languages."""


def rulings_found(*, words: str, jurisdiction: str, language: str) -> QuerySet[Ruling]:
    """Rulings whose docket, court, title or ECLI holds `words`, newest first, without their texts.

    Without words a ruling that is stored in `language` is listed in that language only.
    """
    rulings = Ruling.objects.defer("text", "theses", "cited_law")
    if not words.strip():
        same = Ruling.objects.filter(language=language, **{name: OuterRef(name) for name in IDENTITY})
        rulings = rulings.filter(Q(language=language) | ~Exists(same))
    if jurisdiction:
        rulings = rulings.filter(jurisdiction=jurisdiction.upper())
    if words := words.strip():
        rulings = rulings.filter(
            Q(docket_folded__contains=fold_docket(words))
            | Q(court__icontains=words)
            | Q(title__icontains=words)
            | Q(ecli__icontains=words)
        )
    return rulings.in_date_order().reverse()


def ruling_jurisdictions() -> list[str]:
    """The states of which the corpus holds rulings."""
    return list(Ruling.objects.order_by("jurisdiction").values_list("jurisdiction", flat=True).distinct())


class RulingPage:
    def __init__(self, ruling: Ruling) -> None:
        self.ruling = ruling

    @property
    def source_url(self) -> str:
        return web_address(self.ruling.source_url)

    @cached_property
    def other_languages(self) -> list[Ruling]:
        """The same ruling in other languages."""
        same = Ruling.objects.filter(**{name: getattr(self.ruling, name) for name in IDENTITY})
        return list(same.exclude(pk=self.ruling.pk).defer("text").order_by("language", "pk"))

    @cached_property
    def same_docket(self) -> list[Ruling]:
        """Other rulings under the same docket: a docket alone does not name one."""
        same = Ruling.objects.with_docket(self.ruling.docket).filter(jurisdiction=self.ruling.jurisdiction)
        own = [self.ruling.pk, *(each.pk for each in self.other_languages)]
        return list(same.exclude(pk__in=own).defer("text").in_date_order())

    @property
    def paragraphs(self) -> list[str]:
        return [part.strip() for part in self.ruling.text.split("\n") if part.strip()]
