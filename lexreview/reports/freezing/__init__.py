"""Material made into pages: plain JSON, complete in itself, with nothing in it that a reader may not see."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lexreview.reports.freezing.cards import card_page, errors_page
from lexreview.reports.freezing.costs import cost_page
from lexreview.reports.freezing.judges import judges_page
from lexreview.reports.freezing.log import decisions_page, method_page
from lexreview.reports.freezing.overview import Results, benchmark_page
from lexreview.reports.freezing.questions import question_page
from lexreview.reports.freezing.verification import verification_page
from lexreview.reports.gather import Material
from lexreview.reports.models import PageKind
from lexreview.reports.records import card_rows

__all__ = ["FrozenPage", "pages_of"]


@dataclass(frozen=True, slots=True)
class FrozenPage:
    kind: PageKind
    key: str
    position: int
    content: dict[str, Any]


def pages_of(material: Material) -> list[FrozenPage]:
    """Every page of a publication of this material. The same material always gives the same pages.

    Raises core's `MixedSpecifications`, which names the cards, when the rules changed between two counted cards.
    """
    return list(_pages(material))


def _pages(material: Material) -> Iterator[FrozenPage]:
    rows = card_rows(material)
    results = Results.of(material, rows)
    judges = judges_page(material)
    layer = verification_page(material)
    yield FrozenPage(PageKind.BENCHMARK, "", 0, benchmark_page(material, results, judges=judges, layer=layer))
    for position, question in enumerate(material.questions):
        yield FrozenPage(PageKind.QUESTION, question.code, position, question_page(question, material))
    for position, answer in enumerate(material.answers):
        yield FrozenPage(PageKind.CARD, answer.identifier, position, card_page(answer, material))
    yield FrozenPage(PageKind.ERRORS, "", 0, errors_page(material))
    yield FrozenPage(PageKind.JUDGES, "", 0, judges)
    yield FrozenPage(PageKind.VERIFICATION, "", 0, layer)
    yield FrozenPage(PageKind.COST, "", 0, cost_page(material, results))
    yield FrozenPage(PageKind.METHOD, "", 0, method_page(material))
    yield FrozenPage(PageKind.DECISIONS, "", 0, decisions_page(material))
