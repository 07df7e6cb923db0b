"""Acts and rulings of the corpus as files of our own bundle of law: what `plain.read_law_bundle` reads back.

Editions are written unit by unit as JSON, so that nothing of a text from another source is lost.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from lexreview.law.models import Act, Edition, Jurisdiction, Ruling, SourceCoverage, Unit

TRANSLATION = "bundle, translation"
UNIT_FIELDS = ("key", "level", "number", "heading", "text", "closing", "notes", "eid", "range_end", "is_repealed")


def law_files(
    *,
    acts: Iterable[Act],
    rulings: Iterable[Ruling],
    jurisdiction: Jurisdiction | None,
    coverage: Iterable[SourceCoverage] = (),
) -> dict[str, bytes]:
    """Path below `law/` to bytes; the same rows give the same bytes."""
    files: dict[str, bytes] = {}
    if jurisdiction is not None:
        files["jurisdiction.yaml"] = _yaml(_sorted(jurisdiction.profile))
    if lines := [_coverage(row) for row in coverage]:
        files["coverage.yaml"] = _yaml({"coverage": lines})
    for act in acts:
        name = slug_of(act.eli)
        editions = list(act.editions.in_time_order())
        paths = {edition.pk: _edition_path(name, edition, editions) for edition in editions}
        files[f"acts/{name}.yaml"] = _yaml(_act(act, editions, paths))
        for edition in editions:
            files[f"acts/{paths[edition.pk]}"] = _json(_units(edition))
    files |= _ruling_files(rulings)
    return files


def slug_of(identifier: str) -> str:
    """A file name for an identifier: letters, digits, dots and hyphens."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", identifier).strip("-.") or "act"


def _coverage(row: SourceCoverage) -> dict[str, Any]:
    return {
        "source": row.source,
        "jurisdiction": row.jurisdiction,
        "court": row.court,
        "covered_from": _day(row.covered_from),
        "covered_to": _day(row.covered_to),
        "complete": row.is_complete,
        "checked_on": _day(row.checked_on),
        "note": row.note,
    }


def _edition_path(name: str, edition: Edition, editions: list[Edition]) -> str:
    """Named by first day and language; by hash too where several share those."""
    same = [each for each in editions if (each.valid_from, each.language) == (edition.valid_from, edition.language)]
    suffix = f".{edition.sha256[:12]}" if len(same) > 1 else ""
    return f"{name}/{edition.valid_from.isoformat()}.{edition.language}{suffix}.json"


def _act(act: Act, editions: list[Edition], paths: Mapping[int, str]) -> dict[str, Any]:
    names = act.names.order_by("kind", "language", "folded", "pk")
    return {
        "eli": act.eli,
        "jurisdiction": act.jurisdiction,
        "adopted_on": _day(act.adopted_on),
        "in_force_on": _day(act.in_force_on),
        "repealed_on": _day(act.repealed_on),
        "force_note": act.force_note,
        "titles": _sorted(act.titles),
        "names": [{"kind": row.kind, "language": row.language, "value": row.value} for row in names],
        "journal": act.journal or None,
        "identifiers": _sorted(act.identifiers),
        "source": act.source_url,
        "note": act.note,
        "editions": [_edition(edition, paths[edition.pk]) for edition in editions],
        "amendments": [
            {
                "act": row.amending_eli,
                "kind": row.kind,
                "promulgated_on": _day(row.promulgated_on),
                "in_force_on": _day(row.effective_on),
                "units": row.units,
                "instructions": _sorted(row.instructions),
                "citation": row.citation,
                "force_note": row.force_note,
                "source": row.source_url,
            }
            for row in act.amendments.in_promulgation_order()
        ],
    }


def _edition(edition: Edition, path: str) -> dict[str, Any]:
    return {
        "language": edition.language,
        "valid_from": edition.valid_from.isoformat(),
        "valid_to": _day(edition.valid_to),
        "file": path,
        "standing": edition.standing,
        "extent": edition.extent,
        "identifier": edition.identifier,
        "promulgated_on": _day(edition.promulgated_on),
        "source": edition.source_url,
        "note": edition.note,
        "sha256": edition.sha256,
    }


def _units(edition: Edition) -> list[dict[str, Any]]:
    """The forest of units: children under their parents, in text order."""
    roots: list[dict[str, Any]] = []
    records: dict[int, dict[str, Any]] = {}
    for unit in Unit.objects.in_editions([edition]).in_text_order():
        record = {name: getattr(unit, name) for name in UNIT_FIELDS if getattr(unit, name)}
        records[unit.pk] = record
        if unit.parent_id is None:
            roots.append(record)
        else:
            records[unit.parent_id].setdefault("children", []).append(record)
    return roots


def _ruling_files(rulings: Iterable[Ruling]) -> dict[str, bytes]:
    """One file per ruling; its languages are translations of the one that came first."""
    groups: dict[tuple[Any, ...], list[Ruling]] = {}
    for row in rulings:
        key = (row.jurisdiction, row.court, row.docket_folded, row.decided_on, row.form)
        groups.setdefault(key, []).append(row)
    files: dict[str, bytes] = {}
    for rows in groups.values():
        rows.sort(key=lambda row: (row.source == TRANSLATION, row.language))
        first = rows[0]
        name = slug_of(
            " ".join(str(part) for part in (first.docket, first.decided_on, first.court, first.form) if part)
        )
        files[f"rulings/{name.lower()}.yaml"] = _yaml(_ruling(first, rows[1:]))
    return files


def _ruling(row: Ruling, translations: list[Ruling]) -> dict[str, Any]:
    return {
        "jurisdiction": row.jurisdiction,
        "court": row.court,
        "docket": row.docket,
        "decided_on": _day(row.decided_on),
        "ecli": row.ecli or None,
        "form": row.form,
        "language": row.language,
        "title": row.title,
        "theses": row.theses,
        "text": row.text,
        "cited_law": row.cited_law,
        "source": row.source_url,
        "sha256": row.sha256,
        "translations": {
            each.language: {"title": each.title, "theses": each.theses, "text": each.text} for each in translations
        },
    }


def _day(value: Any) -> str | None:
    return None if value is None else value.isoformat()


def _sorted(value: Any) -> Any:
    """JSON columns keep no order of fields in PostgreSQL."""
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [_sorted(each) for each in value]
    return value


def _yaml(record: Any) -> bytes:
    text: str = yaml.dump(record, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


def _json(record: Any) -> bytes:
    return (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode()
