"""Finding a unit in a stored edition, and its text."""

import re
from collections.abc import Iterable
from datetime import date

from lexreview.law.models import Act, Amendment, Edition, Unit
from lexreview.law.reading import assemble_text, covers

# Asked for every citation: written out, because building these statements anew takes far longer than running them.
_UNIT_AT = f"SELECT * FROM {Unit._meta.db_table} WHERE edition_id = %s AND key = %s"  # noqa: S608 - a name of ours
_UNIT_BY_ID = f"SELECT * FROM {Unit._meta.db_table} WHERE id = %s"  # noqa: S608 - a name of ours
_EDITIONS_OF = f"SELECT * FROM {Edition._meta.db_table} WHERE act_id = %s"  # noqa: S608 - a name of ours
_AMENDMENTS_OF = f"SELECT * FROM {Amendment._meta.db_table} WHERE act_id = %s AND kind = 'amendment'"  # noqa: S608 - a name of ours
_BRACKET = re.compile(r"^(art=[^/]+)/(ust|pkt)=")
_SWAPPED = {"ust": "pkt", "pkt": "ust"}


def find_unit(edition: Edition, key: str, *, jurisdiction: str = "") -> Unit | None:
    """The unit with the key in the edition, or the printed range that contains it, or None.

    In EU acts a number in brackets behind an article is a paragraph or a point: "Article 4(1)" is looked up as both.
    """
    if exact := _unit_at(edition, key):
        return exact
    ranges = Unit.objects.filter(edition=edition).exclude(range_end="").select_related("parent")
    if ranged := _first(unit for unit in ranges if covers(unit, key)):
        return ranged
    other = _BRACKET.sub(lambda match: f"{match[1]}/{_SWAPPED[match[2]]}=", key) if jurisdiction == "EU" else key
    return _unit_at(edition, other) if other != key else None


def editions_of(act: Act) -> list[Edition]:
    """The stored editions of an act in all languages, in order of time."""
    rows = Edition.objects.raw(_EDITIONS_OF, [act.pk])
    return sorted(rows, key=lambda edition: (edition.valid_from, edition.language, edition.pk))


def amendments_of(act: Act) -> list[Amendment]:
    """The known amendments of an act in the order of their effect, those without a day last."""
    rows = Amendment.objects.raw(_AMENDMENTS_OF, [act.pk])
    return sorted(rows, key=lambda each: (each.effective_on or date.max, each.pk))


def _unit_at(edition: Edition, key: str) -> Unit | None:
    """The first unit with the key, and the unit around it at hand."""
    unit = _first(Unit.objects.raw(_UNIT_AT, [edition.pk, key]))
    if unit is not None and unit.parent_id is not None:
        unit.parent = next(iter(Unit.objects.raw(_UNIT_BY_ID, [unit.parent_id])))
    return unit


def _first(units: Iterable[Unit]) -> Unit | None:
    """The first in text order."""
    return min(units, key=lambda unit: unit.position, default=None)


def text_of(unit: Unit) -> str:
    """The full text of a stored unit, one query where it has sub-units."""
    if unit.last_position == unit.position:
        return assemble_text([unit])
    subtree = Unit.objects.filter(
        edition=unit.edition_id, position__gte=unit.position, position__lte=unit.last_position
    )
    return assemble_text(sorted(subtree, key=lambda each: each.position))
