"""Italian law: the rulings of all courts, and norms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from lexreview.core.citations import it_norms, it_rulings
from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.citation import Citation, in_order
from lexreview.core.citations.profile import JurisdictionProfile
from lexreview.core.citations.repeats import read_once
from lexreview.core.citations.view import view_of


@read_once
def extract(
    text: str, *, lang: str, acts: Sequence[ActEntry] = (), profile: JurisdictionProfile | None = None
) -> list[Citation]:
    """Rulings (kind "ruling") and norms (kind "norm") of a text on Italian law; see ``registry.extract``.

    A ruling or norm that the text repeats is one item with ``mentions``; its span is the first mention's.
    """
    view = view_of(text)
    return in_order([*it_rulings.rulings_in(view), *_once(it_norms.norms_in(view, acts))])


def _once(norms: Sequence[Citation]) -> list[Citation]:
    known: dict[tuple[object, ...], Citation] = {}
    mentions: Counter[tuple[object, ...]] = Counter()
    for norm in sorted(norms, key=lambda one: one.start):
        key = (
            norm.act,
            norm.act_number,
            norm.act_year,
            norm.region,
            norm.article,
            norm.article_to,
            norm.comma,
            norm.letter,
            norm.num,
        )
        known.setdefault(key, norm)
        mentions[key] += 1
    return [replace(norm, mentions=mentions[key]) if mentions[key] > 1 else norm for key, norm in known.items()]
