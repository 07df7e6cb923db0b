"""Writing a benchmark's bundle into a folder, as docs/bundle.md describes it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings

SPECIFICATION = Path(settings.BASE_DIR) / "fixtures/demo/bundle/specification/reference-card-1.0.0.yaml"
CONDITIONS = (("W0", False), ("W1", True))
COLLECTED_AT = "2026-10-12T09:30:00Z"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question with its approved key. `bases`: (citation, act, unit, source, quotation)."""

    code: str
    language: str
    text: str
    expected: dict[str, Any]
    core: str
    rubric: Sequence[str]
    bases: Sequence[tuple[str, str, str, str, str]]
    type: str = "closed"
    trap: dict[str, str] | None = None
    penalties: Sequence[str] = ()
    condition: str | None = None
    disclosure: str = "published"


@dataclass(frozen=True, kw_only=True)
class Given:
    """An answer of a system in a condition. `cost` is in USD, None where it is unknown."""

    question: str
    system: str
    condition: str = "W0"
    text: str = ""
    state: str = "answered"
    block_reason: str | None = None
    trace: Sequence[dict[str, Any]] = ()
    cost: str | None = "0.010000"

    @property
    def identifier(self) -> str:
        return f"{self.question}_{self.system}_{self.condition}_r1"


@dataclass(frozen=True, kw_only=True)
class Bundle:
    slug: str
    jurisdiction: str
    language: str
    legal_state_on: str
    title: str
    questions: Sequence[Asked]
    answers: Sequence[Given]
    systems: Sequence[str] = field(default=("alpha", "beta"))


def write_bundle(bundle: Bundle, folder: Path) -> Path:
    """All files of the bundle below `folder`, which is made."""
    _yaml(folder / "benchmark.yaml", _benchmark(bundle))
    specification = folder / "specification" / SPECIFICATION.name
    specification.parent.mkdir(parents=True)
    specification.write_bytes(SPECIFICATION.read_bytes())
    for question in bundle.questions:
        _yaml(folder / "questions" / f"{question.code}.yaml", _question(question))
        _yaml(folder / "keys" / f"{question.code}.v1.yaml", _key(question))
    for answer in bundle.answers:
        content = answer.text.encode()
        _write(folder / "answers" / f"{answer.identifier}.md", content)
        record = {**_answer(answer), "sha256": hashlib.sha256(content).hexdigest()}
        _write(folder / "answers" / f"{answer.identifier}.json", json.dumps(record, ensure_ascii=False).encode())
    return folder


def _benchmark(bundle: Bundle) -> dict[str, Any]:
    used = sorted({(each.system, each.condition) for each in bundle.answers})
    language = bundle.language
    return {
        "format": "lexreview-bundle/1",
        "slug": bundle.slug,
        "title": {language: bundle.title},
        "summary": {language: bundle.title},
        "limitations": [],
        "jurisdiction": bundle.jurisdiction,
        "legal_state_date": bundle.legal_state_on,
        "method": "reference-card",
        "canary": "5f0c2f6e-0b53-4c2e-9a57-3d1f5a7b9c11",
        "language": language,
        "specification": {"name": "reference-card", "version": "1.0.0"},
        "sets": [{"code": "pilot", "title": {language: "Pilot"}}],
        "conditions": [
            {"code": code, "title": {language: code}, "tools": tools, "preamble": {language: "-"}}
            for code, tools in CONDITIONS
        ],
        "systems": [
            {
                "code": code,
                "name": code.title(),
                "provider": "Testlab",
                "family": code,
                "model_identifier": f"{code}-1",
                "settings": {},
            }
            for code in bundle.systems
        ],
        "runs": [
            {"system": system, "condition": condition, "repetition": 1, "started_on": "2026-10-12", "note": ""}
            for system, condition in used
        ],
        "judges": [],
    }


def _question(question: Asked) -> dict[str, Any]:
    return {
        "code": question.code,
        "set": "pilot",
        "type": question.type,
        "language": question.language,
        "area": "-",
        "task_type": "-",
        "original_text": question.text,
        "benchmark_text": None,
        "asked": "original",
        "expected": question.expected,
        "trap": question.trap,
        "mirror": None,
        "disclosure": question.disclosure,
    }


def _key(question: Asked) -> dict[str, Any]:
    return {
        "question": question.code,
        "version": 1,
        "state": "approved",
        "approved_by": "lena",
        "approved_on": "2026-10-05",
        "dated": "2026-10-03",
        "reason": None,
        "departure": False,
        "decision": None,
        "core_answer": question.core,
        "rubric": [
            {"code": f"R{number}", "text": text, "points": 1} for number, text in enumerate(question.rubric, start=1)
        ],
        "penalties": [{"code": f"K{number}", "text": text} for number, text in enumerate(question.penalties, start=1)],
        "bases": [
            {
                "code": f"B{number}",
                "citation": citation,
                "kind": "provision",
                "act": act,
                "unit": unit,
                "source": source,
                "edition": None,
                "quotation": quotation,
            }
            for number, (citation, act, unit, source, quotation) in enumerate(question.bases, start=1)
        ],
        "calibration": "conditional" if question.condition else "categorical",
        "condition": question.condition,
        "disputed": False,
        "verification": "",
    }


def _answer(answer: Given) -> dict[str, Any]:
    return {
        "identifier": answer.identifier,
        "question": answer.question,
        "system": answer.system,
        "condition": answer.condition,
        "repetition": 1,
        "answered_at": COLLECTED_AT,
        "served_model": f"{answer.system}-1",
        "settings": {},
        "state": answer.state,
        "block_reason": answer.block_reason,
        "usage": {},
        "cost_usd": answer.cost,
        "cost_is_lower_bound": False,
        "trace": list(answer.trace),
    }


def _yaml(path: Path, record: dict[str, Any]) -> None:
    _write(path, yaml.safe_dump(record, allow_unicode=True, sort_keys=False).encode())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
