"""The provider's own web search as steps: what was searched for and which pages the model was given, in order."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lexreview.providers.requests import JsonDict

SEARCH_TOOLS = {"web_search", "web_fetch"}
LONGEST = 2000


def trace_of(parts: Sequence[Any]) -> list[JsonDict]:
    """Steps of the tool calls among the parts of a response.

    `open` is a page whose content the provider gave to the model: one it opened (OpenAI), or a result of its search
    (Anthropic, Google), which arrive with their content.
    """
    steps: list[JsonDict] = []
    for part in parts:
        if getattr(part, "tool_name", None) in SEARCH_TOOLS:
            steps.extend(_steps_of(part))
    return [{"order": number, **step} for number, step in enumerate(steps, start=1)]


def searches_in(trace: Sequence[JsonDict]) -> int:
    return sum(step["kind"] == "search" for step in trace)


def _steps_of(part: Any) -> Iterator[JsonDict]:
    if part.part_kind.endswith("-call"):
        yield from _of_call(part.args_as_dict() if part.args else {})
    else:
        yield from _of_result(part.content)


def _of_call(args: Mapping[str, Any]) -> Iterator[JsonDict]:
    queries = args.get("queries") or ([args["query"]] if args.get("query") else [])
    for query in queries:
        yield {"kind": "search", "query": str(query)[:LONGEST]}
    if args.get("url"):
        yield {"kind": "open", "address": str(args["url"])[:LONGEST]}


def _of_result(content: Any) -> Iterator[JsonDict]:
    """Pages are the list that is the result, or its `sources`, as with newer models of Google."""
    pages = content.get("sources") if isinstance(content, Mapping) else content
    for result in pages if isinstance(pages, list) else []:
        address = result.get("url") or result.get("uri") if isinstance(result, Mapping) else None
        if address:
            step = {"kind": "open", "address": str(address)[:LONGEST]}
            yield {**step, "title": str(result["title"])[:LONGEST]} if result.get("title") else step
