"""What the page of a scoring specification shows: its rules as tables, and its versions."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.specification import (
    Criterion,
    KeyMaximum,
    specification_from_dict,
)
from lexreview.methodology.markdown import safe_html
from lexreview.methodology.models import Decision, Specification
from lexreview.methodology.words import ENTERS_WORDS, MAXIMUM_WORDS, NOT_APPLICABLE_WORDS, RULE_WORDS


@dataclass(frozen=True, slots=True)
class CriterionRow:
    code: str
    name: str
    help: str
    points: str
    enters: str | Promise
    not_applicable: str | Promise
    rule: str | Promise


@dataclass(frozen=True, slots=True)
class ErrorClassRow:
    code: str
    name: str
    description: str
    hallucination: bool


class SpecificationPage:
    """One version of a specification."""

    def __init__(self, row: Specification, *, user: User) -> None:
        self.row = row
        self.user = user
        self.rules = specification_from_dict(row.content)

    @property
    def title(self) -> str:
        return local(self.rules.title) or str(self.row)

    @property
    def change_note(self) -> str:
        return local(self.rules.change_note)

    @property
    def text(self) -> SafeString:
        return safe_html(local(self.rules.text))

    @property
    def blocks(self) -> list[tuple[str, list[CriterionRow]]]:
        """The criteria by block, in the order of the specification."""
        found: dict[str, list[CriterionRow]] = {}
        for criterion in self.rules.criteria:
            found.setdefault(criterion.block, []).append(criterion_row(criterion))
        return list(found.items())

    @property
    def error_classes(self) -> list[ErrorClassRow]:
        return [
            ErrorClassRow(each.code, local(each.name), local(each.description), each.hallucination)
            for each in self.rules.error_classes
        ]

    @cached_property
    def versions(self) -> list[Specification]:
        """All versions of the specification, newest first."""
        named = Specification.objects.visible_to(self.user).named(self.row.name)
        return list(named.in_version_order().reverse())

    @property
    def version_notes(self) -> list[tuple[Specification, str]]:
        return [(each, local(each.content.get("change_note") or {})) for each in self.versions]

    @property
    def newest(self) -> Specification:
        return self.versions[0]

    @cached_property
    def decisions(self) -> list[Decision]:
        """Published entries that the person may see and that land in this version."""
        visible = Decision.objects.visible_to(self.user).published()
        return list(visible.landing_in(self.row.version).by_benchmark())


def local(texts: Mapping[str, Any]) -> str:
    """The text in the language of the page, else in English, else any; "" where there is none."""
    language = (get_language() or "en").split("-")[0]
    return str(texts.get(language) or texts.get("en") or next((texts[code] for code in sorted(texts)), ""))


def criterion_row(criterion: Criterion) -> CriterionRow:
    """A criterion in words."""
    return CriterionRow(
        code=criterion.code,
        name=local(criterion.name),
        help=local(criterion.help),
        points=_points(criterion),
        enters=ENTERS_WORDS[criterion.enters],
        not_applicable=NOT_APPLICABLE_WORDS[criterion.not_applicable_when] if criterion.not_applicable_when else "",
        rule=RULE_WORDS[criterion.rule] if criterion.rule else "",
    )


def _points(criterion: Criterion) -> str:
    """ "0, 1, 2" for a short scale, "0 to 10 by 0.5" for a long one, "0 to points of the key's rubric"."""
    low, high, step = criterion.minimum, criterion.maximum, criterion.step
    if isinstance(high, KeyMaximum):
        return _("%(low)s to %(high)s") % {"low": plain_number(low), "high": MAXIMUM_WORDS[high]}
    places = int((high - low) / step)
    if places <= 4:
        return ", ".join(plain_number(low + step * place) for place in range(places + 1))
    return _("%(low)s to %(high)s by %(step)s") % {
        "low": plain_number(low),
        "high": plain_number(high),
        "step": plain_number(step),
    }


def plain_number(number: Decimal) -> str:
    """Without zeros that say nothing."""
    return f"{number.normalize():f}"
