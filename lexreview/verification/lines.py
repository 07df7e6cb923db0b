"""Lines of JSON in and out of the commands: read one by one, refused with the line and the field."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from io import TextIOWrapper
from typing import Any, TextIO

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.verification.checked import CheckedCitation


class BadLine(ValueError):
    """A line that cannot be used; the message names the line, the field and what was expected."""


def utf8_lines(stream: TextIO) -> Iterable[str]:
    """The lines of a stream read as UTF-8, whatever the locale says; bytes that are none become lone surrogates, which
    `read_lines` refuses with the number of their line."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    return stream


def read_lines(lines: Iterable[str], *, needed: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines text; empty lines are skipped, as is a byte order mark in front.

    Raises BadLine. `needed` fields must be there as texts; an `id` may be a whole number too.
    """
    wanted = list(needed)
    for number, line in enumerate(lines, start=1):
        if number == 1:
            line = line.removeprefix("\ufeff")
        if not line.strip():
            continue
        if not _is_unicode(line):
            raise BadLine(f"line {number}: not UTF-8")
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadLine(f"line {number}: not JSON ({error})") from error
        if not isinstance(record, dict):
            raise BadLine(f"line {number}: an object was expected")
        for field in wanted:
            if field not in record:
                raise BadLine(f"line {number}: {field} is missing")
            value = record[field]
            if not isinstance(value, str) and not (field == "id" and type(value) is int):
                raise BadLine(f"line {number}: {field}: a text was expected, not {json.dumps(value)[:60]}")
            if isinstance(value, str) and not _is_unicode(value):
                raise BadLine(f"line {number}: {field}: half a character (a lone surrogate)")
        yield record


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_code(record: Mapping[str, Any], field: str, *, known: Iterable[str]) -> str:
    """The code in a field in small letters, one of `known`. Raises BadLine."""
    code, codes = str(record[field]).lower(), sorted({each.lower() for each in known})
    if code not in codes:
        raise BadLine(f"{record['id']}: {field}: {record[field]!r} is none of {', '.join(codes)}")
    return code


def read_day(record: Mapping[str, Any], field: str) -> date:
    """The ISO date in a field. Raises BadLine."""
    try:
        return datetime.strptime(record[field], "%Y-%m-%d").date()
    except ValueError as error:
        raise BadLine(f"{record.get('id')}: {field}: a date such as 2026-10-01 was expected") from error


# The labelled cases know six results: both of these are "the corpus cannot decide" there, and `reason` says why.
_IN_CASES = {CheckResult.AMBIGUOUS: CheckResult.UNDETERMINED, CheckResult.OUT_OF_SCOPE: CheckResult.UNDETERMINED}


def case_of(row: CheckedCitation) -> dict[str, Any]:
    """A checked citation with the fields and values of the labelled verification cases."""
    edition, other = row.edition, row.other_edition
    return {
        "start": row.citation.start,
        "end": row.citation.end,
        "raw": row.citation.raw,
        "kind": row.citation.kind,
        "act": row.act.eli if row.act else row.act_name or None,
        "unit": row.unit,
        "result": _IN_CASES.get(row.result, row.result).value,
        "reason": row.reason,
        "explanation": row.explanation,
        "suggestion": row.suggestion,
        "class": row.proposed_class or None,
        "edition": edition.valid_from.isoformat() if edition else None,
        "other_edition": other.valid_from.isoformat() if other else None,
        "quote": row.quotation or None,
        "quote_spans": [list(span) for span in row.quotation_spans],
        "quotation": row.quotation_match or None,
        "source": {
            "text": row.source_text,
            "url": row.source_url,
            "sha256": row.source_sha256,
            "language": edition.language if edition else None,
            "fetched_at": edition.fetched_at.isoformat() if edition and edition.fetched_at else None,
            "certainty": row.certainty,
        },
        "diff": [list(part) for part in row.diff],
    }
