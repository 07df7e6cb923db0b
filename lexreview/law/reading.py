"""Reading stored units back: the units of an edition in one query, and texts with everything under them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lexreview.law.keys import in_range, split_key
from lexreview.law.models import Edition, Unit


def units_of(edition: Edition) -> list[Unit]:
    """All units of an edition in text order, one query."""
    return list(Unit.objects.filter(edition=edition).in_text_order())


def assemble_text(units: Sequence[Unit]) -> str:
    """The text of `units[0]` with everything under it; `units` are it and its descendants in text order.

    One line per block. Labels and headings of sub-units are printed before their text, as the source does.
    """
    if not units:
        return ""
    root = units[0]
    lines: list[str] = []
    closings: list[tuple[int, str]] = []
    for unit in units:
        while closings and closings[-1][0] < unit.position:
            lines.append(closings.pop()[1])
        label = "" if unit is root else " ".join(part for part in (unit.number, unit.heading) if part)
        lines.append(f"{label} {unit.text}".strip())
        if unit.closing:
            closings.append((unit.last_position, unit.closing))
    lines.extend(closing for _, closing in reversed(closings))
    return "\n".join(line for line in lines if line)


def covers(unit: Unit, key: str) -> bool:
    """Whether a unit printed as a range (Art. 28d–28f) stands for the key of one unit inside it."""
    if not unit.range_end:
        return unit.key == key
    own, asked = split_key(unit.key), split_key(key)
    if own[:-1] != asked[:-1] or own[-1][0] != asked[-1][0]:
        return False
    return in_range(asked[-1][1], first=own[-1][1], last=unit.range_end)


@dataclass(frozen=True, slots=True)
class EditionText:
    """A whole edition in memory, for callers that look up many units of it."""

    edition: Edition
    units: list[Unit]
    by_key: dict[str, Unit] = field(repr=False)
    by_pk: dict[int, Unit] = field(repr=False)
    ranges: list[Unit] = field(repr=False)

    def find(self, key: str) -> Unit | None:
        """The unit with the key, or the printed range that contains it; the first where a source repeats a number."""
        return self.by_key.get(key) or next((unit for unit in self.ranges if covers(unit, key)), None)

    def subtree(self, unit: Unit) -> list[Unit]:
        return self.units[unit.position : unit.last_position + 1]

    def full_text(self, unit: Unit) -> str:
        return assemble_text(self.subtree(unit))

    def parent(self, unit: Unit) -> Unit | None:
        return self.by_pk[unit.parent_id] if unit.parent_id else None

    def is_repealed(self, unit: Unit) -> bool:
        """Whether the unit or a unit around it is repealed in this edition."""
        seen: Unit | None = unit
        while seen is not None:
            if seen.is_repealed:
                return True
            seen = self.parent(seen)
        return False


def read_edition(edition: Edition) -> EditionText:
    """The edition with all its units, one query."""
    return edition_text(edition, units_of(edition))


def edition_text(edition: Edition, units: Iterable[Unit]) -> EditionText:
    units = list(units)
    by_key: dict[str, Unit] = {}
    for unit in units:
        by_key.setdefault(unit.key, unit)
    by_pk = {unit.pk: unit for unit in units}
    return EditionText(edition, units, by_key, by_pk, [unit for unit in units if unit.range_end])
