"""Labelled answers made from whatever law is stored: real units cited and quoted in five languages, right and wrong.

Each sentence is built around one unit of one edition, so its label follows from the corpus and not from the layer:
what is quoted stands verbatim in the unit on the day (`confirmed`), in another edition only (`W`), is changed by a word
or a number (`T`), or names a unit that no edition has (`F`) or another act's number (`S`).
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from lexreview.core.quotations.folding import letters_of
from lexreview.law.models import Act, ActName, Edition
from lexreview.law.reading import EditionText, read_edition

QUOTES = {
    "de": [("«", "»"), ("„", "“")],
    "fr": [("« ", " »"), ("«", "»")],
    "it": [("«", "»")],
    "pl": [("„", "”")],
    "en": [("“", "”"), ("‘", "’")],
}
# {c} citation, {q} quotation with its marks
QUOTED = {
    "de": [
        "{c} lautet: {q}",
        "Es gilt {q} ({c}).",
        "Nach {c} {q}.",
        "- {c}: {q}",
        "{q} ({c}). Das ist klar.",
        "Das Gesetz spricht von {q}, so {c}.",
        "| Regel | {c} | {q} |",
        "> {q} ({c})",
        "**{c}**: {q}",
    ],
    "fr": [
        "L'{c} dispose que {q}.",
        "La règle est {q} ({c}).",
        "Selon l'{c}, {q}.",
        "- {c} : {q}",
        "| Règle | {c} | {q} |",
        "{q} ({c})",
    ],
    "it": [
        "L'{c} dispone: {q}.",
        "Vale la regola {q} ({c}).",
        "Secondo l'{c} {q}.",
        "- {c}: {q}",
        "{q} ({c}).",
    ],
    "pl": [
        "Przepis {c} stanowi: {q}.",
        "Obowiązuje zasada {q} ({c}).",
        "Zgodnie z {c} {q}.",
        "- {c}: {q}",
        "| Zasada | {c} | {q} |",
        "{q} – {c}.",
    ],
    "en": [
        "{c} provides: {q}.",
        "The rule is {q} ({c}).",
        "Under {c}, {q}.",
        "- {c}: {q}",
        "| Rule | {c} | {q} |",
        "{q} ({c}).",
    ],
}
PLAIN = {
    "de": ["Massgebend ist {c}.", "Das folgt aus {c}; mehr braucht es nicht.", "- Frist: {c}", "(vgl. {c})"],
    "fr": ["La base est l'{c}.", "Cela découle de l'{c}.", "- délai : {c}"],
    "it": ["La base è l'{c}.", "Ciò risulta dall'{c}.", "- termine: {c}"],
    "pl": ["Podstawą jest {c}.", "Wynika to z {c}.", "- termin: {c}"],
    "en": ["The basis is {c}.", "This follows from {c}.", "- time limit: {c}"],
}
SWISS = {
    "de": {"art": "Art. ", "ust": " Abs. ", "lit": " lit. ", "pkt": " Ziff. "},
    "fr": {"art": "art. ", "ust": " al. ", "lit": " let. ", "pkt": " ch. "},
    "it": {"art": "art. ", "ust": " cpv. ", "lit": " lett. ", "pkt": " n. "},
}
POLISH = {"art": "art. ", "par": "§ ", "ust": " ust. ", "pkt": " pkt ", "lit": " lit. "}
SWAPS = {
    "de": [("muss", "kann"), ("kann", "muss"), ("und", "oder"), ("oder", "und"), ("nicht", "stets"), ("der", "jeder")],
    "fr": [("doit", "peut"), ("peut", "doit"), ("et", "ou"), ("ou", "et"), ("les", "certaines"), ("est", "reste")],
    "it": [("deve", "può"), ("può", "deve"), ("e", "o"), ("o", "e"), ("è", "resta"), ("non", "sempre")],
    "pl": [("lub", "oraz"), ("oraz", "lub"), ("może", "musi"), ("nie", "zawsze"), ("w", "bez"), ("jest", "bywa")],
    "en": [("shall", "may"), ("may", "shall"), ("and", "or"), ("or", "and"), ("not", "always"), ("the", "any")],
}


@dataclass(slots=True)
class Label:
    """One planted citation: where it stands in the text, what a right layer says, and the kind of error, if any."""

    start: int
    end: int
    raw: str
    act: str
    unit: str
    expected: str
    error: str = ""
    error_class: str = ""
    quote: str = ""


@dataclass(slots=True)
class Made:
    """A made answer, with the fields that `verify_citations` reads."""

    id: str
    lang: str
    jurisdiction: str
    on: date
    text: str
    labels: list[Label] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Source:
    """An act in one language with all its editions read, and how it is called in that language."""

    act: Act
    lang: str
    name: str
    editions: list[EditionText]


def sources() -> list[Source]:
    """Every act with articles in a language that has a usable short name; staged entries into force are left out."""
    found = []
    for act in Act.objects.filter(force_note="").in_reading_order():
        by_language: dict[str, list[Edition]] = defaultdict(list)
        for edition in act.editions.in_time_order():
            if edition.extent == Edition.Extent.WHOLE:
                by_language[edition.language].append(edition)
        for lang, editions in sorted(by_language.items()):
            if lang in QUOTED and (name := _name(act, lang)):
                found.append(Source(act, lang, name, [read_edition(edition) for edition in editions]))
    return found


def _name(act: Act, lang: str) -> str:
    names = ActName.objects.filter(act=act, language=lang).order_by("pk")
    if act.jurisdiction == "PL":
        match = re.match(r"(?:Ustawa|ustawa).* (?=o )", act.title("pl"))
        return f"ustawy {act.title('pl')[match.end() :]}" if match and len(act.title("pl")) < 90 else ""
    short = [name.value for name in names if name.kind == ActName.Kind.ABBREVIATION]
    return next((value for value in short if value.isupper() or len(value) < 9), "")


def cite(source: Source, key: str) -> str:
    """The unit as people of that state write it, with the act's name; "" for units that nobody cites so."""
    parts = [part.partition("=")[::2] for part in key.split("/")]
    words: dict[str, str] = POLISH if source.act.jurisdiction == "PL" else SWISS.get(source.lang, {})
    if source.act.jurisdiction == "EU":
        if source.lang != "en" or parts[0][0] != "art" or any(level not in {"art", "ust", "lit"} for level, _ in parts):
            return ""
        return "Article " + parts[0][1] + "".join(f"({value})" for _, value in parts[1:]) + f" {source.name}"
    if any(level not in words for level, _ in parts) or parts[0][0] not in {"art", "par"}:
        return ""
    return "".join(words[level] + value for level, value in parts).replace("^", "") + f" {source.name}"


class Maker:
    """Makes answers from sources with a seeded generator: the same seed and law give the same answers."""

    def __init__(self, found: Sequence[Source], *, seed: int) -> None:
        self.sources = list(found)
        self.random = random.Random(seed)
        self.makers: list[tuple[float, Callable[[Source, EditionText], tuple[str, Label] | None]]] = [
            (0.30, self.quoted),
            (0.26, self.plain),
            (0.12, self.misquoted),
            (0.12, self.of_another_day),
            (0.10, self.missing),
            (0.06, self.gone_or_to_come),
            (0.04, self.numbered),
        ]

    def answers(self, count: int, *, citations: int = 9) -> Iterator[Made]:
        for number in range(count):
            yield self.answer(f"made-{number:05d}", citations)

    def answer(self, name: str, citations: int) -> Made:
        source = self.random.choice(self.sources)
        edition = self.random.choice(source.editions)
        made = Made(name, source.lang, source.act.jurisdiction, self._day(edition.edition), "")
        for _ in range(citations):
            chosen = self.random.choices([each for _, each in self.makers], [weight for weight, _ in self.makers])[0]
            if result := chosen(source, edition):
                sentence, label = result
                offset = len(made.text)
                made.text += sentence + self.random.choice(["\n\n", "\n\n", "\n"])
                label.start, label.end = label.start + offset, label.end + offset
                made.labels.append(label)
        return made

    def _day(self, edition: Edition) -> date:
        last = edition.valid_to or edition.valid_from + timedelta(days=90)
        return edition.valid_from + timedelta(days=self.random.randint(0, max(0, (last - edition.valid_from).days)))

    def _unit(self, edition: EditionText) -> Any:
        live = [u for u in edition.units if not u.key.startswith("@") and not edition.is_repealed(u) and u.text]
        return self.random.choice(live) if live else None

    def _sentence(self, source: Source, key: str, quote: str, **label: str) -> tuple[str, Label] | None:
        cited = cite(source, key)
        if not cited:
            return None
        left, right = self.random.choice(QUOTES[source.lang])
        pattern = self.random.choice(QUOTED[source.lang] if quote else PLAIN[source.lang])
        head, tail = pattern.split("{c}")
        marked = f"{left}{quote}{right}"
        head, tail = head.replace("{q}", marked), tail.replace("{q}", marked)
        start = len(head)
        made = Label(start, start + len(cited), cited, source.act.eli, key, **({"quote": quote, **label}))
        return head + cited + tail, made

    def _words(self, text: str, *, fewest: int = 5, most: int = 22) -> str:
        """A run of whole words of the text, taken from one line; "" where no line is long enough."""
        lines = [line.split() for line in text.split("\n") if len(line.split()) >= fewest]
        lines = [words for words in lines if not any(char in " ".join(words) for char in '«»„“”"‘’[]|…*<>')]
        if not lines:
            return ""
        words = self.random.choice(lines)
        size = min(len(words), self.random.randint(fewest, most))
        start = self.random.randint(0, len(words) - size)
        run = words[start : start + size]
        while run and run[0].isdigit() and len(run[0]) == 3:
            run = run[1:]
        while run and run[-1].isdigit():
            run = run[:-1]
        return " ".join(run).strip(" ,;:–-") if len(run) >= fewest else ""

    def quoted(self, source: Source, edition: EditionText) -> tuple[str, Label] | None:
        unit = self._unit(edition)
        quote = self._words(unit.text) if unit else ""
        if not quote:
            return None
        if self.random.random() < 0.15 and len(quote.split()) > 10:
            words = quote.split()
            quote = " ".join([*words[:4], "[…]", *words[-4:]])
        return self._sentence(source, unit.key, quote, expected="confirmed")

    def plain(self, source: Source, edition: EditionText) -> tuple[str, Label] | None:
        unit = self._unit(edition)
        return self._sentence(source, unit.key, "", expected="confirmed") if unit else None

    def misquoted(self, source: Source, edition: EditionText) -> tuple[str, Label] | None:
        unit = self._unit(edition)
        quote = self._words(unit.text) if unit else ""
        changed = self._changed(quote, source.lang) if quote else ""
        if not changed or any(self._has(each, changed) for each in source.editions):
            return None
        return self._sentence(source, unit.key, changed, expected="wording_differs", error="misquote", error_class="T")

    def _changed(self, quote: str, lang: str) -> str:
        numbers = [word for word in quote.split() if word.isdecimal()]
        if numbers:
            return quote.replace(numbers[0], str(int(numbers[0]) + self.random.randint(1, 9)), 1)
        words = quote.split()
        for old, new in self.random.sample(SWAPS[lang], len(SWAPS[lang])):
            if old in words[1:]:
                words[words.index(old, 1)] = new
                return " ".join(words)
        return ""

    def _has(self, edition: EditionText, quote: str) -> bool:
        letters = letters_of(quote)
        return any(letters in letters_of(edition.full_text(unit)) for unit in edition.units if unit.parent_id is None)

    def of_another_day(self, source: Source, edition: EditionText) -> tuple[str, Label] | None:
        """Words of the same unit in another edition that the act does not have on the day."""
        others = [each for each in source.editions if each is not edition]
        self.random.shuffle(others)
        for other in others[:3]:
            for _ in range(40):
                unit = self._unit(other)
                now = edition.find(unit.key) if unit else None
                if (
                    now is None
                    or edition.is_repealed(now)
                    or letters_of(edition.full_text(now)) == letters_of(unit.text)
                ):
                    continue
                quote = self._words(unit.text)
                if quote and not self._has(edition, quote):
                    return self._sentence(
                        source, unit.key, quote, expected="wording_differs", error="other_day", error_class="W"
                    )
        return None

    def missing(self, source: Source, edition: EditionText) -> tuple[str, Label] | None:
        unit = self._unit(edition)
        if unit is None:
            return None
        head, _, number = unit.key.rpartition("=")
        if not number.isdigit():
            return None
        key = f"{head}={int(number) + self.random.randint(30, 400)}"
        if any(each.find(key) for each in source.editions):
            return None
        return self._sentence(source, key, "", expected="not_found", error="missing", error_class="F")

    def gone_or_to_come(self, source: Source, edition: EditionText) -> tuple[str, Label] | None:
        """A unit that stands in another edition only, or is repealed on the day."""
        keys = []
        for other in source.editions:
            for unit in other.units:
                if unit.key.startswith("@") or other.is_repealed(unit) or not unit.text:
                    continue
                now = edition.find(unit.key)
                if now is None or edition.is_repealed(now):
                    keys.append(unit.key)
        if not keys:
            return None
        return self._sentence(
            source,
            self.random.choice(sorted(set(keys))),
            "",
            expected="not_in_force",
            error="not_in_force",
            error_class="W",
        )

    def numbered(self, source: Source, edition: EditionText) -> tuple[str, Label] | None:
        """The act with its systematic number, right or with a digit more."""
        number = next((n.value for n in source.act.names.order_by("pk") if n.value.startswith("SR ")), "")
        if source.act.jurisdiction != "CH" or not number:
            return None
        prefix = "SR" if source.lang == "de" else "RS"
        wrong = self.random.random() < 0.6
        own = number.removeprefix("SR ")
        digits = own + (("" if "." in own else ".") + str(self.random.randint(11, 98)) if wrong else "")
        raw = f"{source.name}, {prefix} {digits}"
        head = {"de": "Siehe das Gesetz (", "fr": "Voir la loi (", "it": "Si veda la legge ("}[source.lang]
        label = Label(len(head), len(head) + len(raw), raw, source.act.eli, "", "confirmed")
        if wrong:
            label.expected, label.error, label.error_class = "wrong_identifier", "wrong_sr", "S"
        return f"{head}{raw}).", label
