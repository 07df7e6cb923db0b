"""The page of the citation layer: what it found, missed and raised for nothing, against the approved cards."""

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.workflow import CitationState
from lexreview.reports.freezing.numbers import Json, count_json
from lexreview.reports.gather import Material
from lexreview.reports.layer_figures import LayerCard, LayerCitation, LayerFinding, layer_figures
from lexreview.review.models import Card


def verification_page(material: Material) -> Json:
    """Cards whose answer the layer never checked are left out and counted in `without`."""
    checked = [card for card in material.cards.values() if card.verification_id is not None]
    classes = [each.code for each in material.newest_rules.error_classes]
    figures = layer_figures([layer_card(card) for card in checked], classes=classes)
    names = {each.code: dict(each.name) for each in material.newest_rules.error_classes}
    return {
        "cards": figures.cards,
        "questions": figures.questions,
        "without": len(material.cards) - len(checked),
        "versions": sorted({card.verification.layer_version for card in checked if card.verification}),
        "detected": [
            {"code": code, "names": names.get(code, {}), **count_json(count)}
            for code, count in figures.detected.items()
        ],
        "detected_all": count_json(figures.detected_all),
        "false_alarms": count_json(figures.false_alarms),
        "undetermined": count_json(figures.undetermined),
        "found": count_json(figures.found),
        "results": [{"result": result.value, "n": number} for result, number in figures.results.items()],
    }


def layer_card(card: Card) -> LayerCard:
    return LayerCard(
        question=card.answer.question.code,
        citations=tuple(
            LayerCitation(
                start=row.start,
                end=row.end,
                result=CheckResult(row.checked.result) if row.checked else None,
                state=CitationState(row.state),
            )
            for row in card.citations.all()
        ),
        findings=tuple(
            LayerFinding(
                error_class=row.error_class,
                start=row.claim_start,
                end=row.claim_end,
                citation=(row.citation.start, row.citation.end) if row.citation else None,
            )
            for row in card.findings.all()
        ),
    )
