from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.periods import InvalidPeriod, Overlap, Period, day_after, day_before, gaps, merged, overlaps

FIRST = date(2024, 1, 1)
HORIZON = 40

days = st.integers(0, HORIZON - 1).map(lambda number: FIRST + timedelta(days=number))


@st.composite
def some_periods(draw: st.DrawFn) -> Period:
    start = draw(days)
    end = draw(st.none() | days)
    return Period(start, None if end is None else max(start, end))


def days_of(period: Period) -> set[date]:
    """The slow twin of a period: its days, up to and including the one after the horizon."""
    calendar = {FIRST + timedelta(days=number) for number in range(HORIZON + 1)}
    return {day for day in calendar if day >= period.valid_from and (period.valid_to is None or day <= period.valid_to)}


def days_of_all(periods: list[Period]) -> set[date]:
    return set().union(*(days_of(period) for period in periods))


def test_both_days_belong_to_the_period():
    period = Period(date(2024, 1, 1), date(2024, 12, 31))

    assert period.contains(date(2024, 1, 1))
    assert period.contains(date(2024, 12, 31))
    assert not period.contains(date(2023, 12, 31))
    assert not period.contains(date(2025, 1, 1))


def test_days_count_both_ends():
    # 2024 is a leap year: 31+29+31+30+31+30+31+31+30+31+30+31 = 366
    assert Period(date(2024, 1, 1), date(2024, 12, 31)).days == 366
    assert Period(date(2024, 5, 5), date(2024, 5, 5)).days == 1


def test_an_open_period_has_no_number_of_days():
    assert Period(FIRST).days is None
    assert Period(FIRST).is_open
    assert Period(FIRST).contains(date.max)


def test_last_day_before_first_day_is_refused():
    with pytest.raises(InvalidPeriod, match="2023-12-31 lies before the first day 2024-01-01"):
        Period(FIRST, date(2023, 12, 31))


def test_periods_that_meet_on_one_day_overlap_and_that_follow_do_not():
    year = Period(date(2024, 1, 1), date(2024, 12, 31))

    assert year.overlaps(Period(date(2024, 12, 31)))
    assert not year.overlaps(Period(date(2025, 1, 1)))
    assert year.is_followed_by(Period(date(2025, 1, 1)))
    assert not year.is_followed_by(Period(date(2025, 1, 2)))


def test_the_calendar_ends_without_an_error():
    last = Period(date.max, date.max)

    assert day_after(date.max) is None
    assert day_before(date.min) is None
    assert not last.is_followed_by(Period(FIRST))
    assert gaps([last, Period(FIRST, FIRST)]) == [Period(FIRST + timedelta(days=1), date.max - timedelta(days=1))]


def test_a_newer_edition_ends_the_older_one_the_day_before():
    assert Period(FIRST).ending_before(date(2025, 7, 1)) == Period(FIRST, date(2025, 6, 30))
    assert Period(FIRST).ending_before(FIRST) is None
    assert Period(FIRST).ending_before(date.min) is None
    assert Period(FIRST, date(2024, 6, 30)).ending_before(date(2025, 1, 1)) == Period(FIRST, date(2024, 6, 30))
    assert Period(FIRST, date(2024, 6, 30)).starting_on(date(2024, 6, 30)) == Period(
        date(2024, 6, 30), date(2024, 6, 30)
    )
    assert Period(FIRST, date(2024, 6, 30)).starting_on(date(2024, 7, 1)) is None


def test_gap_lists_the_days_that_no_edition_covers():
    editions = [Period(date(2024, 3, 1)), Period(date(2023, 1, 1), date(2023, 12, 31))]

    assert gaps(editions) == [Period(date(2024, 1, 1), date(2024, 2, 29))]


@pytest.mark.parametrize("periods", [[], [Period(FIRST)], [Period(FIRST), Period(FIRST + timedelta(days=9))]])
def test_no_gap_without_periods_and_after_an_open_one(periods):
    assert gaps(periods) == []


def test_overlap_names_the_places_and_the_shared_days():
    editions = [Period(date(2025, 1, 1)), Period(date(2024, 1, 1), date(2025, 1, 31)), Period(date(2023, 1, 1), FIRST)]

    assert overlaps(editions) == [
        Overlap(0, 1, Period(date(2025, 1, 1), date(2025, 1, 31))),
        Overlap(1, 2, Period(FIRST, FIRST)),
    ]


@given(some_periods(), days)
def test_contains_agrees_with_its_days(period, day):
    assert period.contains(day) == (day in days_of(period))


@given(some_periods(), some_periods())
def test_intersection_has_the_days_of_both(one, other):
    shared = one.intersect(other)

    assert (set() if shared is None else days_of(shared)) == days_of(one) & days_of(other)
    assert one.overlaps(other) == (shared is not None) == other.overlaps(one)
    if shared is not None:
        assert shared.is_open == (one.is_open and other.is_open)


@given(st.lists(some_periods(), max_size=6))
def test_gaps_have_the_uncovered_days_in_between(periods):
    covered = days_of_all(periods)
    between = {day for day in days_of(Period(min(covered), max(covered))) if day not in covered} if covered else set()

    found = gaps(periods)

    assert days_of_all(found) == between
    assert found == sorted(found, key=lambda gap: gap.valid_from)
    assert overlaps(found) == []


@given(st.lists(some_periods(), max_size=6))
def test_overlaps_are_all_pairs_that_share_a_day(periods):
    expected = {
        (first, second): days_of(periods[first]) & days_of(periods[second])
        for first in range(len(periods))
        for second in range(first + 1, len(periods))
        if days_of(periods[first]) & days_of(periods[second])
    }

    assert {(found.first, found.second): days_of(found.shared) for found in overlaps(periods)} == expected


@given(st.lists(some_periods(), max_size=6))
def test_merging_keeps_the_days_and_leaves_nothing_to_merge(periods):
    found = merged(periods)

    assert days_of_all(found) == days_of_all(periods)
    assert any(period.is_open for period in found) == any(period.is_open for period in periods)
    assert len(gaps(found)) == max(len(found) - 1, 0)


@given(some_periods(), days)
def test_what_ends_before_a_day_and_what_starts_on_it_make_the_whole(period, day):
    before, after = period.ending_before(day), period.starting_on(day)

    assert days_of_all([part for part in (before, after) if part]) == days_of(period)
    assert before is None or not before.contains(day)
