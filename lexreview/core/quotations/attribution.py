"""To which citation a quotation belongs, judged by where both stand; the wording itself decides between candidates.

Rules, strongest first: a bracket with the citation right behind the quotation (``«…» (Art. 5)``); a citation that leads
up to it with a colon or a verb (``Art. 5 provides: “…”``); the footnote whose mark stands behind it;
a dash, comma or preposition between quotation and citation;
the only citation of a list item or table row; a citation in the same sentence, then in the next or the previous one;
the sentence with a colon that introduces a list or a block quotation.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from lexreview.core.quotations.finding import Quotation
from lexreview.core.quotations.layout import Layout
from lexreview.core.quotations.words import COURT_SPEAKS, JOINING, NOT_VERBATIM, PREPOSITION, SEE_ALSO

STRONG = 80
_REACH = 400
_NEIGHBOURS = 6
_APART = 10
_NOTED = 97.0
_LONGEST_PREPOSITION = 12
_OPEN_BRACKET = re.compile(r"[\s*_.,;:]*[(\[][^)\]\n]{0,60}\Z")
_DIRECT_AFTER = re.compile(r"[\s*_.,;|]*(?:[–—-]|,|:)?[\s*_]*(?:tak\s+|so\s+|ainsi\s+|così\s+|thus\s+)?\Z")
_BRACKET_SOON = re.compile(r"[^()\[\]|;]{0,70}[(\[][\s*_]*\Z")
_BRACKET = re.compile(r"\s?[(\[][^)\]\n]{0,30}")
_BEFORE_COLON = re.compile(r":[\s*_>|-]*\Z")
# A footnote's mark behind a quotation, and the line at the foot that begins with the same mark.
_MARK = r"(?:\[\^?[^\]\[\s]{1,20}\]|[⁰¹²³⁴-⁹]{1,3})"
_FOOTNOTE_MARK = re.compile(rf"[\s.,;:*_]{{0,3}}(?P<mark>{_MARK})(?!\()")
_FOOTNOTE = re.compile(rf"^[ \t>]{{0,3}}(?P<mark>{_MARK}):?[ \t]+(?P<note>[^\n]+)", re.MULTILINE)
_OPENING_ONLY = re.compile(r"[\s*_]*[(–—-][\s*_]*\Z")


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """The place of a citation. ``holds_words``: whether words can be quoted from it (not from a mere act number)."""

    start: int
    end: int
    holds_words: bool = True
    is_ruling: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """``span``: index of the cited span. From ``STRONG`` on the text itself says that the words come from there."""

    span: int
    score: float

    @property
    def is_strong(self) -> bool:
        return self.score >= STRONG


@dataclass(frozen=True, slots=True)
class Attribution:
    """A quotation with the citations to which it may belong, best first. Empty: it belongs to none."""

    quotation: Quotation
    candidates: tuple[Candidate, ...]


def attribute(text: str, quotations: Sequence[Quotation], spans: Sequence[CitedSpan]) -> list[Attribution]:
    """For each quotation its candidates among the spans (distinct, in text order). Translations are left out.

    Linear: for each quotation only the nearest spans on either side are weighed.
    """
    layout = Layout(
        text, [(each.start, each.end) for each in spans] + [(q.outer_start, q.outer_end) for q in quotations]
    )
    weigher = _Weigher(text, layout, quotations, spans)
    return [weigher.attribution(number) for number in range(len(quotations))]


class _Weigher:
    def __init__(self, text: str, layout: Layout, quotations: Sequence[Quotation], spans: Sequence[CitedSpan]) -> None:
        self.text, self.layout, self.quotations, self.spans = text, layout, quotations, spans
        self.starts = [span.start for span in spans]
        self.notes = {note["mark"]: note.span("note") for note in _FOOTNOTE.finditer(text)}
        self.per_block: dict[int, int] = {}
        for span in spans:
            block = layout.block_at(span.start)
            self.per_block[block] = self.per_block.get(block, 0) + 1

    def attribution(self, number: int) -> Attribution:
        quotation = self.quotations[number]
        if self._is_translation(quotation) or self._names_an_act(number):
            return Attribution(quotation, ())
        scores = self._in_footnote(quotation)
        here = bisect_left(self.starts, quotation.outer_start)
        for index in range(max(0, here - _NEIGHBOURS), min(len(self.spans), here + _NEIGHBOURS)):
            span = self.spans[index]
            if not span.holds_words:
                continue
            if span.start < quotation.outer_end and span.end > quotation.outer_start:
                score = self._inside(quotation, span)
            elif span.start >= quotation.outer_end:
                score = self._after(number, index)
            else:
                score = self._before(number, index)
            if score > 0:
                scores[index] = max(score, scores.get(index, 0.0))
        ranked = sorted(scores.items(), key=lambda pair: (-pair[1], abs(pair[0] - here)))
        return Attribution(quotation, tuple(Candidate(index, score) for index, score in ranked))

    def _in_footnote(self, quotation: Quotation) -> dict[int, float]:
        """The citations of the footnote whose mark stands right behind the quotation: "«…»[^1]"."""
        mark = _FOOTNOTE_MARK.match(self.text, quotation.outer_end) if self.notes else None
        start, end = self.notes.get(mark["mark"], (0, 0)) if mark else (0, 0)
        first = bisect_left(self.starts, start)
        behind = [index for index in range(first, len(self.spans))[:_NEIGHBOURS] if self.spans[index].end <= end]
        return {index: _NOTED - index + first for index in behind if self.spans[index].holds_words}

    def _is_translation(self, quotation: Quotation) -> bool:
        before = self.text[max(0, quotation.outer_start - 50) : quotation.outer_start]
        head = re.split(r"[.;\n]", before)[-1]
        bracket = _BRACKET.match(self.text, quotation.outer_end)
        return bool(NOT_VERBATIM.search(head) or (bracket and NOT_VERBATIM.search(bracket.group())))

    def _names_an_act(self, number: int) -> bool:
        """A quoted title: the bracket behind it holds the number of an act and nothing to quote from."""
        quotation = self.quotations[number]
        index = bisect_left(self.starts, quotation.outer_end)
        if index >= len(self.spans) or self.spans[index].holds_words:
            return False
        return bool(_OPEN_BRACKET.fullmatch(self.text[quotation.outer_end : self.spans[index].start][:80]))

    def _inside(self, quotation: Quotation, span: CitedSpan) -> float:
        """A citation inside the quotation: at the head or foot of a block quotation it says whence that comes."""
        if not quotation.is_block:
            return 0.0
        head = self.text[quotation.start : span.start]
        foot = self.text[span.end : quotation.end]
        return 95.0 if len(head.strip(" *_>\n(")) < 3 or len(foot.strip(" *_>\n).")) < 3 else 0.0

    def _after(self, number: int, index: int) -> float:
        quotation, span = self.quotations[number], self.spans[index]
        distance = span.start - quotation.outer_end
        if distance > _REACH:
            return 0.0
        gap, skipped = self._gap(quotation.outer_end, span.start, after=True)
        alone = index == 0 or self.spans[index - 1].end <= quotation.outer_end
        same_block = self.layout.block_at(quotation.outer_end - 1) == self.layout.block_at(span.start)
        in_bracket = alone and _OPEN_BRACKET.fullmatch(gap) and not self._looks_aside(gap)
        if in_bracket and same_block:
            return (93.0 if "\n" in gap else 100.0) - 4 * skipped
        if not same_block:
            own = self.layout.block_at(quotation.outer_start)
            is_next = alone and not skipped and not self.per_block.get(own)
            return 75.0 if is_next and (in_bracket or not gap.strip("\n *_–—-(")) else 0.0
        breaks = self.layout.breaks_between(quotation.outer_end, span.start)
        if alone and not breaks and not skipped:
            if _DIRECT_AFTER.fullmatch(gap):
                return 88.0
            if len(gap.strip(" \n*_,–—-")) <= _LONGEST_PREPOSITION and PREPOSITION.search(gap):
                # "«a» ergibt sich aus Art. 1, «b» aus Art. 2"
                return 86.0
            if len(gap) <= 50 and PREPOSITION.search(gap) and "(" not in gap:
                return 78.0
            if _BRACKET_SOON.fullmatch(gap):
                return 72.0
        return self._by_sentence(quotation, distance, breaks, alone, base=46.0, only=self._is_only(span))

    def _before(self, number: int, index: int) -> float:
        quotation, span = self.quotations[number], self.spans[index]
        distance = quotation.outer_start - span.end
        block, own = self.layout.block_at(span.start), self.layout.block_at(quotation.outer_start)
        if block != own:
            return self._from_lead(quotation, index, block, own)
        if distance > _REACH:
            return 0.0
        gap, skipped = self._gap(span.end, quotation.outer_start, after=False)
        if not span.is_ruling and COURT_SPEAKS.search(gap):
            return 0.0
        nearest = index + 1 >= len(self.spans) or self.spans[index + 1].start >= quotation.outer_start
        breaks = self.layout.breaks_between(span.end, quotation.outer_start)
        if nearest and not breaks:
            if _BEFORE_COLON.search(gap):
                return 95.0 - 4 * skipped
            if _OPENING_ONLY.fullmatch(gap):
                return 90.0
            if not skipped and len(gap) <= 70 and not any(sign in gap for sign in ")|;"):
                return 82.0
        base = 38.0 if gap.startswith(")") else 50.0
        return self._by_sentence(quotation, distance, breaks, nearest, base=base, only=self._is_only(span))

    def _by_sentence(
        self, quotation: Quotation, distance: int, breaks: int, nearest: bool, *, base: float, only: bool
    ) -> float:
        if not breaks:
            return base + (10.0 if nearest else 0.0) + (20.0 if only else 0.0) - min(distance, 300) / 30
        if breaks == 1 and nearest:
            return base - 10.0 + (20.0 if only else 0.0) - min(distance, 300) / 30
        return 0.0

    def _is_only(self, span: CitedSpan) -> bool:
        """Whether the span is the only citation of a list item or table row."""
        block = self.layout.block_at(span.start)
        return self.layout.blocks[block].kind in {"item", "row"} and self.per_block[block] == 1

    def _from_lead(self, quotation: Quotation, index: int, block: int, own: int) -> float:
        """The last citation of the block that leads up to this one with a colon; less where the colon is missing."""
        if own < 0 or (self.per_block.get(own) and not quotation.is_block):
            return 0.0
        is_last = index + 1 >= len(self.spans) or self.layout.block_at(self.spans[index + 1].start) != block
        if not is_last or block not in {own - 1, self.layout.blocks[own].lead}:
            return 0.0
        if self.layout.ends_with_colon(block):
            tail = self.layout.breaks_between(self.spans[index].end, self.layout.blocks[block].end - 1)
            return 85.0 if not tail else 55.0
        return 40.0 if quotation.is_block else 0.0

    def _gap(self, start: int, end: int, *, after: bool) -> tuple[str, int]:
        """The text between a quotation and a citation without the other quotations in it, and how many those were.

        In ``«a» und «b» (Art. 5)`` the bracket is as near to ``«a»`` as to ``«b»``. Quotations that something else than
        a conjunction stands between belong to different sentences: they count ``_APART`` more. `after`: the citation
        stands behind the quotation.
        """
        inside, at = [], start
        first = bisect_left(self.quotations, start, key=lambda each: each.outer_start)
        for other in self.quotations[first : first + _NEIGHBOURS]:
            if other.outer_end > end:
                break
            inside.append(self.text[at : other.outer_start])
            at = other.outer_end
        inside.append(self.text[at:end])
        lead = inside.pop() if after else inside.pop(0)
        apart = any("\n" in part or JOINING.sub("", part).strip() for part in inside)
        return lead, len(inside) + (_APART if apart else 0)

    def _looks_aside(self, gap: str) -> bool:
        return bool(SEE_ALSO.search(gap))
