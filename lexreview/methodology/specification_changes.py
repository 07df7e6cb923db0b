"""What a version of a specification says otherwise than the one that it was begun from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.core.methods.reference_card.specification import (
    Criterion,
    ErrorClass,
    Specification,
    Texts,
    specification_from_dict,
)
from lexreview.methodology import models
from lexreview.methodology.specification_page import criterion_row, plain_number
from lexreview.methodology.words import ORIGIN_LABELS, SCOPE_LABELS

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs. `scored`: points or labels can depend on it; `long`: a text of many words."""

    place: Words
    field: Words
    before: Words
    after: Words
    scored: bool = False
    long: bool = False


def changes_between(before: models.Specification, after: models.Specification) -> list[Change]:
    """Everything but the head, in the order of a specification's page."""
    old, new = specification_from_dict(before.content), specification_from_dict(after.content)
    return [
        *_of_texts("", {gettext_lazy("Title"): (old.title, new.title)}),
        *_of_criteria(old, new),
        *_of_classes(old, new),
        *_of_texts("", {gettext_lazy("The rules in words"): (old.text, new.text)}),
        *_of_whole(old, new),
    ]


def _of_criteria(old: Specification, new: Specification) -> Iterator[Change]:
    mine, theirs = {each.code: each for each in old.criteria}, {each.code: each for each in new.criteria}
    for code, criterion in theirs.items():
        place = _("Criterion %(code)s") % {"code": code}
        if code not in mine:
            yield Change(place, "", "", criterion_row(criterion).points, scored=True)
        else:
            yield from _of_criterion(place, mine[code], criterion)
    for code in mine:
        if code not in theirs:
            place = _("Criterion %(code)s") % {"code": code}
            yield Change(place, "", criterion_row(mine[code]).points, "", scored=True)
    yield from _of_order(gettext_lazy("Criteria"), list(mine), list(theirs))


def _of_criterion(place: str, old: Criterion, new: Criterion) -> Iterator[Change]:
    before, after = criterion_row(old), criterion_row(new)
    always = gettext_lazy("always applicable")
    values: Mapping[Words, tuple[object, object, Words, Words]] = {
        gettext_lazy("Block"): (old.block, new.block, old.block, new.block),
        gettext_lazy("Points"): (_scale(old), _scale(new), before.points, after.points),
        gettext_lazy("Full points"): (old.full, new.full, _or_dash(old), _or_dash(new)),
        gettext_lazy("In the total"): (old.enters, new.enters, before.enters, after.enters),
        gettext_lazy("Not applicable when"): (
            old.not_applicable_when,
            new.not_applicable_when,
            before.not_applicable or always,
            after.not_applicable or always,
        ),
        gettext_lazy("Who decides"): (
            old.rule,
            new.rule,
            before.rule or gettext_lazy("a person"),
            after.rule or gettext_lazy("a person"),
        ),
    }
    for field, (was, is_, was_words, is_words) in values.items():
        if was != is_:
            yield Change(place, field, was_words, is_words, scored=True)
    yield from _of_texts(
        place, {gettext_lazy("Name"): (old.name, new.name), gettext_lazy("The rule"): (old.help, new.help)}
    )


def _of_classes(old: Specification, new: Specification) -> Iterator[Change]:
    mine, theirs = {each.code: each for each in old.error_classes}, {each.code: each for each in new.error_classes}
    for code in [*theirs, *(code for code in mine if code not in theirs)]:
        place = _("Error class %(code)s") % {"code": code}
        before, after = mine.get(code), theirs.get(code)
        if before is None or after is None:
            yield Change(place, "", _kind(before), _kind(after), scored=True)
            continue
        if before.hallucination != after.hallucination:
            yield Change(place, "", _kind(before), _kind(after), scored=True)
        texts: dict[Words, tuple[Texts, Texts]] = {
            gettext_lazy("Name"): (before.name, after.name),
            gettext_lazy("What it means"): (before.description, after.description),
        }
        yield from _of_texts(place, texts)
    yield from _of_order(gettext_lazy("Error classes"), list(mine), list(theirs))


def _of_whole(old: Specification, new: Specification) -> Iterator[Change]:
    origins = [[str(ORIGIN_LABELS[each]) for each in chosen] for chosen in (old.origins, new.origins)]
    scopes = [[str(SCOPE_LABELS[each]) for each in chosen] for chosen in (old.scopes, new.scopes)]
    for field, (before, after) in (
        (gettext_lazy("Origins that a finding may have"), origins),
        (gettext_lazy("Scopes that a finding may have"), scopes),
    ):
        if set(before) != set(after):
            yield Change("", field, ", ".join(before), ", ".join(after))
    if old.a_percent_below_zero != new.a_percent_below_zero:
        yes, no = gettext_lazy("yes"), gettext_lazy("no")
        field = gettext_lazy("Penalties may take A % below zero")
        pair = [yes if each.a_percent_below_zero else no for each in (old, new)]
        yield Change("", field, pair[0], pair[1], scored=True)


def _of_texts(place: Words, pairs: Mapping[Words, tuple[Texts, Texts]]) -> Iterator[Change]:
    for field, (before, after) in pairs.items():
        for code in sorted({*before, *after}):
            was, is_ = before.get(code, ""), after.get(code, "")
            if was != is_:
                words = _("%(what)s (%(language)s)") % {"what": field, "language": code}
                yield Change(place, words, was, is_, long=max(len(was), len(is_)) > 60)


def _of_order(field: Words, old: list[str], new: list[str]) -> Iterator[Change]:
    before, after = [code for code in old if code in new], [code for code in new if code in old]
    if before != after:
        yield Change(field, gettext_lazy("Order"), ", ".join(before), ", ".join(after))


def _scale(criterion: Criterion) -> tuple[object, ...]:
    return criterion.minimum, criterion.maximum, criterion.step


def _or_dash(criterion: Criterion) -> str:
    return "–" if criterion.full is None else plain_number(criterion.full)


def _kind(error_class: ErrorClass | None) -> Words:
    if error_class is None:
        return ""
    return gettext_lazy("a hallucination") if error_class.hallucination else gettext_lazy("no hallucination")
