from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.methods.reference_card.versions import (
    MixedSpecifications,
    UnknownVersion,
    check_same_rules,
    parse_version,
    rescoring_needed,
)


@dataclass(frozen=True)
class Rules:
    version: str
    rules_changed: bool


# The history of the published methodology: the rules last changed with 1.0.1.
CHAIN = [
    Rules("1.0.4", False),
    Rules("1.0", True),
    Rules("1.0.1", True),
    Rules("1.0.2", False),
    Rules("1.0.3", False),
]


@pytest.mark.parametrize(("version", "parsed"), [("1.0", (1, 0, 0)), ("1.0.1", (1, 0, 1)), ("10.20.30", (10, 20, 30))])
def test_versions_are_read_as_numbers(version, parsed):
    assert parse_version(version) == parsed


@pytest.mark.parametrize("version", ["", "1", "v1.0", "1.0.1.2", "1.0-rc1", " 1.0"])
def test_what_is_no_version_is_refused(version):
    with pytest.raises(ValueError, match="expected a version such as"):
        parse_version(version)


@pytest.mark.parametrize(
    ("old", "new", "needed"),
    [
        ("1.0", "1.0.1", True),
        ("1.0", "1.0.4", True),
        ("1.0.4", "1.0", True),
        ("1.0.1", "1.0.4", False),
        ("1.0.4", "1.0.2", False),
        ("1.0.1", "1.0.1", False),
        ("1.0", "1.0.0", False),
    ],
)
def test_scoring_again_is_needed_when_the_rules_changed_in_between(old, new, needed):
    assert rescoring_needed(old, new, chain=CHAIN) is needed


def test_ten_comes_after_nine():
    chain = [Rules("1.9.0", True), Rules("1.10.0", True)]

    assert rescoring_needed("1.9.0", "1.10.0", chain=chain)
    same_rules = [Rules("1.9.0", True), Rules("1.10.0", False)]
    assert check_same_rules({"a": "1.10.0", "b": "1.9.0"}, chain=same_rules) == "1.10.0"


def test_an_unknown_version_is_refused():
    with pytest.raises(UnknownVersion, match=r"version 2\.0\.0 is not among"):
        rescoring_needed("1.0", "2.0.0", chain=CHAIN)
    with pytest.raises(UnknownVersion, match=r"version 1\.0\.9 is not among"):
        check_same_rules({"P01": "1.0.9"}, chain=CHAIN)


def test_versions_with_the_same_rules_may_be_mixed():
    assert check_same_rules({"P01": "1.0.1", "P02": "1.0.4", "P03": "1.0.2"}, chain=CHAIN) == "1.0.4"
    assert check_same_rules({}, chain=CHAIN) is None


def test_mixing_names_both_versions_and_the_cards_to_score_again():
    versions = {"P06_argon_W0_r1": "1.0", "P01_argon_W0_r1": "1.0.1", "P12_argon_W0_r1": "1.0"}

    with pytest.raises(MixedSpecifications) as mixed:
        check_same_rules(versions, chain=CHAIN)

    assert mixed.value.stale == ("P06_argon_W0_r1", "P12_argon_W0_r1")
    assert mixed.value.groups == {
        "1.0": ("P06_argon_W0_r1", "P12_argon_W0_r1"),
        "1.0.1": ("P01_argon_W0_r1",),
    }
    assert str(mixed.value) == (
        "Scores of versions 1.0, 1.0.1 cannot be compared, the rules changed in between. "
        "To be scored again: P06_argon_W0_r1, P12_argon_W0_r1. "
        "Scored under 1.0: P06_argon_W0_r1, P12_argon_W0_r1; 1.0.1: P01_argon_W0_r1."
    )


def test_a_long_list_of_cards_is_cut_in_the_message_and_whole_in_the_error():
    versions = {f"card {number}": "1.0" for number in range(13)} | {"new": "1.0.1"}

    with pytest.raises(MixedSpecifications, match=r"card 9 and 3 more") as mixed:
        check_same_rules(versions, chain=CHAIN)

    assert len(mixed.value.stale) == 13


@given(
    st.lists(st.booleans(), min_size=1, max_size=6),
    st.lists(st.integers(0, 5), min_size=1, max_size=6),
)
def test_refused_exactly_when_a_change_lies_between_the_oldest_and_the_newest(changes, picks):
    chain = [Rules(f"1.{number}.0", changed) for number, changed in enumerate(changes)]
    used = [pick % len(chain) for pick in picks]
    versions = {f"card {place}": chain[number].version for place, number in enumerate(used)}
    mixed = any(chain[number].rules_changed for number in range(min(used) + 1, max(used) + 1))

    if mixed:
        with pytest.raises(MixedSpecifications):
            check_same_rules(versions, chain=chain)
    else:
        assert check_same_rules(versions, chain=chain) == chain[max(used)].version
