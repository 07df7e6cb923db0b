"""Our own bundle of law: YAML for acts and rulings, light markup for the text of editions."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from pathlib import PurePosixPath
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from lexreview.core.citations import BadProfile, JurisdictionProfile
from lexreview.law.parsed import (
    Coverage,
    ParsedAct,
    ParsedAmendment,
    ParsedEdition,
    ParsedName,
    ParsedRuling,
    ParsedUnit,
    UnreadableSource,
    sha256_of,
)
from lexreview.law.sources.plain_text import parse_plain_text
from lexreview.law.sources.yaml_text import read_yaml

MAX_ERRORS = 50


class BundleFaults(UnreadableSource):
    """All faults of a bundle at once, each naming file, field and what was expected; `MAX_ERRORS` are listed."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        shown = faults[:MAX_ERRORS]
        more = [f"and {len(faults) - MAX_ERRORS} more"] if len(faults) > MAX_ERRORS else []
        super().__init__("\n".join(shown + more))


@dataclass(frozen=True, slots=True)
class LawBundle:
    acts: tuple[ParsedAct, ...]
    rulings: tuple[ParsedRuling, ...]
    jurisdiction: Mapping[str, Any] | None
    coverage: tuple[Coverage, ...] = ()


@cache
def _validator(name: str) -> Draft202012Validator:
    text = resources.files("lexreview.law").joinpath(f"schemas/{name}.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text), format_checker=FormatChecker())


def read_law_bundle(files: Mapping[str, bytes]) -> LawBundle:
    """The law of a bundle from its files (path below `law/` to bytes). Files of other kinds are faults.

    Raises BundleFaults with every fault found.
    """
    reader = _Reader(files)
    bundle = reader.read()
    if reader.faults:
        raise BundleFaults(reader.faults)
    return bundle


class _Reader:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.faults: list[str] = []
        self.used: set[str] = set()

    def read(self) -> LawBundle:
        acts: list[ParsedAct] = []
        rulings: list[ParsedRuling] = []
        for path in sorted(self.files):
            folder, name = PurePosixPath(path).parent.as_posix(), PurePosixPath(path).name
            if folder == "acts" and name.endswith(".yaml"):
                acts += self.act(path)
            elif folder == "rulings" and name.endswith(".yaml"):
                rulings += self.rulings(path)
        jurisdiction = self.jurisdiction("jurisdiction.yaml")
        coverage = tuple(self.coverage("coverage.yaml"))
        for path in sorted(set(self.files) - self.used):
            self.faults.append(f"law/{path}: no act names this file, and it is none that belongs to a law bundle")
        self.check_twice("eli", [act.eli for act in acts])
        return LawBundle(tuple(acts), tuple(rulings), jurisdiction, coverage)

    def check_twice(self, field: str, values: list[str]) -> None:
        for value in sorted({value for value in values if values.count(value) > 1}):
            self.faults.append(f"law/acts: {field} {value} is given by more than one file")

    def document(self, path: str, schema: str | None) -> Any:
        """The checked value of a YAML file, or None where it has faults (which are noted)."""
        self.used.add(path)
        try:
            value = read_yaml(self.files[path], file=f"law/{path}")
        except UnreadableSource as error:
            self.faults.append(str(error))
            return None
        if schema is None:
            return value
        found = sorted(_validator(schema).iter_errors(value), key=lambda error: list(map(str, error.absolute_path)))
        for fault in found:
            field = ".".join(str(part) for part in fault.absolute_path) or "the document"
            self.faults.append(f"law/{path}: {field}: {fault.message[:300]}")
        return None if found else value

    def jurisdiction(self, path: str) -> Mapping[str, Any] | None:
        if path not in self.files or (profile := self.document(path, None)) is None:
            return None
        try:
            JurisdictionProfile.from_mapping(profile if isinstance(profile, dict) else {})
        except BadProfile as error:
            self.faults.append(f"law/{path}: {error}")
        return dict(profile) if isinstance(profile, dict) else None

    def coverage(self, path: str) -> Iterator[Coverage]:
        record = self.document(path, "coverage") if path in self.files else None
        for entry in record["coverage"] if record else ():
            yield Coverage(
                source=entry["source"],
                jurisdiction=entry["jurisdiction"],
                court=entry["court"],
                covered_from=_day(entry.get("covered_from")),
                covered_to=_day(entry.get("covered_to")),
                is_complete=entry["complete"],
                checked_on=_day(entry.get("checked_on")),
                note=entry.get("note", ""),
            )

    def act(self, path: str) -> Iterator[ParsedAct]:
        record = self.document(path, "act")
        if record is None:
            return
        editions = [edition for entry in record["editions"] for edition in self.edition(path, record, entry)]
        yield ParsedAct(
            eli=record["eli"],
            jurisdiction=record["jurisdiction"],
            titles=record["titles"],
            names=tuple(_names(record)),
            adopted_on=_day(record.get("adopted_on")),
            in_force_on=_day(record.get("in_force_on")),
            repealed_on=_day(record.get("repealed_on")),
            force_note=record.get("force_note", ""),
            source_url=record["source"],
            note=record.get("note", ""),
            journal=record.get("journal") or "",
            identifiers=record.get("identifiers", {}),
            editions=tuple(editions),
            amendments=tuple(_amendments(record)),
        )

    def edition(self, path: str, record: Mapping[str, Any], entry: Mapping[str, Any]) -> Iterator[ParsedEdition]:
        file = f"acts/{entry['file']}"
        if file not in self.files:
            self.faults.append(f"law/{path}: editions: the file {entry['file']} is not in the bundle")
            return
        self.used.add(file)
        valid_from = date.fromisoformat(entry["valid_from"])
        valid_to = _day(entry.get("valid_to"))
        if valid_to is not None and valid_to < valid_from:
            self.faults.append(f"law/{path}: editions: {entry['file']} ends on {valid_to}, before it begins")
        try:
            units = read_units(self.files[file], file=f"law/{file}")
        except UnreadableSource as error:
            self.faults.append(str(error))
            return
        yield ParsedEdition(
            act=record["eli"],
            language=entry["language"],
            valid_from=valid_from,
            valid_to=valid_to,
            units=units,
            sha256=entry.get("sha256") or sha256_of(self.files[file]),
            standing=entry.get("standing", "official"),
            extent=entry.get("extent", "whole"),
            identifier=entry.get("identifier", ""),
            promulgated_on=_day(entry.get("promulgated_on")),
            source_url=entry.get("source", ""),
            note=entry.get("note", ""),
        )

    def rulings(self, path: str) -> Iterator[ParsedRuling]:
        record = self.document(path, "ruling")
        if record is None:
            return
        versions = {record["language"]: record, **record.get("translations", {})}
        for language, version in versions.items():
            yield ParsedRuling(
                jurisdiction=record["jurisdiction"],
                court=record["court"],
                docket=record["docket"],
                decided_on=_day(record["decided_on"]),
                language=language,
                sha256=record.get("sha256") or sha256_of(self.files[path]),
                ecli=record.get("ecli") or "",
                form=record.get("form", ""),
                title=version.get("title", ""),
                theses=tuple(version.get("theses", ())),
                text=version.get("text", ""),
                cited_law=tuple(record.get("cited_law", ())),
                source="bundle" if language == record["language"] else "bundle, translation",
                source_url=record["source"],
            )


def _day(value: str | None) -> date | None:
    return date.fromisoformat(value) if value else None


def read_units(content: bytes, *, file: str) -> tuple[ParsedUnit, ...]:
    """The units of an edition's file: light markup (.md), or unit by unit as an export writes them (.json)."""
    if not file.endswith(".json"):
        return parse_plain_text(content, file=file).units
    try:
        return tuple(_unit(record, file=file) for record in json.loads(content))
    except (ValueError, TypeError, RecursionError) as error:
        raise UnreadableSource(f"{file}: expected a list of units with their fields: {error}") from error


def _unit(record: Any, *, file: str) -> ParsedUnit:
    if not isinstance(record, dict) or not record.get("key") or not record.get("level"):
        raise ValueError("a unit needs a key and a level")
    children = [_unit(child, file=file) for child in record.get("children", ())]
    unit = ParsedUnit(**{**record, "children": children})
    texts = [
        getattr(unit, name) for name in ("key", "level", "number", "heading", "text", "closing", "eid", "range_end")
    ]
    if not all(isinstance(text, str) for text in [*texts, *unit.notes]) or not isinstance(unit.is_repealed, bool):
        raise ValueError(f"the fields of {unit.key!r} are of another kind")
    return unit


def _names(record: Mapping[str, Any]) -> Iterator[ParsedName]:
    for name in record.get("names", ()):
        yield ParsedName(name["kind"], name["value"], name["language"])
    for language, abbreviations in record.get("abbreviations", {}).items():
        yield from (ParsedName("abbreviation", value, language) for value in abbreviations)
    if record.get("journal"):
        yield ParsedName("number", record["journal"])
    yield from (ParsedName("number", value) for value in record.get("identifiers", {}).values())


def _amendments(record: Mapping[str, Any]) -> Iterator[ParsedAmendment]:
    """The amendments that the editions name; the same one is named by the edition of every language."""
    seen: dict[tuple[str, str], Mapping[str, Any]] = {}
    for edition in record["editions"]:
        for entry in edition.get("amended_by", ()):
            seen.setdefault((entry["act"], entry["in_force_on"]), entry)
    for entry in record.get("amendments", ()):
        yield _full_amendment(entry)
    for entry in seen.values():
        units = entry.get("units")
        yield ParsedAmendment(
            amending_eli=entry["act"],
            promulgated_on=_day(entry.get("promulgated_on")),
            effective_on=date.fromisoformat(entry["in_force_on"]),
            units=None if units is None else tuple(units),
            citation=entry.get("citation", ""),
            source_url=entry.get("source", ""),
        )


def _full_amendment(entry: Mapping[str, Any]) -> ParsedAmendment:
    units, instructions = entry.get("units"), entry.get("instructions")
    return ParsedAmendment(
        amending_eli=entry["act"],
        promulgated_on=_day(entry.get("promulgated_on")),
        effective_on=_day(entry.get("in_force_on")),
        units=None if units is None else tuple(units),
        instructions=None if instructions is None else tuple(instructions),
        citation=entry.get("citation", ""),
        force_note=entry.get("force_note", ""),
        source_url=entry.get("source", ""),
        kind=entry["kind"],
    )
