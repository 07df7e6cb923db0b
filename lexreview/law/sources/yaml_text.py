"""YAML from outside: plain data only, dates as text, no aliases that could unfold to gigabytes, bounded size."""

import re
from typing import Any

import yaml

from lexreview.law.parsed import UnreadableSource

MAX_BYTES = 20_000_000


class _PlainLoader(yaml.CSafeLoader):
    """Safe loader in which a date stays the text that it is, and only true and false are truth values."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a list or mapping names no field", key.start_mark)
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the field {key.value!r} is given twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


_BOOL = "tag:yaml.org,2002:bool"
_PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in ("tag:yaml.org,2002:timestamp", _BOOL)]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
_PlainLoader.add_implicit_resolver(_BOOL, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def read_yaml(content: bytes, *, file: str) -> Any:
    """The value of a YAML document. UnreadableSource names file and line."""
    if len(content) > MAX_BYTES:
        raise UnreadableSource(f"{file}: expected at most {MAX_BYTES} bytes, found {len(content)}")
    try:
        for event in yaml.parse(content, Loader=_PlainLoader):
            if isinstance(event, yaml.AliasEvent):
                where = f" line {event.start_mark.line + 1}" if event.start_mark else ""
                raise UnreadableSource(f"{file}{where}: YAML aliases (*{event.anchor}) are not allowed")
        return yaml.load(content, Loader=_PlainLoader)  # noqa: S506 - a safe loader without timestamps
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" line {mark.line + 1}" if mark else ""
        raise UnreadableSource(f"{file}{where}: not YAML: {getattr(error, 'problem', None) or error}") from error
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise UnreadableSource(f"{file}: not YAML: {error}") from error
