"""Changing a known input: as a row of signs, or as the tree that it is. What is changed comes from outside."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, AnyStr

import yaml
from lxml import etree

LINEAR = ("out", "in", "in", "over", "twice", "end")
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**30,
    1.5,
    "",
    "x",
    " ",
    "2024-02-30",
    "20240230",
    "0000-00-00",
    "9999-12-31",
    "art. 5",
    "§",
    "\ud7ff",
    "<p>x",
    "DU/2024",
    [],
    {},
    [None],
    [[]],
    ["x"],
    [0],
    {"x": None},
    {"value": []},
    "á" * 300,
)
_ODD_TEXTS = (
    "",
    " ",
    "x",
    "1",
    "Art. 1",
    "28d–28f",
    "…",
    "(uchylony)",
    "²",
    "2024-02-30",
    "§ 1.",
    "a)",
    "\u00ad",
    "aa" * 200,
    "https://x.example/eli/cc/1",
)
Edit = tuple[str, int, int, Any]


def edited(value: AnyStr, edits: Sequence[Edit]) -> AnyStr:
    """The value after each (kind, place, size, fragment): taken out, put in, written over, put twice, or cut off."""
    for kind, place, size, fragment in edits:
        start = place % (len(value) + 1)
        stop = min(len(value), start + size)
        if kind == "out":
            value = value[:start] + value[stop:]
        elif kind == "in":
            value = value[:start] + fragment + value[start:]
        elif kind == "over":
            value = value[:start] + fragment + value[start + len(fragment) :]
        elif kind == "twice":
            value = value[:stop] + value[start:]
        elif place % 4 == 0:
            value = value[:start]
    return value


def restructured(content: bytes, edits: Sequence[tuple[int, int, int]]) -> bytes:
    """The file, still well-formed, after changes to its tree: JSON, YAML or markup, whatever it is."""
    if content.lstrip()[:1] in (b"{", b"["):
        return json.dumps(_other_values(json.loads(content), edits), ensure_ascii=False).encode(
            "utf-8", "surrogatepass"
        )
    if content.lstrip()[:1] == b"<":
        return _other_elements(content, edits)
    return yaml.safe_dump(_other_values(yaml.safe_load(content), edits), allow_unicode=True).encode("utf-8", "replace")


def _other_values(root: Any, edits: Sequence[tuple[int, int, int]]) -> Any:
    root = [deepcopy(root)]
    for operation, place, odd in edits:
        places = list(_places(root))
        container, key = places[place % len(places)]
        value = ODD_VALUES[odd % len(ODD_VALUES)]
        if operation % 4 == 0 and container is not root:
            del container[key]
        elif operation % 4 == 1 and isinstance(container[key], list) and container[key]:
            container[key].append(deepcopy(container[key][-1]))
        elif operation % 4 == 2:
            other, name = places[odd % len(places)]
            container[key] = deepcopy(other[name])
        else:
            container[key] = deepcopy(value)
    return root[0]


def _places(root: list[Any]) -> list[tuple[Any, Any]]:
    """Every (container, key) below the root, which is a list of one."""
    found: list[tuple[Any, Any]] = []
    open_ones: list[Any] = [root]
    while open_ones:
        container = open_ones.pop()
        for key in container if isinstance(container, dict) else range(len(container)):
            found.append((container, key))
            if isinstance(container[key], dict | list):
                open_ones.append(container[key])
    return found


def _other_elements(content: bytes, edits: Sequence[tuple[int, int, int]]) -> bytes:
    root = etree.fromstring(content, etree.XMLParser(recover=True, resolve_entities=False))
    for operation, place, odd in edits:
        elements = list(root.iter(etree.Element))
        _change(elements[place % len(elements)], elements[odd % len(elements)], operation, odd)
    return etree.tostring(root, encoding="utf-8")


def _change(element: etree._Element, other: etree._Element, operation: int, odd: int) -> None:
    text, names = _ODD_TEXTS[odd % len(_ODD_TEXTS)], list(element.attrib)
    parent = element.getparent()
    if operation % 7 == 0 and parent is not None:
        parent.remove(element)
    elif operation % 7 == 1 and parent is not None:
        parent.insert(parent.index(element), deepcopy(element))
    elif operation % 7 == 2:
        element.append(deepcopy(other))
    elif operation % 7 == 3:
        element.text = text
    elif operation % 7 == 4 and names:
        element.set(names[odd % len(names)], text)
    elif operation % 7 == 5 and names:
        del element.attrib[names[odd % len(names)]]
    else:
        element.tag = other.tag
