"""What differs between two versions of a key, part by part and word by word."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _

from lexreview.core.side_by_side import Sides, side_by_side
from lexreview.questions.models import KeyVersion

SINGLE_PARTS: Sequence[tuple[str, str | Promise]] = (
    ("core_answer", gettext_lazy("Core answer")),
    ("calibration", gettext_lazy("Expected form")),
    ("condition", gettext_lazy("Condition")),
    ("disputed", gettext_lazy("Case law")),
    ("verification_note", gettext_lazy("What was not checked")),
)
COLLECTIONS: Sequence[tuple[str, str | Promise]] = (
    ("rubric", gettext_lazy("Rubric element")),
    ("penalties", gettext_lazy("Penalty")),
    ("bases", gettext_lazy("Required basis")),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One part of a key that differs; a side without runs is a version that does not have the part."""

    name: str
    sides: Sides


@dataclass(frozen=True, slots=True)
class Change:
    """A version of a key against the one before it."""

    before: KeyVersion
    after: KeyVersion
    differences: list[Difference]


def changes_of(versions: Sequence[KeyVersion]) -> list[Change]:
    """Each version after the first against the one before it, newest first; `versions` in order of number."""
    return [Change(old, new, differences(old, new)) for old, new in reversed(list(pairwise(versions)))]


def differences(old: KeyVersion, new: KeyVersion) -> list[Difference]:
    """The parts in which two versions differ, in the order of the page; empty where only dates or states do."""
    return list(_differences(old, new))


def _differences(old: KeyVersion, new: KeyVersion) -> Iterator[Difference]:
    for name, label in SINGLE_PARTS:
        was, now = _words(old, name), _words(new, name)
        if was != now:
            yield Difference(str(label), side_by_side(was, now))
    for name, label in COLLECTIONS:
        was_by_code, now_by_code = _by_code(getattr(old, name)), _by_code(getattr(new, name))
        for code in [*was_by_code, *(code for code in now_by_code if code not in was_by_code)]:
            was, now = was_by_code.get(code, ""), now_by_code.get(code, "")
            if was != now:
                yield Difference(f"{label} {code}", side_by_side(was, now))


def _words(key: KeyVersion, name: str) -> str:
    match name:
        case "calibration":
            return str(key.get_calibration_display())
        case "disputed":
            return gettext("disputed") if key.disputed else gettext("not disputed")
        case _:
            return str(getattr(key, name)).strip()


def _by_code(elements: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {str(element["code"]): _element_words(element) for element in elements}


def _element_words(element: Mapping[str, Any]) -> str:
    parts = [str(element[name]) for name in ("citation", "text", "quotation", "passage", "source") if element.get(name)]
    if element.get("points") not in (None, 1):
        parts.append(_("%(points)s points") % {"points": element["points"]})
    return "\n".join(parts)
