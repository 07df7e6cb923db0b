"""What the records of a bundle must agree on with each other."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from lexreview.answers.models import identifier_of, sha256_of
from lexreview.core.methods.reference_card.specification import specification_from_dict
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.reports.bundle.records import Bundle, Fault, Record


def cross_faults(bundle: Bundle, *, stored_versions: Iterable[str] = ()) -> list[Fault]:
    """Every fault that no single file shows. `stored_versions`: specification versions that the database holds."""
    if not bundle.benchmark:
        return []
    checker = _Checker(bundle, set(stored_versions))
    return sorted(
        [
            *checker.benchmark(),
            *checker.questions(),
            *checker.keys(),
            *checker.answers(),
            *checker.decisions(),
            *checker.verdicts(),
            *checker.panel_results(),
            *checker.cards(),
            *checker.support(),
        ]
    )


class _Checker:
    def __init__(self, bundle: Bundle, stored_versions: set[str]) -> None:
        self.bundle = bundle
        self.question_codes = {record["code"] for record in bundle.questions.values()}
        self.decision_numbers = {record["number"] for record in bundle.decisions.values()}
        self.identifiers = {record["identifier"] for record in bundle.answers.values()}
        self.key_names = {f"{record['question']}.v{record['version']}" for record in bundle.keys.values()}
        self.versions = stored_versions | {
            _full(specification_from_dict(record).version) for record in bundle.specifications.values()
        }
        self.requests = {
            PurePosixPath(file).stem: {_request(each, each["asked"]) for each in records if "asked" in each}
            for file, records in bundle.verdicts.items()
        }
        top = bundle.benchmark
        self.runs = {(run["system"], run["condition"], run["repetition"]) for run in top["runs"]}

    def benchmark(self) -> Iterator[Fault]:
        top, file = self.bundle.benchmark, "benchmark.yaml"
        for part in ("sets", "conditions", "systems", "judges", "panels"):
            yield from _twice(file, part, [each["code"] for each in top.get(part, [])])
        judges = {each["code"] for each in top["judges"]}
        for position, panel in enumerate(top.get("panels", [])):
            for code in panel["judges"]:
                if code not in judges:
                    yield Fault(file, f"panels[{position}].judges", _unknown(code, judges))
        yield from _twice(file, "runs", [str((r["system"], r["condition"], r["repetition"])) for r in top["runs"]])
        known = {part: {each["code"] for each in top[part]} for part in ("systems", "conditions", "sets")}
        for position, run in enumerate(top["runs"]):
            for part, name in (("systems", "system"), ("conditions", "condition")):
                if run[name] not in known[part]:
                    yield Fault(file, f"runs[{position}].{name}", _unknown(run[name], known[part]))
            for code in run.get("sets", []):
                if code not in known["sets"]:
                    yield Fault(file, f"runs[{position}].sets", _unknown(code, known["sets"]))
        if (wanted := top["specification"]["version"]) not in self.versions:
            yield Fault(file, "specification.version", _unknown(wanted, self.versions))

    def questions(self) -> Iterator[Fault]:
        sets = {each["code"] for each in self.bundle.benchmark["sets"]}
        for file, record in self.bundle.questions.items():
            yield from _named(file, record["code"], "code")
            if record["set"] not in sets:
                yield Fault(file, "set", _unknown(record["set"], sets))
            if not record[f"{record['asked']}_text"]:
                yield Fault(file, f"{record['asked']}_text", "expected a text, it is the one that was asked")
            if record["mirror"] and record["mirror"] not in self.question_codes:
                yield Fault(file, "mirror", _unknown(record["mirror"], self.question_codes))

    def keys(self) -> Iterator[Fault]:
        approved: Counter[str] = Counter()
        for file, record in self.bundle.keys.items():
            yield from _named(file, f"{record['question']}.v{record['version']}", "question and version")
            if record["question"] not in self.question_codes:
                yield Fault(file, "question", _unknown(record["question"], self.question_codes))
            if record["state"] != "draft" and not record["approved_on"]:
                yield Fault(file, "approved_on", f"expected a date, the version is {record['state']}")
            if record["departure"] and not (record["reason"] or "").strip():
                yield Fault(file, "reason", "expected a reason, the version is a departure")
            if record["decision"] is not None and record["decision"] not in self.decision_numbers:
                yield Fault(file, "decision", _unknown(record["decision"], self.decision_numbers))
            yield from _bases(file, record)
            yield from _twice(file, "rubric", [each["code"] for each in record["rubric"]])
            yield from _twice(file, "penalties", [each["code"] for each in record["penalties"]])
            approved[record["question"]] += record["state"] == "approved"
        for question, count in approved.items():
            if count > 1:
                yield Fault(f"keys/{question}.v*.yaml", "state", f"{count} versions are approved; expected one at most")

    def answers(self) -> Iterator[Fault]:
        for file, record in self.bundle.answers.items():
            yield from self._answer(file, record)
        for file in self.bundle.texts:
            if f"answers/{PurePosixPath(file).stem}.json" not in self.bundle.answers:
                yield Fault(file, "", "has no .json with the same name that can be read")

    def _answer(self, file: str, record: Record) -> Iterator[Fault]:
        yield from _named(file, record["identifier"], "identifier")
        expected = identifier_of(
            question=record["question"],
            system=record["system"],
            condition=record["condition"],
            repetition=record["repetition"],
        )
        if record["identifier"] != expected:
            yield Fault(file, "identifier", f"expected {expected}, found {record['identifier']}")
        if record["question"] not in self.question_codes:
            yield Fault(file, "question", _unknown(record["question"], self.question_codes))
        run = (record["system"], record["condition"], record["repetition"])
        if run not in self.runs:
            yield Fault(file, "system", f"no run of {run[0]} in {run[1]}, repetition {run[2]}, in benchmark.yaml")
        text = self.bundle.texts.get(f"answers/{PurePosixPath(file).stem}.md")
        if text is None:
            yield Fault(file, "", "has no .md with the same name that can be read")
            return
        if sha256_of(text) != record["sha256"]:
            yield Fault(file, "sha256", f"expected that of the .md file, {sha256_of(text)}")
        if record["state"] == "answered" and not text:
            yield Fault(file, "state", "answered, but the text is empty; expected empty, provider_block or failed")
        if record["state"] == "empty" and text.strip():
            yield Fault(file, "state", "empty, but there is a text; expected answered")
        if record["state"] == "provider_block" and not record["block_reason"]:
            yield Fault(file, "block_reason", "expected the provider's reason, the answer was blocked")

    def decisions(self) -> Iterator[Fault]:
        for file, record in self.bundle.decisions.items():
            yield from _named(file, f"{record['number']:03d}", "number")
            supersedes = record["supersedes"]
            if supersedes is not None and (supersedes not in self.decision_numbers or supersedes >= record["number"]):
                yield Fault(file, "supersedes", f"expected the number of an earlier decision, found {supersedes}")
            touches = record["touches"]
            for part, known in (
                ("questions", self.question_codes),
                ("key_versions", self.key_names),
                ("cards", self.identifiers),
            ):
                for name in touches[part]:
                    if name not in known:
                        yield Fault(file, f"touches.{part}", f"{name} is not in the bundle")

    def verdicts(self) -> Iterator[Fault]:
        judges = {each["code"] for each in self.bundle.benchmark["judges"]}
        for file, records in self.bundle.verdicts.items():
            if (judge := PurePosixPath(file).stem) not in judges:
                yield Fault(file, "", f"the name is that of no judge: {_unknown(judge, judges)}")
            elsewhere = [record["answer"] for record in records if "asked" not in record]
            yield from _twice(file, "answer", elsewhere)
            for record in records:
                if record["answer"] not in self.identifiers:
                    yield Fault(file, "answer", f"{record['answer']} is not in the bundle")
                elif "asked" in record:
                    name = f"{record['answer'].split('_', 1)[0]}.v{record['asked']['key']}"
                    if name not in self.key_names:
                        yield Fault(file, "asked.key", f"{name} is not in the bundle")

    def panel_results(self) -> Iterator[Fault]:
        panels = {each["code"]: each for each in self.bundle.benchmark.get("panels", [])}
        for file, records in self.bundle.panels.items():
            if (panel := panels.get(PurePosixPath(file).stem)) is None:
                yield Fault(file, "", f"the name is that of no panel: {_unknown(PurePosixPath(file).stem, panels)}")
                continue
            yield from _twice(file, "address", [f"{record['answer']} {record['address']}" for record in records])
            for record in records:
                yield from self._panel_result(file, record, panel)

    def _panel_result(self, file: str, record: Record, panel: Record) -> Iterator[Fault]:
        if record["answer"] not in self.identifiers:
            yield Fault(file, "answer", f"{record['answer']} is not in the bundle")
            return
        if record["item"] not in panel["items"]:
            yield Fault(file, "item", _unknown(record["item"], panel["items"]))
        name = f"{record['answer'].split('_', 1)[0]}.v{record['key']}"
        if name not in self.key_names:
            yield Fault(file, "key", f"{name} is not in the bundle")
        if record["state"] == "resolved" and not record["value"]:
            yield Fault(file, "value", "expected a value, the panel has resolved it")
        for position, vote in enumerate(record["votes"]):
            if _request(record, vote) not in self.requests.get(vote["judge"], set()):
                message = f"no verdict of {vote['judge']} on {record['answer']} was asked for so"
                yield Fault(file, f"votes[{position}]", message)

    def cards(self) -> Iterator[Fault]:
        for file, record in self.bundle.cards.items():
            if record["answer"] not in self.identifiers:
                yield Fault(file, "answer", f"{record['answer']} is not in the bundle")
            if record["specification"] not in self.versions:
                yield Fault(file, "specification", _unknown(record["specification"], self.versions))
            question = record["answer"].split("_", 1)[0]
            if (name := f"{question}.v{record['key_version']}") not in self.key_names:
                yield Fault(file, "key_version", f"{name} is not in the bundle")

    def support(self) -> Iterator[Fault]:
        for file, records in self.bundle.support.items():
            if (identifier := PurePosixPath(file).stem) not in self.identifiers:
                yield Fault(file, "", f"the name is that of no answer: {identifier} is not in the bundle")
            for record in records:
                numbers = {each["number"] for each in record["citations"]}
                yield from _twice(file, "citations.number", [str(each["number"]) for each in record["citations"]])
                for position, opinion in enumerate(record["opinions"]):
                    if opinion["citation"] not in numbers:
                        field = f"opinions[{position}].citation"
                        yield Fault(file, field, _unknown(opinion["citation"], numbers))


def _bases(file: str, record: Record) -> Iterator[Fault]:
    for position, base in enumerate(record["bases"]):
        needed = ("act", "unit") if base["kind"] == "provision" else ("court", "docket", "decided_on", "passage")
        for name in needed:
            if not base.get(name):
                yield Fault(file, f"bases[{position}].{name}", f"expected a value, the base is a {base['kind']}")
        if not base["source"].startswith(("https://", "http://")):
            yield Fault(file, f"bases[{position}].source", "expected the address of an official source")


def _request(record: Record, asked: Record) -> tuple[object, ...]:
    """What a verdict that was asked for, and a vote that is one, name alike."""
    place = {**record, **asked}
    return tuple(place[name] for name in ("answer", "specification", "key", "repeat", "request_sha256", "attempt"))


def _named(file: str, expected: str, field: str) -> Iterator[Fault]:
    if PurePosixPath(file).stem != expected:
        yield Fault(file, field, f"expected a file of the name {expected}")


def _twice(file: str, field: str, values: list[str]) -> Iterator[Fault]:
    for value, count in sorted(Counter(values).items()):
        if count > 1:
            yield Fault(file, field, f"{value} is given {count} times")


def _unknown(value: object, known: Iterable[object]) -> str:
    return f"expected one of {', '.join(sorted(map(str, known))) or 'none'}, found {value}"


def _full(version: str) -> str:
    return ".".join(map(str, parse_version(version)))
