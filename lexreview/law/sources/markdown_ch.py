"""Editions of Swiss law that a third party converted to Markdown: good for dates and changes, no source of truth.

Articles are marked `**Art. 5** Art. 5 Heading`; notes stand inside the text and list items are glued together, so both
are told apart by their wording. Acts whose articles lie inside marginal titles have no marks: their text is kept whole.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from lexreview.core.citations.dates import dates_in
from lexreview.core.citations.view import fold
from lexreview.law.folding import fold_space
from lexreview.law.keys import make_key, number_rank
from lexreview.law.parsed import ParsedAct, ParsedEdition, ParsedName, ParsedUnit, UnreadableSource, sha256_of
from lexreview.law.repeal import says_repealed
from lexreview.law.sources.fedlex import RANGE_SIGN, bracketed_names, read_number
from lexreview.law.sources.swiss_notes import split_notes
from lexreview.law.sources.yaml_text import read_yaml

_FRONT = re.compile(r"\A---\n(?P<yaml>.*?)\n---\n", re.DOTALL)
_ARTICLE = re.compile(r"\*\*(?P<bold>Art(?:\.|(?=\s\d)).*?)\*\*\s*(?P<rest>.*)", re.DOTALL)
_NUMBER_HEAD = re.compile(
    r"(?P<label>Art\.?\s*\d+(?:[a-z]{0,2}|\s[a-z](?=\s[A-Z]|$))(?:bis|ter|quater|quinquies|sexies|septies|octies)?"
    rf"(?:\s*{RANGE_SIGN}\s*\d+[a-z]{{0,2}}(?:bis|ter|quater|quinquies|sexies)?)?)(?=\s|$|[A-ZÀ-Ý…*])"
)
_SUFFIX = r"(?:bis|ter|quater|quinquies|sexies|septies|octies)"
_PARAGRAPH = re.compile(
    rf"(?P<first>\d+{_SUFFIX}?)(?:\s*{RANGE_SIGN}\s*(?P<last>\d+{_SUFFIX}?))?\s+(?P<text>\S.*)", re.DOTALL
)
# "… ATSG.[tab]2 Bestand …": the next paragraph, glued to the one before.
_GLUED_PARAGRAPH = rf"(?:(?<=[.…)])\[tab\]|(?<=[a-zà-ÿ]\.))(?=\d{{1,2}}{_SUFFIX}?\s[A-ZÀ-Ý])|(?<=\n)\[tab\](?=\d)"
_HEADING = re.compile(r"(?P<depth>#{1,6})\s+(?P<text>.*)", re.DOTALL)
_TRANSITIONAL = re.compile(
    r"(?:Schluss|Übergangs)bestimmung\w* (?:zu|der Änderung)|"
    r"Dispositions? (?:finale|transitoire)s? (?:de la|du|relative)|"
    r"Disposizion\w (?:final|transitori)\w+ (?:della|del|relativ)",
    re.IGNORECASE,
)
_BEFORE_ITEM = (
    r"(?:(?<=[;,.:)…])|(?<=\bund)|(?<=\boder)|(?<=\bsowie)|(?<=\bet)|(?<=\bou)|(?<=\be)|(?<=\bo)|(?<=\bed)|(?<=\boppure)|(?<=\bovvero)|(?<=\bnonché)|"
    r"(?<=\bet qu[ei])|(?<=\bbeziehungsweise)|(?<=\s)|"
    r"(?<=[a-zà-ÿ])(?=\d))\s*"
)
# The number of a list's first item; its full stop may be lost where a second item follows, and so may the colon.
_LIST_STARTS = {
    "lit": re.compile(
        r":(?=\s*(?:a\.(?:\s|[….])|a\s.{1,3000}?[;.,]\s?b\.\s))|\bdurch(?=a\.\s.{1,3000}?;\s?b\.\s)", re.DOTALL
    ),
    "pkt": re.compile(r":(?=\s*1\.(?:\s|[….]))|(?<=[a-zà-ÿ])(?=1\.\s.{1,3000}?[;,]\s?2\.\s)", re.DOTALL),
}
_REPEALED_RUN = re.compile(rf"{RANGE_SIGN}\s*(?P<last>[a-z]|\d+)\.\s*(?:…|\.{{3}})\s*")


def parse_markdown_ch(content: bytes) -> ParsedAct:
    """The act with its one edition; `valid_to` is open because the file does not say it.

    UnreadableSource where the front matter with number, language and day is missing.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableSource(f"expected a Markdown edition in UTF-8: {error}") from error
    front = _FRONT.match(text)
    record: Any = read_yaml(front["yaml"].encode(), file="the front matter") if front else None
    if front is None or not isinstance(record, dict) or not {"sr_number", "language", "version_date"} <= set(record):
        raise UnreadableSource("expected front matter with sr_number, language and version_date, found none")
    number, language = str(record["sr_number"]), str(record["language"])
    reader = _Reader()
    units = tuple(reader.units(text[front.end() :]))
    title = fold_space(str(record.get("title", "")))
    edition = ParsedEdition(
        act=f"SR {number}",
        language=language,
        valid_from=_day(record["version_date"]),
        units=units,
        sha256=sha256_of(content),
        standing="converted",
        extent="whole" if reader.articles else "excerpt",
        identifier=f"SR {number} {record['version_date']}",
        source_url=str(record.get("source", "")),
        note="converted to Markdown by a third party",
        warnings=() if reader.articles else ("no article marks; the text is kept whole",),
    )
    names = [ParsedName("number", f"{prefix}{number}") for prefix in ("SR ", "RS ", "")]
    if record.get("abbreviation"):
        names.append(ParsedName("abbreviation", str(record["abbreviation"]), language))
    return ParsedAct(
        eli=f"SR {number}",
        jurisdiction="CH",
        titles={language: title} if title else {},
        names=(*names, *bracketed_names(title, language)),
        adopted_on=_adopted_on(title),
        editions=(edition,),
    )


def _adopted_on(title: str) -> date | None:
    """The first day that a title names: "Bundesgesetz vom 23. März 2007 über …"."""
    first = next(iter(dates_in(fold(title))), None)
    return date.fromisoformat(first.iso) if first else None


def _day(value: object) -> date:
    try:
        return date.fromisoformat(str(value))
    except ValueError as error:
        raise UnreadableSource(f"version_date: expected a day such as 2024-01-31, found {value!r}") from error


class _Reader:
    def __init__(self) -> None:
        self.articles = 0
        self.dis = 0
        self.article: ParsedUnit | None = None
        self.segments: list[tuple[str, str]] = []

    def units(self, body: str) -> Iterator[ParsedUnit]:
        roots: list[ParsedUnit] = []
        containers: list[tuple[int, ParsedUnit]] = []
        for block in re.split(rf"\n{{2,}}|{_GLUED_PARAGRAPH}", body):
            if not block.strip():
                continue
            siblings = containers[-1][1].children if containers else roots
            if heading := _HEADING.fullmatch(block.strip("\n")):
                depth = len(heading["depth"])
                while containers and containers[-1][0] >= depth:
                    containers.pop()
                siblings = containers[-1][1].children if containers else roots
                unit = self.container(
                    heading["text"], f"{containers[-1][1].key}/" if containers else "@", len(siblings)
                )
                siblings.append(unit)
                containers.append((depth, unit))
            elif match := _ARTICLE.fullmatch(block.strip("\n")):
                self.open_article(match, siblings)
            elif self.article is not None:
                self.fill(self.article, block)
            else:
                self.loose(block, containers[-1][1] if containers else None, roots)
        finish(roots)
        return iter(roots)

    def container(self, text: str, prefix: str, siblings: int) -> ParsedUnit:
        clean, notes = split_notes(text)
        self.article = None
        if _TRANSITIONAL.search(clean):
            self.dis += 1
        return ParsedUnit(f"{prefix}{siblings + 1}", "part", heading=fold_space(clean), notes=notes)

    def loose(self, block: str, container: ParsedUnit | None, roots: list[ParsedUnit]) -> None:
        """Text under a heading without article: a preamble, a note repeated below its heading, a transitional text."""
        text, notes = split_notes(f"\n{block}")
        if container is None:
            container = ParsedUnit("@preamble", "preamble")
            roots.append(container)
        clean = fold_space(text)
        if clean and clean not in container.notes:
            container.text = f"{container.text}\n{clean}".strip()
        container.notes += [note for note in notes if note not in container.notes]

    def open_article(self, match: re.Match[str], siblings: list[ParsedUnit]) -> None:
        head = _NUMBER_HEAD.match(fold_space(match["bold"]))
        label = head["label"] if head else fold_space(match["bold"])[:40]
        first, last = read_number(label)
        rest = match["rest"].removeprefix(match["bold"]) if match["rest"].startswith(match["bold"]) else match["rest"]
        _, notes = split_notes(f" {match['bold']}")
        heading, more = split_notes(f" {rest}")
        clean = fold_space(heading)
        if clean.startswith(label):
            clean = clean.removeprefix(label).strip()
        self.articles += 1
        self.segments = ([("dis", str(self.dis))] if self.dis else []) + [("art", first or label)]
        self.article = ParsedUnit(
            make_key(self.segments),
            "art",
            number=label,
            heading=clean,
            notes=[*notes, *(note for note in more if note not in notes)],
            range_end=last,
        )
        siblings.append(self.article)

    def fill(self, article: ParsedUnit, block: str) -> None:
        text, notes = split_notes(f"{block}\n")
        clean = fold_space(text)
        match = _PARAGRAPH.fullmatch(clean)
        if match and _follows(article, match["first"]):
            own = [*self.segments, ("ust", match["first"])]
            unit = ParsedUnit(make_key(own), "ust", number=match["first"], notes=notes, range_end=match["last"] or "")
            if match["last"]:
                unit.number = f"{match['first']}–{match['last']}"
            put_items(unit, match["text"], own)
            article.children.append(unit)
            return
        owner = article.children[-1] if article.children and article.children[-1].level == "ust" else article
        segments = [*self.segments, ("ust", owner.key.rpartition("ust=")[2])] if owner is not article else self.segments
        owner.notes += notes
        if clean and owner.children:
            owner.closing = f"{owner.closing}\n{clean}".strip()
        elif clean:
            put_items(owner, f"{owner.text}\n{clean}".strip(), segments)


def _follows(article: ParsedUnit, number: str) -> bool:
    """Whether a number at the head of a block can be the next paragraph of the article, not a figure in its text.

    Where paragraph 2bis was printed before paragraph 2, the latter still comes.
    """
    rank = number_rank(number)
    last = next((unit for unit in reversed(article.children) if unit.level == "ust"), None)
    if last is None:
        return bool(rank and rank[0] == 1) and not article.text
    before = number_rank(last.range_end or last.key.rpartition("ust=")[2])
    if rank and before and rank[0] == before[0] and rank < before:
        return all(number_rank(unit.key.rpartition("ust=")[2]) != rank for unit in article.children)
    return bool(rank and before and rank > before and rank[0] <= before[0] + 1)


def put_items(unit: ParsedUnit, text: str, segments: list[tuple[str, str]]) -> None:
    """Split a text with glued list items ("für:a. die …;b. die …") into the unit's opening text and its items.

    Of letters and numbers those that begin first are the outer list.
    """
    text = text.replace("[tab]", " ")
    levels = {level for level, _ in segments}
    starts = [
        (start.end(), level, first)
        for level, first in (("lit", "a"), ("pkt", "1"))
        if level not in levels and (start := _LIST_STARTS[level].search(text))
    ]
    if not starts:
        unit.text = text
        return
    place, level, first = min(starts)
    unit.text = text[:place].strip()
    for number, last, piece in _items(text[place:], first):
        own = [*segments, (level, number)]
        printed = f"{number}.–{last}." if last else f"{number}."
        item = ParsedUnit(make_key(own), level, number=printed, range_end=last)
        put_items(item, piece, own)
        unit.children.append(item)


def _items(text: str, first: str) -> Iterator[tuple[str, str, str]]:
    """The items of a list in their order, each with the last number of a repealed run ("b.–d. …") or "".

    After `b` comes `bbis` or `c`; a letter out of order is text.
    """
    number = first
    position = re.match(rf"\s*{first}\.?\s*", text).end()  # type: ignore[union-attr]
    while True:
        run = _REPEALED_RUN.match(text, position)
        last = run["last"] if run else ""
        after = run.end() if run else position
        found = _item_after(last or number).search(text, after)
        yield number, last, "…" if run else text[position : found.start() if found else None].strip()
        if found is None:
            return
        number, position = found["number"].replace(".", ""), found.end()


def _item_after(number: str) -> re.Pattern[str]:
    """Where the next item begins: its number with a full stop; a suffix may stand behind the full stop."""
    match = re.fullmatch(rf"(?P<base>\d+|[a-z]+?)(?P<suffix>{_SUFFIX})?", number)
    base = match["base"] if match else number
    following = (
        str(int(base) + 1) if base.isdigit() else "aa" if base == "z" else f"{base[:-1]}{chr(ord(base[-1]) + 1)}"
    )
    inserted = rf"{base}(?:bis|ter|quater|quinquies|sexies)(?=\.)|{base}\.(?:bis|ter|quater|quinquies|sexies)(?=\s)"
    unstopped = rf"(?<=;){following}(?=\s[a-zà-ÿ])" if following.isalpha() else following + r"(?=\.)"
    return re.compile(_BEFORE_ITEM + rf"(?P<number>{inserted}|{following}(?=\.)|{unstopped})\.?(?:\s+|(?=[….–—-]))")


def finish(units: list[ParsedUnit]) -> None:
    """Mark what is repealed, from the inside out."""
    for unit in units:
        finish(unit.children)
        if unit.level in {"art", "ust", "pkt", "lit"}:
            live = any(not child.is_repealed for child in unit.children)
            unit.is_repealed = not live and not unit.closing and says_repealed(unit.text, notes=unit.notes)
