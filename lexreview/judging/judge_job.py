"""The job "judge": one verdict per judge, answer and repeat, stored the moment it is there; panels settled on the way.

Safe to repeat at any moment: a verdict is found by its address, so none that has arrived is asked for again. Where a
reply is no verdict the question is put PROVIDER_TRIES times in all; then the vote has failed, which is stored too.
"""

from collections.abc import Iterator
from functools import lru_cache

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from lexreview.core.methods.criteria.panel import Seat, Strategy, Votes, first_seats, seats_to_ask
from lexreview.jobs.kinds import Aside, Failed, Hold, JobKind, Later, Params, Wait, register
from lexreview.jobs.models import Job, JobItem
from lexreview.jobs.obstacles import register_obstacle
from lexreview.jobs.states import ItemState
from lexreview.judging.actions import settle_panel, store_asked_verdict
from lexreview.judging.actions.panels import newest_votes
from lexreview.judging.actions.starting import JUDGE
from lexreview.judging.models import Judge, Panel, PanelResult, Verdict
from lexreview.judging.planning import KEY, key_of, plan_of, prefix_of, questions_of
from lexreview.judging.replies import ReadVerdict, UnusableReply, read_verdict
from lexreview.judging.requesting import Asked, Desk
from lexreview.providers.actions import pause_before
from lexreview.providers.asking import Arrived, ask, calls, take
from lexreview.providers.models import Call, Role
from lexreview.providers.obstacles import InTheWay
from lexreview.providers.requests import Outcome, Reply
from lexreview.questions.models import Benchmark

WAIT_SECONDS = 1.0
FIRST_JUDGES, NO_THIRD = "first_judges", "no_third"


def items(params: Params) -> Iterator[str]:
    """Keys of the verdicts that are missing; third judges of panels come last."""
    return (cell.key for cell in plan_of(params).missing)


def prepare(item: JobItem, params: Params, job: Job) -> Wait | Aside | None:
    work = _work(job.benchmark_slug, params.get("panel", ""), job.turn)
    asked = work.asked(item.key)
    if Verdict.objects.filter(judge=asked.judge).at(asked.address).valid().exists():
        work.settle(asked, job)
        return None
    if work.panel is not None:
        if work.seat_of(asked.judge) not in first_seats(Strategy(work.panel.strategy)):
            aside, needed = _third(work, item, asked, job)
            if not needed:
                return aside
        if all(result.value for result in work.settle(asked, job, asking=True)):
            return None
    return ask(
        job=job,
        item=item,
        role=Role.JUDGE,
        subject=asked.answer.identifier,
        request=asked.request,
        prefix=prefix_of(asked.judge.code),
    )


def store(item: JobItem, arrived: Arrived, params: Params, job: Job) -> Aside | None:
    work = _work(job.benchmark_slug, params.get("panel", ""), job.turn)
    asked = work.asked(item.key).sent_as(arrived.request)
    call, aside = take(arrived, item, prefix=prefix_of(asked.judge.code))
    if isinstance(aside, Later | Hold):
        return aside
    obstacle = arrived.reply.obstacle or InTheWay.NOT_STRUCTURED
    read, failure = (None, aside.reason) if isinstance(aside, Failed) else _read(arrived.reply, asked, call)
    may_pass = not isinstance(aside, Failed) and arrived.reply.outcome != Outcome.BLOCKED
    if read is None and may_pass and item.tries + 1 < settings.PROVIDER_TRIES:
        return Later(seconds=pause_before(item.tries + 1, None), reason=failure, obstacle=obstacle)
    now = timezone.now()
    with transaction.atomic():
        store_asked_verdict(asked=asked, call=call, read=read, failure=failure, by=job.created_by, now=now)
        work.settle(asked, job)
    return None if read is not None else Failed(reason=failure, obstacle=obstacle)


def _read(reply: Reply, asked: Asked, call: Call) -> tuple[ReadVerdict | None, str]:
    """The verdict, or None with the reason why the reply is none."""
    if reply.output is None:
        return None, f"{call.provider} {call.model}: {reply.reason or 'the reply is empty'}"
    try:
        return read_verdict(reply.output, rules=asked.rules, key=asked.facts, answer=asked.shown), ""
    except UnusableReply as error:
        return None, f"{call.provider} {call.model}: {error}"


def _third(work: "Work", item: JobItem, asked: Asked, job: Job) -> tuple[Aside | None, bool]:
    """Whether the third judge is needed; where not, what becomes of the item.

    The first two have their items in the same job, and are waited for. Where both failed the item fails with them, so
    that all three are tried again together.
    """
    assert work.panel is not None
    keys = [key_of(judge, asked.answer, asked.repeat) for judge in work.panel.judges.values() if judge != asked.judge]
    for other in job.items.filter(key__in=keys):
        if other.held:
            return Hold(reason=other.note, prefix=item.key, obstacle=other.obstacle), False
        if other.state in {ItemState.QUEUED, ItemState.RUNNING}:
            return Later(seconds=WAIT_SECONDS, reason="", obstacle=FIRST_JUDGES, is_try=False), False
    open_votes = [newest_votes(result) for result in work.settle(asked, job) if result.value == ""]
    if not open_votes:
        return None, False
    if any(_wants_third(work.panel, votes) for votes in open_votes):
        return None, True
    return Failed(reason="", obstacle=NO_THIRD), False


def _wants_third(panel: Panel, votes: Votes) -> bool:
    """Whether the third judge is next; one whose vote failed is asked again."""
    without = {seat: vote for seat, vote in votes.items() if seat != Seat.C or vote.is_valid}
    return Seat.C in seats_to_ask(Strategy(panel.strategy), without)


class Work:
    """Judges, panel and questions of a benchmark, read once in a turn."""

    def __init__(self, slug: str, panel: str) -> None:
        benchmark = Benchmark.objects.select_related("specification").get(slug=slug)
        self.desk = Desk(benchmark)
        rows = Judge.objects.of_benchmark(benchmark).select_related("benchmark")
        self.judges = {judge.code: judge for judge in rows}
        panels = Panel.objects.of_benchmark(benchmark).with_judges()
        self.panel = panels.get(code=panel) if panel else None

    def asked(self, key: str) -> Asked:
        """Raises ValueError, KeyError, Answer.DoesNotExist for what is no item of the benchmark."""
        match = KEY.fullmatch(key)
        if match is None:
            raise ValueError(f"{key!r} is no verdict of a judge")
        answer = self.desk.answer(match["answer"])
        return self.desk.asked(self.judges[match["judge"]], answer, repeat=int(match["repeat"]))

    def seat_of(self, judge: Judge) -> Seat:
        assert self.panel is not None
        return next(seat for seat, each in self.panel.judges.items() if each == judge)

    def settle(self, asked: Asked, job: Job, *, asking: bool = False) -> list[PanelResult]:
        """What follows for the panel; nothing without one."""
        if self.panel is None:
            return []
        questions = {
            **questions_of(self.panel, self.desk, asked.answer, repeat=asked.repeat),
            self.seat_of(asked.judge): asked,
        }
        return settle_panel(panel=self.panel, questions=questions, asking=asking, by=job.created_by, now=timezone.now())


@lru_cache(maxsize=4)
def _work(slug: str, panel: str, turn: str) -> Work:
    return Work(slug, panel)


def register_job() -> None:
    register_obstacle(
        code=FIRST_JUDGES,
        what=gettext_lazy("Waiting for the first judges of the panel"),
        remedy=gettext_lazy("Nothing to do: the third judge is asked where the first two differ."),
    )
    register_obstacle(
        code=NO_THIRD,
        what=gettext_lazy("The first judges of the panel gave no vote that a third could settle"),
        remedy=gettext_lazy("See why their items failed, put that right, then retry: all three are asked again."),
    )
    register(
        JobKind(
            name=JUDGE,
            label=gettext_lazy("Ask judges"),
            items=items,
            elsewhere=calls(prepare=prepare, store=store),
        )
    )
