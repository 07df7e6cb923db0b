"""Importing a bundle: all of it in one transaction, or nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.dateparse import parse_datetime

from lexreview.accounts.actions import placeholder_account
from lexreview.accounts.models import User
from lexreview.answers.actions import AnswerDraft, save_condition, save_run, save_system, store_answer
from lexreview.answers.models import Answer, Run
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.core.workflow import AnswerState
from lexreview.judging.actions import VerdictDraft, restore_panel_result, save_judge, save_panel, store_verdicts
from lexreview.judging.models import Panel
from lexreview.law.actions import import_acts, import_coverage, import_jurisdiction, import_rulings, lock_corpus
from lexreview.ledger.actions import record_event
from lexreview.ledger.models import Event
from lexreview.methodology.actions import DecisionDraft, load_specification, publish_decision, write_decision
from lexreview.methodology.models import Decision, Specification
from lexreview.questions.actions import (
    BenchmarkDraft,
    KeyDraft,
    QuestionDraft,
    approve_key,
    pair_mirrors,
    save_benchmark,
    save_question,
    save_question_set,
    write_key,
)
from lexreview.questions.models import Benchmark, Question, QuestionSet
from lexreview.questions.rules import check_can_operate, check_can_write_questions
from lexreview.reports.bundle.checking import cross_faults
from lexreview.reports.bundle.files import read_files
from lexreview.reports.bundle.panel_results import draft_of_result
from lexreview.reports.bundle.records import Bundle, Fault, FaultyBundle, Record, read_records
from lexreview.reports.bundle.support import restore_support
from lexreview.review.actions.restoring import restore_card


@dataclass
class ImportSummary:
    """What a bundle holds, and how many events its import made; 0 events: nothing changed."""

    slug: str
    counts: dict[str, int] = field(default_factory=dict)
    events: int = 0


def read_bundle(path: Path) -> Bundle:
    """The checked records of a bundle. Raises UnsafeBundle, or FaultyBundle with every fault."""
    bundle, faults = read_records(read_files(path))
    stored = [row.version for row in Specification.objects.all()]
    faults += cross_faults(bundle, stored_versions=stored)
    if faults:
        raise FaultyBundle(sorted(set(faults)))
    return bundle


@transaction.atomic
def import_bundle(*, bundle: Bundle, by: User | None, now: datetime) -> ImportSummary:
    """Bring the database to what the bundle says. The same bundle again changes nothing.

    Raises FaultyBundle where a stored key, answer, decision or verdict is final and differs: it names the file.
    """
    slug = bundle.benchmark["slug"]
    check_can_operate(by, slug)
    check_can_write_questions(by, slug)
    lock_corpus()
    newest = Event.objects.newest_first().values_list("number", flat=True).first() or 0
    loader = _Loader(bundle, by=by, now=now)
    loader.load()
    # Others write events until this import writes its first; only its own have its time.
    written = Event.objects.filter(number__gt=newest, at=now).count()
    summary = ImportSummary(slug, counts=loader.counts(), events=written)
    if summary.events:
        record_event(
            by=by,
            verb="import_benchmark",
            object_type="benchmark",
            object_id=slug,
            after={"events": summary.events, **summary.counts},
            now=now,
        )
    return summary


class _Loader:
    """Loads in the order in which the rules need it: keys before the answers that freeze them, departures after."""

    def __init__(self, bundle: Bundle, *, by: User | None, now: datetime) -> None:
        self.bundle, self.by, self.now = bundle, by, now
        self.people: dict[str, User] = {}
        self.sets: dict[str, QuestionSet] = {}
        self.questions: dict[str, Question] = {}
        self.decisions: dict[int, Decision] = {}
        self.runs: dict[tuple[str, str, int], Run] = {}
        self.answers: dict[str, Answer] = {}

    def load(self) -> None:
        self.law()
        for file, record in self.by_version():
            with fault_at(file):
                load_specification(content=record, by=self.by, now=self.now)
        self.benchmark = self.save_benchmark()
        self.save_questions()
        self.save_decisions()
        self.save_keys(lambda record: not record["departure"])
        self.save_runs()
        self.save_answers()
        self.save_keys(lambda record: bool(record["departure"]))
        self.save_verdicts()
        self.save_panels()
        self.restore_panel_results()
        self.restore_cards()
        self.restore_support()

    def counts(self) -> dict[str, int]:
        return {
            "questions": len(self.questions),
            "answers": len(self.answers),
            "decisions": len(self.decisions),
            "verdicts": sum(len(records) for records in self.bundle.verdicts.values()),
            "cards": len(self.bundle.cards),
        }

    def law(self) -> None:
        law = self.bundle.law
        if law is None:
            return
        with fault_at("law"):
            if law.jurisdiction is not None:
                import_jurisdiction(profile=law.jurisdiction, by=self.by, now=self.now)
            import_acts(parsed=law.acts, by=self.by, now=self.now)
            import_rulings(parsed=law.rulings, by=self.by, now=self.now)
            import_coverage(rows=law.coverage, by=self.by, now=self.now)

    def by_version(self) -> list[tuple[str, Record]]:
        return sorted(self.bundle.specifications.items(), key=lambda item: parse_version(item[1]["version"]))

    def save_benchmark(self) -> Benchmark:
        top = self.bundle.benchmark
        major, minor, patch = parse_version(top["specification"]["version"])
        with fault_at("benchmark.yaml"):
            benchmark = save_benchmark(
                draft=BenchmarkDraft(
                    slug=top["slug"],
                    titles=top["title"],
                    summaries=top["summary"],
                    limitations=top["limitations"],
                    language=top["language"],
                    jurisdiction=top["jurisdiction"],
                    legal_state_on=date.fromisoformat(top["legal_state_date"]),
                    method=top["method"],
                    canary=UUID(top["canary"]),
                    specification=Specification.objects.get(
                        name=top["specification"]["name"], major=major, minor=minor, patch=patch
                    ),
                ),
                by=self.by,
                now=self.now,
            )
            for position, record in enumerate(top["sets"]):
                self.sets[record["code"]] = save_question_set(
                    benchmark=benchmark,
                    code=record["code"],
                    titles=record["title"],
                    position=position,
                    by=self.by,
                    now=self.now,
                )
        return benchmark

    def save_questions(self) -> None:
        for file, record in self.bundle.questions.items():
            with fault_at(file):
                self.questions[record["code"]] = save_question(
                    benchmark=self.benchmark, draft=self.question_draft(record), by=self.by, now=self.now
                )
        for file, record in self.bundle.questions.items():
            with fault_at(file):
                mirror = self.questions[record["mirror"]] if record["mirror"] else None
                pair_mirrors(question=self.questions[record["code"]], mirror=mirror, by=self.by, now=self.now)

    def question_draft(self, record: Record) -> QuestionDraft:
        return QuestionDraft(
            code=record["code"],
            set=self.sets[record["set"]],
            type=record["type"],
            language=record["language"],
            area=record["area"],
            task_type=record["task_type"],
            original_text=record["original_text"] or "",
            benchmark_text=record["benchmark_text"] or "",
            asked=record["asked"],
            expected=record["expected"],
            trap=record["trap"],
            disclosure=record["disclosure"],
        )

    def save_decisions(self) -> None:
        slug = self.benchmark.slug
        for file, record in sorted(self.bundle.decisions.items(), key=lambda item: item[1]["number"]):
            with fault_at(file):
                decision = write_decision(
                    benchmark_slug=slug,
                    number=record["number"],
                    draft=DecisionDraft(
                        decided_on=date.fromisoformat(record["decided_on"]),
                        question=record["question"],
                        decision=record["decision"],
                        reason=record["reason"],
                        touches=record["touches"],
                        specification_version=record["specification"] or "",
                        rules_changed=record["rules_changed"],
                        supersedes=self.decisions[record["supersedes"]] if record["supersedes"] else None,
                    ),
                    author=self.person(record["author"]),
                    by=self.by,
                    now=self.now,
                )
                if record["state"] == "published":
                    decision = publish_decision(decision=decision, by=self.by, now=self.now)
                self.decisions[record["number"]] = decision

    def save_keys(self, wanted: Callable[[Record], bool]) -> None:
        records = sorted(self.bundle.keys.items(), key=lambda item: (item[1]["question"], item[1]["version"]))
        for file, record in records:
            if not wanted(record):
                continue
            with fault_at(file):
                key = write_key(
                    question=self.questions[record["question"]],
                    number=record["version"],
                    draft=self.key_draft(record),
                    by=self.by,
                    now=self.now,
                )
                if record["state"] != "draft":
                    approve_key(
                        key=key,
                        on=date.fromisoformat(record["approved_on"]),
                        approver=self.person(record["approved_by"]),
                        by=self.by,
                        now=self.now,
                    )

    def key_draft(self, record: Record) -> KeyDraft:
        return KeyDraft(
            dated=date.fromisoformat(record["dated"]),
            core_answer=record["core_answer"],
            rubric=record["rubric"],
            penalties=record["penalties"],
            bases=record["bases"],
            calibration=record["calibration"],
            condition=record["condition"] or "",
            disputed=record["disputed"],
            verification_note=record["verification"],
            reason=record["reason"] or "",
            departure=record["departure"],
            decision=self.decisions[record["decision"]] if record["decision"] else None,
        )

    def save_runs(self) -> None:
        top = self.bundle.benchmark
        with fault_at("benchmark.yaml"):
            conditions = {
                record["code"]: save_condition(
                    benchmark=self.benchmark,
                    code=record["code"],
                    fields={
                        "titles": record["title"],
                        "tools": record["tools"],
                        "preambles": record["preamble"],
                        "position": position,
                    },
                    by=self.by,
                    now=self.now,
                )
                for position, record in enumerate(top["conditions"])
            }
            systems = {
                record["code"]: save_system(
                    benchmark=self.benchmark,
                    code=record["code"],
                    fields={**_without_code(record), "position": position},
                    by=self.by,
                    now=self.now,
                )
                for position, record in enumerate(top["systems"])
            }
            for run in top["runs"]:
                self.runs[run["system"], run["condition"], run["repetition"]] = save_run(
                    system=systems[run["system"]],
                    condition=conditions[run["condition"]],
                    repetition=run["repetition"],
                    started_on=date.fromisoformat(run["started_on"]),
                    note=run["note"],
                    sets=run.get("sets", []),
                    by=self.by,
                    now=self.now,
                )

    def save_answers(self) -> None:
        for file, record in self.bundle.answers.items():
            text = self.bundle.texts[f"answers/{PurePosixPath(file).stem}.md"]
            with fault_at(file):
                self.answers[record["identifier"]] = store_answer(
                    question=self.questions[record["question"]],
                    run=self.runs[record["system"], record["condition"], record["repetition"]],
                    draft=AnswerDraft(
                        text=text,
                        state=AnswerState(record["state"]),
                        answered_at=_time(record["answered_at"]),
                        served_model=record["served_model"],
                        block_reason=record["block_reason"] or "",
                        settings=record["settings"],
                        trace=record["trace"],
                        usage=record["usage"],
                        cost_usd=Decimal(record["cost_usd"]) if record["cost_usd"] is not None else None,
                        cost_is_lower_bound=record["cost_is_lower_bound"],
                    ),
                    by=self.by,
                    now=self.now,
                )

    def save_verdicts(self) -> None:
        for position, record in enumerate(self.bundle.benchmark["judges"]):
            with fault_at("benchmark.yaml"):
                judge = save_judge(
                    benchmark=self.benchmark,
                    code=record["code"],
                    fields={"settings": {}, **_without_code(record), "position": position},
                    by=self.by,
                    now=self.now,
                )
            file = f"verdicts/{judge.code}.jsonl"
            with fault_at(file):
                drafts = [self.verdict_draft(each) for each in self.bundle.verdicts.get(file, [])]
                store_verdicts(judge=judge, drafts=drafts, by=self.by, now=self.now)

    def save_panels(self) -> None:
        judges = {judge.code: judge for judge in self.benchmark.judges.all()}
        for position, record in enumerate(self.bundle.benchmark.get("panels", [])):
            seats = [judges[code] for code in record["judges"]]
            with fault_at("benchmark.yaml"):
                save_panel(
                    benchmark=self.benchmark,
                    code=record["code"],
                    fields={
                        **{name: record[name] for name in ("name", "strategy", "items")},
                        **dict(zip_longest(("judge_a", "judge_b", "judge_c"), seats)),
                        "position": position,
                    },
                    by=self.by,
                    now=self.now,
                )

    def restore_panel_results(self) -> None:
        panels = {panel.code: panel for panel in Panel.objects.of_benchmark(self.benchmark).with_judges()}
        for file, records in self.bundle.panels.items():
            for record in records:
                with fault_at(file):
                    draft = draft_of_result(record, answers=self.answers, person=self.account, time=_time)
                    restore_panel_result(panel=panels[PurePosixPath(file).stem], draft=draft, by=self.by, now=self.now)

    def verdict_draft(self, record: Record) -> VerdictDraft:
        return VerdictDraft(
            answer=self.answers[record["answer"]],
            specification_version=record["specification"],
            judged_at=_time(record["judged_at"]),
            hallucinated=record["hallucinated"],
            criteria=record["criteria"],
            findings=record["findings"],
            citations_checked=record["citations_checked"],
            raw_sha256=record.get("raw_sha256") or "",
            **self.asked(record),
        )

    def asked(self, record: Record) -> dict[str, Any]:
        """About the request of a verdict that a job asked for; empty for one made elsewhere."""
        if "asked" not in record:
            return {}
        given = dict(record["asked"])
        number, question = given.pop("key"), self.answers[record["answer"]].question
        return {**given, "key_version": question.key_versions.get(number=number)}

    def restore_cards(self) -> None:
        """Reviews before the adjudicated cards that point to them."""
        for file, record in sorted(self.bundle.cards.items(), key=lambda item: (item[1]["round"], item[0])):
            with fault_at(file):
                restore_card(
                    answer=self.answers[record["answer"]], record=record, person=self.person, by=self.by, now=self.now
                )

    def restore_support(self) -> None:
        for file, records in self.bundle.support.items():
            for record in records:
                with fault_at(file):
                    answer = self.answers[PurePosixPath(file).stem]
                    restore_support(answer=answer, record=record, time=_time, by=self.by, now=self.now)

    def person(self, username: str | None) -> User | None:
        return self.account(username) if username else None

    def account(self, username: str) -> User:
        if username not in self.people:
            self.people[username] = placeholder_account(username=username, by=self.by, now=self.now)
        return self.people[username]


@contextmanager
def fault_at(file: str) -> Iterator[None]:
    """A refusal of an action becomes a fault that names the file."""
    try:
        yield
    except FaultyBundle:
        raise
    except ValidationError as error:
        raise FaultyBundle([Fault(file, "", "; ".join(error.messages))]) from error
    except ValueError as error:
        raise FaultyBundle([Fault(file, "", str(error))]) from error


def _without_code(record: Record) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "code"}


def _time(text: str) -> datetime:
    value = parse_datetime(text)
    if value is None:
        raise ValueError(f"{text} is no time that exists")
    return value
