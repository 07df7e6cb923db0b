"""The page of results: headline, error classes, scope, grounding, questions, departures, what is still open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from lexreview.answers.models import Answer, Condition, System
from lexreview.core.methods.reference_card.card_rows import CardRow, Count, Group
from lexreview.core.methods.reference_card.headline import Headline, HeadlineCell, headline
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.tables import CountTable, QuestionCell, Tables, tables
from lexreview.core.stats.intervals import proportion
from lexreview.core.workflow import AnswerState
from lexreview.questions.models import KeyVersion
from lexreview.reports.freezing.naming import answer_json, condition_json, departure_json, system_json
from lexreview.reports.freezing.numbers import Json, bootstrap_json, cost_json, count_json, mean_json, proportion_json
from lexreview.reports.freezing.people import display_name
from lexreview.reports.gather import Material

SEED = 20261001
RESAMPLES = 2000


@dataclass(frozen=True)
class Results:
    """What the method says of the counted cards, and the order in which systems and conditions are shown."""

    headline: Headline
    tables: Tables
    systems: Mapping[str, System]
    conditions: Mapping[str, Condition]

    @classmethod
    def of(cls, material: Material, rows: Sequence[CardRow]) -> Self:
        answers = material.answers
        systems = sorted({each.run.system for each in answers}, key=lambda each: (each.position, each.code))
        conditions = sorted(
            {each.run.condition for each in answers}, key=lambda each: (not each.tools, each.position, each.code)
        )
        return cls(
            headline=headline(rows, chain=list(material.rules.values()), seed=SEED, resamples=RESAMPLES),
            tables=tables(rows, specification=material.newest_rules),
            systems={each.code: each for each in systems},
            conditions={each.code: each for each in conditions},
        )

    @property
    def groups(self) -> list[Group]:
        """Each system in each condition of which a card was counted, in the order shown."""
        wanted = (Group(system, condition) for system in self.systems for condition in self.conditions)
        return [group for group in wanted if group in self.headline.cells]

    @property
    def summaries(self) -> list[Group]:
        """Everything together, then each condition."""
        conditions = [Group(None, code) for code in self.conditions]
        return [Group(None, None), *(group for group in conditions if group in self.headline.cells)]

    def named(self, group: Group) -> Json:
        """The group with the names of its system and condition; None stands for all of them."""
        return {
            "system": system_json(self.systems[group.system]) if group.system else None,
            "condition": condition_json(self.conditions[group.condition]) if group.condition else None,
        }


def benchmark_page(material: Material, results: Results, *, judges: Json, layer: Json) -> Json:
    benchmark = material.benchmark
    return {
        "slug": benchmark.slug,
        "titles": benchmark.titles,
        "summaries": benchmark.summaries,
        "limitations": benchmark.limitations,
        "language": benchmark.language,
        "jurisdiction": benchmark.jurisdiction,
        "legal_state_on": benchmark.legal_state_on.isoformat(),
        "canary": str(benchmark.canary),
        "specification": {"name": benchmark.specification.name, "version": material.newest_rules.version},
        "questions": [question.code for question in material.questions],
        "systems": [_system_details(each, material) for each in results.systems.values()],
        "conditions": [_condition_details(each, material) for each in results.conditions.values()],
        "approved": {"n": material.approved, "of": len(material.answers)},
        "open": [answer_json(answer) for answer in material.open],
        "failed": [answer_json(answer) for answer in material.failed],
        "blocked": [_blocked(each) for each in material.answers if each.state == AnswerState.PROVIDER_BLOCK],
        "resampling": {"seed": SEED, "resamples": RESAMPLES},
        "total": _cell(results.headline.total, results),
        "conditions_total": [
            _cell(results.headline.cells[group], results) for group in results.summaries if group.condition
        ],
        "headline": [_cell(results.headline.cells[group], results) for group in results.groups],
        "erring": count_json(_erring(results)),
        "classes": _classes(material, results),
        "tables": {
            "classes": _counts(results.tables.error_classes, results),
            "origins": _counts(results.tables.origins, results),
            "scopes": _counts(results.tables.scopes, results),
            "grounding": _counts(results.tables.grounding, results),
        },
        "by_question": _by_question(material, results),
        "departures": [departure_json(key) for key in _departures(material)],
        "best_judge": _best_judge(judges),
        "layer": {name: layer[name] for name in ("detected_all", "false_alarms", "undetermined")},
        "approvers": sorted({name for name in _approvers(material) if name}),
    }


def _system_details(system: System, material: Material) -> Json:
    runs = [each.run for each in material.answers if each.run.system_id == system.pk]
    return {
        **system_json(system),
        "provider": system.provider,
        "family": system.family,
        "model_identifier": system.model_identifier,
        "settings": system.settings,
        "runs": max((run.repetition for run in runs), default=0),
    }


def _condition_details(condition: Condition, material: Material) -> Json:
    days = [each.answered_at.date() for each in material.answers if each.run.condition_id == condition.pk]
    return {
        **condition_json(condition),
        "preambles": condition.preambles,
        "from": min(days).isoformat(),
        "to": max(days).isoformat(),
    }


def _blocked(answer: Answer) -> Json:
    return {**answer_json(answer), "reason": answer.block_reason}


def _cell(cell: HeadlineCell, results: Results) -> Json:
    return {
        **results.named(cell.group),
        "answers": cell.answers,
        "questions": cell.questions,
        "runs": cell.runs,
        "labels": {label.value: cell.labels[label] for label in Label},
        "grounded": proportion_json(cell.grounded),
        "over_questions": bootstrap_json(cell.grounded_over_questions),
        "hallucinated": proportion_json(cell.hallucinated),
        "a": mean_json(cell.a_percent),
        "separate": {code: mean_json(mean) for code, mean in cell.separate.items()},
        "checked": count_json(cell.citations_checked),
        "cost": cost_json(cell.cost),
    }


def _counts(table: CountTable, results: Results) -> list[Json]:
    groups = [*results.summaries, *results.groups]
    return [
        {**results.named(group), "answers": table[group].answers, "counts": dict(table[group].counts)}
        for group in groups
        if group in table
    ]


def _erring(results: Results) -> Count:
    """Answers with an error finding of any class: those with one in the core, and those with one beside it only."""
    scopes = results.tables.scopes[Group(None, None)]
    return Count(sum(scopes.counts.values()), scopes.answers)


def _classes(material: Material, results: Results) -> list[Json]:
    """The error classes with how many answers have each, with Wilson's interval."""
    counts = results.tables.error_classes[Group(None, None)]
    rules = {each.code: each for each in material.newest_rules.error_classes}
    return [
        {
            "code": code,
            "names": dict(rules[code].name) if code in rules else {},
            "descriptions": dict(rules[code].description) if code in rules else {},
            "hallucination": rules[code].hallucination if code in rules else False,
            "answers": proportion_json(proportion(number, counts.answers)),
        }
        for code, number in counts.counts.items()
    ]


def _by_question(material: Material, results: Results) -> list[Json]:
    cells = results.tables.questions
    changed = {key.question_id for key in _departures(material)}
    return [
        {
            "code": question.code,
            "type": question.type,
            "trap": question.trap is not None,
            "departure": question.pk in changed,
            "total": _question_cell(cells.get(question.code, {}).get(Group(None, None))),
            "cells": [_question_cell(cells.get(question.code, {}).get(group)) for group in results.groups],
        }
        for question in material.questions
    ]


def _question_cell(cell: QuestionCell | None) -> Json | None:
    """None where no card of the group was counted for the question."""
    if cell is None:
        return None
    return {
        "labels": [label.value for label in cell.labels],
        "grounded": count_json(cell.grounded),
        "hallucinated": count_json(cell.hallucinated),
        "a": mean_json(cell.a_percent),
    }


def _departures(material: Material) -> list[KeyVersion]:
    return [key for question in material.questions for key in material.keys[question.pk] if key.departure]


def _best_judge(judges: Json) -> Json | None:
    """The judge who agrees best with the cards over all sets, nothing left out; None without a defined kappa."""
    whole = [row for row in judges["rows"] if row["question_set"] is None and row["left_out"] == "nothing"]
    known = [row for row in whole if row["kappa"]["value"] is not None]
    return max(known, key=lambda row: row["kappa"]["value"], default=None)


def _approvers(material: Material) -> set[str]:
    return {display_name(card.approved_by) for card in material.cards.values()}
