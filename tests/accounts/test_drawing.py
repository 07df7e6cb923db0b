from datetime import date

import pytest

from lexreview.accounts.drawing import MOST_STOPS, edition_places, per_cent

STARTS = [date(2017 + year, 1, 1) for year in range(9)]


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0"), (0.5, "50"), (0.125, "12.5"), (1 / 3, "33.33"), (1, "100"), (-0.2, "0"), (1.7, "100")],
)
def test_per_cent_is_written_with_a_point_and_cut_to_the_ends(share: float, text: str) -> None:
    assert per_cent(share) == text


def test_single_edition_stands_alone() -> None:
    line = edition_places(starts=[None], shown=0, day=None)

    assert [(stop.place, stop.on) for stop in line.stops] == [(0, True)]
    assert (line.day_x, line.earlier, line.later) == (None, 0, 0)


@pytest.mark.parametrize("shown", range(len(STARTS)))
def test_shown_edition_is_always_drawn_and_all_are_counted(shown: int) -> None:
    line = edition_places(starts=STARTS, shown=shown, day=None)

    assert [stop.place for stop in line.stops if stop.on] == [shown]
    assert line.earlier + len(line.stops) + line.later == len(STARTS)
    assert len(line.stops) == MOST_STOPS


def test_editions_keep_their_order_from_left_to_right() -> None:
    line = edition_places(starts=STARTS, shown=4, day=None)

    places = [float(stop.x) for stop in line.stops]
    assert places == sorted(places)
    assert places[0] >= 0
    assert places[-1] <= 100


@pytest.mark.parametrize(
    ("day", "left", "right"),
    [(date(2016, 5, 5), None, 0), (date(2017, 1, 1), 0, 1), (date(2018, 7, 1), 1, 2), (date(2030, 1, 1), 3, None)],
)
def test_day_stands_between_the_editions_around_it(day: date, left: int | None, right: int | None) -> None:
    line = edition_places(starts=STARTS[:4], shown=0, day=day)

    assert line.day_x is not None
    if left is not None:
        assert float(line.day_x) > float(line.stops[left].x)
    if right is not None:
        assert float(line.day_x) < float(line.stops[right].x)


def test_no_edition_is_refused() -> None:
    with pytest.raises(ValueError, match="no edition"):
        edition_places(starts=[], shown=0, day=None)
