"""The figures of a publication against values worked out by hand; the table of cards is in the factories."""

from typing import Any

import pytest

from lexreview.reports.actions import publish
from lexreview.reports.models import PageKind, Publication
from tests.reports.factories import NOW, Scene, change_and_approve_again


def published(scene: Scene) -> Publication:
    return publish(benchmark=scene.benchmark, note="", by=scene.lead, now=NOW)


def content(publication: Publication, kind: PageKind, key: str = "") -> dict[str, Any]:
    return publication.pages.get(kind=kind, key=key).content


@pytest.fixture
def main(scene: Scene) -> dict[str, Any]:
    return content(published(scene), PageKind.BENCHMARK)


def test_counts_approved_cards_of_disclosed_answers(main: dict[str, Any]) -> None:
    # Four answers to P01 and P02; the card of P02_borealis_W1 is open. P11 is not disclosed.
    assert main["approved"] == {"n": 3, "of": 4}
    assert [each["identifier"] for each in main["open"]] == ["P02_borealis_W1_r1"]
    assert main["questions"] == ["P01", "P02"]


def test_headline_total(main: dict[str, Any]) -> None:
    total = main["total"]

    # One of three is grounded, one hallucinated. Wilson for 1 of 3 at z = 1.959964: centre
    # (1/3 + z²/6) / (1 + z²/3) = 0.42692, half width 0.36542, so 0.0615 to 0.7923.
    assert (total["grounded"]["n"], total["grounded"]["of"]) == (1, 3)
    assert total["grounded"]["low"] == pytest.approx(0.061492, abs=1e-6)
    assert total["grounded"]["high"] == pytest.approx(0.792340, abs=1e-6)
    assert total["hallucinated"]["n"] == 1
    # Available: A-R 2, A1 4, A2 2, A3 1, A6 1 = 10. Grounded 10/10; hallucinated 9/10 (A6 0); core 1 of 2: 9/10.
    assert total["a"] == {"value": pytest.approx((1 + 0.9 + 0.9) / 3, abs=1e-6), "n": 3, "of": 3}
    assert total["separate"]["B1"]["value"] == 2.0
    assert total["separate"]["B2"]["value"] == 1.0
    # Two citations on each of three cards, all decided by a person.
    assert total["checked"] == {"n": 6, "of": 6}


def test_cost_is_a_lower_bound_where_a_part_is_unknown(main: dict[str, Any]) -> None:
    argon, borealis = main["headline"]

    # argon: 0.10 + 0.20 for one grounded answer; borealis: nothing known.
    assert argon["cost"]["run"] == "0.300000"
    assert argon["cost"]["per_grounded"] == "0.300000"
    assert not argon["cost"]["lower"]
    assert borealis["cost"]["run"] is None
    assert borealis["cost"]["per_grounded"] is None
    assert main["total"]["cost"]["lower"]


def test_interval_over_questions_has_the_share_as_estimate(main: dict[str, Any]) -> None:
    argon = main["headline"][0]

    # Two questions, one grounded answer: resamples give 0, 1/2 or 1 with probability 1/4, 1/2, 1/4.
    assert argon["over_questions"]["estimate"] == 0.5
    assert (argon["over_questions"]["low"], argon["over_questions"]["high"]) == (0.0, 1.0)
    assert argon["over_questions"]["clusters"] == 2


def test_one_question_has_no_interval_and_says_why(main: dict[str, Any]) -> None:
    borealis = main["headline"][1]

    assert borealis["over_questions"]["low"] is None
    assert borealis["over_questions"]["reason"] == "fewer than two clusters to resample"


def test_error_tables_count_answers(main: dict[str, Any]) -> None:
    by_code = {row["code"]: row["answers"] for row in main["classes"]}

    assert {code: (each["n"], each["of"]) for code, each in by_code.items()} == {
        "T": (0, 3),
        "W": (1, 3),
        "F": (0, 3),
        "S": (0, 3),
    }
    assert main["erring"] == {"n": 1, "of": 3}
    assert main["tables"]["scopes"][0]["counts"] == {"core": 1, "peripheral_only": 0}
    assert main["tables"]["origins"][0]["counts"]["memory"] == 1


def test_grounding_table_has_only_conditions_with_tools(main: dict[str, Any]) -> None:
    # The only answer with tools has an open card.
    assert [row["answers"] for row in main["tables"]["grounding"]] == [0]


def test_judge_is_compared_on_counted_cards(scene: Scene) -> None:
    judges = content(published(scene), PageKind.JUDGES)
    everything = next(row for row in judges["rows"] if row["question_set"] is None and row["left_out"] == "nothing")
    without_kin = next(
        row for row in judges["rows"] if row["question_set"] is None and row["left_out"] == "same_family"
    )

    # Judge yes yes no, cards no yes no: TP 1, FP 1, FN 0, TN 1. Agreement 2/3; by chance 2/3·1/3 + 1/3·2/3 = 4/9;
    # kappa = (6/9 − 4/9) / (1 − 4/9) = 0.4. The verdict on the open card has no reference.
    assert (everything["tp"], everything["fp"], everything["fn"], everything["tn"]) == (1, 1, 0, 1)
    assert everything["kappa"]["value"] == pytest.approx(0.4)
    assert everything["without_card"] == 1
    assert judges["judges"][0]["verdicts"] == 4
    # Without its own family one answer is left, on which both say no: kappa is undefined, not 0 or 1.
    assert without_kin["n"] == 1
    assert without_kin["kappa"] == {"value": None, "reason": "both gave the same verdict throughout"}


def test_layer_is_measured_against_the_findings(scene: Scene) -> None:
    layer = content(published(scene), PageKind.VERIFICATION)

    # One W finding, on a citation that the layer called not in force. Of six citations it checked, five were
    # confirmed by a person, and on none of those did it raise an alarm.
    assert {row["code"]: (row["n"], row["of"]) for row in layer["detected"]}["W"] == (1, 1)
    assert layer["detected_all"] == {"n": 1, "of": 1}
    assert layer["false_alarms"] == {"n": 0, "of": 5}
    assert layer["undetermined"] == {"n": 0, "of": 6}
    assert layer["found"] == {"n": 6, "of": 6}


def test_by_question_keeps_open_cells_apart(main: dict[str, Any]) -> None:
    first, second = main["by_question"]

    # Columns: argon-4 W0, borealis W0. P02 has no counted card of borealis in W0.
    assert [cell and cell["labels"] for cell in first["cells"]] == [["correctly_grounded"], ["no_hallucination"]]
    assert [cell and cell["labels"] for cell in second["cells"]] == [["hallucinated"], None]


def test_card_page_of_an_open_card_says_nothing_about_it(scene: Scene) -> None:
    page = content(published(scene), PageKind.CARD, "P02_borealis_W1_r1")

    assert page["approved"] is False
    assert not {"label", "criteria", "findings", "citations", "verdicts", "a", "note"} & set(page)


def test_card_page_holds_the_whole_card(scene: Scene) -> None:
    page = content(published(scene), PageKind.CARD, "P02_argon-4_W0_r1")

    assert page["label"] == "hallucinated"
    assert (page["a"]["points"], page["a"]["penalties"], page["a"]["available"]) == ("9", "0", "10")
    assert page["checked"] == {"n": 2, "of": 2}
    assert [row["class"] for row in page["citations"]] == ["W", ""]
    assert page["findings"][0]["source_says"] == "The fee is payable within seven days."
    assert page["approver"] == "Rita"
    assert [step["what"] for step in page["history"]] == ["collected", "verified", "approved"]
    assert {row["code"]: row["points"] for row in page["criteria"] if row["applies"]}["A6"] == "0"


def test_published_numbers_do_not_move_when_a_card_changes(scene: Scene) -> None:
    first = published(scene)
    before = {(page.kind, page.key): page.content for page in first.pages.all()}

    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)
    second = publish(benchmark=scene.benchmark, note="One core was read again.", by=scene.lead, now=NOW)

    assert {(page.kind, page.key): page.content for page in first.pages.all()} == before
    assert content(second, PageKind.BENCHMARK)["total"]["grounded"]["n"] == 2
    history = content(second, PageKind.CARD, "P01_borealis_W0_r1")["history"]
    assert [step["what"] for step in history] == ["collected", "verified", "approved", "revised"]


def test_a_card_that_was_opened_again_is_not_counted(scene: Scene) -> None:
    from lexreview.review.actions import revise_card

    card = scene.card("P01_borealis_W0_r1")
    revise_card(card=card, reason="Read again.", version=card.version, by=scene.reviewer, now=NOW)

    assert content(published(scene), PageKind.BENCHMARK)["approved"] == {"n": 2, "of": 4}
