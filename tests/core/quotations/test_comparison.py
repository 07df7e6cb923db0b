import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.quotations import ANSWER, SAME, SOURCE, compare, fold, pieces_of, stretches, word_diff

LAW = "The fee is payable within seven days of service of the demand; it amounts to 1 250 dinars."


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("the fee is payable within seven days", LAW),
        ("The fee is payable – within seven days", LAW.replace("payable", "payable -")),
        ("within seven\u00a0days of service", LAW),
        ("pay\u00adable within seven days", LAW),
        ("[t]he fee is payable", LAW),
        ("seven days of service of the demand.", LAW),
        ("The fee is payable […] of service", LAW),
        ("The fee [...] within seven days (…) of the demand", LAW),
        ("The fee … of service of the demand…", LAW),
        ("The fee [of the court] is payable", LAW),
        ("it amounts to 1250 dinars", LAW),
        ("it amounts to 1'250 dinars", LAW),
        ("wewnątrz „cytatu” w środku", 'Mowa o «wewnątrz "cytatu" w środku».'),
        ("e\u0301tat de frais", "L'état de frais est joint."),
        ("die Daten- bearbeitung", "Die Datenbearbeitung ist zulässig."),
        ("**The fee** is _payable_", LAW),
        ("385¹ stosuje się", "Przepis art. 385^1 stosuje się odpowiednio."),
        ("> The fee is payable\n> within seven days", LAW),
    ],
)
def test_typography_and_marked_omissions_do_not_count(quotation: str, source: str) -> None:
    assert compare(quotation, [source]).exact


@pytest.mark.parametrize(
    "quotation",
    [
        "within eight days",
        "within seventy days",
        "The fee was payable within seven days",
        "of service […] within seven days",
        "250 dinars",
        "it amounts to 1 25",
        "amounts to 1 2500 dinars",
        "ee is payable",
        "",
        "…",
    ],
)
def test_changed_words_numbers_and_order_do_count(quotation: str) -> None:
    assert not compare(quotation, [LAW]).exact


def test_the_end_of_a_word_is_no_word_however_long_the_quotation() -> None:
    source = "Ten, przeciwko komu przysługuje roszczenie, może uchylić się od jego zaspokojenia."

    assert not compare("nie może uchylić się od jego zaspokojenia", [source]).exact
    assert not compare("może uchylić się od jego zaspokoje", [source]).exact
    assert compare("może uchylić się od jego zaspokojenia", [source]).exact


def test_words_that_a_conversion_glued_are_found() -> None:
    source = "In the harbourThe skipper reports the arrival within 12hours of berthing, by radio."

    assert compare("The skipper reports the arrival within 12", [source]).exact
    assert compare("hours of berthing, by radio", [source]).exact is False
    assert compare("reports the arrival within 12 hours", [source]).exact


def test_a_number_is_not_found_inside_a_longer_one() -> None:
    assert not compare("50 000 voters", ["150 000 voters may ask"]).exact
    assert not compare("5 days", ["within 15 days"]).exact
    assert not compare("within 10", ["within 10.5 days"]).exact
    assert compare("within 10", ["within 10. Then"]).exact


def test_a_quotation_may_pass_over_the_labels_of_a_list() -> None:
    source = "No fee is charged:\na. for little work;\nb. for mediation."

    assert compare("No fee is charged: for little work; for mediation", [source]).exact
    assert compare("a. for little work; b. for mediation", [source]).exact


def test_the_difference_is_shown_word_by_word() -> None:
    found = compare("The fee is payable within fourteen days of service", [LAW])

    assert found.diff == (
        (SAME, "The fee is payable within"),
        (SOURCE, "seven"),
        (ANSWER, "fourteen"),
        (SAME, "days of service"),
    )
    assert 0.7 < found.similarity < 1


def test_a_changed_first_word_finds_its_counterpart() -> None:
    found = compare("partly compensated", ["Expropriation is fully compensated by the state."])

    assert found.diff == ((SOURCE, "fully"), (ANSWER, "partly"), (SAME, "compensated"))


def test_grouped_digits_are_one_word() -> None:
    found = compare("50 000 voters", ["100 000 voters may ask for a vote."])

    assert found.diff == ((SOURCE, "100 000"), (ANSWER, "50 000"), (SAME, "voters"))


def test_the_best_of_several_sources_is_compared() -> None:
    found = compare("the demand names the sum due", ["Definitions", "A demand names the sum and the time."])

    assert found.source == 1


def test_stretches_are_code_points_of_the_text() -> None:
    text = "§ 1. The fee\nis due. § 2. It is small."

    (first, second) = stretches(pieces_of("the fee is due […] It is small"), text)

    assert text[slice(*first)] == "The fee\nis due"
    assert text[slice(*second)] == "It is small"


def test_two_editions_are_compared_by_words_not_by_typography() -> None:
    assert word_diff("The fee – due.", "The fee - due!") == ((SAME, "The fee due!"),)
    assert word_diff("seven days", "nine days") == ((SOURCE, "seven"), (ANSWER, "nine"), (SAME, "days"))
    assert word_diff("", "new words") == ((ANSWER, "new words"),)


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_what_is_cut_out_at_words_is_found_again(before: str, quoted: str, after: str) -> None:
    if not fold(quoted).letters or "[" in quoted or "(" in quoted or "…" in quoted or ".." in quoted or "]" in quoted:
        return

    assert compare(quoted, [f"{before} ; {quoted} ; {after}"]).exact


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(quotation: str, source: str) -> None:
    found = compare(quotation, [source])

    assert 0 <= found.similarity <= 1
    assert {op for op, _ in found.diff} <= {SAME, SOURCE, ANSWER}
    assert all(text for _, text in found.diff)


def test_hostile_lengths_are_not_aligned() -> None:
    started = time.process_time()

    found = compare("a" * 6_000, ["ab" * 200_000])

    assert not found.exact
    assert time.process_time() - started < 5
