"""The corpus to read in: lists of acts, and an act with its editions on a time line."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from urllib.parse import urlencode, urlsplit

from django.db.models import Count, Max, Min, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lexreview.core.periods import Period, gaps, overlaps
from lexreview.law.models import Act, ActName, Amendment, Edition, Jurisdiction, Ruling, SourceCoverage, Unit
from lexreview.law.names import fold_docket, fold_name
from lexreview.law.unit_names import raised, unit_name

CONTAINER = "@"
STANDING_WORDS: dict[str, str | Promise] = {
    Edition.Standing.OFFICIAL: _("official"),
    Edition.Standing.CONSOLIDATED: _("consolidated"),
    Edition.Standing.PROMULGATED: _("as promulgated"),
    Edition.Standing.RECONSTRUCTED: _("reconstructed"),
    Edition.Standing.CONVERTED: _("converted by a third party"),
}
EXTENT_WORDS: dict[str, str | Promise] = {
    Edition.Extent.WHOLE: _("whole text"),
    Edition.Extent.EXCERPT: _("excerpt"),
    Edition.Extent.STRUCTURE: _("structure without text"),
    Edition.Extent.NO_TEXT: _("no text stored"),
}


def web_address(address: str) -> str:
    """The address where it is one of the web, else "": what a source says is not trusted to be a link."""
    try:
        scheme = urlsplit(address).scheme
    except ValueError:
        return ""
    return address if scheme in {"http", "https"} else ""


def known_acts(elis: Collection[str]) -> set[str]:
    """Those of the keys that are acts of the corpus; no query for none."""
    return set(Act.objects.filter(eli__in=elis).values_list("eli", flat=True)) if elis else set()


def known_rulings(dockets: Collection[str]) -> list[Ruling]:
    """The rulings under any of the dockets, without their texts; no query for none."""
    folded = {fold_docket(docket) for docket in dockets}
    found = Ruling.objects.filter(docket_folded__in=folded).defer("text", "theses", "cited_law")
    return list(found.in_date_order()) if folded else []


def unit_address(act: Act, *, unit: str, on: date, language: str) -> str:
    query = urlencode({"unit": unit, "on": on.isoformat(), "lang": language})
    return f"{reverse('law:unit', args=[act.eli])}?{query}"


def act_address(act: Act, *, on: date, language: str) -> str:
    return f"{reverse('law:act', args=[act.eli])}?{urlencode({'on': on.isoformat(), 'lang': language})}"


@dataclass(frozen=True, slots=True)
class ActRow:
    """An act in a list. `first_day` and `last_day` are the first days of its oldest and newest stored edition."""

    act: Act
    title: str
    abbreviations: str
    editions: int
    languages: int
    first_day: date | None
    last_day: date | None


def acts_found(*, words: str, jurisdiction: str) -> QuerySet[Act]:
    """Acts whose name, number or key holds `words`, in reading order, with what a row shows."""
    acts = Act.objects.in_reading_order()
    if jurisdiction:
        acts = acts.of_jurisdiction(jurisdiction)
    if folded := fold_name(words):
        named = ActName.objects.filter(folded__contains=folded).values("act_id")
        acts = acts.filter(Q(pk__in=named) | Q(eli__icontains=words.strip()))
    abbreviations = ActName.objects.filter(kind=ActName.Kind.ABBREVIATION).order_by("language", "value", "pk")
    return acts.annotate(
        edition_count=Count("editions", distinct=True),
        language_count=Count("editions__language", distinct=True),
        first_day=Min("editions__valid_from"),
        last_day=Max("editions__valid_from"),
    ).prefetch_related(Prefetch("names", queryset=abbreviations))


def act_rows(acts: Iterable[Act], *, language: str) -> list[ActRow]:
    """Rows of acts that `acts_found` gave."""
    return [
        ActRow(
            act=act,
            title=act.title(language),
            abbreviations=_abbreviations(act, language),
            editions=act.edition_count,  # type: ignore[attr-defined]
            languages=act.language_count,  # type: ignore[attr-defined]
            first_day=act.first_day,  # type: ignore[attr-defined]
            last_day=act.last_day,  # type: ignore[attr-defined]
        )
        for act in acts
    ]


def _abbreviations(act: Act, language: str) -> str:
    """Abbreviations of the language or of none, else all."""
    names = list(act.names.all())
    fitting = [name.value for name in names if name.language in {"", language}]
    return ", ".join(dict.fromkeys(fitting or [name.value for name in names]))


def described_states() -> list[str]:
    """The states of which is recorded how they are cited, or which rulings are complete. One query."""
    cited, covered = Jurisdiction.objects.values_list("code"), SourceCoverage.objects.values_list("jurisdiction")
    return sorted(code for (code,) in cited.union(covered))


def jurisdictions() -> list[str]:
    """The states of which the corpus holds acts."""
    return list(Act.objects.order_by("jurisdiction").values_list("jurisdiction", flat=True).distinct())


@dataclass(frozen=True, slots=True)
class EditionStop:
    """An edition on the time line and in the list of editions."""

    edition: Edition
    valid_from: date
    valid_to: date | None
    url: str

    @property
    def standing_words(self) -> str | Promise:
        return STANDING_WORDS[self.edition.standing]

    @property
    def extent_words(self) -> str | Promise:
        return EXTENT_WORDS[self.edition.extent]

    @property
    def source_url(self) -> str:
        return web_address(self.edition.source_url)


@dataclass(frozen=True, slots=True)
class ContentsRow:
    """A part or an article in the contents of an edition. `url` is "" for parts."""

    unit: Unit
    depth: int
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class AmendmentRow:
    """A known amendment. `unseen`: it took effect between stored editions, so the text after it is not stored."""

    amendment: Amendment
    unseen: bool
    units: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SharedDays:
    """Two editions that are both in force on the same days."""

    first: EditionStop
    second: EditionStop
    days: Period


class ActPage:
    """An act in one language. The edition shown is the chosen one, else that of the day, else the one nearest to it."""

    def __init__(self, act: Act, *, language: str, on: date, edition: int | None = None) -> None:
        self.act = act
        self.on = on
        self._asked_language = language
        self._asked_edition = edition

    @cached_property
    def _every(self) -> list[Edition]:
        return list(self.act.editions.in_time_order())

    @cached_property
    def languages(self) -> list[str]:
        return sorted({edition.language for edition in self._every})

    @cached_property
    def language(self) -> str:
        chosen = next((each.language for each in self._every if each.pk == self._asked_edition), self._asked_language)
        return chosen if chosen in self.languages else next(iter(self.languages), chosen)

    @property
    def title(self) -> str:
        return self.act.title(self.language)

    @cached_property
    def names(self) -> list[ActName]:
        """Abbreviations and numbers; titles are shown as such."""
        names = self.act.names.exclude(kind=ActName.Kind.TITLE).exclude(value=self.act.eli)
        return list(names.order_by("kind", "language", "value", "pk"))

    @cached_property
    def editions(self) -> list[EditionStop]:
        """The editions of the language in order of time."""
        return [
            EditionStop(
                each,
                each.valid_from,
                each.valid_to,
                f"{reverse('law:act', args=[self.act.eli])}?edition={each.pk}",
            )
            for each in self._every
            if each.language == self.language
        ]

    @cached_property
    def shown(self) -> EditionStop | None:
        if chosen := next((stop for stop in self.editions if stop.edition.pk == self._asked_edition), None):
            return chosen
        covering = [stop for stop in self.editions if stop.edition.period.contains(self.on)]
        begun = [stop for stop in self.editions if stop.valid_from <= self.on]
        return next(iter([*covering[-1:], *begun[-1:], *self.editions[:1]]), None)

    @property
    def gaps(self) -> list[Period]:
        return gaps(stop.edition.period for stop in self.editions)

    @property
    def overlaps(self) -> list[SharedDays]:
        found = overlaps(stop.edition.period for stop in self.editions)
        return [SharedDays(self.editions[each.first], self.editions[each.second], each.shared) for each in found]

    @cached_property
    def amendments(self) -> list[AmendmentRow]:
        """Known amendments in the order of their effect."""
        known = sorted(
            self.act.amendments.in_promulgation_order(), key=lambda each: (each.effective_on or date.max, each.pk)
        )
        return [AmendmentRow(each, self._is_unseen(each.effective_on), self._units_of(each)) for each in known]

    def _is_unseen(self, day: date | None) -> bool:
        """What took effect before the first stored edition is in it; what lies ahead needs no edition yet."""
        starts = [stop.valid_from for stop in self.editions]
        return day is not None and bool(starts) and starts[0] < day <= self.on and day not in starts

    def _units_of(self, amendment: Amendment) -> list[tuple[str, str]]:
        """(words, address on the day of effect) of the units that an amendment is known to change."""
        keys: list[str] = amendment.units or []
        day = amendment.effective_on
        return [
            (self.name_of(key), unit_address(self.act, unit=key, on=day, language=self.language) if day else "")
            for key in keys
        ]

    def name_of(self, key: str) -> str:
        return unit_name(key, jurisdiction=self.act.jurisdiction, lang=self.language)

    @property
    def unseen_amendments(self) -> list[Amendment]:
        return [row.amendment for row in self.amendments if row.unseen]

    @property
    def before_shown(self) -> EditionStop | None:
        """The edition before the one shown."""
        place = self.editions.index(self.shown) if self.shown else 0
        return self.editions[place - 1] if place else None

    @cached_property
    def contents(self) -> list[ContentsRow]:
        """Parts and articles of the edition shown, in text order, without their texts; one query."""
        if self.shown is None:
            return []
        upper = Q(key__startswith=CONTAINER) | Q(parent__isnull=True) | Q(parent__key__startswith=CONTAINER)
        units = (
            Unit.objects.filter(upper, edition=self.shown.edition)
            .only("edition_id", "parent_id", "position", "key", "level", "number", "heading", "is_repealed")
            .in_text_order()
        )
        return self._contents_rows(units)

    def _contents_rows(self, units: Iterable[Unit]) -> list[ContentsRow]:
        depths: dict[int | None, int] = {None: -1}
        rows = []
        for unit in units:
            depth = depths[unit.pk] = depths.get(unit.parent_id, -1) + 1
            is_part = unit.key.startswith(CONTAINER)
            url = "" if is_part else unit_address(self.act, unit=unit.key, on=self._day_shown, language=self.language)
            rows.append(ContentsRow(unit, depth, number_of(unit), url))
        return rows

    @property
    def _day_shown(self) -> date:
        """A day on which the edition shown is in force: the one asked for, if it is."""
        if self.shown is None or self.shown.edition.period.contains(self.on):
            return self.on
        return self.shown.valid_from


def number_of(unit: Unit) -> str:
    """The number as it is cited, without the full stop that a source prints behind it."""
    return raised(unit.number).removesuffix(".") or ("" if unit.key.startswith(CONTAINER) else unit.key)


def citation_label(path: Sequence[Unit]) -> str:
    """A unit as it is cited, `Art. 17 § 1`, from the units around it, outermost first."""
    return " ".join(number_of(unit) for unit in path if not unit.key.startswith(CONTAINER))
