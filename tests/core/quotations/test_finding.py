import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.quotations import find_quotations

MARKS = [
    ("„", "”"),
    ("„", "“"),
    ("«", "»"),
    ("« ", " »"),
    ("»", "«"),
    ("“", "”"),
    ('"', '"'),
    ("‘", "’"),
    ("‚", "‘"),
    ("‹", "›"),
    ("'", "'"),
    ("&laquo;", "&raquo;"),
]


@pytest.mark.parametrize(("left", "right"), MARKS)
def test_every_style_of_marks_is_found(left: str, right: str) -> None:
    text = f"Art. 3 says {left}the fee is due{right} and no more."

    (found,) = find_quotations(text)

    assert found.text.strip() == "the fee is due"
    assert text[found.start : found.end] == found.text
    assert text[found.outer_start : found.outer_end] == f"{left}the fee is due{right}".strip()


@pytest.mark.parametrize(
    "text",
    [
        "l'article de l'avocat d'office, c'est tout",
        "the party's right and the parties' duty",
        "un po' di tempo e l'altro po'",
        "a 5' break and a 12\" pipe",
        "„opened and never closed",
        "»Ende« fehlt« nur scheinbar«"[12:],
    ],
)
def test_apostrophes_and_open_marks_are_no_quotations(text: str) -> None:
    assert find_quotations(text) == []


def test_typographic_apostrophes_inside_single_marks_do_not_close_them() -> None:
    (found,) = find_quotations("It says ‘the controller’s duty’ plainly.")

    assert found.text == "the controller’s duty"


def test_only_the_outermost_of_nested_marks_count() -> None:
    (found,) = find_quotations("„zwrot „jednostka” oznacza podmiot” (art. 2)")

    assert found.text == "zwrot „jednostka” oznacza podmiot"


def test_a_mark_does_not_reach_into_the_next_paragraph_item_or_row() -> None:
    assert find_quotations("«offen\n\nzu»") == []
    assert find_quotations("- «offen\n- zu»") == []
    assert find_quotations("| «offen |\n| zu» |") == []


def test_a_block_quotation_counts_where_it_holds_no_marks() -> None:
    text = "Art. 3 reads:\n\n> The fee is due within\n> seven days.\n\nSo pay."

    (found,) = find_quotations(text)

    assert found.is_block
    assert found.text.startswith("The fee") and found.text.endswith("seven days.")
    (inner,) = find_quotations("> As the act says, “the fee is due” (Art. 3).\n")
    assert not inner.is_block


def test_code_fences_are_left_out() -> None:
    assert find_quotations('```\nprint("the fee is due")\n```\n') == []


@given(st.text(alphabet="ab \n\"'„”“«»‹›‘’‚>|-*.,([)]", max_size=300))
def test_any_text_gives_disjoint_spans_in_order(text: str) -> None:
    found = find_quotations(text)

    assert all(text[each.start : each.end] == each.text for each in found)
    assert all(each.outer_start <= each.start < each.end <= each.outer_end for each in found)
    assert all(left.outer_end <= right.outer_start for left, right in itertools.pairwise(found))


@pytest.mark.parametrize("fragment", ["„", '"', "«", "»", "'a", "> a\n", "“x ", "„a” ", "```\n", "&quot;"])
def test_a_repeated_fragment_does_not_make_it_slow(fragment: str) -> None:
    started = time.process_time()

    find_quotations(fragment * (200_000 // len(fragment)))

    assert time.process_time() - started < 5
