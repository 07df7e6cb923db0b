"""One unit through all stored editions of its act in a language, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Q, QuerySet

from lexreview.law.models import Act, Unit
from lexreview.law.on_date import UnitPeriod
from lexreview.law.reading import assemble_text, covers
from lexreview.prepared import Prepared

_AT_ONCE = 100


def _or_ranges(act: int, language: str, key: str) -> QuerySet[Unit]:
    units = Unit.objects.filter(edition__act=act, edition__language=language).select_related("edition")
    return units.filter(Q(key=key) | ~Q(range_end="")).order_by("edition_id", "position")


_units: Prepared[Unit] = Prepared(_or_ranges, int, str, str)


def unit_editions(*, act: Act, key: str, language: str) -> list[Unit]:
    """The unit (or the printed range that contains it) in each edition that has it, oldest first; one query."""
    rows = _units(act.pk, language, key)
    found: dict[int, Unit] = {}
    for unit in [*(row for row in rows if row.key == key), *(row for row in rows if covers(row, key))]:
        found.setdefault(unit.edition_id, unit)
    return sorted(found.values(), key=lambda unit: (unit.edition.valid_from, unit.edition_id))


def unit_periods(*, act: Act, key: str, language: str) -> list[UnitPeriod]:
    """The same with the full texts; repealed units have none. One more query for each hundred editions."""
    units = unit_editions(act=act, key=key, language=language)
    subtrees = _subtrees([unit for unit in units if not unit.is_repealed and unit.last_position > unit.position])
    periods = []
    for unit in units:
        text = "" if unit.is_repealed else assemble_text([unit, *subtrees.get(unit.edition_id, [])])
        periods.append(UnitPeriod(unit.edition, unit, text, unit.is_repealed))
    return periods


def _subtrees(units: Sequence[Unit]) -> dict[int, list[Unit]]:
    """What stands below each unit, by edition and in text order."""
    below: dict[int, list[Unit]] = defaultdict(list)
    for start in range(0, len(units), _AT_ONCE):
        wanted = Q()
        for unit in units[start : start + _AT_ONCE]:
            wanted |= Q(edition=unit.edition_id, position__gt=unit.position, position__lte=unit.last_position)
        for each in Unit.objects.filter(wanted).in_text_order():
            below[each.edition_id].append(each)
    return below
