"""The page of the method (every version of the specification) and of the decision log."""

from collections.abc import Collection, Mapping, Sequence

from lexreview.answers.answer_html import answer_html
from lexreview.core.methods.reference_card.scoring import shown_points
from lexreview.core.methods.reference_card.specification import Criterion, KeyMaximum, Specification
from lexreview.methodology.models import Decision
from lexreview.reports.freezing.numbers import Json
from lexreview.reports.freezing.people import display_name
from lexreview.reports.gather import Material

PARTS = ("criteria", "questions", "key_versions", "cards")


def method_page(material: Material) -> Json:
    """The version in use in full, and the changes that led to it, newest first."""
    current = material.newest_rules
    rows = [material.rules[row.pk] for row in reversed(material.specifications)]
    scored_under = [material.rules_of(card).version for card in material.cards.values()]
    return {
        "name": current.name,
        "version": current.version,
        "dated": current.dated.isoformat(),
        "titles": dict(current.title),
        "texts": {language: str(answer_html(text).html) for language, text in current.text.items()},
        "criteria": [_criterion(each) for each in current.criteria],
        "error_classes": [
            {
                "code": each.code,
                "names": dict(each.name),
                "descriptions": dict(each.description),
                "hallucination": each.hallucination,
            }
            for each in current.error_classes
        ],
        "origins": [each.value for each in current.origins],
        "scopes": [each.value for each in current.scopes],
        "below_zero": current.a_percent_below_zero,
        "versions": [_version(each, cards=scored_under.count(each.version)) for each in rows],
    }


def decisions_page(material: Material) -> Json:
    """Published entries, oldest first."""
    shown = shown_decisions(material)
    numbers = {each.number for each in shown}
    followed = {each.supersedes.number: each.number for each in shown if each.supersedes}
    asked: dict[int, list[str]] = {}
    for answer in material.answers:
        for number in material.asked.get(answer.pk, ()):
            asked.setdefault(number, []).append(answer.identifier)
    return {
        "decisions": [
            _decision(each, asked=asked.get(each.number, []), numbers=numbers, followed=followed) for each in shown
        ]
    }


def shown_decisions(material: Material) -> list[Decision]:
    """An entry that touches undisclosed questions alone is not for readers."""
    return [each for each in material.decisions if not touches_only_hidden(each, hidden_codes(material))]


def hidden_codes(material: Material) -> set[str]:
    return {question.code for question in material.hidden}


def questions_touched(decision: Decision) -> set[str]:
    """The codes of all questions that an entry names: directly, by a key version, or by a card."""
    touches: Mapping[str, list[str]] = decision.touches
    named = set(touches.get("questions", []))
    named |= {key.rpartition(".v")[0] for key in touches.get("key_versions", [])}
    return named | {card.partition("_")[0] for card in touches.get("cards", [])}


def touches_only_hidden(decision: Decision, hidden: Collection[str]) -> bool:
    named = questions_touched(decision)
    return bool(named) and named <= set(hidden)


def _criterion(criterion: Criterion) -> Json:
    maximum = criterion.maximum
    return {
        "code": criterion.code,
        "block": criterion.block,
        "names": dict(criterion.name),
        "helps": dict(criterion.help),
        "minimum": shown_points(criterion.minimum),
        "maximum": maximum.value if isinstance(maximum, KeyMaximum) else shown_points(maximum),
        "by_key": isinstance(maximum, KeyMaximum),
        "step": shown_points(criterion.step),
        "enters": criterion.enters.value,
        "not_applicable_when": criterion.not_applicable_when.value if criterion.not_applicable_when else "",
        "by_rule": criterion.rule is not None,
    }


def _version(specification: Specification, *, cards: int) -> Json:
    return {
        "version": specification.version,
        "dated": specification.dated.isoformat(),
        "change_notes": dict(specification.change_note),
        "rules_changed": specification.rules_changed,
        "cards": cards,
    }


def _decision(
    decision: Decision, *, asked: Sequence[str], numbers: Collection[int], followed: Mapping[int, int]
) -> Json:
    supersedes = decision.supersedes.number if decision.supersedes else None
    return {
        "number": decision.number,
        "decided_on": decision.decided_on.isoformat(),
        "question": decision.question,
        "decision": decision.decision,
        "reason": decision.reason,
        "touches": {part: decision.touches.get(part, []) for part in PARTS},
        "asked": [each for each in asked if each not in decision.touches.get("cards", [])],
        "specification": decision.specification_version,
        "rules_changed": decision.rules_changed,
        "supersedes": supersedes if supersedes in numbers else None,
        "superseded_by": followed.get(decision.number),
        "author": display_name(decision.author),
    }
