"""The light markup in which the bundle format keeps the text of an edition, read and written.

`# Title`, `## Chapter`, `### Art. 17. Heading`, then lines that begin with `§ 1.`, `1.` or `(1)` (paragraph), `1)`
(point), `a)` (letter), `-` (indent). A line directly under such a line continues it; a line after an empty line stands
behind the sub-units of the paragraph or article (closing words). `[^1]` marks a note; its text is a line `[^1]: …`.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lexreview.law.folding import fold_space
from lexreview.law.keys import make_key
from lexreview.law.parsed import ParsedUnit, UnreadableSource
from lexreview.law.repeal import says_repealed

_NUMBER = r"\d+(?:\^\d+)?[a-z]*"
_RANGE = rf"(?P<first>{_NUMBER})(?:\s*[-–—]\s*(?P<last>{_NUMBER}))?"
_HEADING = re.compile(r"(?P<depth>#{1,6})\s+(?P<text>.*\S)\s*")
_ARTICLE = re.compile(
    rf"(?:Art\.|Article|Artikel|Articolo|artykuł)\s*{_RANGE}(?:\.|\s|$)\s*(?P<heading>.*)", re.IGNORECASE
)
_SECTION = re.compile(rf"§\s*{_RANGE}\.?(?:\s+(?P<heading>.*))?")
_TRANSITIONAL = re.compile(r"transitional|przejściow|übergangs|transitoire|transitori|schlusstitel", re.IGNORECASE)
_NOTE_TEXT = re.compile(r"\[\^(?P<mark>[^\]]+)\]:\s*(?P<text>.*)")
_NOTE_MARK = re.compile(r"\s?\[\^(?P<mark>[^\]]+)\]")
_BLOCKS = (
    ("par", re.compile(rf"(?P<label>§\s*{_RANGE}\.?)(?:\s+(?P<text>.*))?")),
    ("ust", re.compile(rf"(?P<label>\({_RANGE}\))(?:\s+(?P<text>.*))?")),
    ("ust", re.compile(rf"(?P<label>{_RANGE}\.)(?:\s+(?P<text>.*))?")),
    ("pkt", re.compile(rf"(?P<label>{_RANGE}\))(?:\s+(?P<text>.*))?")),
    ("lit", re.compile(r"(?P<label>(?P<first>[a-z]{1,3})(?:\s*[-–—]\s*(?P<last>[a-z]{1,3}))?\))(?:\s+(?P<text>.*))?")),
    ("tiret", re.compile(r"(?P<label>[-–—•])\s+(?P<text>.*)")),
)
_DEPTH = {"art": 0, "par": 1, "ust": 2, "pkt": 3, "lit": 4, "tiret": 5}


class PlainEdition(NamedTuple):
    title: str
    units: tuple[ParsedUnit, ...]


def parse_plain_text(content: bytes, *, file: str) -> PlainEdition:
    """The title and units of an edition. UnreadableSource names file and line where the text is not in the markup."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableSource(
            f"{file}: expected UTF-8, found byte {content[error.start]:#x} at {error.start}"
        ) from error
    reader = _Reader(file)
    for number, line in enumerate(text.split("\n"), start=1):
        reader.take(line.rstrip("\r"), number)
    return reader.finish()


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.title = ""
        self.roots: list[ParsedUnit] = []
        self.containers: list[tuple[int, ParsedUnit]] = []
        self.open: list[ParsedUnit] = []
        self.dis = 0
        self.in_dis = False
        self.after_blank = False
        self.note_owners: dict[str, ParsedUnit] = {}
        self.note_texts: list[tuple[str, str, int]] = []
        self.keys: dict[str, int] = {}

    def take(self, line: str, number: int) -> None:
        if not line.strip():
            self.after_blank = True
            return
        if match := _HEADING.fullmatch(line):
            self.heading(len(match["depth"]), match["text"], number)
        elif match := _NOTE_TEXT.fullmatch(line.strip()):
            self.note_texts.append((match["mark"], match["text"], number))
        else:
            self.block(line.strip(), number)
        self.after_blank = False

    def finish(self) -> PlainEdition:
        for mark, text, number in self.note_texts:
            if mark not in self.note_owners:
                raise UnreadableSource(f"{self.file} line {number}: the note [^{mark}] is not marked in the text")
            self.note_owners[mark].notes.append(fold_space(text))
        missing = set(self.note_owners) - {mark for mark, _, _ in self.note_texts}
        if missing:
            raise UnreadableSource(f"{self.file}: the note [^{min(missing)}] has no text")
        if not self.keys:
            raise UnreadableSource(f"{self.file}: no unit found; expected headings such as ### Art. 1. Scope")
        _mark_repealed(self.roots)
        return PlainEdition(self.title, tuple(self.roots))

    def heading(self, depth: int, text: str, number: int) -> None:
        self.open = []
        if depth == 1:
            self.title = self.title or fold_space(text)
            return
        if match := _ARTICLE.fullmatch(text) or _SECTION.fullmatch(text):
            level = "art" if match.re is _ARTICLE else "par"
            label = text[: match.start("heading")].strip() if match["heading"] else text
            self.unit(level, match, label=label, heading=match["heading"] or "", number=number)
            return
        self.container(depth, text, number)

    def container(self, depth: int, text: str, number: int) -> None:
        while self.containers and self.containers[-1][0] >= depth:
            self.containers.pop()
        if depth == 2:
            self.in_dis = bool(_TRANSITIONAL.search(text))
            self.dis += self.in_dis
        around = self.containers[-1][1] if self.containers else None
        siblings = around.children if around else self.roots
        unit = ParsedUnit(f"{around.key}/" if around else "@", "part")
        unit.key += str(len(siblings) + 1)
        unit.heading = self.without_notes(unit, text)
        siblings.append(unit)
        self.containers.append((depth, unit))

    def unit(self, level: str, match: re.Match[str], *, label: str, heading: str, number: int) -> None:
        first = (match["first"] or "").replace(" ", "")
        segments = ([("dis", str(self.dis))] if self.in_dis else []) + [(level, first)]
        unit = ParsedUnit(make_key(segments), level, number=label, range_end=match["last"] or "")
        unit.heading = self.without_notes(unit, heading)
        if unit.heading and says_repealed(unit.heading):
            unit.heading, unit.text = "", unit.heading
        self.claim(unit.key, number)
        (self.containers[-1][1].children if self.containers else self.roots).append(unit)
        self.open = [unit]

    def block(self, line: str, number: int) -> None:
        if not self.open:
            self.loose(line)
            return
        for level, pattern in _BLOCKS:
            match = pattern.fullmatch(line)
            if match and not (self.open[0].level == "par" and level == "par"):
                self.sub_unit(level, match, number)
                return
        self.running(line)

    def sub_unit(self, level: str, match: re.Match[str], number: int) -> None:
        while len(self.open) > 1 and _DEPTH[self.open[-1].level] >= _DEPTH[level]:
            self.open.pop()
        parent = self.open[-1]
        if parent.closing:
            raise UnreadableSource(
                f"{self.file} line {number}: {match['label']} stands behind the closing words of {parent.key}"
            )
        groups = match.groupdict()
        first = groups.get("first") or ""
        if level == "tiret":
            first = str(sum(child.level == "tiret" for child in parent.children) + 1)
        key = "/".join(part for part in (parent.key, f"{level}={first}") if part)
        unit = ParsedUnit(key, level, number=match["label"], range_end=groups.get("last") or "")
        unit.text = self.without_notes(unit, match["text"] or "")
        self.claim(unit.key, number)
        parent.children.append(unit)
        self.open.append(unit)

    def running(self, line: str) -> None:
        """A line without a label: it goes on with the unit above it, or closes the paragraph or article around it."""
        if self.after_blank:
            while len(self.open) > 1 and _DEPTH[self.open[-1].level] > _DEPTH["ust"]:
                self.open.pop()
        unit = self.open[-1]
        text = self.without_notes(unit, line)
        if unit.children:
            unit.closing = f"{unit.closing}\n{text}".strip()
        else:
            unit.text = f"{unit.text}\n{text}".strip() if self.after_blank else f"{unit.text} {text}".strip()

    def loose(self, line: str) -> None:
        """Text before the first article, or between a container's heading and its first article."""
        if self.containers:
            owner = self.containers[-1][1]
        else:
            if not self.roots or self.roots[-1].level != "preamble":
                self.roots.append(ParsedUnit("@preamble", "preamble"))
            owner = self.roots[-1]
        owner.text = f"{owner.text}\n{self.without_notes(owner, line)}".strip()

    def without_notes(self, unit: ParsedUnit, text: str) -> str:
        for match in _NOTE_MARK.finditer(text):
            self.note_owners[match["mark"]] = unit
        return fold_space(_NOTE_MARK.sub("", text))

    def claim(self, key: str, number: int) -> None:
        if key in self.keys:
            raise UnreadableSource(f"{self.file} line {number}: unit {key} stands already in line {self.keys[key]}")
        self.keys[key] = number


def _mark_repealed(units: Iterable[ParsedUnit]) -> None:
    for unit in units:
        _mark_repealed(unit.children)
        if unit.level in _DEPTH:
            live = any(not child.is_repealed for child in unit.children)
            unit.is_repealed = not live and not unit.closing and says_repealed(unit.text)


def write_plain_text(title: str, units: Sequence[ParsedUnit]) -> bytes:
    """An edition in the markup, in one canonical form: reading it gives the same units, writing them the same bytes."""
    writer = _Writer()
    lines = [f"# {title}", ""]
    for unit in units:
        lines += writer.root(unit, depth=2)
    return ("\n".join(lines + writer.notes).rstrip("\n") + "\n").encode()


class _Writer:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def root(self, unit: ParsedUnit, *, depth: int) -> list[str]:
        if unit.level == "preamble":
            return [self.marked(unit, unit.text), ""]
        if unit.level not in _DEPTH:
            lines = [
                f"{'#' * depth} {self.marked(unit, unit.heading)}",
                *([unit.text.replace("\n", "\n\n")] if unit.text else []),
                "",
            ]
            for child in unit.children:
                lines += self.root(child, depth=min(depth + 1, 6))
            return lines
        head = f"{'#' * max(depth, 3)} {unit.number}" + (f" {self.marked(unit, unit.heading)}" if unit.heading else "")
        body = unit.text if unit.heading or not unit.notes else self.marked(unit, unit.text)
        return [head, *([body.replace("\n", "\n\n")] if body else []), *self.blocks(unit), ""]

    def blocks(self, unit: ParsedUnit) -> list[str]:
        lines = []
        for child in unit.children:
            text = child.text.replace("\n", "\n\n" if child.level in {"par", "ust"} else " ")
            lines.append(f"{child.number} {self.marked(child, text)}".rstrip())
            lines += self.blocks(child)
        if unit.closing:
            lines += ["", unit.closing]
        return lines

    def marked(self, unit: ParsedUnit, text: str) -> str:
        marks = ""
        for note in unit.notes:
            mark = str(len(self.notes) + 1)
            self.notes.append(f"[^{mark}]: {note}")
            marks += f"[^{mark}]"
        return f"{text}{' ' if text and marks else ''}{marks}"
