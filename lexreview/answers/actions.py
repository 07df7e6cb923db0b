"""Systems, conditions, runs, and answers, which are stored once and never changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.answers.collecting import Plan, endpoint_of
from lexreview.answers.importing import CannotImport, Fault, FoundAnswer
from lexreview.answers.matching import Matched
from lexreview.answers.models import Answer, Condition, Run, System, identifier_of, sha256_of
from lexreview.core.workflow import AnswerState
from lexreview.jobs.actions import start_job
from lexreview.jobs.models import Job
from lexreview.ledger.actions import EventDraft, record_event, record_events
from lexreview.ledger.storing import store_row
from lexreview.providers.actions import limits_as_params
from lexreview.providers.confirming import check_confirmed
from lexreview.providers.pricing import Cost, PriceList
from lexreview.questions.actions import freeze_keys
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.questions.rules import check_can_operate


class ConditionIsFrozen(ValueError):
    """Answers were collected under the condition: its preamble and tools are fixed."""


class AnswerIsFinal(ValueError):
    """An answer with that identifier is stored with other content."""


class RunRefused(ValueError):
    """A run, its system, its condition, its question sets and the questions answered in it belong to one benchmark."""


class NoApprovedKey(ValueError):
    """Only a question with an approved key enters a run."""


@transaction.atomic
def save_system(*, benchmark: Benchmark, code: str, fields: dict[str, Any], by: User | None, now: datetime) -> System:
    """`fields`: name, provider, family, model_identifier, settings, position."""
    check_can_operate(by, benchmark.slug)
    return store_row(
        System,
        by=by,
        now=now,
        object_type="system",
        object_id=f"{benchmark.slug}/{code}",
        lookup={"benchmark": benchmark, "code": code},
        fields=fields,
    )


@transaction.atomic
def save_condition(
    *, benchmark: Benchmark, code: str, fields: dict[str, Any], by: User | None, now: datetime
) -> Condition:
    """`fields`: titles, tools, preambles, position. Raises ConditionIsFrozen once answers exist under it."""
    check_can_operate(by, benchmark.slug)
    row = Condition.objects.filter(benchmark=benchmark, code=code).first()
    if row and row.frozen_at and (row.preambles, row.tools) != (fields["preambles"], fields["tools"]):
        raise ConditionIsFrozen(f"condition {code} has answers; its preamble and tools cannot change")
    return store_row(
        Condition,
        by=by,
        now=now,
        object_type="condition",
        object_id=f"{benchmark.slug}/{code}",
        lookup={"benchmark": benchmark, "code": code},
        fields=fields,
    )


@transaction.atomic
def save_run(
    *,
    system: System,
    condition: Condition,
    repetition: int,
    started_on: date,
    note: str,
    sets: Sequence[str] = (),
    by: User | None,
    now: datetime,
) -> Run:
    """`sets`: codes, none for the whole benchmark. Raises RunRefused where system, condition and sets are not of one
    benchmark."""
    benchmark = system.benchmark
    check_can_operate(by, benchmark.slug)
    if condition.benchmark_id != benchmark.pk:
        raise RunRefused(f"condition {condition.code} is none of {benchmark.slug}, where {system.code} is a system")
    if unknown := set(sets) - set(benchmark.set_titles()):
        raise RunRefused(f"{benchmark.slug} has no question set {', '.join(sorted(unknown))}")
    return store_row(
        Run,
        by=by,
        now=now,
        object_type="run",
        object_id=f"{benchmark.slug}/{system.code}/{condition.code}/r{repetition}",
        lookup={"system": system, "condition": condition, "repetition": repetition},
        fields={"benchmark": benchmark, "sets": list(sets), "started_on": started_on, "note": note},
    )


@transaction.atomic
def begin_run(
    *,
    system: System,
    condition: Condition,
    repetition: int,
    sets: Sequence[str],
    started_on: date,
    by: User | None,
    now: datetime,
) -> Run:
    """The run of this system, condition and repetition, new or continued, that is asked `sets` (codes; none: all).

    A run that is continued keeps its first day and its note and only grows: other sets are added to those that it was
    asked before, and once it was asked the whole benchmark it stays a run of the whole. Raises RunRefused.
    """
    cell: dict[str, Any] = {"system": system, "condition": condition, "repetition": repetition}
    old = Run.objects.select_for_update(of=("self",)).filter(**cell).first()
    if old is None:
        return save_run(**cell, started_on=started_on, note="", sets=sets, by=by, now=now)
    grown = list(dict.fromkeys([*old.sets, *sets])) if old.sets and sets else []
    return save_run(**cell, started_on=old.started_on, note=old.note, sets=grown, by=by, now=now)


def start_collecting(
    *,
    plan: Plan,
    budget_usd: Decimal | None = None,
    budget_tokens: int | None = None,
    concurrency: int | None = None,
    confirmed: bool = False,
    by: User | None,
    now: datetime,
) -> Job:
    """Start the job that collects the plan's missing answers.

    Raises NotConfirmed where the estimate is above COLLECT_CONFIRM_USD, or not known, and `confirmed` is False;
    NotAllowed, and what start_job raises.
    """
    check_can_operate(by, plan.benchmark.slug)
    if plan.missing:
        check_confirmed(plan.cost, confirmed=confirmed)
    params: dict[str, Any] = {
        "benchmark": plan.benchmark.slug,
        "systems": [system.code for system in plan.systems],
        "conditions": [condition.code for condition in plan.conditions],
        "repetitions": plan.repetitions,
        "sets": plan.sets,
    }
    params |= limits_as_params(budget_usd=budget_usd, budget_tokens=budget_tokens, concurrency=concurrency)
    return start_job(kind="collect", benchmark_slug=plan.benchmark.slug, params=params, by=by, now=now)


@dataclass(frozen=True, kw_only=True)
class AnswerDraft:
    """An answer as it came back; see the model for `trace` and `usage`."""

    text: str
    state: AnswerState
    answered_at: datetime
    served_model: str
    block_reason: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    trace: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=dict)
    cost_usd: Decimal | None = None
    cost_is_lower_bound: bool = False


class NewAnswer(NamedTuple):
    """What came back to a question in a run."""

    question: Question
    run: Run
    draft: AnswerDraft

    @property
    def identifier(self) -> str:
        system, condition = self.run.system.code, self.run.condition.code
        return identifier_of(
            question=self.question.code, system=system, condition=condition, repetition=self.run.repetition
        )


@transaction.atomic
def store_answer(*, question: Question, run: Run, draft: AnswerDraft, by: User | None, now: datetime) -> Answer:
    """Store an answer once, see `store_answers`."""
    return store_answers(new=[NewAnswer(question, run, draft)], by=by, now=now)[0]


@transaction.atomic(savepoint=False)
def store_answers(*, new: Sequence[NewAnswer], by: User | None, now: datetime) -> list[Answer]:
    """Store answers once, all or none, of different cells. The first answer to a question freezes its key, the first
    under a condition its preamble.

    The same answer again changes nothing; a `failed` one may be collected again. Raises AnswerIsFinal for other
    content under the identifier, NoApprovedKey for a question without an approved key, RunRefused for a question of
    another benchmark than the run's.
    """
    for slug in {each.run.benchmark.slug for each in new}:
        check_can_operate(by, slug)
    for question, run, _draft in new:
        if question.benchmark_id != run.benchmark_id:
            raise RunRefused(f"question {question.code} is none of {run.benchmark.slug}, where the run took place")
    stored = _stored(new)
    made = [_made(each, stored.get((each.question.pk, each.run.pk))) for each in new]
    changed = [(each, answer) for each, (answer, changes) in zip(new, made, strict=True) if changes]
    if not changed:
        return [answer for answer, _changes in made]
    _freeze([each for each, _answer in changed], by=by, now=now)
    Answer.objects.bulk_create([answer for _each, answer in changed if answer.pk is None])
    for _each, answer in changed:
        if (answer.question_id, answer.run_id) in stored:
            answer.save()
    record_events(by=by, drafts=[_stored_draft(each, answer) for each, answer in changed], now=now)
    return [answer for answer, _changes in made]


def _stored(new: Sequence[NewAnswer]) -> dict[tuple[int, int], Answer]:
    """Answers of these cells that are stored already, locked; few cells have one, so their keys are looked at first."""
    near = Answer.objects.filter(question__in={each.question.pk for each in new}, run__in={each.run.pk for each in new})
    cells = {(each.question.pk, each.run.pk) for each in new}
    found = [pk for pk, *cell in near.values_list("pk", "question_id", "run_id") if tuple(cell) in cells]
    if not found:
        return {}
    rows = Answer.objects.select_for_update(of=("self",)).filter(pk__in=found).order_by("pk")
    return {(row.question_id, row.run_id): row for row in rows}


def _made(each: NewAnswer, stored: Answer | None) -> tuple[Answer, bool]:
    """The answer as it is to be stored, and whether that changes anything. Raises AnswerIsFinal."""
    fields = {**each.draft.__dict__, "sha256": sha256_of(each.draft.text)}
    if stored is None:
        return Answer(question=each.question, run=each.run, identifier=each.identifier, **fields), True
    changed = [name for name, value in fields.items() if getattr(stored, name) != value]
    if changed and stored.state != AnswerState.FAILED:
        raise AnswerIsFinal(f"answer {each.identifier} is stored and differs in: {', '.join(changed)}")
    for name in changed:
        setattr(stored, name, fields[name])
    return stored, bool(changed)


def _stored_draft(each: NewAnswer, answer: Answer) -> EventDraft:
    return EventDraft(
        verb="store_answer",
        object_type="answer",
        object_id=f"{each.run.benchmark.slug}/{each.identifier}",
        after={"sha256": answer.sha256, "state": answer.state, "served_model": answer.served_model},
    )


@transaction.atomic
def import_answers(
    *, system: System, condition: Condition, matched: Sequence[Matched], by: User | None, now: datetime
) -> list[Answer]:
    """Store answers made elsewhere, all or none. Those stored already, the same, change nothing.

    Costs that the files do not give are those of the price list, as far as there is one. Raises CannotImport, which
    names the file of every answer that cannot be stored, and NotAllowed.
    """
    benchmark = system.benchmark
    check_can_operate(by, benchmark.slug)
    runs: dict[int, Run] = {}
    stored, faults = [], []
    for each in matched:
        repetition = each.found.repetition or 1
        if repetition not in runs:
            runs[repetition] = _run_of_files(system, condition, repetition, matched, by=by, now=now)
        try:
            with transaction.atomic():
                draft = _imported_draft(each.found, system, each.answered_at)
                stored.append(store_answer(question=each.question, run=runs[repetition], draft=draft, by=by, now=now))
        except (AnswerIsFinal, NoApprovedKey, RunRefused) as error:
            faults.append(Fault(file=each.found.file, line=each.found.line, message=str(error)))
    if faults:
        raise CannotImport(faults)
    return stored


def _run_of_files(
    system: System, condition: Condition, repetition: int, matched: Sequence[Matched], *, by: User | None, now: datetime
) -> Run:
    """Files do not say which sets were asked: a new run records none; one of certain sets gains those of the files."""
    of_sets = Run.objects.filter(system=system, condition=condition, repetition=repetition).exclude(sets=[]).exists()
    here = [each for each in matched if (each.found.repetition or 1) == repetition]
    return begin_run(
        system=system,
        condition=condition,
        repetition=repetition,
        sets=sorted({each.question.set.code for each in here}) if of_sets else [],
        started_on=min(each.answered_at for each in matched).date(),
        by=by,
        now=now,
    )


def _imported_draft(found: FoundAnswer, system: System, answered_at: datetime) -> AnswerDraft:
    cost = Cost(found.cost_usd)
    if found.cost_usd is None:
        models = [found.served_model, system.model_identifier]
        on = answered_at.date()
        cost = PriceList.current().cost(provider=endpoint_of(system), models=models, on=on, usage=found.usage)
    return AnswerDraft(
        text=found.text,
        state=found.state,
        answered_at=answered_at,
        served_model=found.served_model or system.model_identifier,
        block_reason=found.block_reason,
        settings=found.settings,
        trace=found.trace,
        usage=found.usage,
        cost_usd=cost.usd,
        cost_is_lower_bound=cost.is_lower_bound and cost.usd is not None,
    )


def _freeze(new: Sequence[NewAnswer], *, by: User | None, now: datetime) -> None:
    questions = {each.question.pk: each.question for each in new}
    try:
        freeze_keys(questions=questions.values(), by=by, now=now)
    except KeyVersion.DoesNotExist as error:
        raise NoApprovedKey(f"{error}, so no answer to it can be stored") from None
    runs = {each.run.pk: each.run for each in new if each.run.condition.frozen_at is None}
    for condition_id in sorted({run.condition_id for run in runs.values()}):
        under = [run for run in runs.values() if run.condition_id == condition_id]
        frozen_at = _freeze_condition(under[0], by=by, now=now)
        # The same rows are handed in again and again by a collection; kept only once it is sure.
        for run in under:
            transaction.on_commit(partial(setattr, run.condition, "frozen_at", frozen_at))


def _freeze_condition(run: Run, *, by: User | None, now: datetime) -> datetime:
    row = Condition.objects.select_for_update(of=("self",)).get(pk=run.condition_id)
    if row.frozen_at is None:
        row.frozen_at = now
        row.save(update_fields=["frozen_at"])
        record_event(
            by=by,
            verb="freeze_condition",
            object_type="condition",
            object_id=f"{run.benchmark.slug}/{row.code}",
            after={"frozen_at": now},
            now=now,
        )
    return row.frozen_at
