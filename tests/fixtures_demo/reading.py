"""The demo's files as plain data, read without the application so that they are checked by a second reader."""

import json
import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml

DEMO = Path(__file__).resolve().parents[2] / "fixtures" / "demo"
BUNDLE = DEMO / "bundle"
LEGAL_STATE_DAY = date(2026, 10, 1)

Record = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    identifier: str
    record: Record
    text: str
    content: bytes


@cache
def document(path: str) -> Any:
    return yaml.safe_load((BUNDLE / path).read_text(encoding="utf-8"))


@cache
def documents(folder: str) -> dict[str, Record]:
    """Every YAML file directly in the folder, by its name without the ending."""
    return {path.stem: document(f"{folder}/{path.name}") for path in sorted((BUNDLE / folder).glob("*.yaml"))}


@cache
def answers() -> dict[str, Answer]:
    found = {}
    for path in sorted((BUNDLE / "answers").glob("*.json")):
        content = path.with_suffix(".md").read_bytes()
        record = json.loads(path.read_text(encoding="utf-8"))
        found[path.stem] = Answer(path.stem, record, content.decode("utf-8"), content)
    return found


@cache
def review() -> dict[str, Record]:
    return yaml.safe_load((DEMO / "review.yaml").read_text(encoding="utf-8"))


@cache
def verdicts() -> dict[str, list[Record]]:
    return {
        path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted((BUNDLE / "verdicts").glob("*.jsonl"))
    }


def key_in_force(question: str) -> Record:
    keys = [key for key in documents("keys").values() if key["question"] == question and key["state"] == "approved"]
    (key,) = keys
    return key


def act_of(eli: str) -> Record:
    (act,) = [act for act in documents("law/acts").values() if act["eli"] == eli]
    return act


def edition_on(act: Record, *, day: date, language: str) -> Record:
    (edition,) = [
        edition
        for edition in act["editions"]
        if edition["language"] == language
        and edition["valid_from"] <= day
        and (edition["valid_to"] is None or day <= edition["valid_to"])
    ]
    return edition


@cache
def articles(file: str) -> dict[str, list[str]]:
    """Article key (`17`, `21^1`, `dis/1` for transitional rules) to the lines of its text."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    prefix = ""
    for line in (BUNDLE / "law" / "acts" / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            prefix = "dis/" if re.match(r"## (Transitional|Przepisy przejściowe)", line) else ""
        elif match := re.match(r"### Art\. ([\d^]+)\. \S", line):
            current = found.setdefault(prefix + match[1], [])
            assert not current, f"{file}: {line} stands twice"
        elif line.strip() and not line.startswith("#"):
            current.append(line)
    return found


def unit_text(file: str, unit: str) -> str:
    """The wording of an article, or of one of its sections."""
    levels = dict(level.split("=") for level in unit.split("/"))
    lines = articles(file)[("dis/" if "dis" in levels else "") + levels["art"]]
    if "par" not in levels:
        return "\n".join(lines)
    label = f"§ {levels['par']}. "
    (line,) = [line for line in lines if line.startswith(label)]
    return line.removeprefix(label)


def label_of(identifier: str) -> str:
    """The label that follows from the lawyer's decisions, by the order of the method."""
    answer, decided = answers()[identifier], review()[identifier]
    if answer.record["state"] != "answered":
        return answer.record["state"]
    if decided["findings"]:
        return "hallucinated"
    grounded = decided["scores"]["A-R"] == 2 and "confirmed" in decided["citations"].values()
    return "correctly_grounded" if grounded else "no_hallucination"
