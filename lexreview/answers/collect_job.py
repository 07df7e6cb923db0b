"""The job "collect": one answer per cell, stored the moment it is there.

Safe to repeat at any moment: a cell that has an answer is left alone, and what a call brought is stored before its
item is closed. A call that a dead worker left behind counts as lost in the job's cost.
"""

from collections.abc import Iterator
from functools import lru_cache

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from lexreview.accounts.rules import NotAllowed
from lexreview.answers.actions import (
    AnswerDraft,
    AnswerIsFinal,
    NewAnswer,
    NoApprovedKey,
    RunRefused,
    begin_run,
    store_answers,
)
from lexreview.answers.collecting import KEY, plan_of, prefix_of, request_of
from lexreview.answers.models import Answer, Run, identifier_of
from lexreview.core.workflow import AnswerState
from lexreview.jobs.kinds import Aside, Failed, Hold, JobKind, Later, Params, Wait, register
from lexreview.jobs.models import Job, JobItem
from lexreview.jobs.obstacles import register_obstacle
from lexreview.law.official_addresses import is_official_address
from lexreview.providers.actions import Asked
from lexreview.providers.asking import Arrived, ask_all, calls, take_all
from lexreview.providers.models import Call, Role
from lexreview.providers.requests import CallRequest, Outcome, Reply
from lexreview.questions.models import KeyVersion, Question

COLLECT = "collect"
NO_KEY, NOT_KEPT = "no_key", "not_kept"
STATES = {
    Outcome.ANSWERED: AnswerState.ANSWERED,
    Outcome.EMPTY: AnswerState.EMPTY,
    Outcome.BLOCKED: AnswerState.PROVIDER_BLOCK,
}


def items(params: Params) -> Iterator[str]:
    """Keys of the cells without an answer; their runs are made, or continued where they are there (see `begin_run`)."""
    plan = plan_of(params)
    now = timezone.now()
    for system, condition, repetition in {
        (cell.system, cell.condition, cell.repetition): None for cell in plan.missing
    }:
        begin_run(
            system=system,
            condition=condition,
            repetition=repetition,
            sets=plan.sets,
            started_on=now.date(),
            by=None,
            now=now,
        )
    return (cell.key for cell in plan.missing)


def prepare(item: JobItem, params: Params, job: Job) -> Wait | Aside | None:
    return prepare_all([item], params, job)[0]


def prepare_all(items: list[JobItem], params: Params, job: Job) -> list[Wait | Aside | None]:
    cells = _cells(job.benchmark_slug, job.turn)
    chosen = [cells.cell(item.key) for item in items]
    near = Answer.objects.filter(run__in={run for run, _ in chosen}, question__in={question for _, question in chosen})
    answered = set(near.exclude(state=AnswerState.FAILED).values_list("run_id", "question_id"))
    made: dict[int, Wait | Aside | None] = {}
    asked: dict[int, Asked] = {}
    for position, (item, (run, question)) in enumerate(zip(items, chosen, strict=True)):
        if (run.pk, question.pk) in answered:
            made[position] = None
        elif not cells.has_key(question):
            reason = str(NoApprovedKey(f"question {question.code} has no approved key"))
            made[position] = Failed(reason=reason, obstacle=NO_KEY)
        else:
            asked[position] = Asked(
                item=item,
                role=Role.ANSWER,
                subject=_identifier(run, question),
                request=request_of(system=run.system, condition=run.condition, question=question),
                prefix=prefix_of(run.system.code),
            )
    made.update(zip(asked, ask_all(job=job, asked=list(asked.values())), strict=True))
    return [made[position] for position in range(len(items))]


def store(item: JobItem, arrived: Arrived, params: Params, job: Job) -> Aside | None:
    new, asides = _taken([(item, arrived)], job)
    try:
        with transaction.atomic():
            store_answers(new=new, by=job.created_by, now=timezone.now())
    except (AnswerIsFinal, NoApprovedKey, RunRefused, NotAllowed) as error:
        return Failed(reason=str(error), obstacle=NOT_KEPT)
    return asides[0]


def store_all(arrived: list[tuple[JobItem, Arrived]], params: Params, job: Job) -> list[Aside | None]:
    new, asides = _taken(arrived, job)
    store_answers(new=new, by=job.created_by, now=timezone.now())
    return asides


def _taken(arrived: list[tuple[JobItem, Arrived]], job: Job) -> tuple[list[NewAnswer], list[Aside | None]]:
    """The calls are stored; the answers that they brought, and what becomes of each item."""
    cells = _cells(job.benchmark_slug, job.turn)
    chosen = [cells.cell(item.key) for item, _ in arrived]
    taken = take_all(arrived, prefixes=[prefix_of(run.system.code) for run, _ in chosen])
    new = [
        NewAnswer(question, run, draft_of(call, each.request, each.reply))
        for (run, question), (call, aside), (_, each) in zip(chosen, taken, arrived, strict=True)
        if not isinstance(aside, Later | Hold)
    ]
    return new, [aside for _, aside in taken]


def draft_of(call: Call, request: CallRequest, reply: Reply) -> AnswerDraft:
    """The answer as it is kept: what was set, what came, what it cost."""
    state = STATES.get(reply.outcome, AnswerState.FAILED)
    kept = state != AnswerState.FAILED
    trace = [
        {**step, "official": is_official_address(step["address"])} if step["kind"] == "open" else step
        for step in reply.trace
    ]
    return AnswerDraft(
        text=reply.text if kept else "",
        state=state,
        answered_at=reply.finished_at,
        served_model=reply.served_model or request.model,
        block_reason=(reply.reason or "no reason given")[:200] if state == AnswerState.PROVIDER_BLOCK else "",
        settings={**request.settings, "endpoint": request.provider, "search": request.search},
        trace=trace if kept else [],
        usage=reply.usage,
        cost_usd=call.cost_usd,
        cost_is_lower_bound=call.cost_is_lower_bound and call.cost_usd is not None,
    )


class Cells:
    """Runs and questions of a benchmark, read once in a turn: what is changed meanwhile counts from the next one on."""

    def __init__(self, slug: str) -> None:
        runs = Run.objects.filter(benchmark__slug=slug).select_related("system", "condition", "benchmark")
        self._runs = {(run.system.code, run.condition.code, run.repetition): run for run in runs}
        questions = Question.objects.filter(benchmark__slug=slug).select_related("benchmark")
        self._questions = {question.code: question for question in questions}
        keyed = KeyVersion.objects.approved().filter(question__benchmark__slug=slug)
        self._keyed = set(keyed.values_list("question_id", flat=True))

    def cell(self, key: str) -> tuple[Run, Question]:
        """Raises ValueError, KeyError for what is no cell of the benchmark."""
        match = KEY.fullmatch(key)
        if match is None:
            raise ValueError(f"{key!r} is no cell of a run")
        run = self._runs[match["system"], match["condition"], int(match["repetition"])]
        return run, self._questions[match["question"]]

    def has_key(self, question: Question) -> bool:
        return question.pk in self._keyed


@lru_cache(maxsize=4)
def _cells(slug: str, turn: str) -> Cells:
    return Cells(slug)


def _identifier(run: Run, question: Question) -> str:
    return identifier_of(
        question=question.code, system=run.system.code, condition=run.condition.code, repetition=run.repetition
    )


def register_job() -> None:
    register_obstacle(
        code=NO_KEY,
        what=gettext_lazy("The question has no approved key"),
        remedy=gettext_lazy("Have a lead approve a key of the question, then retry."),
    )
    register_obstacle(
        code=NOT_KEPT,
        what=gettext_lazy("The answer arrived and could not be kept"),
        remedy=gettext_lazy("What changed meanwhile stands beside it. The item's page has the response as it came."),
    )
    register(
        JobKind(
            name=COLLECT,
            label=gettext_lazy("Collect answers"),
            items=items,
            elsewhere=calls(prepare=prepare, store=store, prepare_all=prepare_all, store_all=store_all),
        )
    )
