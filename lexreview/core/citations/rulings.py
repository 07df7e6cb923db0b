"""Finds rulings: a docket, ECLI or reporter position with the court, date and form written next to it.

One engine; a jurisdiction gives docket rules, court names and the words that may stand between the parts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from lexreview.core.citations.citation import Citation
from lexreview.core.citations.dates import DATE, MONTH_NAME, to_iso
from lexreview.core.citations.scanning import matches_at, windows, word_starts
from lexreview.core.citations.view import View

LOOK_BACK = 240
LOOK_AHEAD = 110
MOST_PARTS = 8
READ_BEFORE, READ_AFTER = 90, 45
_DIVISION = "|".join(rf"{digit}[A-Z]\s\s?\d" for digit in range(10))
_WORTH_READING = re.compile(
    r"/(?:(?<=\d/)|(?<=\d\s/))\s?\d|_(?<=\d_)\d|\.(?<=[A-Z]\.)\d{4}\.|BGE\s|ATF\s|DTF\s|TPF\s"
    r"|I(?<=\sI)[IV]{0,2}[ab]?\s{1,2}\d|V(?<=\sV)[IV]{0,2}[ab]?\s{1,2}\d|ECLI|ecli"
    rf"|61\d{{3}}[CTF]|62\d{{3}}[CTF]|{_DIVISION}"
)  # every branch begins with a letter of its own: that makes the search quick
NAMED_CASES = frozenset(("TSUE", "Sąd UE", "ETPC"))
_CASE_NAME = re.compile(r"(?:\sr\.)?[\s,]{1,3}[A-ZÀ-Ý][\w.'-]{1,25}(?:\s[\w.'/-]{1,25}){0,9}[\s,(]{1,3}")
_NAME_BEHIND = re.compile(
    r"[\s,(]{1,3}[A-ZÀ-Ý][\w.'-]{1,25}(?:\s[\w.'/-]{1,25}){0,5}(?:\s(?:of|vom|du|del|z)\s|[\s,)]{1,3})"
)
_LISTED = re.compile(
    rf"[\s,;]{{0,3}}(?:(?:i|oraz|und|et|e|and)\s)?(?:(?:z|vom|du|del|of)\s(?:dnia\s)?{DATE}(?:\s?r\.)?[\s,]{{0,3}})?"
)
_PARTIES = re.compile(r"[\s,(]{0,3}[^.;\n()]{0,50}[\s,(:]{1,3}")


@dataclass(slots=True)
class Docket:
    """One identifier of a ruling found in a view.

    ``needs_context`` asks for a word of context, ``needs_court`` for the name of its own court next to it;
    ``listed`` continues the list of the docket before and stands or falls with it.
    """

    start: int
    end: int
    docket: str | None = None
    court: str | None = None
    ecli: str | None = None
    celex: str | None = None
    reporter: str | None = None
    consid: str | None = None
    needs_context: bool = False
    needs_court: bool = False
    listed: bool = False


DocketMaker = Callable[[re.Match[str]], list[Docket]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingRules:
    """How one jurisdiction cites rulings.

    ``dockets``: patterns over the tidied, case-sensitive text, each with what it makes of a match (nothing: no docket).
    ``courts``: folded patterns with the canonical name, or a function of the match. ``forms``: kinds of decision.
    ``glue``: what may stand between parts. ``tail``: reporter and database positions behind. ``context``: words in
    front that
    make a short docket credible. ``date_only``: report rulings named by form, court and date without a docket.
    """

    code: str
    dockets: tuple[tuple[re.Pattern[str], DocketMaker], ...]
    courts: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]
    forms: str
    glue: str
    tail: str
    context: str
    celex_of: Callable[[str, str | None], str | None] | None = None
    date_only: bool = False
    parts: re.Pattern[str] = field(init=False)
    form_pattern: re.Pattern[str] = field(init=False)
    form_places: re.Pattern[str] = field(init=False)
    part_places: re.Pattern[str] = field(init=False)
    gap: re.Pattern[str] = field(init=False)
    tail_pattern: re.Pattern[str] = field(init=False)
    context_pattern: re.Pattern[str] = field(init=False)
    forward: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        courts = "|".join(f"(?P<c{at}>{pattern})" for at, (pattern, _) in enumerate(self.courts))
        parts = rf"(?P<date>{DATE})|(?<![^\W_])(?:{courts or '(?!)'}|(?P<form>{self.forms}))(?![^\W_])"
        set_once = object.__setattr__
        set_once(self, "parts", re.compile(parts))
        set_once(self, "form_pattern", re.compile(rf"(?:{self.forms})(?![^\W_])"))
        set_once(self, "form_places", word_starts(self.forms))
        court_names = "|".join(pattern for pattern, _ in self.courts) or "(?!)"
        set_once(self, "part_places", word_starts(MONTH_NAME, court_names, self.forms, anywhere="0123456789"))
        set_once(self, "gap", re.compile(rf"(?:{self.glue}|[\s,.;:()\[\]\"'„”«»–|/-]){{0,14}}"))
        set_once(self, "tail_pattern", re.compile(rf"[\s,;(]{{1,4}}(?:{self.tail})"))
        set_once(self, "context_pattern", re.compile(rf"(?<![^\W_])(?:{self.context})"))
        set_once(self, "forward", re.compile(rf"(?:{self.glue}|[\s,.;:()–-]){{0,5}}"))


@dataclass(frozen=True, slots=True)
class _Part:
    start: int
    end: int
    kind: str
    value: str


def rulings_in(view: View, rules: RulingRules) -> list[Citation]:
    """Every ruling of the text, in order."""
    dockets = _dockets(view, rules)
    spots = [(docket.start, docket.end) for docket in dockets]
    if rules.date_only:
        spots += (match.span() for match in matches_at(rules.form_places, rules.form_pattern, view.folded))
    parts = [
        part
        for low, high in windows(sorted(spots), before=LOOK_BACK, after=LOOK_AHEAD, length=len(view.folded))
        for match in matches_at(rules.part_places, rules.parts, view.folded, low, high)
        if (part := _part(match, rules))
    ]
    return _Assembly(view, rules, dockets, parts).citations()


def _dockets(view: View, rules: RulingRules) -> list[Docket]:
    """Dockets have a number with a stroke or a dot in them, or follow the name of a series; the rest need not be
    read."""
    spots = (match.span() for match in _WORTH_READING.finditer(view.text))
    found: list[Docket] = []
    for low, high in windows(spots, before=READ_BEFORE, after=READ_AFTER, length=len(view.text)):
        for pattern, make in rules.dockets:
            found += (docket for match in pattern.finditer(view.text, low, high) for docket in make(match))
    found.sort(key=lambda docket: (docket.start, -docket.end))
    kept: list[Docket] = []
    for docket in found:
        if not kept or docket.start >= kept[-1].end:
            kept.append(docket)
    return kept


def _part(match: re.Match[str], rules: RulingRules) -> _Part | None:
    kind = match.lastgroup or ""
    if kind == "date":
        iso = to_iso(match[0])
        return _Part(match.start(), match.end(), "date", iso) if iso else None
    if kind == "form":
        return _Part(match.start(), match.end(), "form", match[0])
    if kind.startswith("c") and kind[1:].isdigit():
        name = rules.courts[int(kind[1:])][1]
        return _Part(match.start(), match.end(), "court", name if isinstance(name, str) else name(match))
    return None


class _Assembly:
    """Joins dockets with the parts around them."""

    def __init__(self, view: View, rules: RulingRules, dockets: Sequence[Docket], parts: Sequence[_Part]) -> None:
        self.view = view
        self.rules = rules
        self.dockets = dockets
        self.parts = parts
        self.starts = [part.start for part in parts]
        self.used: set[int] = set()
        self.known: Docket | None = None

    def citations(self) -> list[Citation]:
        results: list[Citation] = []
        at, accepted = 0, -1
        while at < len(self.dockets):
            group = self._group(at)
            before = self.dockets[at - 1] if at else None
            self.known = before if before is not None and results and before.end == accepted else None
            one = list(self._of_group(group, after=before.end if before else 0))
            accepted = group[-1].end if one else -1
            results += one
            at += len(group)
        if self.rules.date_only:
            results += self._undocketed()
        return sorted(results, key=lambda citation: (citation.start, citation.end))

    def _group(self, at: int) -> list[Docket]:
        """A docket with the ECLI or second identifier of the same ruling behind it."""
        group = [self.dockets[at]]
        while at + len(group) < len(self.dockets):
            following = self.dockets[at + len(group)]
            gap = self.view.folded[group[-1].end : following.start]
            complements = (following.ecli or following.celex) and not following.docket and not group[-1].ecli
            same = following.docket and following.docket == group[0].docket
            close = self.rules.gap.fullmatch(gap) or (complements and _PARTIES.fullmatch(gap))
            if not (complements or same) or len(gap) > 60 or not close:
                break
            group.append(following)
        return group

    def _of_group(self, group: Sequence[Docket], *, after: int) -> Iterator[Citation]:
        first, last = group[0], group[-1]
        left = self._left(first, after)
        next_start = self._next_start(last)
        right, end, consid = self._right(last, next_start, dated=any(part.kind == "date" for part in left))
        around = [*left, *right]
        date = next((part.value for part in around if part.kind == "date"), None)
        court = next((part.value for part in around if part.kind == "court"), None)
        form = next((part.value for part in around if part.kind == "form"), None)
        if any(docket.needs_context for docket in group) and not (court or form or self._in_context(first)):
            return
        if first.needs_court and court != first.court and not (first.listed and self.known):
            return
        start = min([first.start, *(part.start for part in left)])
        yield self._citation(group, span=(start, end), date=date, court=court, form=form, consid=consid)

    def _in_context(self, docket: Docket) -> bool:
        if (
            self.known
            and self.known.court == docket.court
            and _LISTED.fullmatch(self.view.folded, self.known.end, docket.start)
        ):
            return True
        low = max(0, docket.start - 45)
        return self.rules.context_pattern.search(self.view.folded, low, docket.start) is not None

    def _next_start(self, docket: Docket) -> int:
        at = bisect_left(self.dockets, docket.end, key=lambda other: other.start)
        return self.dockets[at].start if at < len(self.dockets) else len(self.view.folded)

    def _left(self, docket: Docket, after: int) -> list[_Part]:
        """The parts in front that only glue separates from the docket, nearest first."""
        low = max(after, docket.start - LOOK_BACK)
        taken: list[_Part] = []
        kinds: set[str] = set()
        edge = docket.start
        at = bisect_left(self.starts, docket.start) - 1
        while at >= 0 and len(taken) < MOST_PARTS:
            part = self.parts[at]
            if part.start < low or part.end > edge or part.kind in kinds or at in self.used:
                break
            gap = self.view.folded[part.end : edge]
            if len(gap) > 130 or "\n\n" in gap or not self._joins(docket, part.end, edge):
                break
            taken.append(part)
            kinds.add(part.kind)
            self.used.add(at)
            edge = part.start
            at -= 1
        return taken

    def _joins(self, docket: Docket, start: int, end: int) -> bool:
        """Only glue in between; in front of a case of the European courts also the case's name."""
        if self.rules.gap.fullmatch(self.view.folded, start, end):
            return True
        return docket.court in NAMED_CASES and _CASE_NAME.fullmatch(self.view.text, start, end) is not None

    def _right(self, docket: Docket, limit: int, *, dated: bool) -> tuple[list[_Part], int, str | None]:
        """Parts, reporter positions and considerations behind the docket."""
        taken: list[_Part] = []
        end, consid = docket.end, docket.consid
        kinds = {"date"} if dated else set()
        opened = False
        while end - docket.end < LOOK_AHEAD:
            tail = self.rules.tail_pattern.match(self.view.folded, end, limit)
            if tail:
                consid = consid or (tail.groupdict().get("consid"))
                end = tail.end()
                continue
            at = bisect_left(self.starts, end)
            part = self.parts[at] if at < len(self.parts) else None
            if part is None or part.end > limit or part.kind in kinds or at in self.used:
                break
            gap = self.view.folded[end : part.start]
            opened = opened or gap.lstrip().startswith("(")
            if "\n\n" in gap or not self._follows(docket, part, gap, end=end):
                break
            if not self._belongs(part, gap, opened=opened, limit=limit, kinds=kinds, own=docket.court):
                break
            taken.append(part)
            kinds.add(part.kind)
            self.used.add(at)
            end = part.end
        if opened and taken and self.view.folded.startswith(")", end):
            end += 1
        return taken, end, consid

    def _follows(self, docket: Docket, part: _Part, gap: str, *, end: int) -> bool:
        """Only glue in between; behind a case of the European courts also the case's name: "C-673/17 Planet49, "."""
        if self.rules.forward.fullmatch(gap):
            return True
        named = docket.court in NAMED_CASES and part.kind in ("form", "date") and end == docket.end
        return named and _NAME_BEHIND.fullmatch(self.view.text, end, part.start) is not None

    def _belongs(self, part: _Part, gap: str, *, opened: bool, limit: int, kinds: set[str], own: str | None) -> bool:
        """Behind a docket, a date may follow freely; court and form only inside brackets or where no docket follows."""
        alone = limit >= len(self.view.folded) or limit > part.end + LOOK_AHEAD
        if part.kind == "form" and gap.rstrip().endswith(",") and alone:
            return True
        if part.kind == "court" and part.value == own and gap == " ":
            return True
        if part.kind == "court" and "form" in kinds and "," not in gap and alone:
            return True
        return (part.kind == "date" and "." not in gap.strip(" .") and ";" not in gap) or opened

    def _citation(
        self,
        group: Sequence[Docket],
        *,
        span: tuple[int, int],
        date: str | None,
        court: str | None,
        form: str | None,
        consid: str | None,
    ) -> Citation:
        start, end = self.view.span(*span)
        docket = next((one.docket for one in group if one.docket), None)
        own_court = next((one.court for one in group if one.court), None)
        celex = next((one.celex for one in group if one.celex), None)
        if celex is None and docket and self.rules.celex_of:
            celex = self.rules.celex_of(docket, form)
        return Citation(
            kind="ruling",
            start=start,
            end=end,
            raw=self.view.source[start:end],
            jurisdiction=self.rules.code,
            court=_more_exact(own_court, court),
            docket=docket,
            date=date,
            celex=celex,
            ecli=next((one.ecli for one in group if one.ecli), None),
            reporter=next((one.reporter for one in group if one.reporter), None),
            consid=consid,
        )

    def _undocketed(self) -> Iterator[Citation]:
        """ "uchwała SN z dnia 5 maja 2010 r." without a docket."""
        for at, part in enumerate(self.parts):
            if part.kind != "date" or at in self.used:
                continue
            run = self._run_before(at)
            kinds = {one.kind: one for one in run}
            if "court" not in kinds or "form" not in kinds:
                continue
            start, end = self.view.span(run[-1].start, part.end)
            yield Citation(
                kind="ruling",
                start=start,
                end=end,
                raw=self.view.source[start:end],
                jurisdiction=self.rules.code,
                court=kinds["court"].value,
                date=part.value,
            )

    def _run_before(self, at: int) -> list[_Part]:
        run = [self.parts[at]]
        for back in range(at - 1, max(-1, at - 3), -1):
            part = self.parts[back]
            gap = self.view.folded[part.end : run[-1].start]
            known = {one.kind for one in run}
            if back in self.used or part.kind in known or len(gap) > 60 or not self.rules.gap.fullmatch(gap):
                break
            run.append(part)
        return run


def _more_exact(own: str | None, named: str | None) -> str | None:
    """The court named in words, unless the docket itself is more exact ("WSA Gliwice" over "WSA")."""
    if own and named and own.startswith(named):
        return own
    return named or own
