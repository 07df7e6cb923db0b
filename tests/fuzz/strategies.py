"""Texts and files to try: put together from what the readers look for, at random, or by changing what is known."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from tests.core.citations.case_files import lines_of
from tests.fuzz import pieces, seeds
from tests.fuzz.editing import LINEAR, edited, restructured

MOST_PIECES, MOST_EDITS = 24, 6
_CASE_FILES = {
    "pl": ("pl",),
    "ch": ("ch",),
    "eu": ("eu",),
    "it": ("it",),
    "QK": ("generic",),
    "auto": ("pl", "ch", "it"),
}
_DEVELOPMENT_CASES = ("citations-pl-de-fr-it.dev.jsonl", "citations-italy.dev.jsonl")
_LINED = ("markdown_ch", "plain_text", "bundle_act", "bundle_ruling")
_WITHOUT_TREE = ("markdown_ch", "plain_text")


def texts(target: str, *, shared: Path | None) -> st.SearchStrategy[str]:
    """Texts for a target: pieces of its language in any order, changed cases, or anything at all."""
    fragments = st.sampled_from(fragments_of(target))
    made = st.lists(fragments, max_size=MOST_PIECES).map("".join)
    changed = st.builds(edited, st.sampled_from(cases_of(target, shared)), _edits(fragments))
    return st.one_of(made, made, changed, changed, st.text(max_size=60))


def files(parser: str, *, shared: Path | None) -> st.SearchStrategy[bytes]:
    """Changed seeds of a parser, at times any bytes."""
    known = st.sampled_from(seeds.seeds_of(parser, shared))
    linear = st.builds(edited, known, _edits(st.sampled_from(tokens_of(parser))))
    tree = st.builds(
        restructured, known, st.lists(st.tuples(*[st.integers(0, 2**16)] * 3), min_size=1, max_size=MOST_EDITS)
    )
    return st.one_of(linear, linear, st.binary(max_size=80), *([] if parser in _WITHOUT_TREE else [tree] * 4))


def _edits(fragments: st.SearchStrategy) -> st.SearchStrategy:
    edit = st.tuples(st.sampled_from(LINEAR), st.integers(0, 2**16), st.integers(0, 40), fragments)
    return st.lists(edit, min_size=1, max_size=MOST_EDITS)


def has_tree(parser: str) -> bool:
    return parser not in _WITHOUT_TREE


@cache
def fragments_of(target: str) -> tuple[str, ...]:
    if target == "instructions":
        return (*pieces.AMENDING, *pieces.AMENDING, *pieces.COMMON)
    own = pieces.OF_GRAMMAR[_grammar_of(target)]
    return (*own, *own, *pieces.COMMON)


@cache
def tokens_of(parser: str) -> tuple[bytes, ...]:
    if seeds.invented(parser).lstrip()[:1] in (b"{", b"["):
        return pieces.JSON_TOKENS
    return pieces.LINES if parser in _LINED else pieces.TAGS


@cache
def cases_of(target: str, shared: Path | None) -> tuple[str, ...]:
    """The texts of the labelled cases that the target may meet: the held-out ones, and those of the shared folder."""
    own = [cells[-2] for name in _CASE_FILES[_grammar_of(target)] for cells in lines_of(name)]
    names = [shared / "cases" / name for name in _DEVELOPMENT_CASES] if shared else []
    lines = [line for name in names if name.exists() for line in name.read_text(encoding="utf-8").splitlines()]
    return (*own, *(json.loads(line)["text"][:400] for line in lines))


def _grammar_of(target: str) -> str:
    return target.split()[1] if target.startswith("grammar ") else "auto"
