"""The rules of a specification as YAML text: read with the line of every field, written so that people can edit it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import yaml

from lexreview.core.methods.reference_card.specification import (
    Criterion,
    ErrorClass,
    SpecificationError,
    specification_from_dict,
)

MAX_CHARACTERS = 300_000
HEAD = ("method", "name", "version", "date", "change_note", "rules_changed")
"""What the form asks for in fields of their own; the text holds everything else."""
ORDER: Sequence[str] = (
    *("name", "version", "date", "method", "title", "text", "change_note", "rules_changed"),
    *("criteria", "error_classes", "origins", "scopes", "a_percent_below_zero"),
)
"""The fields as people read them; PostgreSQL's jsonb keeps no order of its own."""
ORDER_BELOW = {
    "criteria": tuple(field.name for field in fields(Criterion)),
    "error_classes": tuple(field.name for field in fields(ErrorClass)),
}


class TextError(ValueError):
    """The text is no specification; `line` (from 1) and `field` say where, None and "" where that is unknown.

    `faults` are all that were found, this one first.
    """

    def __init__(self, message: str, *, line: int | None = None, field: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.field = field
        self.faults: Sequence[TextError] = (self,)


class _Loader(yaml.SafeLoader):
    """Safe loader in which a date stays the text that it is."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class _Dumper(yaml.SafeDumper):
    """Block style, fields in the order given, long texts as blocks, no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _block_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _block_text)


def in_reading_order(content: Mapping[str, Any]) -> dict[str, Any]:
    """The same content, whatever the order in which the database gave it: fields as people read them, languages by
    their codes. A field without a place in the order comes last."""
    ordered = {}
    for name in _sorted(content, ORDER):
        value = content[name]
        below = ORDER_BELOW.get(name)
        ordered[name] = [_record(each, below) for each in value] if below else _record(value, ())
    return ordered


def _record(value: Any, order: Sequence[str]) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {name: _record(value[name], ()) for name in _sorted(value, order)}


def _sorted(names: Iterable[str], order: Sequence[str]) -> list[str]:
    return sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name))


def text_of_rules(content: Mapping[str, Any]) -> str:
    """The part of a specification that is edited as text."""
    body = {name: value for name, value in in_reading_order(content).items() if name not in HEAD}
    text: str = yaml.dump(body, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text


def content_of(text: str, *, head: Mapping[str, Any]) -> dict[str, Any]:
    """The whole specification from its text and the fields of `HEAD`. Raises TextError with line and field."""
    if len(text) > MAX_CHARACTERS:
        raise TextError(f"expected at most {MAX_CHARACTERS} characters, found {len(text)}")
    body, lines = _read(text)
    for name in HEAD:
        if name in body:
            raise TextError("has a field of its own on this page", line=lines.get(name), field=name)
    content = {**head, **body}
    try:
        specification_from_dict(content)
    except SpecificationError as error:
        found = [TextError(each.message, line=_line_of(each.place, lines), field=each.field) for each in error.faults]
        found[0].faults = found
        raise found[0] from error
    return content


def _read(text: str) -> tuple[dict[str, Any], dict[str, int]]:
    try:
        for event in yaml.parse(text, Loader=_Loader):
            if isinstance(event, yaml.AliasEvent):
                mark = event.start_mark
                raise TextError("YAML aliases are not allowed", line=mark.line + 1 if mark else None)
        node = yaml.compose(text, Loader=_Loader)
        if not isinstance(node, yaml.MappingNode):
            raise TextError("expected fields with values", line=1)
        lines = dict(_lines(node, ""))
        body = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader without timestamps
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = str(getattr(error, "problem", None) or error)
        raise TextError(f"not YAML: {problem}", line=mark.line + 1 if mark else None) from error
    except (RecursionError, ValueError) as error:
        if isinstance(error, TextError):
            raise
        raise TextError(f"not YAML: {error}") from error
    return body, lines


def _lines(node: yaml.Node, path: str) -> Iterator[tuple[str, int]]:
    """(path, line from 1) of every field and item, as core names them: `criteria[2].step`. Refuses a field twice."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            here = f"{path}.{name}" if path else name
            if name in seen:
                raise TextError("is given twice", line=key.start_mark.line + 1, field=here)
            seen.add(name)
            yield here, key.start_mark.line + 1
            yield from _lines(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield f"{path}[{number}]", value.start_mark.line + 1
            yield from _lines(value, f"{path}[{number}]")


def _line_of(field: str, lines: Mapping[str, int]) -> int | None:
    """The line of the field, or of the nearest thing around it; None where the text has none of it."""
    while field:
        if field in lines:
            return lines[field]
        field = field[: max(field.rfind("."), field.rfind("["), 0)]
    return None
