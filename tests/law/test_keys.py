import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.law.keys import ancestor_keys, article_key, in_range, make_key, number_rank, split_key
from lexreview.law.names import fold_docket, fold_name


def test_a_key_has_one_order_whatever_the_nesting() -> None:
    assert make_key([("lit", "A"), ("art", "3"), ("pkt", "1"), ("ust", "5bis")]) == "art=3/ust=5bis/pkt=1/lit=a"


@pytest.mark.parametrize("key", ["", "art", "art=", "foo=1", "art=1/=2", "@part/1"])
def test_a_key_of_another_shape_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="unit key"):
        split_key(key)


NUMBERS = st.tuples(st.integers(1, 999), st.sampled_from(["", "^1", "^12"]), st.sampled_from(["", "a", "bis", "abis"]))


@given(st.lists(st.sampled_from(["dis", "art", "par", "ust", "pkt", "lit"]), unique=True, min_size=1), st.data())
def test_making_and_splitting_a_key_agree(levels: list[str], data: st.DataObject) -> None:
    number = NUMBERS.map(lambda parts: "".join(str(part) for part in parts))
    pairs = [(level, data.draw(number)) for level in levels]

    assert sorted(split_key(make_key(pairs))) == sorted(pairs)


def test_article_and_ancestors_of_a_key() -> None:
    assert article_key("dis=1/art=5/ust=2/lit=a") == "dis=1/art=5"
    assert article_key("par=3/ust=2") == "par=3"
    assert ancestor_keys("dis=1/art=5/ust=2/lit=a") == ["dis=1/art=5/ust=2", "dis=1/art=5"]
    assert ancestor_keys("art=5") == []


def test_numbers_rank_as_laws_insert_them() -> None:
    numbers = ["28", "28^1", "28^1a", "28^2", "28a", "28abis", "28ater", "28b", "28z", "28aa", "29", "100"]

    ranks = [number_rank(number) for number in numbers]

    assert all(rank is not None for rank in ranks)
    assert ranks == sorted(ranks)  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("number", "first", "last", "inside"),
    [
        ("28e", "28d", "28f", True), ("28d", "28d", "28f", True), ("28g", "28d", "28f", False),
        ("45a", "43", "48", True), ("48a", "43", "48", False), ("22^1b", "22^1a", "22^1c", True),
        ("b", "a", "c", True), ("d", "a", "c", False), ("?", "1", "2", False),
    ],
)  # fmt: skip
def test_a_range_answers_for_every_number_in_it(number: str, first: str, last: str, inside: bool) -> None:
    assert in_range(number, first=first, last=last) is inside


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("k.c.", "KC"),
        ("K. C.", "kc"),
        ("BGÖ", "bgo"),
        ("Ustawa o  szkołach", "ustawa o szkolach"),
        ("SR 235.1", "sr 235 1"),
    ],
)
def test_spellings_of_a_name_meet(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


def test_names_with_different_words_stay_apart() -> None:
    assert fold_name("Act on Fees") != fold_name("Act on Feet")
    assert fold_name("…") == ""


def test_dockets_meet_in_any_spelling_but_keep_their_year() -> None:
    assert fold_docket("III CZP 25/22") == fold_docket("iii  czp 25/22") == fold_docket("IIICZP 25/22")
    assert fold_docket("C‑520/21") == fold_docket("C-520/21")
    assert fold_docket("III CZP 25/22") != fold_docket("III CZP 25/2022")
