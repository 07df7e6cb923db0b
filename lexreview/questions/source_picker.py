"""Picking a required basis from the corpus: act, unit, words. What is quoted is copied from the official text."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from lexreview.law.browsing import ActPage, act_rows, acts_found, number_of, web_address
from lexreview.law.models import Act, Ruling, Unit
from lexreview.law.ruling_pages import RulingPage, rulings_found
from lexreview.law.unit_page import UnitPage
from lexreview.questions.models import KeyVersion

MOST_FOUND = 25


class NothingPicked(ValueError):
    """The words were not chosen, or are not words of the official text; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of the official text, from `start` to `end` (code points, end exclusive). `label`: its place, or ""."""

    number: int
    start: int
    end: int
    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to go on with: `query` is the address of the picker that leads there."""

    words: str
    query: str
    note: str = ""
    depth: int = 0


class SourceText:
    """An official text that words can be taken from; the text is its pieces with a line end between them."""

    def __init__(self, blocks: Sequence[tuple[str, str]]) -> None:
        """`blocks`: (label, text) in order."""
        self.text = "\n".join(text for _label, text in blocks)
        self.pieces: list[Piece] = []
        start = 0
        for number, (label, text) in enumerate(blocks):
            self.pieces.append(Piece(number, start, start + len(text), text, label))
            start += len(text) + 1

    def quotation(self, *, start: int | None, end: int | None, pieces: Sequence[int]) -> str:
        """The words from `start` to `end`, else the ticked pieces, which have to follow each other."""
        if start is not None and end is not None:
            if not start < end <= len(self.text):
                raise NothingPicked(_("These words are not in the official text. Mark them again."))
            words = self.text[start:end].strip()
        else:
            words = self._ticked(sorted(pieces))
        if not words:
            raise NothingPicked(_("Mark the words in the official text, or tick the parts that are quoted."))
        return words

    def _ticked(self, numbers: Sequence[int]) -> str:
        if not numbers:
            return ""
        if list(numbers) != list(range(numbers[0], numbers[-1] + 1)):
            raise NothingPicked(_("Tick parts that follow each other: a quotation has no gap."))
        return self.text[self.pieces[numbers[0]].start : self.pieces[numbers[-1]].end].strip()

    def labels_of(self, quotation: str) -> list[str]:
        """The places of the pieces from which the words come."""
        start = self.text.find(quotation)
        end = start + len(quotation)
        return [piece.label for piece in self.pieces if piece.label and piece.start < end and piece.end > start >= 0]


class SourcePicker:
    """One step of picking: what was asked for decides what is shown."""

    def __init__(
        self, key: KeyVersion, *, q: str = "", act: str = "", unit: str = "", ruling: int | None = None
    ) -> None:
        self.key = key
        self.q = q
        self._act, self._unit, self._ruling = act, unit, ruling

    @property
    def _language(self) -> str:
        return self.key.question.language

    @cached_property
    def act(self) -> Act | None:
        return Act.objects.filter(eli=self._act).first() if self._act else None

    @property
    def act_title(self) -> str:
        return self.act.title(self._language) if self.act else ""

    @cached_property
    def ruling(self) -> Ruling | None:
        return Ruling.objects.filter(pk=self._ruling).first() if self._ruling else None

    @cached_property
    def unit_page(self) -> UnitPage | None:
        if self.act is None or not self._unit:
            return None
        on = self.key.question.benchmark.legal_state_on
        return UnitPage(self.act, key=self._unit, on=on, language=self._language, preferred=self._language)

    @cached_property
    def acts(self) -> list[Choice]:
        """Acts that bear the words; those of the benchmark's state first."""
        if not self.q or self.act or self.ruling:
            return []
        state = self.key.question.benchmark.jurisdiction
        rows = act_rows(acts_found(words=self.q, jurisdiction="")[:MOST_FOUND], language=self._language)
        rows.sort(key=lambda row: row.act.jurisdiction != state)
        return [
            Choice(
                row.title, urlencode({"q": self.q, "act": row.act.eli}), f"{row.act.eli} {row.abbreviations}".strip()
            )
            for row in rows
        ]

    @cached_property
    def rulings(self) -> list[Choice]:
        if not self.q or self.act or self.ruling:
            return []
        found = rulings_found(words=self.q, jurisdiction="", language=self._language)[:MOST_FOUND]
        return [
            Choice(each.docket, urlencode({"q": self.q, "ruling": each.pk}), f"{each.court}, {each.decided_on or '–'}")
            for each in found
        ]

    @cached_property
    def contents(self) -> list[Choice]:
        """The articles of the act on the benchmark's day, or the units under the one that was picked."""
        if self.act is None:
            return []
        if self.unit_page is not None:
            return self._units_under(self.unit_page)
        page = ActPage(self.act, language=self._language, on=self.key.question.benchmark.legal_state_on)
        rows = page.contents
        return [
            Choice(row.label or row.unit.heading, self._to(row.unit) if row.url else "", row.unit.heading, row.depth)
            for row in rows
        ]

    def _units_under(self, page: UnitPage) -> list[Choice]:
        edition = page.found.edition
        if edition is None or not page.is_found:
            return []
        under = Unit.objects.filter(edition=edition, key__startswith=f"{page.key}/").in_text_order()
        depth = page.key.count("/")
        return [
            Choice(number_of(unit), self._to(unit), unit.text[:80], unit.key.count("/") - depth - 1) for unit in under
        ]

    def _to(self, unit: Unit) -> str:
        return urlencode({"q": self.q, "act": self._act, "unit": unit.key})

    @property
    def query(self) -> str:
        given = {"q": self.q, "act": self._act, "unit": self._unit, "ruling": self._ruling}
        return urlencode({name: value for name, value in given.items() if value})

    @cached_property
    def source(self) -> SourceText | None:
        """The official text to take words from; None before one was picked, or where there is no wording."""
        if self.ruling is not None:
            theses = [(_("thesis %(n)s") % {"n": n}, str(text)) for n, text in enumerate(self.ruling.theses, start=1)]
            paragraphs = enumerate(RulingPage(self.ruling).paragraphs, start=1)
            return SourceText([*theses, *((_("paragraph %(n)s") % {"n": n}, text) for n, text in paragraphs)])
        if self.unit_page is None or not self.unit_page.is_found:
            return None
        return SourceText([("", line) for line in self.unit_page.found.text.split("\n")])

    @property
    def source_url(self) -> str:
        if self.ruling is not None:
            return web_address(self.ruling.source_url)
        return self.unit_page.source_url if self.unit_page else ""

    @property
    def refusal(self) -> str:
        """Why nothing can be quoted from what was picked; "" where it can."""
        if self.source is None:
            return ""
        if not self.source_url:
            return _("No official address is stored with this text. A basis needs one: import it from its source.")
        if self.ruling is not None and self.ruling.decided_on is None:
            return _("The day of this ruling is not stored. A basis that is a ruling needs it.")
        return ""

    @property
    def citation(self) -> str:
        """How the basis is cited, as far as the corpus knows."""
        if self.ruling is not None:
            return f"{self.ruling.court}, {self.ruling.decided_on}, {self.ruling.docket}"
        if self.unit_page is None or self.act is None:
            return ""
        names = self.act.names.filter(kind="abbreviation", language__in=["", self._language])
        short = names.order_by("-language", "pk").values_list("value", flat=True).first()
        return f"{self.unit_page.label} {short or self.act.title(self._language)}"

    def basis(self, *, quotation: str, citation: str, passage: str) -> dict[str, Any]:
        """The basis as a key holds it. Raises NothingPicked where the source is not official enough."""
        if self.refusal or self.source is None:
            raise NothingPicked(self.refusal or _("There is no wording to quote."))
        taken = {str(each["code"]) for each in self.key.bases}
        code = next(code for n in range(1, 10_000) if (code := f"B{n}") not in taken)
        common = {"code": code, "citation": citation, "quotation": quotation, "source": self.source_url}
        if self.ruling is not None:
            where = passage or ", ".join(self.source.labels_of(quotation))
            return common | {
                "kind": "ruling",
                "court": self.ruling.court,
                "docket": self.ruling.docket,
                "decided_on": str(self.ruling.decided_on),
                "passage": where,
            }
        page = self.unit_page
        edition = page.found.edition if page else None
        return common | {
            "kind": "provision",
            "act": self._act,
            "unit": self._unit,
            "edition": edition.valid_from.isoformat() if edition else None,
        }
