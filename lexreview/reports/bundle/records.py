"""The records of a bundle: every file read, checked against its schema and against the others."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import PurePosixPath
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError, best_match

from lexreview.core.methods.reference_card.specification import SpecificationError, specification_from_dict
from lexreview.law.parsed import UnreadableSource
from lexreview.law.sources.plain import BundleFaults, LawBundle, read_law_bundle
from lexreview.law.sources.yaml_text import read_yaml

MAX_SHOWN = 50
FOLDERS = {
    "specification": ".yaml",
    "questions": ".yaml",
    "keys": ".yaml",
    "answers": ".json",
    "decisions": ".yaml",
    "verdicts": ".jsonl",
    "panels": ".jsonl",
    "cards": ".yaml",
    "support": ".jsonl",
}
SCHEMAS = {"questions": "question", "keys": "key", "answers": "answer", "decisions": "decision", "cards": "card"}
LINE_SCHEMAS = {"verdicts": "verdict", "panels": "panel_result", "support": "support"}

Record = dict[str, Any]


@dataclass(frozen=True, order=True)
class Fault:
    """One thing wrong with a bundle: the file, the field in it, and what was expected."""

    file: str
    field: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.field, self.message) if part)


class FaultyBundle(ValueError):
    """The bundle cannot be imported. `faults` has all of them; the text lists the first 50."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        lines = [str(fault) for fault in faults[:MAX_SHOWN]]
        if len(faults) > MAX_SHOWN:
            lines.append(f"and {len(faults) - MAX_SHOWN} more")
        super().__init__("\n".join(lines))


@dataclass
class Bundle:
    """All records of a bundle by file path, in order of path; `texts` are the answers' .md files."""

    benchmark: Record = field(default_factory=dict)
    specifications: dict[str, Record] = field(default_factory=dict)
    questions: dict[str, Record] = field(default_factory=dict)
    keys: dict[str, Record] = field(default_factory=dict)
    answers: dict[str, Record] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    decisions: dict[str, Record] = field(default_factory=dict)
    verdicts: dict[str, list[Record]] = field(default_factory=dict)
    panels: dict[str, list[Record]] = field(default_factory=dict)
    cards: dict[str, Record] = field(default_factory=dict)
    support: dict[str, list[Record]] = field(default_factory=dict)
    law: LawBundle | None = None


@cache
def validator(name: str) -> Draft202012Validator:
    text = resources.files("lexreview.reports.bundle").joinpath(f"schemas/{name}.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text), format_checker=FormatChecker())


def read_records(files: Mapping[str, bytes]) -> tuple[Bundle, list[Fault]]:
    """The bundle's records, and every fault of its files taken one by one. Faulty records are left out."""
    reader = _Reader(files)
    reader.read()
    return reader.bundle, sorted(reader.faults)


class _Reader:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.bundle = Bundle()
        self.faults: list[Fault] = []

    def read(self) -> None:
        if "benchmark.yaml" not in self.files:
            self.fault("benchmark.yaml", "", f"expected this file at the top of the bundle{self._elsewhere()}")
            return
        self.bundle.benchmark = self.yaml("benchmark.yaml", "benchmark") or {}
        for name in sorted(self.files):
            folder = PurePosixPath(name).parts[0]
            if folder == "law" or name == "benchmark.yaml":
                continue
            self.file(name, folder)
        self.law({name[4:]: content for name, content in self.files.items() if name.startswith("law/")})

    def _elsewhere(self) -> str:
        """Where the bundle lies instead, as where a folder was packed together with its own name."""
        found = [str(PurePosixPath(name).parent) for name in sorted(self.files) if name.endswith("/benchmark.yaml")]
        return f"; one lies in {found[0]}/, whose content has to be at the top" if found else ""

    def file(self, name: str, folder: str) -> None:
        if folder not in FOLDERS or name.count("/") != 1:
            expected = ", ".join(["benchmark.yaml", *(f"{each}/" for each in FOLDERS), "law/"])
            self.fault(name, "", f"does not belong to a bundle; expected only {expected}")
        elif folder == "answers" and name.endswith(".md"):
            if (text := self.text(name)) is not None:
                self.bundle.texts[name] = text
        elif not name.endswith(FOLDERS[folder]):
            self.fault(name, "", f"expected a name that ends in {FOLDERS[folder]}")
        elif folder in LINE_SCHEMAS:
            getattr(self.bundle, folder)[name] = list(self.lines(name, LINE_SCHEMAS[folder]))
        elif folder == "specification":
            self.specification(name)
        elif (record := self.record(name, SCHEMAS[folder])) is not None:
            getattr(self.bundle, folder)[name] = record

    def record(self, name: str, schema: str) -> Record | None:
        return self.json(name, schema) if name.endswith(".json") else self.yaml(name, schema)

    def specification(self, name: str) -> None:
        record = self.yaml(name, None)
        if record is None:
            return
        try:
            specification_from_dict(record)
        except SpecificationError as error:
            self.fault(name, error.field, str(error).removeprefix(f"{error.field}: "))
        else:
            self.bundle.specifications[name] = record

    def yaml(self, name: str, schema: str | None) -> Record | None:
        try:
            value = read_yaml(self.files[name], file=name)
        except UnreadableSource as error:
            self.fault(name, "", str(error).removeprefix(f"{name}: ").removeprefix(name).strip())
            return None
        return self.checked(name, value, schema)

    def json(self, name: str, schema: str) -> Record | None:
        if (text := self.text(name)) is None:
            return None
        return self.checked(name, self.parsed(name, "", text), schema)

    def lines(self, name: str, schema: str) -> Iterator[Record]:
        for number, line in enumerate((self.text(name) or "").splitlines(), start=1):
            if line.strip() and (record := self.checked(name, self.parsed(name, f"line {number}", line), schema)):
                yield record

    def parsed(self, name: str, place: str, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            self.fault(name, place, f"not JSON: {error}")
            return None

    def text(self, name: str) -> str | None:
        try:
            text = self.files[name].decode("utf-8")
        except UnicodeDecodeError as error:
            self.fault(name, "", f"expected UTF-8; byte {error.start} is not")
            return None
        if "\x00" in text:
            self.fault(name, "", f"a NUL character at {text.index(chr(0))}; databases cannot store it")
            return None
        return text

    def checked(self, name: str, value: Any, schema: str | None) -> Record | None:
        if value is None and any(fault.file == name for fault in self.faults):
            return None
        if not isinstance(value, dict):
            self.fault(name, "", f"expected fields with values, found {type(value).__name__}")
            return None
        errors = list(validator(schema).iter_errors(value)) if schema else []
        for error in errors:
            self.faults += _faults_of(name, error)
        return None if errors else value

    def law(self, files: dict[str, bytes]) -> None:
        if not files:
            return
        try:
            self.bundle.law = read_law_bundle(files)
        except BundleFaults as error:
            for line in error.faults:
                name, _, message = line.partition(": ")
                self.fault(name, "", message)

    def fault(self, file: str, field: str, message: str) -> None:
        self.faults.append(Fault(file, field, message))


def _faults_of(name: str, error: ValidationError) -> Iterator[Fault]:
    """A schema error in words; one fault per missing or unknown field."""
    if error.validator in ("anyOf", "oneOf", "allOf", "if") and error.context:
        error = best_match([error]) or error
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
    schema = error.schema if isinstance(error.schema, dict) else {}
    if error.validator == "required":
        given = error.instance if isinstance(error.instance, dict) else {}
        for key in schema.get("required", []):
            if key not in given and f"'{key}'" in error.message:
                yield Fault(name, f"{path}.{key}".lstrip("."), "is missing")
        return
    if error.validator == "additionalProperties" and error.validator_value is False:
        known = schema.get("properties", {})
        for key in sorted(set(error.instance if isinstance(error.instance, dict) else ()) - set(known)):
            yield Fault(name, f"{path}.{key}".lstrip("."), f"unknown field; expected one of {', '.join(known)}")
        return
    yield Fault(name, path, f"expected {_expected(error, schema)}, found {_shown(error.instance)}")


def _expected(error: ValidationError, schema: dict[str, Any]) -> str:
    match error.validator:
        case "enum":
            return "one of " + ", ".join(map(str, schema.get("enum", [])))
        case "const":
            return str(error.validator_value)
        case "minLength" | "minItems" | "minProperties":
            return "something, not nothing"
        case "minimum":
            return f"{error.validator_value} or more"
        case _:
            return str(schema.get("description") or error.validator_value)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "…"
