"""What the server of the demonstration with models says: recorded answers, and structured replies made by rule.

Nothing here was said by a model. The answers are those of the demonstration's bundle; opinions, proposals and verdicts
follow from the words of the prompt alone, so that every run gives the same.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

from tests.providers.server import Seen

Json = dict[str, Any]
BLOCK = re.compile(r"<(\w+) (\w{16})>\n(.*?)\n</\1 \2>", re.DOTALL)
WORD = re.compile(r"[^\W\d_]{4,}")
NUMBER = re.compile(r"\d+")
# Between several blocks of one name.
NEXT = "\n\x1e\n"
CRITERION = re.compile(
    r"^Criterion (\S+): .*?\((\S+) to (\S+) points in steps of [^\s;)]+(; elements: [^)]*)?\)", re.MULTILINE
)
SOURCE = re.compile(r"(?:\A|\x1e\n)(S\d+): [^\n]*\n\n([^\x1e]*)")
PROPOSED = re.compile(r"^\d+\. (.+?): .*possible class (\w+).*see (S\d+)", re.MULTILINE)
REPORTED = re.compile(r"^\d+\. (.+?): (\w+)", re.MULTILINE)
RANGE = re.compile(r"(\S+) to (\S+) in steps of")
# What the report says of a citation, and the class that our judges make of it.
WANTING = {"wording_differs": "W", "not_in_force": "W", "not_found": "F", "wrong_identifier": "S"}


class DemoReplies:
    """A `reply` of the server, made from the files of the demonstration's bundle."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        read = {name: yaml.safe_load(text) for name, text in files.items() if name.endswith(".yaml")}
        self._codes = {_asked(each): each["code"] for name, each in read.items() if name.startswith("questions/")}
        self._keys = {each["question"]: each for name, each in sorted(read.items()) if name.startswith("keys/")}
        systems = {each["code"]: each["model_identifier"] for each in read["benchmark.yaml"]["systems"]}
        self._answers: dict[tuple[str, str], str] = {}
        for name, content in files.items():
            if name.startswith("answers/") and name.endswith("_W0_r1.md") and content.strip():
                code, system, *_ = name.removeprefix("answers/").split("_")
                self._answers[systems[system], code] = content.decode()

    def __call__(self, seen: Seen) -> str:
        wanted = (seen.body.get("response_format") or {}).get("json_schema") or {}
        if not wanted:
            return self._answer(seen)
        blocks: dict[str, str] = {}
        for name, _marker, text in BLOCK.findall(seen.prompt):
            blocks[name] = f"{blocks[name]}{NEXT}{text}" if name in blocks else text
        made = {"SupportReply": _support, "PrefillReply": _proposals, "Verdict": _verdict}[wanted["name"]]
        return json.dumps(made(blocks, wanted["schema"], seen.model), ensure_ascii=False)

    def _answer(self, seen: Seen) -> str:
        """The recorded answer of that model; where there is none, the key's core and its bases."""
        code = next(code for text, code in self._codes.items() if text in seen.prompt)
        key = self._keys[code]
        bases = ", ".join(each["citation"] for each in key["bases"])
        return self._answers.get((seen.model, code)) or f"{key['core_answer'].strip()} ({bases})\n"


def _asked(question: Mapping[str, Any]) -> str:
    return str(question["benchmark_text"] if question["asked"] == "benchmark" else question["original_text"]).strip()


def _support(blocks: Mapping[str, str], schema: Json, model: str) -> Json:
    """By the sentence of the source that shares most words with the claim, and whether both name the same numbers.

    One in twenty quotes words that are not there, so that the demonstration shows what becomes of them.
    """
    sentences = re.split(r"(?<=[.;:])\s+", blocks["source"])
    claim = _words(blocks["claim"])
    best = max(sentences, key=lambda sentence: len(_words(sentence) & claim))
    if len(_words(best) & claim) < 2:
        return {"support": "does_not_cover", "sentence": ""}
    said, stands = (set(NUMBER.findall(text)) for text in (_without(blocks["claim"], blocks["citation"]), best))
    if said and stands and not said & stands:
        return {"support": "contradicts", "sentence": best}
    invented = "In other words: " if _draw(blocks["claim"], blocks["citation"]) % 20 == 0 else ""
    return {"support": "supports", "sentence": invented + best}


def _draw(*texts: str) -> int:
    return int(hashlib.sha256(" ".join(texts).encode()).hexdigest(), 16)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


def _without(claim: str, citation: str) -> str:
    return claim.replace(citation.partition(" [")[0], "")


def _proposals(blocks: Mapping[str, str], schema: Json, model: str) -> Json:
    """The most points of every criterion without elements, the fewest where the draw says so, with the first words of
    the answer as evidence; a finding where the report proposes a class and names a source."""
    answer = blocks["answer"]
    words = " ".join(answer.split("\n")[0].split()[:12])
    criteria = [
        {
            "criterion": code,
            "points": float(least if _draw(model, code, answer) % 5 == 0 else most),
            "reason": "Made by rule.",
            "quotes_from_answer": [words],
            "quotes_from_sources": [],
            "elements": [],
        }
        for code, least, most, elements in CRITERION.findall(blocks["rules"])
        if not elements
    ]
    sources = dict(SOURCE.findall(blocks["source"]))
    findings = [
        {
            "error_class": code,
            "claim": raw,
            "source": source,
            "source_says": sources[source].strip().split("\n")[0],
            "origin": "undetermined",
            "scope": "peripheral",
            "reason": "Made by rule.",
        }
        for raw, code, source in PROPOSED.findall(blocks["report"])
        if source in sources and raw in answer
    ]
    return {"criteria": criteria, "findings": findings}


def _verdict(blocks: Mapping[str, str], schema: Json, model: str) -> Json:
    """A hallucination where the report found a citation wanting, except that each judge overlooks some, by its own
    draw. The most points of every criterion without one, the fewest with one."""
    listed = REPORTED.findall(blocks.get("report", ""))
    overlooks = _draw(model, blocks["answer"]) % 4 == 0
    wanting = [(raw, WANTING[result]) for raw, result in listed if result in WANTING and raw in blocks["answer"]]
    found = [] if overlooks else wanting[:3]
    points = _definition(schema, schema["properties"]["criteria"])["properties"]
    return {
        "hallucinated": bool(found),
        "criteria": {code: _points(each["description"], fewest=bool(found)) for code, each in points.items()},
        "findings": [{"class": code, "claim": raw, "source_says": "Made by rule."} for raw, code in found],
        "citations_checked": [raw for raw, _result in listed],
    }


def _definition(schema: Json, part: Json) -> Json:
    definition: Json = schema["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    return definition


def _points(described: str, *, fewest: bool) -> float:
    match = RANGE.search(described)
    assert match is not None, described
    return float(match[1] if fewest else match[2])
