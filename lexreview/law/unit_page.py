"""A unit of an act on a day: its text, its place, its other editions, and two of them side by side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from django.db.models import Q
from django.utils.functional import Promise

from lexreview.core.side_by_side import Sides, side_by_side
from lexreview.law.browsing import (
    CONTAINER,
    EXTENT_WORDS,
    STANDING_WORDS,
    act_address,
    citation_label,
    number_of,
    unit_address,
    web_address,
)
from lexreview.law.folding import fold_text
from lexreview.law.models import Act, Edition, Unit
from lexreview.law.on_date import FOUND, UnitOnDate, unit_on
from lexreview.law.reading import assemble_text, covers
from lexreview.law.reasons import CERTAINTY_WORDS, REASON_WORDS
from lexreview.law.unit_names import raised, unit_name

MOST_EDITIONS = 60


@dataclass(frozen=True, slots=True)
class TextLine:
    """A unit under the one shown. `url` leads to its own page; "" for the unit itself."""

    depth: int
    label: str
    heading: str
    text: str
    url: str
    is_repealed: bool


@dataclass(frozen=True, slots=True)
class EditionRow:
    """The unit in one stored edition. `changed`: against the edition before; None for the first."""

    edition: Edition
    text: str
    is_repealed: bool
    changed: bool | None
    url: str

    @property
    def valid_from(self) -> date:
        return self.edition.valid_from

    @property
    def valid_to(self) -> date | None:
        return self.edition.valid_to

    @property
    def standing_words(self) -> str | Promise:
        return STANDING_WORDS[self.edition.standing]


class Comparison(NamedTuple):
    """Two editions side by side. `typographic`: they differ, but only in typography."""

    left: EditionRow
    right: EditionRow
    sides: Sides
    typographic: bool


class UnitPage:
    """`language` "" means `preferred`, or one that is stored. `left`, `right`: editions to lay side by side; where they
    are not given the last change before the day.
    """

    def __init__(
        self,
        act: Act,
        *,
        key: str,
        on: date,
        language: str,
        preferred: str,
        left: int | None = None,
        right: int | None = None,
    ) -> None:
        self.act = act
        self.key = key
        self.on = on
        self._codes = list(act.editions.order_by("language").values_list("language", flat=True).distinct())
        self.language = language or (preferred if preferred in self._codes else next(iter(self._codes), preferred))
        self._left = left
        self._right = right

    @cached_property
    def found(self) -> UnitOnDate:
        return unit_on(act=self.act, unit=self.key, on=self.on, lang=self.language)

    @property
    def is_found(self) -> bool:
        return self.found.outcome == FOUND

    @property
    def certainty_words(self) -> str | Promise:
        return CERTAINTY_WORDS.get(self.found.certainty, self.found.certainty)

    @property
    def reason_words(self) -> str | Promise:
        return REASON_WORDS.get(self.found.reason, self.found.reason)

    @property
    def source_url(self) -> str:
        return web_address(self.found.source_url)

    @property
    def standing_words(self) -> str | Promise:
        edition = self.found.edition
        return STANDING_WORDS[edition.standing] if edition else ""

    @property
    def extent_words(self) -> str | Promise:
        edition = self.found.edition
        return EXTENT_WORDS[edition.extent] if edition else ""

    @property
    def languages(self) -> list[tuple[str, str]]:
        """(language, address) of every language in which an edition of the act is stored."""
        return [(code, unit_address(self.act, unit=self.key, on=self.on, language=code)) for code in self._codes]

    @property
    def act_url(self) -> str:
        return act_address(self.act, on=self.on, language=self.language)

    @property
    def act_title(self) -> str:
        return self.act.title(self.language)

    @property
    def _stored_key(self) -> str:
        """The key under which the wording was found: a bracket in an EU act may be a paragraph or a point."""
        return self.found.key if self.is_found and self.found.key else self.key

    @cached_property
    def _rows(self) -> list[Unit]:
        """The unit in every stored edition of the language that has it, oldest first; two queries."""
        key = self._stored_key
        units = Unit.objects.filter(edition__act=self.act, edition__language=self.language).select_related("edition")
        rows: dict[int, Unit] = {}
        for unit in units.at(key).order_by("edition_id", "position"):
            rows.setdefault(unit.edition_id, unit)
        for unit in units.exclude(range_end="").order_by("edition_id", "position"):
            if unit.edition_id not in rows and covers(unit, key):
                rows[unit.edition_id] = unit
        return sorted(rows.values(), key=lambda unit: (unit.edition.valid_from, unit.edition_id))[-MOST_EDITIONS:]

    @cached_property
    def _subtrees(self) -> dict[int, list[Unit]]:
        """By edition the unit with everything under it, in text order; one query for all editions."""
        wanted = Q()
        for unit in self._rows:
            wanted |= Q(edition=unit.edition_id, position__range=(unit.position, unit.last_position))
        found: dict[int, list[Unit]] = {unit.edition_id: [] for unit in self._rows}
        for unit in Unit.objects.filter(wanted).in_text_order() if self._rows else ():
            found[unit.edition_id].append(unit)
        return found

    @cached_property
    def editions(self) -> list[EditionRow]:
        rows: list[EditionRow] = []
        for unit in self._rows:
            text = "" if unit.is_repealed else assemble_text(self._subtrees[unit.edition_id])
            before = rows[-1] if rows else None
            changed = None if before is None else fold_text(before.text) != fold_text(text)
            url = unit_address(self.act, unit=self.key, on=unit.edition.valid_from, language=self.language)
            rows.append(EditionRow(unit.edition, text, unit.is_repealed, changed, url))
        return rows

    @property
    def shown(self) -> EditionRow | None:
        """The row of the edition that gave the answer."""
        edition = self.found.edition
        return next((row for row in self.editions if edition and row.edition.pk == edition.pk), None)

    @cached_property
    def _unit(self) -> Unit | None:
        """The stored unit whose wording is shown; None where the text was made from several sources."""
        edition = self.found.edition
        unit = next((each for each in self._rows if edition and each.edition_id == edition.pk), None)
        if unit is None or (self.is_found and assemble_text(self._subtrees[unit.edition_id]) != self.found.text):
            return None
        return unit

    @cached_property
    def lines(self) -> list[TextLine]:
        """The text as lines with their depth; one line per block where no stored unit holds it as a whole."""
        if not self.is_found:
            return []
        if self._unit is None:
            return [TextLine(0, "", "", line, "", False) for line in self.found.text.split("\n")]
        return _lines(self._subtrees[self._unit.edition_id], self._address)

    def _address(self, unit: Unit) -> str:
        return unit_address(self.act, unit=unit.key, on=self.on, language=self.language)

    @property
    def notes(self) -> list[str]:
        units = self._subtrees[self._unit.edition_id] if self._unit else []
        return [str(note) for unit in units for note in unit.notes]

    @cached_property
    def path(self) -> list[Unit]:
        """The units around the stored unit, outermost first, and itself; one query."""
        newest = self._unit or (self._rows[-1] if self._rows else None)
        if newest is None:
            return []
        around = Unit.objects.filter(
            edition=newest.edition_id, position__lt=newest.position, last_position__gte=newest.position
        )
        return [*around.in_text_order(), newest]

    @property
    def around(self) -> list[tuple[str, str]]:
        """(words, address) of the parts and units around the unit; parts have no address."""
        return [
            (unit.heading or number_of(unit), "")
            if unit.key.startswith(CONTAINER)
            else (number_of(unit), self._address(unit))
            for unit in self.path[:-1]
        ]

    @property
    def label(self) -> str:
        """The unit as it is cited."""
        return citation_label(self.path) or unit_name(self.key, jurisdiction=self.act.jurisdiction, lang=self.language)

    @property
    def heading(self) -> str:
        return self.found.heading or (self.path[-1].heading if self.path else "")

    @cached_property
    def neighbours(self) -> tuple[tuple[str, str] | None, tuple[str, str] | None]:
        """(label, address) of the unit before and after on the same level; two queries."""
        if self._unit is None:
            return None, None
        unit = self._unit
        same = Unit.objects.filter(edition=unit.edition_id, level=unit.level)
        if not self._is_top(unit):
            same = same.filter(parent=unit.parent_id)
        before = same.filter(position__lt=unit.position).order_by("-position").first()
        after = same.filter(position__gt=unit.last_position).order_by("position").first()
        return self._neighbour(before), self._neighbour(after)

    def _is_top(self, unit: Unit) -> bool:
        return all(each.key.startswith(CONTAINER) for each in self.path[:-1])

    def _neighbour(self, unit: Unit | None) -> tuple[str, str] | None:
        return (number_of(unit), self._address(unit)) if unit else None

    @cached_property
    def comparison(self) -> Comparison | None:
        """None where the unit stands in fewer than two editions."""
        if len(self.editions) < 2:
            return None
        by_pk = {row.edition.pk: row for row in self.editions}
        left, right = self._last_change()
        left, right = by_pk.get(self._left or 0, left), by_pk.get(self._right or 0, right)
        typographic = left.text != right.text and fold_text(left.text) == fold_text(right.text)
        return Comparison(left, right, side_by_side(left.text, right.text), typographic)

    def _last_change(self) -> tuple[EditionRow, EditionRow]:
        """The last pair of neighbours that differ, up to the edition shown; else the last pair."""
        last = self.editions.index(self.shown) if self.shown else len(self.editions) - 1
        places = [place for place in range(1, last + 1) if self.editions[place].changed] or [max(last, 1)]
        return self.editions[places[-1] - 1], self.editions[places[-1]]


def _lines(units: Sequence[Unit], address: Callable[[Unit], str]) -> list[TextLine]:
    """`units[0]` and its descendants in text order; closing words stand after the last unit that they close."""
    root = units[0]
    depths = {root.pk: 0 if root.text else -1}
    lines: list[TextLine] = []
    unclosed: list[Unit] = []
    for unit in units:
        while unclosed and unclosed[-1].last_position < unit.position:
            lines.append(_closing(unclosed.pop(), depths))
        if unit is not root:
            depth = depths[unit.pk] = depths.get(unit.parent_id or 0, 0) + 1
            lines.append(TextLine(depth, raised(unit.number), unit.heading, unit.text, address(unit), unit.is_repealed))
        elif unit.text:
            lines.append(TextLine(0, "", "", unit.text, "", False))
        if unit.closing:
            unclosed.append(unit)
    lines.extend(_closing(unit, depths) for unit in reversed(unclosed))
    return lines


def _closing(unit: Unit, depths: Mapping[int, int]) -> TextLine:
    return TextLine(max(depths[unit.pk], 0), "", "", unit.closing, "", False)
