"""Chooses among acts that share a name."""

from __future__ import annotations

from collections.abc import Sequence

from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.numbering import split
from lexreview.core.citations.view import View, fold

TOPIC_REACH = 250


def choose(view: View, entries: Sequence[ActEntry], levels: dict[str, str], position: int) -> ActEntry | None:
    """Choose among acts of one name by the unit (article beyond the last one, kind of the second level) and topic
    words."""
    number = split(levels.get("art", ""))
    fitting = [
        entry
        for entry in entries
        if not (number and entry.last_article and number.base > entry.last_article) and not _unlike(entry, levels)
    ]
    if len(fitting) == 1:
        return fitting[0]
    window = view.folded[max(0, position - TOPIC_REACH) : position + TOPIC_REACH]
    scores = [sum(fold(word) in window for word in entry.keywords) for entry in fitting]
    best = max(scores, default=0)
    if best and scores.count(best) == 1:
        return fitting[scores.index(best)]
    return None


def _unlike(entry: ActEntry, levels: dict[str, str]) -> bool:
    """Does the unit have section signs where the act has paragraphs, or the other way round?"""
    other = {"par": "ust", "ust": "par"}.get(entry.second_unit or "")
    return other in levels and entry.second_unit not in levels
