"""What a collection will do: cells without an answer, the request of each, what they may cost. Nothing is written."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from lexreview.answers.models import Answer, Condition, System, identifier_of
from lexreview.core.workflow import AnswerState
from lexreview.providers.connecting import problems_with
from lexreview.providers.estimating import estimated_usage, mean_usage
from lexreview.providers.planning import CallPlan, CannotPlan, EstimateRow
from lexreview.providers.pricing import Cost, PriceList
from lexreview.providers.requests import CallRequest
from lexreview.questions.models import Benchmark, KeyVersion, Question, QuestionSet

MOST_REPETITIONS = 100
KEY = re.compile(r"(?P<system>[^/]+)/(?P<condition>[^/]+)/r(?P<repetition>\d+)/(?P<question>[^/]+)")


class CannotCollect(CannotPlan):
    """The collection cannot be run as asked."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One answer to collect."""

    system: System
    condition: Condition
    repetition: int
    question: Question

    @property
    def key(self) -> str:
        return f"{prefix_of(self.system.code)}{self.condition.code}/r{self.repetition}/{self.question.code}"

    @property
    def identifier(self) -> str:
        return identifier_of(
            question=self.question.code,
            system=self.system.code,
            condition=self.condition.code,
            repetition=self.repetition,
        )

    @property
    def request(self) -> CallRequest:
        return request_of(system=self.system, condition=self.condition, question=self.question)


@dataclass(frozen=True, kw_only=True)
class CellsRow(EstimateRow):
    """What the cells of one system in one condition may take. Usage is known from an answer to the same question in the
    same condition."""

    system: System
    condition: Condition


@dataclass(frozen=True, kw_only=True)
class Plan(CallPlan):
    """Systems × conditions × repetitions × questions of one benchmark, as chosen. `sets`: codes of the question sets
    that were named; empty for the whole benchmark."""

    benchmark: Benchmark
    systems: list[System]
    conditions: list[Condition]
    repetitions: int
    sets: list[str]
    questions: list[Question]

    @cached_property
    def missing(self) -> list[Cell]:
        """Cells that have no answer yet; a failed one counts as none. Systems change fastest, so that the accounts of
        several providers are busy at the same time."""
        answers = Answer.objects.of_benchmark(self.benchmark).exclude(state=AnswerState.FAILED)
        have = set(answers.values_list("question_id", "run__system_id", "run__condition_id", "run__repetition"))
        return [
            cell
            for cell in self.cells()
            if (cell.question.pk, cell.system.pk, cell.condition.pk, cell.repetition) not in have
        ]

    def cells(self) -> Iterator[Cell]:
        for repetition in range(1, self.repetitions + 1):
            for question in self.questions:
                for condition in self.conditions:
                    for system in self.systems:
                        yield Cell(system=system, condition=condition, repetition=repetition, question=question)

    @cached_property
    def estimate(self) -> list[CellsRow]:
        """Per system and condition, from recorded usage where there is some (see `usage_of_cells`)."""
        prices = PriceList.current()
        on = timezone.now().date()
        usages = usage_of_cells(self.benchmark, self.missing)
        rows = []
        for system in self.systems:
            for condition in self.conditions:
                chosen = [
                    (cell, *usages[cell.key])
                    for cell in self.missing
                    if (cell.system, cell.condition) == (system, condition)
                ]
                costs = [
                    prices.cost(
                        provider=endpoint_of(system), models=[served, system.model_identifier], on=on, usage=usage
                    )
                    for _cell, usage, served, _known in chosen
                ]
                rows.append(
                    CellsRow(
                        system=system,
                        condition=condition,
                        calls=len(chosen),
                        recorded=sum(known for *_rest, known in chosen),
                        tokens=sum(usage["input"] + usage["output"] for _cell, usage, *_rest in chosen),
                        cost=Cost.sum(costs),
                    )
                )
        return rows


def make_plan(
    *,
    benchmark: Benchmark,
    systems: Sequence[str],
    conditions: Sequence[str],
    repetitions: int = 1,
    sets: Sequence[str] = (),
) -> Plan:
    """The plan for these codes; no set named: all questions. Raises CannotCollect with everything that is wrong."""
    problems: list[str] = []
    chosen_systems = _chosen(benchmark.systems.order_by("position", "pk"), systems, _("system"), problems)
    chosen_conditions = _chosen(benchmark.conditions.order_by("position", "pk"), conditions, _("condition"), problems)
    questions = Question.objects.of_benchmark(benchmark).with_page_data().by_code()
    chosen_sets: list[QuestionSet] = []
    if sets:
        chosen_sets = _chosen(benchmark.sets.order_by("position", "pk"), sets, _("question set"), problems)
        questions = questions.filter(set__in=chosen_sets)
    if not 1 <= repetitions <= MOST_REPETITIONS:
        problems.append(_("Repetitions must be 1 to %(most)s.") % {"most": MOST_REPETITIONS})
    for system in chosen_systems:
        problems.extend(_problems_of(system, chosen_conditions))
    keyed = set(KeyVersion.objects.approved().of_benchmark(benchmark).values_list("question_id", flat=True))
    if missing := [question.code for question in questions if question.pk not in keyed]:
        names = ", ".join(missing)
        problems.append(
            _("Only questions with an approved key enter a run; these have none: %(names)s.") % {"names": names}
        )
    if not questions:
        problems.append(_("There is no question in what was chosen."))
    if problems:
        raise CannotCollect(problems)
    return Plan(
        benchmark=benchmark,
        systems=chosen_systems,
        conditions=chosen_conditions,
        repetitions=repetitions,
        sets=[each.code for each in chosen_sets],
        questions=list(questions),
    )


def plan_of(params: dict[str, Any]) -> Plan:
    """The plan that a job's parameters describe. Raises CannotCollect, Benchmark.DoesNotExist."""
    return make_plan(
        benchmark=Benchmark.objects.get(slug=params["benchmark"]),
        systems=params["systems"],
        conditions=params["conditions"],
        repetitions=params["repetitions"],
        sets=params.get("sets", []),
    )


def request_of(*, system: System, condition: Condition, question: Question) -> CallRequest:
    """The text that is asked: the condition's preamble in the question's language, then the question."""
    preamble = preamble_of(condition, question.language)
    text = question.asked_text
    return CallRequest(
        provider=endpoint_of(system),
        model=system.model_identifier,
        prompt=f"{preamble}\n\n{text}" if preamble else text,
        settings={name: value for name, value in system.settings.items() if name != "endpoint"},
        search=condition.tools,
    )


def preamble_of(condition: Condition, language: str) -> str:
    """In that language, else the first there is, else empty."""
    texts: dict[str, str] = condition.preambles
    return texts.get(language) or next(iter(texts[code] for code in sorted(texts)), "")


def endpoint_of(system: System) -> str:
    """Where the system is called: its setting `endpoint`, else its provider where that is one we can call."""
    return str(system.settings.get("endpoint") or system.provider.strip().lower())


def prefix_of(system: str) -> str:
    """What the keys of all cells of a system begin with."""
    return f"{system}/"


def usage_of_cells(benchmark: Benchmark, cells: Sequence[Cell]) -> dict[str, tuple[dict[str, int], str, bool]]:
    """By key of the cell: usage, the model that served it, and whether it is the recorded one of the same question.

    The newest answer to the same question by the same system in the same condition; else the mean over the answers
    of that system in that condition, rounded up; else an estimate from the letters.
    """
    answers = Answer.objects.of_benchmark(benchmark).exclude(usage={}).order_by("answered_at", "pk")
    fields = "question_id", "run__system_id", "run__condition_id", "usage", "served_model"
    same: dict[tuple[int, int, int], tuple[dict[str, int], str]] = {}
    by_pair: dict[tuple[int, int], list[tuple[dict[str, int], str]]] = {}
    for question, system, condition, usage, served in answers.values_list(*fields):
        if "input" in usage and "output" in usage:
            same[question, system, condition] = usage, served
            by_pair.setdefault((system, condition), []).append((usage, served))
    means = {pair: (mean_usage([usage for usage, _served in rows]), rows[-1][1]) for pair, rows in by_pair.items()}
    found: dict[str, tuple[dict[str, int], str, bool]] = {}
    for cell in cells:
        pair = cell.system.pk, cell.condition.pk
        if (cell.question.pk, *pair) in same:
            found[cell.key] = (*same[(cell.question.pk, *pair)], True)
        elif pair in means:
            found[cell.key] = (*means[pair], False)
        else:
            found[cell.key] = (estimated_usage(cell.request), "", False)
    return found


def _chosen(rows: Any, codes: Sequence[str], what: str, problems: list[str]) -> list[Any]:
    by_code = {row.code: row for row in rows}
    if not codes:
        problems.append(_("Choose at least one %(what)s.") % {"what": what})
    for code in codes:
        if code not in by_code:
            known = ", ".join(by_code) or _("none")
            problems.append(
                _("There is no %(what)s %(code)s; there are: %(known)s.") % {"what": what, "code": code, "known": known}
            )
    return [row for code, row in by_code.items() if code in set(codes)]


def _problems_of(system: System, conditions: Sequence[Condition]) -> list[str]:
    tools = ", ".join(condition.code for condition in conditions if condition.tools)
    name = _("System %(code)s") % {"code": system.code}
    return problems_with(name, endpoint=endpoint_of(system), settings=system.settings, searched_for=tools)
