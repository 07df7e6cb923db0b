from lexreview.core.methods.reference_card.card_rows import Count
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.workflow import CitationState
from lexreview.reports.layer_figures import LayerCard, LayerCitation, LayerFinding, layer_figures


def cited(start: int, end: int, result: CheckResult | None, state: CitationState) -> LayerCitation:
    return LayerCitation(start=start, end=end, result=result, state=state)


def card(*citations: LayerCitation, findings: tuple[LayerFinding, ...] = (), question: str = "P01") -> LayerCard:
    return LayerCard(question=question, citations=citations, findings=findings)


def test_a_finding_is_detected_by_an_alarm_on_its_claim_or_its_citation() -> None:
    alarm = cited(10, 20, CheckResult.NOT_FOUND, CitationState.ERROR)
    overlapping = LayerFinding("F", 15, 40)
    elsewhere_with_citation = LayerFinding("W", 50, 60, citation=(10, 20))
    touching_only = LayerFinding("T", 20, 30)

    figures = layer_figures(
        [card(alarm, findings=(overlapping, elsewhere_with_citation, touching_only))], classes=["T", "W", "F", "S"]
    )

    # The end is exclusive: a claim that begins where the citation ends does not overlap it.
    assert figures.detected == {"T": Count(0, 1), "W": Count(1, 1), "F": Count(1, 1), "S": Count(0, 0)}
    assert figures.detected_all == Count(2, 3)


def test_not_established_is_no_alarm() -> None:
    unsure = cited(0, 5, CheckResult.UNDETERMINED, CitationState.ERROR)

    figures = layer_figures([card(unsure, findings=(LayerFinding("T", 0, 5),))], classes=["T"])

    assert figures.detected_all == Count(0, 1)
    assert figures.undetermined == Count(1, 1)


def test_false_alarms_are_counted_over_confirmed_citations() -> None:
    figures = layer_figures(
        [
            card(
                cited(0, 5, CheckResult.WORDING_DIFFERS, CitationState.CONFIRMED),
                cited(6, 9, CheckResult.CONFIRMED, CitationState.CONFIRMED),
                cited(10, 12, CheckResult.NOT_FOUND, CitationState.UNCHECKED),
                cited(13, 15, None, CitationState.CONFIRMED),
            )
        ],
        classes=[],
    )

    # Two confirmed citations that the layer had found, one of them with an alarm. The one it did not find is not
    # among them, but counts against what it found: three of four.
    assert figures.false_alarms == Count(1, 2)
    assert figures.found == Count(3, 4)


def test_a_class_outside_the_specification_is_listed_last() -> None:
    figures = layer_figures([card(findings=(LayerFinding("X", 0, 1),))], classes=["T"])

    assert list(figures.detected) == ["T", "X"]


def test_nothing_to_count_has_no_share() -> None:
    figures = layer_figures([], classes=["T"])

    assert figures.share_detected is None
    assert figures.found == Count(0, 0)
    assert figures.cards == 0


def test_share_detected_is_exact() -> None:
    alarm = cited(0, 5, CheckResult.NOT_IN_FORCE, CitationState.ERROR)
    findings = (LayerFinding("W", 0, 5), LayerFinding("T", 9, 12), LayerFinding("T", 20, 22))

    figures = layer_figures([card(alarm, findings=findings)], classes=["T", "W"])

    assert figures.share_detected is not None
    assert figures.share_detected * 3 == 1
