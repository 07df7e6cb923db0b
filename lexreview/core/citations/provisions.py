"""Provisions and act identifiers of a text: the engine that every jurisdiction but the Italian rulings shares."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from lexreview.core.citations.act_choice import choose
from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_ref import ActRef
from lexreview.core.citations.attachment import Found
from lexreview.core.citations.chain_parts import DEPTH, Unit
from lexreview.core.citations.citation import Citation
from lexreview.core.citations.dates import dates_in
from lexreview.core.citations.inheritance import Inheritance
from lexreview.core.citations.numbering import split
from lexreview.core.citations.provision_rules import ProvisionRules
from lexreview.core.citations.view import View

TREATIES = frozenset({"TFUE", "TUE", "KPP", "EKPC", "CISG"})
_BRACKET_LEVELS = ("ust", "pkt", "lit", "tiret")


class Reading(Inheritance):
    """One text being read under one set of rules."""

    def __init__(self, view: View, rules: ProvisionRules) -> None:
        super().__init__(view, rules)
        self.has_wordings = any(hint in view.folded for hint in rules.words.wording_hints)

    def read(self) -> list[Citation]:
        """All provisions and act identifiers of the text, unordered."""
        self.scan()
        self.attach_all()
        self.carry()
        self.inherit()
        return [*self._provisions(), *self._acts()]

    def _provisions(self) -> Iterable[Citation]:
        for found in self.found:
            if not found.dropped:
                yield from self._citations(found)

    def _citations(self, found: Found) -> Iterable[Citation]:
        members = found.chain.members
        ref = found.ref
        for at, member in enumerate(members):
            start = found.start if at == 0 else member.start
            end = found.end if at == len(members) - 1 else member.end
            span = self.view.span(start, self._inside_bracket(start, end))
            for unit in member.units:
                yield self._citation(found, ref, unit, span)

    def _inside_bracket(self, start: int, end: int) -> int:
        """ "(see Art. 5 lit. d)": the bracket that closes here opened in front of the citation."""
        if self.folded[end - 1] != ")" or self.folded.count("(", start, end) >= self.folded.count(")", start, end):
            return end
        return end - 1 if self._opened(start) else end

    def _citation(self, found: Found, ref: ActRef | None, unit: Unit, span: tuple[int, int]) -> Citation:
        entry = self._choose(ref, unit, found.chain.start) if ref else None
        act = entry.id if entry else ref.act if ref else None
        levels = self._levels(unit, act, entry)
        levels, literal = self._flattened(levels, unit.literal, entry)
        values: dict[str, Any] = {"zd": found.sentence, **levels} if found.sentence else levels
        former, until = self._wording(found) if self.has_wordings else (False, None)
        if former:
            values |= {"former_wording": former, "wording_until": until}
        if unit.open_range or unit.range_end or literal:
            values |= {"open_range": unit.open_range, "range_end": unit.range_end, "art_alt": literal}
        if ref:
            values["act_name"] = self._name_of(ref)
            if ref.journal or ref.sr:
                values |= {"journal": ref.journal, "sr": ref.sr}
            if not act:
                values["candidates"] = ref.candidates
        return Citation(
            kind="provision",
            start=span[0],
            end=span[1],
            raw=self.view.source[span[0] : span[1]],
            jurisdiction=_jurisdiction(act, self.rules.code),
            act=act,
            celex=(ref.celex if ref else None) or _celex(act),
            **values,
        )

    def _name_of(self, ref: ActRef | None) -> str | None:
        if ref is None or ref.end <= ref.start:
            return None
        start, end = self.view.span(ref.start, ref.end)
        return self.view.source[start:end]

    def _choose(self, ref: ActRef, unit: Unit, position: int) -> ActEntry | None:
        """One act of an ambiguous name: by rule, by the unit's plausibility, by words around it."""
        if len(ref.entries) == 1 and ref.act == ref.entries[0].id:
            return ref.entries[0]
        if ref.act is not None or not ref.candidates:
            return None
        if self.rules.prefers and (entry := self.rules.prefers(self, ref, [unit], position)):
            return entry
        return choose(self.view, ref.entries, unit.levels, position)

    def _levels(self, unit: Unit, act: str | None, entry: ActEntry | None) -> dict[str, str]:
        levels = {name: value for name, value in unit.levels.items() if name != "akapit"}
        european = _is_european(act) or (entry is not None and "celex" in entry.numbers)
        if european and "par" in levels and "ust" not in levels:
            levels["ust"] = levels.pop("par")
        if not unit.brackets:
            return levels
        style = "ust" if european else self.rules.brackets
        groups = list(unit.brackets)
        owner = unit.bracket_of or "art"
        if style == "raised" and groups[0][0].isdigit() and len(groups) == 1 and owner in levels:
            return levels | {owner: f"{levels[owner].split('^')[0]}^{groups[0]}"}
        inner = [name for name in _BRACKET_LEVELS if DEPTH[name] > DEPTH.get(owner, 0)]
        first = "ust" if style == "raised" else style
        for group in groups:
            name = _bracket_level(group, first, inner, levels)
            if name:
                levels.setdefault(name, group)
        return levels

    def _flattened(
        self, levels: dict[str, str], literal: str | None, entry: ActEntry | None
    ) -> tuple[dict[str, str], str | None]:
        """ "art. 1891 k.p.c." is beyond the last article: probably 189^1 with its superscript lost."""
        number = split(levels.get("art", ""))
        if literal or not self.rules.flattened or entry is None or number is None or not entry.last_article:
            return levels, literal
        digits = str(number.base)
        beyond = entry.last_article if len(digits) > 3 else entry.last_article * 3 // 2
        if number.base <= beyond or number.raised:
            return levels, None
        cut = 3 if len(digits) > 3 and int(digits[:3]) <= entry.last_article else 2
        if len(digits) <= cut or digits[cut] == "0":
            return levels, None
        return levels | {"art": f"{digits[:cut]}^{digits[cut:]}{number.suffix}"}, digits + number.suffix

    def _wording(self, found: Found) -> tuple[bool, str | None]:
        window_end = min(len(self.folded), found.end + 90)
        if not any(self.folded.find(hint, found.chain.end, window_end) >= 0 for hint in self.rules.words.wording_hints):
            return False, None
        patterns = self.rules.patterns
        if any(patterns.former.match(self.folded, start, window_end) for start in (found.chain.end, found.end)):
            return True, None
        until = patterns.until.match(self.folded, found.end, window_end)
        dates = dates_in(self.folded, until.end(), window_end) if until else []
        if until and dates and dates[0].start - until.end() < 6:
            return True, dates[0].iso
        return False, None

    def _acts(self) -> Iterable[Citation]:
        """Official identifiers that do not belong to a provision."""
        taken = sorted((found.start, found.end) for found in self.found if found.ref and not found.dropped)
        starts = [start for start, _ in taken]
        for ref in self.mentions:
            if not ref.identified or ref.excluded or ref.start in self.absorbed:
                continue
            at = bisect_left(starts, ref.end) - 1
            if at >= 0 and taken[at][1] >= ref.end:
                continue
            start, end = self.view.span(ref.start, ref.end)
            yield Citation(
                kind="act",
                start=start,
                end=end,
                raw=self.view.source[start:end],
                jurisdiction=_jurisdiction(ref.act, self.rules.code),
                act=ref.act,
                act_name=self._name_of(ref),
                candidates=ref.candidates,
                journal=ref.journal,
                sr=ref.sr,
                celex=ref.celex,
            )


def _bracket_level(group: str, first: str, inner: list[str], levels: dict[str, str]) -> str | None:
    if group[0].isdigit():
        return first if first not in levels and first in inner else "pkt" if "pkt" not in levels else None
    return "lit" if "lit" not in levels else "tiret" if "tiret" not in levels else None


def _is_european(act: str | None) -> bool:
    return act is not None and (act.startswith("EU:") or act in TREATIES)


def _celex(act: str | None) -> str | None:
    return act[3:] if act and act.startswith("EU:") else None


def _jurisdiction(act: str | None, code: str) -> str:
    return "EU" if _is_european(act) else code
