"""One citation as found in a text, in plain values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from lexreview.core.citations.unit_keys import UNIT_LEVELS, unit_key

KINDS = ("provision", "act", "ruling", "norm")


@dataclass(frozen=True, kw_only=True)
class Citation:
    """One atomic citation: a unit of an act, an act's identifier, a ruling, or an Italian norm.

    ``start`` and ``end`` count code points of the text given to ``extract``; ``text[start:end] == raw``.
    Members of a list or range share one span. ``None`` means that the text does not say it: an ``act``
    of ``None`` is "act not named" unless ``candidates`` lists the acts that the name fits; ``act_name`` is the act as
    the text names it, also where no registry knows it.
    ``date`` and the other dates are ISO. ``motyw`` is a recital, ``zd`` a sentence, ``tiret`` a dash item.
    ``former_wording`` says that the text speaks of an earlier wording, ``wording_until`` until when (ISO).
    The last groups of fields belong to Italian rulings and norms.
    """

    kind: str
    start: int
    end: int
    raw: str
    jurisdiction: str | None = None
    act: str | None = None
    act_name: str | None = None
    candidates: tuple[str, ...] = ()
    dis: str | None = None
    art: str | None = None
    par: str | None = None
    ust: str | None = None
    pkt: str | None = None
    lit: str | None = None
    tiret: str | None = None
    zd: str | None = None
    motyw: str | None = None
    open_range: bool = False
    range_end: str | None = None
    art_alt: str | None = None
    former_wording: bool = False
    wording_until: str | None = None
    journal: str | None = None
    celex: str | None = None
    sr: str | None = None
    court: str | None = None
    docket: str | None = None
    date: str | None = None
    ecli: str | None = None
    reporter: str | None = None
    consid: str | None = None
    venue: str | None = None
    area: str | None = None
    section: str | None = None
    doc_type: str | None = None
    number: str | None = None
    year: int | None = None
    hearing_date: str | None = None
    deposit_date: str | None = None
    ecli_candidates: tuple[str, ...] = ()
    rg: str | None = None
    rv: str | None = None
    party: str | None = None
    act_number: str | None = None
    act_year: int | None = None
    act_date: str | None = None
    region: str | None = None
    article: str | None = None
    article_to: str | None = None
    comma: str | None = None
    letter: str | None = None
    num: str | None = None
    mentions: int = 1
    inherited: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def unit(self) -> str | None:
        """Canonical unit key, ``None`` for act identifiers, rulings and provisions without a unit."""
        if self.kind == "norm":
            suffixed = self.article.replace("-", "") if self.article else None
            return unit_key(art=suffixed, ust=self.comma, pkt=self.num, lit=self.letter)
        if self.kind != "provision":
            return None
        return unit_key(**{level: getattr(self, level) for level in UNIT_LEVELS})

    def to_case(self) -> dict[str, Any]:
        """The citation with the field names of the labelled case files; unset fields are left out.

        ``text`` repeats ``raw`` because the Italian cases call it so; tuples become lists.
        """
        case: dict[str, Any] = {"kind": self.kind, "start": self.start, "end": self.end, "raw": self.raw}
        if self.kind == "norm" or self.number or self.flags:
            case["text"] = self.raw
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in case or value is None or value is False or value == ():
                continue
            case[field.name] = list(value) if isinstance(value, tuple) else value
        if self.unit is not None:
            case["unit"] = self.unit
        return case


def _quick_init(self: Citation, *, kind: str, start: int, end: int, raw: str, **values: Any) -> None:
    """Set only what is given: most of the many fields of a citation keep the default of their class."""
    if not values.keys() <= _FIELD_NAMES:
        raise TypeError(f"unknown field {min(values.keys() - _FIELD_NAMES)!r}")
    own = self.__dict__
    own.update(values)
    own["kind"], own["start"], own["end"], own["raw"] = kind, start, end, raw


_FIELD_NAMES = frozenset(field.name for field in fields(Citation))
Citation.__init__ = _quick_init  # type: ignore[method-assign]


def in_order(citations: Iterable[Citation]) -> list[Citation]:
    """Citations by start, then end; members of one list keep their order."""
    return sorted(citations, key=lambda citation: (citation.start, citation.end))
