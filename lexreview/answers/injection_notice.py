"""What a person is told of an answer that speaks to whoever judges it: which passages, of what kind, and where."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.answers.answer_html import Highlight
from lexreview.answers.models import Answer
from lexreview.core.injection_phrases import SignKind
from lexreview.core.injections import Sign, signs_of_injection

KEPT_TEXTS = 64
LONGEST_QUOTE = 160
MOST_SHOWN = 8
KIND_WORDS = {
    SignKind.INSTRUCTION: gettext_lazy("gives orders to a model"),
    SignKind.ADDRESS: gettext_lazy("turns to whoever grades"),
    SignKind.VERDICT: gettext_lazy("announces a verdict or points"),
    SignKind.CLAIMED_CHECK: gettext_lazy("says of itself that it was checked"),
    SignKind.TURN: gettext_lazy("imitates a turn of a conversation"),
    SignKind.TAG: gettext_lazy("imitates the end of the text or a tag"),
    SignKind.HIDDEN: gettext_lazy("is hidden from a reader"),
    SignKind.UNSEEN: gettext_lazy("has characters that nobody sees"),
    SignKind.ENCODED: gettext_lazy("hides words in a code"),
    SignKind.REPETITION: gettext_lazy("repeats itself again and again"),
}


@dataclass(frozen=True, slots=True)
class Passage:
    """Signs that overlap, as one place: `start`, `end` are code points of the text that was searched."""

    start: int
    end: int
    kinds: tuple[SignKind, ...]

    @property
    def words(self) -> str:
        return "; ".join(str(KIND_WORDS[kind]) for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """`number`: that of the mark in the answer, None for a passage of the tool trace."""

    number: int | None
    where: str
    words: str
    quote: str


@dataclass(frozen=True, slots=True)
class Notice:
    rows: list[NoticeRow]
    more: int


def injection_notice(answer: Answer) -> Notice | None:
    """The suspicious passages of the answer, then those of its trace; None where there are none."""
    rows = [*_rows_of_text(answer.text), *_rows_of_trace(answer)]
    return Notice(rows[:MOST_SHOWN], max(0, len(rows) - MOST_SHOWN)) if rows else None


def injection_highlights(text: str) -> list[Highlight]:
    """The marks of the passages in the text of an answer."""
    return [
        Highlight(each.start, each.end, "injection", number, "o", "!", _("Suspicious passage: %s") % each.words)
        for number, each in enumerate(passages_of(text), start=1)
    ]


@lru_cache(maxsize=KEPT_TEXTS)
def passages_of(text: str) -> Sequence[Passage]:
    """In the order of the text; no two of them overlap."""
    passages: list[Passage] = []
    for sign in signs_of_injection(text):
        if passages and sign.start < passages[-1].end:
            passages[-1] = _joined(passages[-1], sign)
        else:
            passages.append(Passage(sign.start, sign.end, (sign.kind,)))
    return passages


def _joined(passage: Passage, sign: Sign) -> Passage:
    kinds = passage.kinds if sign.kind in passage.kinds else (*passage.kinds, sign.kind)
    return Passage(passage.start, max(passage.end, sign.end), kinds)


def _rows_of_text(text: str) -> Iterator[NoticeRow]:
    for number, passage in enumerate(passages_of(text), start=1):
        line = text.count("\n", 0, passage.start) + 1
        yield NoticeRow(number, _("line %d") % line, passage.words, _quote(text, passage))


def _rows_of_trace(answer: Answer) -> Iterator[NoticeRow]:
    steps = sorted(answer.trace, key=lambda step: int(step.get("order") or 0))
    for number, step in enumerate(steps, start=1):
        for text in (str(step.get(name) or "") for name in ("query", "title", "address")):
            for passage in passages_of(text):
                yield NoticeRow(None, _("trace, step %d") % number, passage.words, _quote(text, passage))


def _quote(text: str, passage: Passage) -> str:
    """The passage in one line; signs that nobody sees by their numbers."""
    quote = " ".join(text[passage.start : passage.end].split())
    shown = "".join(sign if sign.isprintable() else f"[U+{ord(sign):04X}]" for sign in quote[:LONGEST_QUOTE])
    return shown + ("…" if len(quote) > LONGEST_QUOTE else "")
