"""The page of costs: what the answers cost, per system and condition. Cost never enters a score."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from lexreview.answers.models import Answer
from lexreview.core.methods.reference_card.card_rows import Group
from lexreview.reports.freezing.numbers import Json, cost_json, money
from lexreview.reports.freezing.overview import Results
from lexreview.reports.gather import Material


def cost_page(material: Material, results: Results) -> Json:
    """`all_answers` covers open cards too: they were paid for. The cost per grounded answer rests on counted cards."""
    return {
        "rows": [_row(group, material, results) for group in results.groups],
        "total": {**cost_json(results.headline.total.cost), **_spent(material.answers)},
        "without_usage": sum(not answer.usage for answer in material.answers),
    }


def _row(group: Group, material: Material, results: Results) -> Json:
    answers = [
        answer
        for answer in material.answers
        if (answer.run.system.code, answer.run.condition.code) == (group.system, group.condition)
    ]
    return {**results.named(group), **cost_json(results.headline.cells[group].cost), **_spent(answers)}


def _spent(answers: Sequence[Answer]) -> Json:
    tokens: Counter[str] = Counter()
    for answer in answers:
        tokens.update({kind: number for kind, number in answer.usage.items() if isinstance(number, int)})
    known = [answer.cost_usd for answer in answers if answer.cost_usd is not None]
    return {
        "answers": len(answers),
        "tokens": {kind: tokens[kind] for kind in sorted(tokens)},
        "all_answers": money(sum(known, Decimal(0))) if known else None,
        "all_lower": len(known) < len(answers) or any(answer.cost_is_lower_bound for answer in answers),
        "all_priced": {"n": len(known), "of": len(answers)},
    }
