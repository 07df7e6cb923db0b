"""A small read interface over the room `law`, with caches: many citations of one answer ask the same things."""

import hashlib
import json
from bisect import bisect_right
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from threading import local
from typing import Any, TypeVar
from unicodedata import normalize

from django.db import connection
from django.db.models import Model

from lexreview.core.citations import GRAMMARS, ActEntry, JurisdictionProfile
from lexreview.core.citations.act_data import REGISTRIES, registry_of
from lexreview.core.quotations import Piece, Wording
from lexreview.law.models import Act, ActName, Amendment, Edition, Jurisdiction, Ruling, SourceCoverage, Unit
from lexreview.law.names import fold_name, name_stems, title_forms
from lexreview.law.on_date import UnitOnDate, UnitPeriod, unit_on
from lexreview.law.resolving import canonical_number, resolve_act
from lexreview.verification.known_acts import entry_of
from lexreview.verification.unit_editions import unit_periods

T = TypeVar("T")
_UNITS, _EDITIONS = 20_000, 60


class _Recent(OrderedDict[Hashable, Any]):
    """What was worked out last, up to a number of entries."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def get_or(self, key: Hashable, make: Callable[[], T]) -> T:
        if key in self:
            self.move_to_end(key)
        else:
            self[key] = make()
            if len(self) > self.size:
                self.popitem(last=False)
        value: T = self[key]
        return value


@dataclass(frozen=True, slots=True)
class UnitWording:
    """The texts of one unit in which quoted words may stand: introduction of its parent with its text, its heading."""

    edition: Edition
    wordings: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where words stand: a unit of an edition."""

    edition: Edition
    key: str


class Corpus:
    """The law as stored at one moment. `fingerprint` changes with what is stored; `current()` follows it.

    Not shared between threads. Every method is a read.
    """

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._units = _Recent(_UNITS)
        self._texts = _Recent(_EDITIONS)

    @classmethod
    def current(cls) -> "Corpus":
        """The corpus of this thread, made anew when acts, names, editions, amendments or rulings came or went."""
        fingerprint = fingerprint_of_law()
        known: Corpus | None = getattr(_held, "corpus", None)
        if known is None or known.fingerprint != fingerprint:
            known = _held.corpus = cls(fingerprint)
        return known

    @cached_property
    def _acts(self) -> dict[str, Act]:
        return {act.eli: act for act in Act.objects.in_reading_order()}

    @cached_property
    def _names(self) -> dict[int, list[ActName]]:
        names: dict[int, list[ActName]] = defaultdict(list)
        for name in ActName.objects.order_by("pk"):
            names[name.act_id].append(name)
        return names

    @cached_property
    def entries(self) -> tuple[ActEntry, ...]:
        """All acts as the grammars want them; always the same tuple, so that a grammar can keep what it makes of it."""
        return tuple(entry_of(act, self._names.get(act.pk, [])) for act in self._acts.values())

    @cached_property
    def numbers(self) -> dict[str, list[Act]]:
        """Acts by each of their numbers and keys, as `canonical_number` spells them."""
        numbers: dict[str, list[Act]] = defaultdict(list)
        for act in self._acts.values():
            own = {canonical_number(name.value) for name in self._names.get(act.pk, []) if name.kind == "number"}
            for number in sorted(own | {act.eli}):
                numbers[number].append(act)
        return numbers

    def folded_names_of(self, act: Act) -> set[str]:
        """Every abbreviation and title of the act, folded, with those that the grammars' registries know."""
        return self._folded_names[act.pk]

    @cached_property
    def _folded_names(self) -> dict[int, set[str]]:
        own: dict[int, set[str]] = defaultdict(set)
        for act in self._acts.values():
            own[act.pk] = {name.folded for name in self._names.get(act.pk, []) if name.kind != "number"}
            own[act.pk] |= {fold_name(form)[:400] for title in act.titles.values() for form in title_forms(title)}
        for number, forms in _registered_names():
            for act in self.numbers.get(number, []):
                own[act.pk] |= forms
        return own

    @cached_property
    def names(self) -> dict[str, list[Act]]:
        """Acts by each of their abbreviations and titles, folded, with those that the grammars' registries know."""
        names: dict[str, list[Act]] = defaultdict(list)
        for act in self._acts.values():
            for folded in sorted(self._folded_names[act.pk]):
                names[folded].append(act)
        return names

    @cached_property
    def title_stems(self) -> list[tuple[Act, frozenset[str]]]:
        """Every act with the beginnings of the long words of its titles."""
        return [(act, name_stems(" ".join(act.titles.values()))) for act in self._acts.values()]

    def names_of(self, act: Act) -> list[str]:
        """Every name of the act but its numbers."""
        return [name.value for name in self._names.get(act.pk, []) if name.kind != "number"]

    @cached_property
    def _amending(self) -> tuple[set[str], list[str]]:
        rows = list(Amendment.objects.values_list("amending_eli", "citation").distinct())
        return {canonical_number(eli) for eli, _ in rows}, [f" {fold_name(text)} " for _, text in rows if text]

    def is_amending(self, number: str, written: str) -> bool:
        """Whether a number, or the words it is written in, is that of an act known only for what it amended."""
        numbers, texts = self._amending
        return number in numbers or any(f" {fold_name(written)} " in text for text in texts)

    def numbers_of(self, act: Act) -> list[str]:
        """Every number by which the act goes, as stored."""
        return [name.value for name in self._names.get(act.pk, []) if name.kind == "number"]

    @cached_property
    def _profiles(self) -> dict[str, JurisdictionProfile]:
        rows = Jurisdiction.objects.order_by("code")
        return {row.code.upper(): JurisdictionProfile.from_mapping(row.profile) for row in rows}

    def profile(self, jurisdiction: str) -> JurisdictionProfile | None:
        return self._profiles.get(jurisdiction.upper())

    def act(self, eli: str) -> Act | None:
        return self._acts.get(eli)

    def acts_adopted_on(self, day: date) -> list[Act]:
        return [act for act in self._acts.values() if act.adopted_on == day]

    def resolve(self, name: str, *, jurisdiction: str | None, lang: str) -> list[Act]:
        """The acts that a name or number means; see `lexreview.law.resolving.resolve_act`."""
        key = ("act", name, jurisdiction, lang)
        return self._units.get_or(key, lambda: resolve_act(name, jurisdiction=jurisdiction, lang=lang))

    @cached_property
    def jurisdictions(self) -> frozenset[str]:
        """Codes in small letters that a text can be read under: of the grammars, of profiles and of stored acts."""
        own = {act.jurisdiction for act in self._acts.values()}
        return frozenset(code.lower() for code in (*GRAMMARS, *self._profiles, *own) if code)

    def has_acts_of(self, jurisdiction: str) -> bool:
        return any(act.jurisdiction == jurisdiction.upper() for act in self._acts.values())

    def unit_on(self, *, act: Act, unit: str, on: date, lang: str) -> UnitOnDate:
        key = ("unit", act.pk, unit, on, lang)
        return self._units.get_or(key, lambda: unit_on(act=act, unit=unit, on=on, lang=lang))

    def history(self, *, act: Act, unit: str, lang: str) -> list[UnitPeriod]:
        """The unit in every edition of the language that has it, oldest first."""
        key = ("history", act.pk, unit, lang)
        return self._units.get_or(key, lambda: unit_periods(act=act, key=unit, language=lang))

    def editions(self, act: Act) -> list[Edition]:
        return self._units.get_or(("editions", act.pk), lambda: list(act.editions.in_time_order()))

    def languages_on(self, act: Act, on: date) -> list[str]:
        """Languages with a text of the act for the day."""
        return sorted({each.language for each in self.editions(act) if each.period.contains(on) and _has_text(each)})

    def levels_below(self, edition: Edition, key: str) -> set[str]:
        """The levels of the units right below a key in an edition; "" asks for the top."""
        prefix = f"{key}/" if key else ""
        keys = Unit.objects.filter(edition=edition, key__startswith=prefix).values_list("key", flat=True)
        below = ("levels", edition.pk, key)
        return self._units.get_or(below, lambda: {each[len(prefix) :].partition("=")[0] for each in keys})

    def stores_recitals(self, act: Act) -> bool:
        recitals = Unit.objects.filter(edition__act=act, key__startswith="motyw=")
        return self._units.get_or(("recitals", act.pk), recitals.exists)

    def wording(self, found: UnitOnDate) -> UnitWording | None:
        """What the unit says, ready to be compared with; None where there is no text."""
        if found.edition is None or not (found.text or found.heading):
            return None
        edition = found.edition
        body = "\n".join(part for part in (found.parent_intro, found.heading, found.text) if part)
        key = ("wording", edition.pk, found.key)
        return self._units.get_or(
            key, lambda: UnitWording(edition, tuple(Wording(text) for text in (body, found.text) if text))
        )

    def period_wording(self, period: UnitPeriod) -> Wording:
        heading = period.unit.heading
        key = ("period", period.edition.pk, period.unit.pk)
        return self._units.get_or(key, lambda: Wording(f"{heading}\n{period.text}" if heading else period.text))

    def _whole(self, edition: Edition) -> "_WholeText":
        return self._texts.get_or(edition.pk, lambda: _WholeText(edition))

    def find_words(self, edition: Edition, pieces: Sequence[Piece]) -> Place | None:
        """The unit in which the words begin, where the edition has them; None where it does not."""
        if not _has_text(edition):
            return None
        whole = self._whole(edition)
        at = whole.wording.place_of(pieces)
        return None if at is None else Place(edition, whole.key_at(at))

    @cached_property
    def courts(self) -> list[str]:
        """Every court of which a ruling or a coverage is stored."""
        known = set(Ruling.objects.values_list("court", flat=True).distinct())
        return sorted(known | set(SourceCoverage.objects.values_list("court", flat=True).distinct()))

    def rulings(self, *, jurisdiction: str, docket: str) -> list[Ruling]:
        key = ("rulings", jurisdiction, docket)
        rows = Ruling.objects.filter(jurisdiction=jurisdiction.upper()).with_docket(docket).in_date_order()
        return self._units.get_or(key, lambda: list(rows))

    def rulings_by_ecli(self, ecli: str) -> list[Ruling]:
        return self._units.get_or(("ecli", ecli), lambda: list(Ruling.objects.filter(ecli=ecli).in_date_order()))

    def rulings_of_day(self, *, jurisdiction: str, court: str, day: date) -> list[Ruling]:
        rows = Ruling.objects.filter(jurisdiction=jurisdiction.upper(), court=court, decided_on=day).in_date_order()
        return self._units.get_or(("day", jurisdiction, court, day), lambda: list(rows))

    def covers(self, *, jurisdiction: str, court: str, day: date | None) -> bool:
        """Whether some source holds every ruling of the court on the day: only then does silence prove anything."""
        rows = SourceCoverage.objects.covering(jurisdiction=jurisdiction, court=court, day=day)
        return self._units.get_or(("covers", jurisdiction, court, day), rows.exists)


_held = local()


def _has_text(edition: Edition) -> bool:
    return edition.extent in {Edition.Extent.WHOLE, Edition.Extent.EXCERPT}


class _WholeText:
    """A whole edition as one wording, with the code point at which each unit begins in it; one query."""

    __slots__ = ("_keys", "_starts", "wording")

    def __init__(self, edition: Edition) -> None:
        self._starts: list[int] = []
        self._keys: list[str] = []
        lines, at = [], 0
        rows = Unit.objects.filter(edition=edition).in_text_order()
        for key, *parts in rows.values_list("key", "heading", "text", "closing"):
            line = normalize("NFC", "\n".join(part for part in parts if part) + "\n")
            self._starts.append(at)
            self._keys.append(key)
            lines.append(line)
            at += len(line)
        self.wording = Wording("".join(lines))

    def key_at(self, place: int) -> str:
        return self._keys[max(0, bisect_right(self._starts, place) - 1)]


@cache
def _registered_names() -> tuple[tuple[str, frozenset[str]], ...]:
    """The names of every act of the registries, folded, with each of its numbers as the corpus spells numbers."""
    named = []
    for entry in (entry for registry in REGISTRIES for entry in registry_of(registry)):
        forms = [form for group in (entry.abbreviations, entry.titles) for each in group.values() for form in each]
        folded = frozenset(fold_name(form) for form in forms)
        named += [
            (canonical_number(f"SR {number}" if scheme == "sr" else number), folded)
            for scheme, number in entry.numbers.items()
        ]
    return tuple(named)


# What a result depends on, by table: fields whose bounds and numbers of set values are watched.
_WATCHED: tuple[tuple[type[Model], tuple[str, ...]], ...] = (
    (Act, ("eli", "in_force_on", "repealed_on")),
    (ActName, ("folded",)),
    (Edition, ("sha256", "valid_from", "valid_to")),
    (Amendment, ("amending_eli", "effective_on")),
    (Ruling, ("sha256", "docket_folded")),
    (SourceCoverage, ("court", "covered_from", "covered_to")),
    (Jurisdiction, ("code",)),
)


@cache
def _fingerprint_sql() -> str:
    """One statement for all tables: it runs once per answer."""
    quote = connection.ops.quote_name
    parts = []
    for model, fields in _WATCHED:
        asked = ["COUNT(*)", "MAX(id)"]
        asked += [f"{what}({quote(field)})" for field in fields for what in ("MIN", "MAX", "COUNT")]
        parts += [f"(SELECT {each} FROM {quote(model._meta.db_table)})" for each in asked]  # noqa: S608 - names of ours
    return f"SELECT {', '.join(parts)}"


def fingerprint_of_law() -> str:
    """SHA-256 over counts and bounds of everything on which a result depends; equal while the corpus is the same."""
    with connection.cursor() as cursor:
        cursor.execute(_fingerprint_sql())
        row = cursor.fetchone()
    return hashlib.sha256(json.dumps(row, default=str).encode()).hexdigest()
