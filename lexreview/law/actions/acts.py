"""Importing acts with their names, editions, units and amendments."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.law.actions.one_at_a_time import lock_corpus
from lexreview.law.manifest import read_manifest
from lexreview.law.models import Act, ActName, Amendment, Edition, Unit
from lexreview.law.names import fold_name
from lexreview.law.parsed import ParsedAct, ParsedAmendment, ParsedEdition, ParsedName, PlacedUnit, place
from lexreview.law.rules import check_can_import_law
from lexreview.ledger.actions import EventDraft, record_events

UNIT_BATCH = 2000
_ACT_DATES = ("adopted_on", "in_force_on", "repealed_on")
_ACT_TEXTS = ("force_note", "source_url", "note", "journal", "identifiers")


class ImportRefused(ValueError):
    """What was given contradicts itself or lacks what the corpus needs; the message names act and field."""


@dataclass(slots=True)
class ImportReport:
    """What an import changed. Importing the same bytes again leaves every counter but the unchanged ones at 0."""

    acts_added: int = 0
    acts_changed: int = 0
    acts_unchanged: int = 0
    names_added: int = 0
    editions_added: int = 0
    editions_changed: int = 0
    editions_unchanged: int = 0
    units_added: int = 0
    amendments_added: int = 0
    amendments_changed: int = 0
    rulings_added: int = 0
    rulings_unchanged: int = 0
    warnings: list[str] = field(default_factory=list)

    def add(self, other: "ImportReport") -> None:
        for entry in fields(self):
            setattr(self, entry.name, getattr(self, entry.name) + getattr(other, entry.name))

    @property
    def changed_anything(self) -> bool:
        return any(getattr(self, entry.name) for entry in fields(self) if entry.name.endswith(("_added", "_changed")))

    def __str__(self) -> str:
        return ", ".join(
            f"{entry.name.replace('_', ' ')}: {getattr(self, entry.name)}"
            for entry in fields(self)
            if entry.name != "warnings" and getattr(self, entry.name)
        )


@transaction.atomic
def import_acts(*, parsed: Sequence[ParsedAct], by: User | None, now: datetime) -> ImportReport:
    """Store acts with everything they bring; what is stored already stays as it is.

    An edition is the same when act, language, first day and bytes (SHA-256) are the same; only its last day may still
    change. Dates and titles of an act are replaced by those that come with a text at least as new as the newest stored
    one, else they only fill blanks. One event per act and per edition that was added or changed.
    Raises NotAllowed, or ImportRefused where an edition has no first day.
    """
    check_can_import_law(by)
    lock_corpus()
    importer = _Importer(now)
    for act in parsed:
        importer.take(act)
    if importer.events:
        record_events(by=by, drafts=importer.events, now=now)
    return importer.report


class _Importer:
    def __init__(self, now: datetime) -> None:
        self.now = now
        self.report = ImportReport()
        self.events: list[EventDraft] = []

    def take(self, parsed: ParsedAct) -> None:
        act = self.store_act(parsed)
        self.store_names(act, parsed)
        for edition in parsed.editions:
            self.store_edition(act, edition)
        for amendment in parsed.amendments:
            self.store_amendment(act, amendment)

    def store_act(self, parsed: ParsedAct) -> Act:
        act = Act.objects.select_for_update().filter(eli=parsed.eli).first()
        if act is None:
            act = Act(eli=parsed.eli, jurisdiction=parsed.jurisdiction.upper(), titles=dict(parsed.titles))
            for name in (*_ACT_DATES, *_ACT_TEXTS):
                setattr(act, name, getattr(parsed, name))
            act.save()
            self.report.acts_added += 1
            self.events.append(
                EventDraft(verb="act_imported", object_type="law.act", object_id=act.eli, after=_act_facts(act))
            )
            return act
        before = _act_facts(act)
        _take_over(act, parsed, is_newest=self.is_newest(act, parsed))
        after = _act_facts(act)
        if before == after:
            self.report.acts_unchanged += 1
            return act
        act.save()
        self.report.acts_changed += 1
        self.events.append(
            EventDraft(verb="act_changed", object_type="law.act", object_id=act.eli, before=before, after=after)
        )
        return act

    def is_newest(self, act: Act, parsed: ParsedAct) -> bool:
        days = [edition.valid_from for edition in parsed.editions if edition.valid_from]
        newest = (
            Edition.objects.filter(act=act).order_by("-valid_from", "pk").values_list("valid_from", flat=True).first()
        )
        return newest is None or not days or max(days) >= newest

    def store_names(self, act: Act, parsed: ParsedAct) -> None:
        given: dict[tuple[str, str, str], ParsedName] = {}
        for name in _all_names(parsed):
            given.setdefault((name.kind, name.language, fold_name(name.value)[:400]), name)
        stored = set(ActName.objects.filter(act=act).values_list("kind", "language", "folded"))
        new = [
            ActName(act=act, kind=kind, language=language, folded=folded, value=name.value)
            for (kind, language, folded), name in given.items()
            if folded and (kind, language, folded) not in stored
        ]
        ActName.objects.bulk_create(new)
        self.report.names_added += len(new)

    def store_edition(self, act: Act, parsed: ParsedEdition) -> None:
        if parsed.valid_from is None:
            raise ImportRefused(f"{act.eli}: the {parsed.language} edition has no first day; give it with the import")
        self.report.warnings += [f"{act.eli} {parsed.language} {parsed.valid_from}: {text}" for text in parsed.warnings]
        same = Edition.objects.filter(
            act=act, language=parsed.language, valid_from=parsed.valid_from, sha256=parsed.sha256
        ).first()
        if same is not None:
            self.close_edition(same, parsed.valid_to)
            return
        edition = Edition.objects.create(
            act=act,
            language=parsed.language,
            valid_from=parsed.valid_from,
            valid_to=parsed.valid_to,
            standing=parsed.standing,
            extent=parsed.extent,
            identifier=parsed.identifier,
            promulgated_on=parsed.promulgated_on,
            source_url=parsed.source_url,
            fetched_at=parsed.fetched_at or self.now,
            sha256=parsed.sha256,
            note=parsed.note,
        )
        units = _create_units(edition, place(parsed.units))
        self.report.editions_added += 1
        self.report.units_added += units
        self.events.append(
            EventDraft(
                verb="edition_imported",
                object_type="law.edition",
                object_id=edition.pk,
                after={
                    "act": act.eli,
                    "language": edition.language,
                    "valid_from": edition.valid_from,
                    "valid_to": edition.valid_to,
                    "standing": edition.standing,
                    "sha256": edition.sha256,
                    "source_url": edition.source_url,
                    "units": units,
                },
            )
        )

    def close_edition(self, edition: Edition, valid_to: date | None) -> None:
        """Take over the last day of an edition that was stored without one, or with another one."""
        if valid_to is None or edition.valid_to == valid_to:
            self.report.editions_unchanged += 1
            return
        before = edition.valid_to
        edition.valid_to = valid_to
        edition.save(update_fields=["valid_to"])
        self.report.editions_changed += 1
        self.events.append(
            EventDraft(
                verb="edition_ended",
                object_type="law.edition",
                object_id=edition.pk,
                before={"valid_to": before},
                after={"valid_to": valid_to},
            )
        )

    def store_amendment(self, act: Act, parsed: ParsedAmendment) -> None:
        same = Amendment.objects.filter(
            act=act, kind=parsed.kind, amending_eli=parsed.amending_eli, effective_on=parsed.effective_on
        ).first()
        if same is None:
            same = Amendment(
                act=act, kind=parsed.kind, amending_eli=parsed.amending_eli, effective_on=parsed.effective_on
            )
        before = _amendment_facts(same) if same.pk else None
        for name in ("promulgated_on", "units", "instructions", "citation", "force_note", "source_url"):
            value = getattr(parsed, name)
            if value not in (None, ""):
                setattr(same, name, list(value) if isinstance(value, tuple) else value)
        after = _amendment_facts(same)
        if before == after:
            return
        same.save()
        self.report.amendments_added += before is None
        self.report.amendments_changed += before is not None
        self.events.append(
            EventDraft(verb="amendment_recorded", object_type="law.act", object_id=act.eli, before=before, after=after)
        )


def _take_over(act: Act, parsed: ParsedAct, *, is_newest: bool) -> None:
    titles = {**act.titles, **parsed.titles} if is_newest else {**parsed.titles, **act.titles}
    act.titles = titles
    for name in (*_ACT_DATES, *_ACT_TEXTS):
        given = getattr(parsed, name)
        if given and (is_newest or not getattr(act, name)):
            setattr(act, name, given)


def _all_names(parsed: ParsedAct) -> Iterable[ParsedName]:
    yield ParsedName("number", parsed.eli)
    yield from (ParsedName("title", title, language) for language, title in parsed.titles.items())
    yield from parsed.names


def _act_facts(act: Act) -> dict[str, Any]:
    return {name: getattr(act, name) for name in ("jurisdiction", "titles", *_ACT_DATES, *_ACT_TEXTS)}


def _amendment_facts(amendment: Amendment) -> dict[str, Any]:
    names = (
        "kind",
        "amending_eli",
        "promulgated_on",
        "effective_on",
        "units",
        "instructions",
        "citation",
        "force_note",
    )
    return {name: getattr(amendment, name) for name in names}


def _create_units(edition: Edition, placed: Sequence[PlacedUnit]) -> int:
    """Store the units of an edition, level by level because a child needs its parent's key in the database."""
    rows: list[Unit] = []
    depths: list[int] = []
    for entry in placed:
        parent = None if entry.parent_position is None else rows[entry.parent_position]
        depths.append(0 if entry.parent_position is None else depths[entry.parent_position] + 1)
        unit = entry.unit
        rows.append(
            Unit(
                edition=edition,
                parent=parent,
                position=entry.position,
                last_position=entry.last_position,
                key=unit.key[:200],
                range_end=unit.range_end,
                level=unit.level,
                eid=unit.eid[:200],
                number=unit.number[:120],
                heading=unit.heading,
                text=unit.text,
                closing=unit.closing,
                notes=unit.notes,
                is_repealed=unit.is_repealed or bool(parent and parent.is_repealed),
            )
        )
    for _, level in groupby(sorted(range(len(rows)), key=depths.__getitem__), key=depths.__getitem__):
        Unit.objects.bulk_create([rows[position] for position in level], batch_size=UNIT_BATCH)
    return len(rows)


@transaction.atomic
def import_manifest(*, manifest: Path, root: Path, by: User | None, now: datetime) -> ImportReport:
    """Store every act of a manifest, all or nothing. Raises BundleFaults with all faults found, or NotAllowed."""
    check_can_import_law(by)
    return import_acts(parsed=read_manifest(manifest, root=root), by=by, now=now)
