"""Finds the acts that a name or a number means: abbreviations by squashed key, titles by word stems."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.dates import DATE
from lexreview.core.citations.scanning import Beginnings
from lexreview.core.citations.view import View, fold

MOST_PIECES = 8
MOST_TITLE_WORDS = 30
_PIECE = re.compile(r"(?P<blank>\s{0,2})(?P<word>[^\W\d_]{1,14}|\d{1,2}(?!\d))(?P<dot>\.?)(?P<slash>[-/](?=[^\W\d_]))?")
_TITLE_WORD = re.compile(r"[\s,\-–'\"„”»«.:()]{0,5}(?P<word>[^\W_]{1,30})")
_WORD = re.compile(r"[^\W_]+")
_TYPE_NOUN = re.compile(
    r"(?:ustaw[aey]|rozporzadzenie|dekret|act|law|statute|(?:bundes)?gesetz|verordnung|loi(?:\sfederale)?"
    r"|ordonnance|legge(?:\sfederale)?)\s+"
)
_TITLE_DATE = re.compile(
    r"(?:(?:z\sdnia|z|of|vom|du|del)\s+)\d{1,2}\.?\s*[a-z]+\s+\d{4}\s*(?:r\.?)?\s*(?:[-–,]\s*)?|^[-–,]\s*"
)
_DATE_WITHIN = re.compile(rf"\s(?:vom|du|del|of)\s{DATE}")
_DATE_INSIDE = re.compile(rf"\s{{1,3}}(?:vom|du|del|of|z\sdnia|z)\s{{1,3}}{DATE}(?:\s?r\.)?(?:\s?[-–])?")
_ISSUER = re.compile(r"^(?:ministra|prezesa|rady)\s[^,;]{0,60}?(?=w\ssprawie|z\sdnia)")
_PREFIX_END = {"oraz", "i", "und", "et", "e", "and", "sowie"}


@dataclass(frozen=True, slots=True)
class Named:
    """Acts that a name fits: several when the name is shared. ``end`` is the end of the name."""

    end: int
    entries: tuple[ActEntry, ...]


@dataclass(slots=True)
class _Node:
    children: dict[str, _Node] = field(default_factory=dict)
    entries: list[ActEntry] = field(default_factory=list)
    heads: list[ActEntry] = field(default_factory=list)


class ActIndex:
    """Names and numbers of acts for one grammar.

    Later entries override earlier ones that bear the same name (``overrides``). ``endings`` are the case endings that
    title words may lose. ``any_case`` lets abbreviations be written in any case. ``languages`` limits the names taken
    (names under "" always count); ``fallback`` languages fill in where a name is still free.
    """

    def __init__(
        self,
        entries: Iterable[ActEntry],
        *,
        overrides: Iterable[ActEntry] = (),
        endings: Sequence[str] = (),
        any_case: bool = True,
        languages: Sequence[str] | None = None,
        fallback: Sequence[str] = (),
        spaced: Iterable[str] = (),
    ) -> None:
        self._endings = tuple(sorted(endings, key=len, reverse=True))
        self._languages = frozenset((*languages, "")) if languages is not None else None
        self._fallback = frozenset(fallback)
        self._any_case = any_case
        self.abbreviations: dict[str, tuple[ActEntry, ...]] = {}
        self.dotted: set[str] = set()
        self._lowered: dict[str, tuple[ActEntry, ...]] | None = None
        self.numbers: dict[tuple[str, str], ActEntry] = {}
        self.by_id: dict[str, ActEntry] = {}
        self._titles = _Node()
        self.first_stems: set[str] = set()
        self._spaced = prefixes_of(spaced)
        self._stems: dict[str, str] = {}
        over = list(overrides)
        for entry in _merged(entries, over):
            self._add(entry)
        for form in {self.key(form) for entry in over for form in self._forms(entry.abbreviations)}:
            self.abbreviations.pop(form, None)
        for entry in over:
            self._add(entry)
        self._add_fallback()
        self._prefixes = prefixes_of(self.abbreviations)
        stems = self._titles.children
        self._title_begins = Beginnings(
            pairs=frozenset(stem[:2] for stem in stems if len(stem) > 1),
            alone=frozenset(stem for stem in stems if len(stem) == 1),
        )
        self._tails = frozenset(key.replace("/", "")[-2:] for key in self.abbreviations)

    def stem(self, word: str) -> str:
        """A folded word without its case ending; at least three letters stay."""
        known = self._stems.get(word)
        if known is None:
            known = next(
                (word[: -len(end)] for end in self._endings if word.endswith(end) and len(word) - len(end) >= 3), word
            )
            if len(self._stems) < 50_000:
                self._stems[word] = known
        return known

    def key(self, form: str) -> str:
        """The squashed key of an abbreviation: no dots, blanks or hyphens."""
        squashed = re.sub(r"[.\s\-]", "", form)
        return fold(squashed) if self._any_case else squashed

    def abbreviation_at(self, view: View, position: int) -> Named | None:
        """The longest known abbreviation that begins here, dotted, spaced or bare."""
        return self.longest(view, position, self.abbreviations, self._prefixes)

    def longest(
        self, view: View, position: int, table: Mapping[str, tuple[ActEntry, ...]], prefixes: Collection[str]
    ) -> Named | None:
        """The longest abbreviation of ``table`` (by squashed key) at ``position``; ``prefixes`` begin its keys."""
        text = view.folded if self._any_case else view.text
        best: Named | None = None
        key, dotted, pieces, at = "", False, 0, position
        while pieces < MOST_PIECES and (piece := _PIECE.match(text, at)):
            blank, word, dot, slash = piece.groups()
            if blank and (not pieces or (not dotted and key + word not in self._spaced)):
                break
            inner = dotted
            key += f"{word}/" if slash == "/" else word
            pieces += 1
            dotted = dotted or bool(dot)
            at = piece.end()
            if key not in prefixes:
                break
            entries = table.get(key)
            if entries and not _inside_word(text, at) and not (inner and _stray(view.text, piece)):
                sentence_dot = dot and not inner and key not in self.dotted
                best = Named(at - 1 if sentence_dot else at, entries)
        return best

    def in_any_case(self, word: str) -> tuple[ActEntry, ...]:
        """The acts whose abbreviation this word is, whatever its case; for indexes that otherwise respect case."""
        if self._lowered is None:
            self._lowered = {}
            for key, entries in self.abbreviations.items():
                self._lowered.setdefault(key.lower(), entries)
        return self._lowered.get(word.lower(), ())

    def abbreviation_before(self, view: View, position: int) -> tuple[int, Named] | None:
        """The longest abbreviation that ends exactly at ``position``, with its start."""
        text = view.folded if self._any_case else view.text
        if _tail(text, position) not in self._tails:
            return None
        low = max(0, position - 24)
        starts = [match.start() for match in _STARTS.finditer(view.folded, low, position)]
        for start in starts:
            named = self.abbreviation_at(view, start)
            if named and named.end == position:
                return start, named
        return None

    def title_at(self, view: View, position: int) -> Named | None:
        """The longest known title, or beginning of a title up to a comma or "and", that starts here."""
        if not self._title_begins.at(view.folded, position):
            return None
        node, at, best = self._titles, position, None
        for count in range(MOST_TITLE_WORDS):
            word = _TITLE_WORD.match(view.folded, at)
            if word is None or (count == 0 and word.start("word") != position) or "\n\n" in word[0]:
                break
            if count and (date := _DATE_INSIDE.match(view.folded, at)):
                word = _TITLE_WORD.match(view.folded, date.end())
                if word is None:
                    break
            child = node.children.get(self.stem(word["word"])) or node.children.get(word["word"])
            if child is None:
                break
            node, at = child, word.end()
            found = node.entries or node.heads
            if found:
                best = Named(at, tuple(found))
        return best

    def entry_of(self, scheme: str, number: str) -> ActEntry | None:
        """The act with this number in a scheme ("journal", "sr", "celex", "eli")."""
        return self.numbers.get((scheme, number))

    def _add(self, entry: ActEntry) -> None:
        self.by_id[entry.id] = entry
        for form in self._forms(entry.abbreviations):
            if " " in form and "." not in form:
                self._spaced |= prefixes_of((self.key(form),))
            if form.endswith(".") and "." not in form[:-1]:
                self.dotted.add(self.key(form))
            known = tuple(other for other in self.abbreviations.get(self.key(form), ()) if other.id != entry.id)
            self.abbreviations[self.key(form)] = (*known, entry)
        for title in self._forms(entry.titles):
            self._add_title(title, entry)
        for scheme, number in entry.numbers.items():
            self.numbers[scheme, number] = entry
        for alias in entry.aliases:
            self.numbers.setdefault(("journal", alias), entry)

    def _add_fallback(self) -> None:
        """Names in further languages count where no name of the main languages is the same."""
        taken = set(self.abbreviations)
        for entry in self.by_id.values():
            for form in self._forms(entry.abbreviations, self._fallback):
                key = self.key(form)
                if key not in taken and entry not in self.abbreviations.get(key, ()):
                    self.abbreviations[key] = (*self.abbreviations.get(key, ()), entry)
            for title in self._forms(entry.titles, self._fallback):
                self._add_title(title, entry)

    def _forms(self, names: Mapping[str, tuple[str, ...]], languages: frozenset[str] | None = None) -> Iterator[str]:
        wanted = self._languages if languages is None else languages
        for language, forms in names.items():
            if wanted is None or language in wanted:
                yield from (form for form in forms if form.strip())

    def _add_title(self, title: str, entry: ActEntry) -> None:
        folded = fold(title)
        folded = _DATE_WITHIN.sub(" ", folded)
        bare = _ISSUER.sub("", _TITLE_DATE.sub("", _TYPE_NOUN.sub("", folded, count=1), count=1)).strip()
        self._insert(folded, entry)
        if bare != folded and bare.startswith(("o ", "w sprawie ", "zmieniajac", "kodeks ", "prawo ")):
            self._insert(bare, entry)

    def _insert(self, folded: str, entry: ActEntry) -> None:
        node = self._titles
        words = list(_WORD.finditer(folded))
        for at, word in enumerate(words[:MOST_TITLE_WORDS]):
            stem = self.stem(word[0])
            if at == 0:
                self.first_stems.add(stem)
            ends = at >= 2 and (folded[word.end() : word.end() + 1] == "," or _next_is_and(words, at))
            node = node.children.setdefault(stem, _Node())
            if ends and entry not in node.heads:
                node.heads.append(entry)
        node.entries = [known for known in node.entries if known.id != entry.id] + [entry]


def prefixes_of(keys: Iterable[str]) -> set[str]:
    """Every beginning of every key."""
    return {key[:end] for key in keys for end in range(1, len(key) + 1)}


def _merged(entries: Iterable[ActEntry], over: Sequence[ActEntry]) -> Iterator[ActEntry]:
    """The built-in entries, under the id of the run-time entry that bears one of their numbers."""
    by_number = {number: entry for entry in over for number in entry.numbers.items()}
    by_id = {entry.id: entry for entry in over}
    for entry in entries:
        new = by_id.get(entry.id) or next(
            (by_number[pair] for pair in entry.numbers.items() if pair in by_number), None
        )
        yield replace(entry, id=new.id, numbers={**entry.numbers, **new.numbers}) if new else entry


_STARTS = re.compile(r"(?<![^\W_])(?<!\.)[^\W\d_]|(?<=[\s(])[^\W\d_]")


def _tail(text: str, position: int) -> str:
    """The last two letters or digits in front of a position: most words end no abbreviation."""
    found = ""
    for char in reversed(text[max(0, position - 8) : position]):
        if char.isalnum():
            found = char + found
            if len(found) == 2:
                break
    return found


def _next_is_and(words: list[re.Match[str]], at: int) -> bool:
    return at + 1 < len(words) and words[at + 1][0] in _PREFIX_END


def _stray(text: str, piece: re.Match[str]) -> bool:
    """Behind dotted letters a lower-case word set apart and without a dot is no part of the abbreviation: "k.p. w"."""
    return bool(piece["blank"]) and not piece["dot"] and text[piece.start("word")].islower()


def _inside_word(text: str, position: int) -> bool:
    before, after = text[position - 1 : position], text[position : position + 1]
    return after.isalnum() and (before != "." or after.isdigit())
