"""What a job of judges will do: missing verdicts, the question of each, what they may cost. Nothing is written."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from lexreview.answers.models import Answer
from lexreview.core.methods.criteria.panel import (
    Seat,
    Strategy,
    Vote,
    decide,
    first_seats,
    seats_of,
    seats_to_ask,
)
from lexreview.judging.models import Judge, Panel, Variant, Verdict
from lexreview.judging.prompts import UnknownPrompt, prompt_named
from lexreview.judging.requesting import Asked, Desk
from lexreview.providers.connecting import problems_with
from lexreview.providers.estimating import estimated_usage, mean_usage
from lexreview.providers.planning import CallPlan, CannotPlan, EstimateRow
from lexreview.providers.pricing import Cost, PriceList
from lexreview.questions.models import Benchmark
from lexreview.verification.models import Verification

MOST_REPEATS = 20
KEY = re.compile(r"(?P<judge>[^/]+)/r(?P<repeat>\d+)/(?P<answer>.+)")


class CannotJudge(CannotPlan):
    """The judges cannot be asked as wished."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One verdict to ask for. `is_third`: only where the first two judges of the panel do not settle it."""

    asked: Asked
    is_third: bool = False

    @property
    def key(self) -> str:
        return key_of(self.asked.judge, self.asked.answer, self.asked.repeat)


@dataclass(frozen=True, kw_only=True)
class JudgeRow(EstimateRow):
    """What the verdicts of one judge may take. Usage is known from the judge's last verdict on the same answer; fewer
    than these calls may be needed of the third judge of a panel."""

    judge: Judge


@dataclass(frozen=True, kw_only=True)
class Plan(CallPlan):
    """Judges × repeats × answers, or a panel × repeats × answers, as chosen."""

    benchmark: Benchmark
    desk: Desk
    judges: list[Judge]
    panel: Panel | None
    repeats: int
    answers: list[Answer]
    named: list[str] = field(default_factory=list)

    @cached_property
    def missing(self) -> list[Cell]:
        """Verdicts that are not there yet; a failed one counts as none. Third judges come last, so that those before
        them have mostly answered by then; judges change fastest, so that several accounts are busy at once."""
        if self.panel is None:
            asked = [self.desk.asked(judge, answer, repeat=repeat) for repeat, answer, judge in self._triples()]
            have = valid_verdicts(asked)
            return [Cell(asked=each) for each in asked if each.address not in have]
        first, third = [], []
        strategy = Strategy(self.panel.strategy)
        for seats, votes in self._seats():
            wanted = seats_wanted(strategy, votes, items=self.panel.items)
            first += [Cell(asked=seats[seat]) for seat in wanted if seat in first_seats(strategy)]
            third += [Cell(asked=seats[seat], is_third=True) for seat in wanted if seat not in first_seats(strategy)]
        return first + third

    @cached_property
    def panel_questions(self) -> list[dict[Seat, Asked]]:
        """The question to each judge of the panel, per repeat and answer; empty without a panel."""
        if self.panel is None:
            return []
        return [
            questions_of(self.panel, self.desk, answer, repeat=repeat)
            for repeat in range(1, self.repeats + 1)
            for answer in self.answers
        ]

    @cached_property
    def estimate(self) -> list[JudgeRow]:
        """Per judge, from recorded usage where there is some: the newest verdict on the same answer, else the mean of
        the judge, else the letters."""
        prices, on = PriceList.current(), timezone.now().date()
        rows = []
        for judge in self.judges:
            cells = [cell for cell in self.missing if cell.asked.judge == judge]
            same, mean = recorded_usage(judge)
            usages = [same.get(cell.asked.answer.pk) or mean or estimated_usage(cell.asked.request) for cell in cells]
            costs = [
                prices.cost(provider=judge.endpoint, models=[judge.model_identifier], on=on, usage=usage)
                for usage in usages
            ]
            rows.append(
                JudgeRow(
                    judge=judge,
                    calls=len(cells),
                    recorded=sum(cell.asked.answer.pk in same for cell in cells),
                    tokens=sum(usage["input"] + usage["output"] for usage in usages),
                    cost=Cost.sum(costs),
                    at_most=any(cell.is_third for cell in cells),
                )
            )
        return rows

    @property
    def is_upper_bound(self) -> bool:
        """Third judges are asked only where they are needed."""
        return any(cell.is_third for cell in self.missing)

    def _triples(self) -> Iterator[tuple[int, Answer, Judge]]:
        for repeat in range(1, self.repeats + 1):
            for answer in self.answers:
                for judge in self.judges:
                    yield repeat, answer, judge

    def _seats(self) -> Iterator[tuple[dict[Seat, Asked], dict[Seat, Verdict]]]:
        """The questions with the valid verdicts that are there."""
        have = valid_verdicts([asked for seats in self.panel_questions for asked in seats.values()])
        for seats in self.panel_questions:
            yield seats, {seat: have[asked.address] for seat, asked in seats.items() if asked.address in have}


def make_plan(
    *,
    benchmark: Benchmark,
    judges: Sequence[str] = (),
    panel: str = "",
    repeats: int = 1,
    answers: Sequence[str] = (),
) -> Plan:
    """The plan for these codes: judges, or one panel; no answer named: all that have a text.

    Raises CannotJudge with everything that is wrong.
    """
    problems: list[str] = []
    chosen_panel = _panel(benchmark, panel, problems) if panel else None
    if panel:
        chosen = list(chosen_panel.judges.values()) if chosen_panel else []
    else:
        chosen = _judges(benchmark, judges, problems)
    if not 1 <= repeats <= MOST_REPEATS:
        problems.append(_("Repeats must be 1 to %(most)s.") % {"most": MOST_REPEATS})
    for judge in chosen:
        problems.extend(_problems_of(judge))
    desk = Desk(benchmark)
    rows = desk.answers(answers)
    if unknown := sorted(set(answers) - {row.identifier for row in rows}):
        problems.append(_("There is no answer with a text named %(names)s.") % {"names": ", ".join(unknown)})
    problems.extend(_problems_with_answers(rows, desk, chosen) if not problems else [])
    if problems:
        raise CannotJudge(problems)
    return Plan(
        benchmark=benchmark, desk=desk, judges=chosen, panel=chosen_panel, repeats=repeats, answers=rows,
        named=list(answers),
    )  # fmt: skip


def plan_of(params: Mapping[str, Any]) -> Plan:
    """The plan that a job's parameters describe. Raises CannotJudge, Benchmark.DoesNotExist."""
    return make_plan(
        benchmark=Benchmark.objects.select_related("specification").get(slug=params["benchmark"]),
        judges=params.get("judges", []),
        panel=params.get("panel", ""),
        repeats=params["repeats"],
        answers=params.get("answers", []),
    )


def key_of(judge: Judge, answer: Answer, repeat: int) -> str:
    return f"{prefix_of(judge.code)}r{repeat}/{answer.identifier}"


def prefix_of(judge: str) -> str:
    """What the keys of all items of a judge begin with."""
    return f"{judge}/"


def questions_of(panel: Panel, desk: Desk, answer: Answer, *, repeat: int) -> dict[Seat, Asked]:
    return {seat: desk.asked(judge, answer, repeat=repeat) for seat, judge in panel.judges.items()}


def valid_verdicts(asked: Sequence[Asked]) -> dict[str, Verdict]:
    """Valid verdicts by address."""
    judges = {each.judge.pk for each in asked}
    wanted = {each.address for each in asked}
    rows = Verdict.objects.filter(judge__in=judges).exclude(address="").valid()
    return {row.address: row for row in rows if row.address in wanted}


def votes_on(item: str, verdicts: Mapping[Seat, Verdict]) -> dict[Seat, Vote]:
    """The verdicts as votes on an item of a panel."""
    return {seat: Vote(verdict.value_on(item)) for seat, verdict in verdicts.items()}


def seats_wanted(strategy: Strategy, verdicts: Mapping[Seat, Verdict], *, items: Sequence[str]) -> list[Seat]:
    """Whom a job may have to ask, given the valid verdicts: the first judges who are missing, and the third unless it
    is sure that nobody needs it. None where every item is resolved."""
    votes = [votes_on(item, verdicts) for item in items]
    decisions = [decide(strategy, each) for each in votes]
    if all(decision is not None and decision.value is not None for decision in decisions):
        return []
    missing = [seat for seat in seats_of(strategy) if seat not in verdicts]
    if all(seat in verdicts for seat in first_seats(strategy)):
        return [seat for seat in missing if any(seat in seats_to_ask(strategy, each) for each in votes)]
    return missing


def recorded_usage(judge: Judge) -> tuple[dict[int, dict[str, int]], dict[str, int]]:
    """Usage of the judge's newest verdict by answer, and the mean over all its verdicts; empty without any."""
    rows = Verdict.objects.filter(judge=judge, call__isnull=False).order_by("judged_at", "pk")
    usages = {
        answer: usage
        for answer, usage in rows.values_list("answer_id", "call__usage")
        if "input" in usage and "output" in usage
    }
    return usages, mean_usage(list(usages.values())) if usages else {}


def _panel(benchmark: Benchmark, code: str, problems: list[str]) -> Panel | None:
    panels = {each.code: each for each in Panel.objects.of_benchmark(benchmark).with_judges().in_order()}
    if code not in panels:
        known = ", ".join(panels) or _("none")
        problems.append(_("There is no panel %(code)s; there are: %(known)s.") % {"code": code, "known": known})
    return panels.get(code)


def _judges(benchmark: Benchmark, codes: Sequence[str], problems: list[str]) -> list[Judge]:
    by_code = {row.code: row for row in Judge.objects.of_benchmark(benchmark).in_order()}
    if not codes:
        problems.append(_("Choose at least one judge, or a panel."))
    for code in codes:
        if code not in by_code:
            known = ", ".join(by_code) or _("none")
            problems.append(_("There is no judge %(code)s; there are: %(known)s.") % {"code": code, "known": known})
    return [row for code, row in by_code.items() if code in set(codes)]


def _problems_of(judge: Judge) -> list[str]:
    name = _("Judge %(code)s") % {"code": judge.code}
    searched_for = _("the judge") if judge.search else ""
    problems = problems_with(name, endpoint=judge.endpoint, settings=judge.settings, searched_for=searched_for)
    try:
        prompt_named(judge.instructions_version)
    except UnknownPrompt as error:
        problems.append(f"{name}: {error}.")
    return problems


def _problems_with_answers(answers: Sequence[Answer], desk: Desk, judges: Sequence[Judge]) -> Iterator[str]:
    without_key = dict.fromkeys(answer.question.code for answer in answers if answer.question_id not in desk.keys)
    if without_key:
        yield _("Only answers to questions with an approved key are judged; these have none: %(names)s.") % {
            "names": ", ".join(without_key)
        }
    with_report = [judge.code for judge in judges if judge.variant == Variant.WITH_REPORT]
    if not with_report:
        return
    checked = set(Verification.objects.current().filter(answer__in=answers).values_list("answer_id", flat=True))
    if unchecked := [answer.identifier for answer in answers if answer.pk not in checked]:
        yield _("%(judges)s see the report on the citations; check those of these answers first: %(names)s.") % {
            "judges": ", ".join(with_report), "names": ", ".join(unchecked),
        }  # fmt: skip
