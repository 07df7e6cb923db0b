"""The forms of a whole specification together: begun from a version, moved about, checked, and read as one record."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.specification import SpecificationError, specification_from_dict
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.methodology.models import Specification
from lexreview.methodology.specification_forms import (
    LANGUAGE,
    MOST_LANGUAGES,
    MOST_ROWS,
    CriterionForm,
    CriterionRows,
    ErrorClassForm,
    ErrorClassRows,
    RowForm,
    VersionForm,
    Worded,
    WordsForm,
    languages_in,
    languages_of,
    spread,
)
from lexreview.methodology.specification_page import local
from lexreview.methodology.words import FAULT_WORDS

ROWS: Mapping[str, type[RowForm]] = {"criteria": CriterionForm, "error_classes": ErrorClassForm}
ASKED = re.compile(r"(?P<name>criteria|error_classes)-(?P<what>add|up|down|remove)(?:-(?P<place>[0-9]{1,3}))?")
PLACE = re.compile(r"(criteria|error_classes)\[([0-9]+)\](?:\.(\w+))?")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the forms begin with: values of fields. `focus` is the id of the control that gets the focus."""

    languages: Sequence[str]
    version: Mapping[str, Any]
    words: Mapping[str, Any]
    criteria: Sequence[Mapping[str, Any]]
    error_classes: Sequence[Mapping[str, Any]]
    focus: str = ""

    @classmethod
    def of(cls, content: Mapping[str, Any], *, version: Mapping[str, Any], languages: Sequence[str] = ()) -> Self:
        """A specification under a new head."""
        same = {name: content.get(name) for name in ("origins", "scopes", "a_percent_below_zero")}
        return cls(
            languages=languages_in([*languages_of(content), *languages]),
            version=version,
            words={**same, **spread(content, "title", "text")},
            criteria=[CriterionForm.shown(each) for each in content["criteria"]],
            error_classes=[ErrorClassForm.shown(each) for each in content["error_classes"]],
        )

    def changed(self, asked: str, *, language: str = "") -> "Shown | None":
        """One row added, moved or removed, or a language added; None where `asked` names none of that."""
        if asked == "language":
            code = language.strip().lower()
            if not LANGUAGE.fullmatch(code) or len(self.languages) >= MOST_LANGUAGES:
                return replace(self, focus="id_further_language")
            return replace(self, languages=languages_in([*self.languages, code]), focus=f"id_note_{code}")
        if (match := ASKED.fullmatch(asked)) is None:
            return None
        name = match["name"]
        before = self.criteria if name == "criteria" else self.error_classes
        rows, focus = _moved(list(before), name=name, what=match["what"], at=int(match["place"] or 0))
        if name == "criteria":
            return replace(self, criteria=rows, focus=focus)
        return replace(self, error_classes=rows, focus=focus)


def _moved(rows: list[Any], *, name: str, what: str, at: int) -> tuple[list[Any], str]:
    """The rows after the move, and the control that gets the focus: the one that was used, where it still is."""
    if what == "add" and len(rows) < MOST_ROWS:
        return [*rows, ROWS[name].BLANK], f"id_{name}-{len(rows)}-code"
    if what == "remove" and at < len(rows):
        del rows[at]
        return rows, f"{name}-{min(at, len(rows) - 1)}-remove" if rows else f"{name}-add"
    to = at + {"up": -1, "down": 1}.get(what, 0)
    if to == at or at >= len(rows) or not 0 <= to < len(rows):
        return rows, ""
    rows[at], rows[to] = rows[to], rows[at]
    if to == 0:
        return rows, f"{name}-{to}-down"
    return rows, f"{name}-{to}-{'up' if to == len(rows) - 1 else what}"


@dataclass(frozen=True, slots=True)
class RowLine:
    """A row with what its closed line says. `mark`: "new", "changed" or "" against the old version."""

    form: RowForm
    number: int
    code: str
    title: str
    details: str
    mark: str
    is_open: bool
    is_first: bool
    is_last: bool


@dataclass(frozen=True, slots=True)
class FaultLine:
    """What is wrong, where, and the id of the control to change."""

    place: str | Promise
    said: str
    target: str


class SpecificationForms:
    """All forms of a version begun from `old`; bound where something was `entered`."""

    def __init__(
        self, *, old: Specification, newest: Specification, shown: Shown, entered: QueryDict | None = None
    ) -> None:
        self.old = old
        self.shown = shown
        self.whole: list[tuple[str, str]] = []
        languages = list(shown.languages)
        self.version = VersionForm(entered, old=old, newest=newest, languages=languages, initial={**shown.version})
        self.words = WordsForm(entered, languages=languages, initial={**shown.words})
        kwargs = {"languages": languages}
        self.criteria = CriterionRows(entered, prefix="criteria", initial=shown.criteria, form_kwargs=kwargs)
        self.error_classes = ErrorClassRows(
            entered, prefix="error_classes", initial=shown.error_classes, form_kwargs=kwargs
        )
        for bound in (each for part in self._parts for each in part if shown.focus and each.auto_id == shown.focus):
            bound.field.widget.attrs["autofocus"] = True

    def as_entered(self) -> Shown:
        """What was entered, to be shown again without being checked."""
        return Shown(
            languages=self.shown.languages,
            version=self.version.as_entered(),
            words=self.words.as_entered(),
            criteria=[each.as_entered() for each in self.criteria.forms],
            error_classes=[each.as_entered() for each in self.error_classes.forms],
        )

    @property
    def _parts(self) -> list[Worded]:
        return [self.version, self.words, *self.criteria.forms, *self.error_classes.forms]

    @cached_property
    def is_valid(self) -> bool:
        """Whether it is a specification; every fault is noted with its field."""
        for part in self._parts:
            part.full_clean()
        for name in ROWS:
            self.whole += [(name, str(each)) for each in getattr(self, name).non_form_errors()]
        try:
            specification_from_dict(self.content)
        except SpecificationError as error:
            for fault in error.faults:
                self._note(fault)
        return not self.whole and not any(part.errors for part in self._parts)

    def _note(self, fault: SpecificationError) -> None:
        words = str(FAULT_WORDS[fault.kind]) if fault.kind else fault.message
        if match := PLACE.fullmatch(fault.place):
            form = getattr(self, match[1]).forms[int(match[2])]
            name = match[3] if match[3] in form.fields else None
            if name is None or not form.has_error(name):
                form.add_error(name, words)
        elif fault.place in self.words.fields:
            if not self.words.has_error(fault.place):
                self.words.add_error(fault.place, words)
        elif fault.place in ROWS:
            self.whole.append((fault.place, words if fault.kind else _("Add at least one.")))
        else:
            self.whole.append(("", f"{fault.place}: {words}"))

    @property
    def content(self) -> dict[str, Any]:
        """The specification as entered; what is not valid stands in it as it was entered."""
        order: list[str] = self.old.content["origins"]
        below = self.words.value("a_percent_below_zero")
        named = below or "a_percent_below_zero" in self.old.content
        return {
            **self.version.head,
            "title": self.words.texts("title"),
            "text": self.words.texts("text"),
            "criteria": [each.record for each in self.criteria.forms],
            "error_classes": [each.record for each in self.error_classes.forms],
            "origins": _in_order(self.words.value("origins") or [], order),
            "scopes": _in_order(self.words.value("scopes") or [], self.old.content["scopes"]),
            **({"a_percent_below_zero": bool(below)} if named else {}),
        }

    @property
    def specification(self) -> Specification:
        """The version as entered, not stored; for valid forms."""
        return unstored(self.content)

    @property
    def criterion_lines(self) -> list[RowLine]:
        return list(self._lines("criteria"))

    @property
    def error_class_lines(self) -> list[RowLine]:
        return list(self._lines("error_classes"))

    def _lines(self, name: str) -> Iterator[RowLine]:
        form_class = ROWS[name]
        before = {
            str(each["code"]): form_class(initial=form_class.shown(each), languages=list(self.shown.languages)).record
            for each in self.old.content[name]
        }
        rows = getattr(self, name).forms
        for number, form in enumerate(rows):
            record, code = form.record, str(form.value("code") or "")
            mark = "new" if code not in before else "" if _same(before[code], record) else "changed"
            faulty = form.is_bound and bool(form.errors)
            is_open = faulty or self.shown.focus == f"id_{name}-{number}-code"
            title = local(form.texts("name"))
            ends = {"is_first": number == 0, "is_last": number == len(rows) - 1}
            yield RowLine(form, number, code, title, form.details, mark, is_open, **ends)

    @property
    def faults(self) -> list[FaultLine]:
        """Everything that is wrong, in the order of the page; for forms that were checked."""
        found = [*self._faults_of(self.version, ""), *self._faults_of(self.words, "")]
        for name, words in (("criteria", _("Criterion")), ("error_classes", _("Error class"))):
            place = {"criteria": _("Criteria"), "error_classes": _("Error classes")}[name]
            found += [FaultLine(place, said, f"{name}-title") for where, said in self.whole if where == name]
            for number, form in enumerate(getattr(self, name).forms):
                found += self._faults_of(form, f"{words} {form.value('code') or number + 1}", f"{name}-{number}")
        return found + [FaultLine("", said, "specification-form") for where, said in self.whole if not where]

    @staticmethod
    def _faults_of(form: Worded, place: str, target: str = "specification-form") -> list[FaultLine]:
        found = [FaultLine(place, str(each), target) for each in form.non_field_errors()]
        for bound in form:
            where = f"{place}, {bound.label}" if place else bound.label
            found += [FaultLine(where, str(each), bound.auto_id or target) for each in bound.errors]
        return found


def unstored(content: dict[str, Any]) -> Specification:
    """A valid specification as a row that is not stored."""
    read = specification_from_dict(content)
    major, minor, patch = parse_version(read.version)
    return Specification(
        name=read.name,
        major=major,
        minor=minor,
        patch=patch,
        method=content["method"],
        dated=read.dated,
        rules_changed=read.rules_changed,
        content=content,
    )


def _in_order(chosen: Sequence[str], order: Sequence[str]) -> list[str]:
    """In the order of the old version; what it did not have comes last."""
    return sorted(chosen, key=lambda each: (order.index(each) if each in order else len(order), chosen.index(each)))


def _same(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    return all(str(before[name]) == str(after[name]) for name in before)
