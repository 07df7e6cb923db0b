"""Answers made elsewhere, read from files: a folder of Markdown or JSON, a CSV table, logs of Inspect.

Reading finds every fault before anything is written, each with file, line and field. A cell that is empty or holds
the "nan" that a spreadsheet left there is a fault, never an answer.
"""

import csv
import io
import json
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import yaml
from django.utils.dateparse import parse_date, parse_datetime

from lexreview.core.workflow import AnswerState

NAN = {"", "nan", "none", "null", "n/a", "#n/a", "<na>"}
FILE_NAME = re.compile(r"(?P<question>.+?)(?:_r(?P<repetition>\d+))?")
FRONT = re.compile(r"---\r?\n(?P<head>.*?)\r?\n---\r?\n(?P<text>.*)", re.DOTALL)
COLUMNS = {
    "question": ("question", "question_id", "task_id", "task id", "id", "code", "domanda", "query"),
    "text": ("answer", "text", "response", "risposta", "risposte"),
}
A_TEXT = (str, "a text")
STEP: Mapping[str, tuple[type, str]] = {
    "order": (int, "a whole number from 1"), "kind": A_TEXT, "query": A_TEXT, "address": A_TEXT, "title": A_TEXT,
    "official": (bool, "true or false"), "at": A_TEXT,
}  # fmt: skip
"""What a step of a trace may have, and of which type."""
USAGE = {
    "input_tokens": "input",
    "output_tokens": "output",
    "cached_tokens": "cached",
    "cache_written_tokens": "cache_written",
    "reasoning_tokens": "reasoning",
    "searches": "searches",
}
INSPECT_USAGE = {
    "input_tokens": "input",
    "output_tokens": "output",
    "input_tokens_cache_read": "cached",
    "input_tokens_cache_write": "cache_written",
    "reasoning_tokens": "reasoning",
}
SURROGATE = re.compile("[\ud800-\udfff]")
LONGEST_NUMBER = 9
MOST_USD = 100_000
FOLDED = str.maketrans({"‐": "-", "‑": "-", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "„": '"'})


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something that keeps a file from being imported."""

    file: str
    message: str
    line: int | None = None
    name: str = ""

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.name}: {self.message}" if self.name else f"{place}: {self.message}"


class CannotImport(Exception):
    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


class _SampleFailed(Exception):
    """A sample without an answer; the message says why."""


class BadField(ValueError):
    """A field cannot be read; `name` is its name in the file."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True, kw_only=True)
class FoundAnswer:
    """One answer as a file has it. `question` is a code or the whole text of a question. Fields that the file does
    not give are None or empty."""

    file: str
    line: int | None
    question: str
    text: str = ""
    repetition: int | None = None
    state: AnswerState = AnswerState.ANSWERED
    block_reason: str = ""
    answered_at: datetime | None = None
    served_model: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    trace: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=dict)
    cost_usd: Decimal | None = None


def read_answers(path: Path) -> list[FoundAnswer]:
    """Every answer of a folder or file. Raises CannotImport with all faults."""
    found: list[FoundAnswer] = []
    faults: list[Fault] = []
    if not path.exists():
        raise CannotImport([Fault(file=str(path), message="there is no such file or folder")])
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    readers = {".md": _markdown, ".txt": _markdown, ".json": _json, ".csv": _csv, ".eval": _eval}
    for file in files:
        name = file.relative_to(path).as_posix() if path.is_dir() else file.name
        reader = readers.get(file.suffix.lower())
        if name.rsplit("/", 1)[-1].startswith("."):
            continue
        if reader is None:
            message = f"cannot be read as answers; known are {', '.join(sorted(readers))}"
            faults.append(Fault(file=name, message=message))
            continue
        try:
            found.extend(reader(file, name, faults))
        except (OSError, UnicodeDecodeError, zipfile.BadZipFile) as error:
            faults.append(Fault(file=name, message=f"cannot be read: {error}"))
    if not found and not faults:
        faults.append(Fault(file=str(path.name), message="holds no answers"))
    if faults:
        raise CannotImport(faults)
    return found


def _text_of(file: Path) -> str:
    """UTF-8, with or without a mark of byte order; line ends as they are."""
    return file.read_bytes().decode("utf-8-sig")


def _markdown(file: Path, name: str, faults: list[Fault]) -> Iterator[FoundAnswer]:
    """One answer: the text, after an optional head of YAML between lines of `---`."""
    text = _text_of(file)
    head: Any = {}
    if match := FRONT.fullmatch(text):
        try:
            head = yaml.safe_load(match["head"]) or {}
        except (yaml.YAMLError, ValueError, RecursionError) as error:  # a day that no month has is a ValueError
            faults.append(Fault(file=name, line=1, message=f"the head is no YAML: {error}"))
            return
        text = match["text"]
    if not isinstance(head, Mapping):
        faults.append(Fault(file=name, line=1, message="the head must be names with values"))
        return
    yield from _checked({**_from_name(file), **head, "text": text}, file=name, line=None, faults=faults)


def _json(file: Path, name: str, faults: list[Fault]) -> Iterator[FoundAnswer]:
    """One answer, a list of answers, or a log of Inspect."""
    try:
        value = json.loads(_text_of(file))
    except json.JSONDecodeError as error:
        faults.append(Fault(file=name, line=error.lineno, message=f"is no JSON: {error.msg}"))
        return
    except (ValueError, RecursionError) as error:
        faults.append(Fault(file=name, message=f"is no JSON that can be read: {error}"))
        return
    if isinstance(value, Mapping) and "eval" in value and "samples" in value:
        yield from _inspect(value["eval"], value["samples"] or [], name, faults)
        return
    records = value if isinstance(value, list) else [value]
    for number, record in enumerate(records, start=1):
        place = name if len(records) == 1 else f"{name}, record {number}"
        if not isinstance(record, Mapping):
            faults.append(Fault(file=place, message="must be an object with question and text"))
            continue
        named = _from_name(file) if not isinstance(value, list) else {}
        yield from _checked({**named, **record}, file=place, line=None, faults=faults)


def _csv(file: Path, name: str, faults: list[Fault]) -> Iterator[FoundAnswer]:
    """A row per answer; comma, semicolon or tab. The line of a fault is that on which the row ends."""
    text = _text_of(file)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        names = [cell.strip().lower() for cell in next(reader, [])]
        columns = _columns(names, name, faults)
        if columns is None:
            return
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(names):
                message = f"has {len(row)} cells, the head has {len(names)}"
                faults.append(Fault(file=name, line=reader.line_num, message=message))
                continue
            cells = zip(columns, row, strict=True)
            record = {column: cell for column, cell in cells if column == "text" or not _is_nan(cell)}
            yield from _checked(record, file=name, line=reader.line_num, faults=faults)
    except csv.Error as error:
        faults.append(Fault(file=name, line=reader.line_num, message=f"is no table: {error}"))


def _columns(names: list[str], file: str, faults: list[Fault]) -> list[str] | None:
    """Our names of the columns; None where question or answer has no column, or more than one."""
    made = list(names)
    for ours, theirs in COLUMNS.items():
        places = [place for place, name in enumerate(names) if name in theirs]
        if len(places) != 1:
            what = "no column" if not places else "more than one column"
            message = f"{what} for the {'answer' if ours == 'text' else 'question'}; name it {theirs[0]!r}"
            faults.append(Fault(file=file, line=1, message=message))
            return None
        made[places[0]] = ours
    return made


def _eval(file: Path, name: str, faults: list[Fault]) -> Iterator[FoundAnswer]:
    """A log of Inspect in its own format: a zip of a header and one JSON per sample."""
    with zipfile.ZipFile(file) as archive:
        try:
            header = json.loads(archive.read("header.json"))
            names = [each for each in archive.namelist() if each.startswith("samples/") and each.endswith(".json")]
            samples = [json.loads(archive.read(each)) for each in sorted(names)]
        except (KeyError, RuntimeError, ValueError, zlib.error) as error:
            message = f"is no log of Inspect that can be read ({error}); convert it: inspect log convert --to json"
            faults.append(Fault(file=name, message=message))
            return
    yield from _inspect(header.get("eval", {}) if isinstance(header, Mapping) else header, samples, name, faults)


def _inspect(head: Any, samples: Any, name: str, faults: list[Fault]) -> Iterator[FoundAnswer]:
    """A sample per answer: `id` is the question, `epoch` the repetition. One that failed is a fault: left out silently,
    it would be missing from every denominator."""
    if not isinstance(head, Mapping) or not isinstance(samples, list):
        faults.append(Fault(file=name, message="is no log of Inspect: it has no head or no list of samples"))
        return
    for number, sample in enumerate(samples, start=1):
        place = f"{name}, sample {sample.get('id', number) if isinstance(sample, Mapping) else number}"
        try:
            yield from _checked(_record_of(head, sample), file=place, line=None, faults=faults)
        except _SampleFailed as failed:
            faults.append(Fault(file=place, name="error", message=f"the sample failed: {failed}"[:300]))
        except (AttributeError, KeyError, TypeError) as error:
            faults.append(Fault(file=place, message=f"has not the form of a sample of Inspect: {error}"))


def _record_of(head: Mapping[str, Any], sample: Mapping[str, Any]) -> dict[str, Any]:
    """The answer in a sample, as a record of ours. Raises _SampleFailed, and for another form what Python raises."""
    output = sample.get("output") or {}
    choices = output.get("choices") or []
    if sample.get("error") or not choices:
        error = sample.get("error")
        raise _SampleFailed(error.get("message", "") if isinstance(error, Mapping) else "no output")
    content = choices[0].get("message", {}).get("content", "")
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content if part.get("type") == "text")
    usage = output.get("usage") or {}
    record: dict[str, Any] = {
        "question": str(sample.get("id", "")),
        "repetition": sample.get("epoch", 1),
        "text": content,
        "served_model": output.get("model") or head.get("model", ""),
        "answered_at": sample.get("completed_at") or head.get("created"),
        "usage": {ours: usage[theirs] for theirs, ours in INSPECT_USAGE.items() if usage.get(theirs)},
        "settings": {
            key: value for key, value in (head.get("model_generate_config") or {}).items() if value is not None
        },
    }
    if choices[0].get("stop_reason", "") == "content_filter":
        record |= {"state": "provider_block", "block_reason": "content_filter", "text": content or ""}
    return record


def _from_name(file: Path) -> dict[str, Any]:
    """`P01.md`, `P01_r2.md`: what the name of a file says."""
    match = FILE_NAME.fullmatch(file.stem)
    assert match is not None
    found: dict[str, Any] = {"question": match["question"]}
    return {**found, "repetition": match["repetition"]} if match["repetition"] else found


def _checked(record: Mapping[str, Any], *, file: str, line: int | None, faults: list[Fault]) -> Iterator[FoundAnswer]:
    try:
        yield _answer(record, file=file, line=line)
    except BadField as error:
        faults.append(Fault(file=file, line=line, name=error.name, message=str(error)))


def _answer(record: Mapping[str, Any], *, file: str, line: int | None) -> FoundAnswer:
    question = str(record.get("question") or "").strip()
    if _is_nan(question):
        raise BadField("question", "is missing")
    state = _state(record)
    text = record.get("text", "")
    if not isinstance(text, str):
        raise BadField("text", "must be a text")
    if "\0" in text or SURROGATE.search(text):
        raise BadField("text", "holds a NUL or half a pair of UTF-16, which no text has")
    if state == AnswerState.ANSWERED and _is_nan(text):
        shown = text.strip() or "empty"
        raise BadField("answer", f"is {shown}; an answer without text needs the state empty")
    return FoundAnswer(
        file=file,
        line=line,
        question=question,
        text="" if _is_nan(text) else text,
        repetition=_whole(record, "repetition", least=1),
        state=state,
        block_reason=str(record.get("block_reason") or "")[:200],
        answered_at=_time(record),
        served_model=str(record.get("served_model") or record.get("model") or "").strip(),
        settings=_json_field(record, "settings", dict),
        trace=_trace(record),
        usage=_usage(record),
        cost_usd=_amount(record),
    )


def _state(record: Mapping[str, Any]) -> AnswerState:
    value = str(record.get("state") or AnswerState.ANSWERED.value)
    known = [AnswerState.ANSWERED, AnswerState.EMPTY, AnswerState.PROVIDER_BLOCK]
    if value not in {state.value for state in known}:
        raise BadField("state", f"cannot be {value!r}; it is one of {', '.join(state.value for state in known)}")
    if value == AnswerState.PROVIDER_BLOCK and not record.get("block_reason"):
        raise BadField("block_reason", "is missing; a blocked answer needs the provider's reason")
    return AnswerState(value)


def _whole(record: Mapping[str, Any], name: str, *, least: int) -> int | None:
    value = record.get(name)
    if value is None or value == "":
        return None
    text = str(value).strip().removesuffix(".0")
    if isinstance(value, bool) or not text.isdecimal() or len(text) > LONGEST_NUMBER or int(text) < least:
        raise BadField(name, f"must be a whole number from {least} on; it is {value!r}")
    return int(text)


def _time(record: Mapping[str, Any]) -> datetime | None:
    value = record.get("answered_at")
    if value is None or value == "":
        return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    try:
        time = value if isinstance(value, datetime) else parse_datetime(str(value))
        day = None if time else parse_date(str(value))
    except ValueError:
        time = day = None
    if time is None and day is None:
        raise BadField("answered_at", f"must be a date and time like 2026-10-12T09:30:00Z; it is {value!r}")
    made = time or datetime(day.year, day.month, day.day, tzinfo=UTC)  # type: ignore[union-attr]
    try:
        return made.astimezone(UTC) if made.tzinfo else made.replace(tzinfo=UTC)
    except OverflowError:
        raise BadField("answered_at", f"is beyond the years 1 to 9999; it is {value!r}") from None


def _trace(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Steps as answers keep them, in order; that is the order of the list where they have no number."""
    steps = []
    for number, step in enumerate(_json_field(record, "trace", list), start=1):
        if not isinstance(step, dict) or step.get("kind") not in {"search", "open"}:
            raise BadField("trace", f"step {number} must be an object whose kind is search or open")
        if unknown := sorted(set(step) - STEP.keys()):
            raise BadField("trace", f"step {number} cannot have {', '.join(unknown)}")
        for name, (kind, words) in STEP.items():
            value = step.get(name)
            if value is not None and (type(value) is not kind or (isinstance(value, int) and value < 1)):
                raise BadField("trace", f"step {number}: {name} must be {words}; it is {value!r}")
        steps.append({**step, "order": step.get("order") or number})
    return sorted(steps, key=lambda step: step["order"])


def _usage(record: Mapping[str, Any]) -> dict[str, int]:
    given = _json_field(record, "usage", dict)
    for kind, number in given.items():
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 10**LONGEST_NUMBER:
            raise BadField("usage", f"{kind} must be a whole number; it is {number!r}")
    columns = {ours: _whole(record, theirs, least=0) for theirs, ours in USAGE.items()}
    return {**given, **{kind: number for kind, number in columns.items() if number is not None}}


def _amount(record: Mapping[str, Any]) -> Decimal | None:
    value = record.get("cost_usd")
    if value is None or value == "":
        return None
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or not 0 <= amount < MOST_USD:
        raise BadField("cost_usd", f"must be an amount of USD; it is {value!r}")
    return amount


def _json_field(record: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    """A value of JSON, or its text, as a cell of a table has it."""
    value = record.get(name)
    if value is None or value == "":
        return kind()
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise BadField(name, f"is no JSON: {error}") from error
    if not isinstance(value, kind):
        raise BadField(name, f"must be {'an object' if kind is dict else 'a list'}")
    return value


def _is_nan(text: Any) -> bool:
    return str(text).strip().lower() in NAN


def folded(text: str) -> str:
    """The text of a question as it is compared: one kind of dash, quotation mark and space, no case."""
    plain = unicodedata.normalize("NFKC", text).translate(FOLDED)
    return " ".join(plain.split()).casefold()
