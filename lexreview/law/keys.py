"""Unit keys: the one spelling under which a unit of an act is stored, cited and compared.

`art=24/ust=5bis/lit=a`: levels in one fixed order whatever the nesting of the source, numbers in lower case without
blanks, raised digits behind `^` (`art=117^1`). Containers and other parts that nobody cites by number begin with `@`.
"""

import re
from collections.abc import Iterable

from lexreview.core.citations import UNIT_LEVELS

LEVELS = (*UNIT_LEVELS, "motyw")
_RANK = {level: rank for rank, level in enumerate(LEVELS)}
_LATIN = (
    "bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "decies", "undecies", "duodecies",
    "terdecies", "quaterdecies", "quindecies", "sexdecies", "septdecies", "octodecies", "novodecies", "vicies",
)  # fmt: skip
_LATIN_RANK = {word: rank for rank, word in enumerate(_LATIN, start=1)} | {"nonies": 8, "quinques": 4}
_BREAKING = re.compile(r"[/=@\s]+")
_NUMBER = re.compile(
    r"(?P<base>\d+)(?:\^(?P<raised>\d+))?(?P<letters>[a-z]*?)(?P<latin>" + "|".join(_LATIN_RANK) + r")?", re.IGNORECASE
)


def make_key(segments: Iterable[tuple[str, str]]) -> str:
    """The key of a unit from its (level, number) pairs in any order; a level given twice keeps both, in given order.

    What would break the key apart is dropped from a number; a number of nothing else becomes `?`.
    """
    return "/".join(
        f"{level}={_BREAKING.sub('', number).lower() or '?'}"
        for level, number in sorted(segments, key=lambda pair: _RANK[pair[0]])
    )


def split_key(key: str) -> list[tuple[str, str]]:
    """The (level, number) pairs of a key. ValueError where a part is no known `level=number`."""
    pairs = []
    for part in key.split("/"):
        level, sign, number = part.partition("=")
        if not sign or not number or level not in _RANK:
            raise ValueError(f"{part!r} in unit key {key!r} is not one of {', '.join(LEVELS)} followed by =number")
        pairs.append((level, number))
    return pairs


def article_key(key: str) -> str:
    """The key of the article (or, in Polish executive acts, the paragraph) to which a unit belongs, with its `dis`."""
    pairs = split_key(key)
    head = [pair for pair in pairs if pair[0] in {"dis", "art"}]
    if not any(level == "art" for level, _ in head):
        head += [pair for pair in pairs if pair[0] not in {"dis", "art"}][:1]
    return make_key(head)


def ancestor_keys(key: str) -> list[str]:
    """Keys of the units around a unit, nearest first, following the order of levels in the key."""
    pairs = split_key(key)
    first = next((index for index, (level, _) in enumerate(pairs) if level != "dis"), 0)
    return [make_key(pairs[:end]) for end in range(len(pairs) - 1, first, -1)]


def number_rank(number: str) -> tuple[int, bool, int, int, str, int] | None:
    """A sort key that puts 28, 28^1, 28a, 28abis, 28b, 29 in this order; None for a number of another shape."""
    match = _NUMBER.fullmatch(number)
    if match is None:
        return None
    letters = match["letters"].lower()
    return (
        int(match["base"]),
        bool(letters) and not match["raised"],
        int(match["raised"] or 0),
        len(letters),
        letters,
        _LATIN_RANK[match["latin"].lower()] if match["latin"] else 0,
    )


def in_range(number: str, *, first: str, last: str) -> bool:
    """Whether a unit's number lies in a printed range such as 28d–28f; False where one of them cannot be ranked."""
    ranks = number_rank(number), number_rank(first), number_rank(last)
    if ranks[0] is None or ranks[1] is None or ranks[2] is None:
        return len(number) == len(first) == len(last) == 1 and first <= number <= last
    return ranks[1] <= ranks[0] <= ranks[2]
