"""What becomes of planted errors, by hand."""

from fractions import Fraction

import pytest

from lexreview.core.methods.reference_card.planted import (
    Aspect,
    Fate,
    Kind,
    Place,
    Reviewed,
    fate_of,
    planted_in,
    spoiled_in,
    tally,
)

POINTS = Place(Aspect.POINTS, "B1")
ON = {aspect: Place(aspect, "4") for aspect in Aspect}
WRONG = {
    ON[Aspect.VERDICT]: "wrong",
    ON[Aspect.ERROR_CLASS]: "W",
    ON[Aspect.ORIGIN]: "memory",
    ON[Aspect.SCOPE]: "core",
}
RIGHT = {ON[Aspect.VERDICT]: "right"}


@pytest.mark.parametrize(
    ("right", "proposed", "kinds"),
    [
        (WRONG, RIGHT, [Kind.MISSED_ERROR]),
        (WRONG, {ON[Aspect.VERDICT]: "open"}, [Kind.MISSED_ERROR]),
        (RIGHT, WRONG, [Kind.FALSE_ALARM]),
        (WRONG, {**WRONG, ON[Aspect.ERROR_CLASS]: "T"}, [Kind.ERROR_CLASS]),
        (WRONG, {**WRONG, ON[Aspect.ORIGIN]: "source_read", ON[Aspect.SCOPE]: "peripheral"}, [Kind.ORIGIN, Kind.SCOPE]),
        ({POINTS: "1"}, {POINTS: "2"}, [Kind.POINTS]),
        ({POINTS: "1"}, {}, []),
        (WRONG, WRONG, []),
        (RIGHT, RIGHT, []),
    ],
)
def test_an_error_is_planted_where_something_else_than_what_is_right_is_proposed(
    right: dict[Place, str], proposed: dict[Place, str], kinds: list[Kind]
) -> None:
    assert [each.kind for each in planted_in(right, proposed)] == kinds


@pytest.mark.parametrize(
    ("decided", "fate"),
    [
        ({POINTS: "1"}, Fate.FOUND),
        ({POINTS: "2"}, Fate.LEFT_IN),
        ({POINTS: "0"}, Fate.OTHERWISE),
    ],
)
def test_points_are_found_left_in_or_changed_to_something_else(decided: dict[Place, str], fate: Fate) -> None:
    [planted] = planted_in({POINTS: "1"}, {POINTS: "2"})

    assert fate_of(planted, decided) is fate


def test_a_citation_that_nobody_checked_leaves_the_error_in_and_one_called_right_has_lost_its_class() -> None:
    [missed] = planted_in(WRONG, RIGHT)
    [mistaken] = planted_in(WRONG, {**WRONG, ON[Aspect.ERROR_CLASS]: "T"})

    assert fate_of(missed, {}) is Fate.LEFT_IN
    assert fate_of(missed, {**WRONG, ON[Aspect.ERROR_CLASS]: "F"}) is Fate.FOUND
    assert fate_of(mistaken, RIGHT) is Fate.OTHERWISE


def test_a_right_proposal_decided_otherwise_is_spoiled_and_one_left_undecided_is_not() -> None:
    right = {POINTS: "1", **WRONG}
    cases = {
        (): {POINTS: "1", **WRONG},
        (POINTS,): {POINTS: "0", **WRONG},
        (ON[Aspect.VERDICT],): {POINTS: "1", **RIGHT},
        (ON[Aspect.SCOPE],): {POINTS: "1", **WRONG, ON[Aspect.SCOPE]: "peripheral"},
    }
    undecided = Reviewed(answer="a", right=right, proposed=right, decided={POINTS: "1"})

    assert spoiled_in(undecided) == ()
    for places, decided in cases.items():
        assert spoiled_in(Reviewed(answer="a", right=right, proposed=right, decided=decided)) == places


def test_a_tally_counts_errors_and_not_cards() -> None:
    """Two planted on the first card, one put right; one on the second, changed otherwise. Of the right proposals, one
    point on each card, the second is spoiled: 1 of 3 and 1 of 2. (30 + 50) / 2 seconds; the third was not timed."""
    other = Place(Aspect.POINTS, "B2")
    right = {POINTS: "1", other: "1", **RIGHT}
    proposed = {POINTS: "2", other: "1", **WRONG}
    cards = [
        Reviewed(answer="a", right=right, proposed=proposed, decided={POINTS: "1", other: "1", **WRONG}, seconds=30),
        Reviewed(
            answer="b",
            right={POINTS: "1", other: "1"},
            proposed={POINTS: "2", other: "1"},
            decided={POINTS: "0", other: "0"},
            seconds=50,
        ),
        Reviewed(answer="c", right={}, proposed={}, decided={}),
    ]

    figures = tally(cards)

    assert (figures.cards, figures.found.successes, figures.found.n) == (3, 1, 3)
    assert (figures.left_in, figures.otherwise) == (1, 1)
    assert figures.found.share == Fraction(1, 3)
    assert (figures.spoiled.successes, figures.spoiled.n) == (1, 2)
    assert {kind: (share.successes, share.n) for kind, share in figures.by_kind.items()} == {
        Kind.POINTS: (1, 2),
        Kind.FALSE_ALARM: (0, 1),
    }
    assert figures.seconds == 40


def test_nothing_to_count_is_undefined() -> None:
    figures = tally([])

    assert (figures.cards, figures.found.share, figures.found.wilson, figures.seconds) == (0, None, None, None)
    assert (figures.spoiled.share, figures.by_kind) == (None, {})
