"""Places on a drawing, as per cent of its width in text form: what the SVG components print as attributes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

MOST_STOPS = 4
LEFT, RIGHT = 10.0, 92.0


def per_cent(share: float) -> str:
    """A share in [0, 1] as "12.5"; cut to the ends; always with a point, for it goes into an attribute."""
    return f"{float(min(max(share, 0), 1)) * 100:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, kw_only=True)
class Stop:
    """One edition on the line; `place` is its index among all editions given."""

    place: int
    x: str
    on: bool


@dataclass(frozen=True, kw_only=True)
class EditionLine:
    stops: tuple[Stop, ...]
    day_x: str | None
    earlier: int
    later: int


def edition_places(*, starts: Sequence[date | None], shown: int, day: date | None) -> EditionLine:
    """Where to draw editions and the day that was asked about.

    `starts`: first days in force, in order of time, None = unknown (only sensible for the first one); `shown`: index of
    the edition on display. At most MOST_STOPS are drawn, the shown one among them, evenly spread: the line keeps order,
    not scale. The day lies between its neighbours in proportion to time. Errors: ValueError without editions.
    """
    if not starts:
        raise ValueError("no edition to draw")
    first = min(max(shown - MOST_STOPS // 2, 0), max(len(starts) - MOST_STOPS, 0))
    window = list(range(first, min(first + MOST_STOPS, len(starts))))
    step = (RIGHT - LEFT - 8.0) / max(len(window) - 1, 1)
    xs = [LEFT + step * position for position in range(len(window))]
    stops = tuple(
        Stop(place=place, x=per_cent(x / 100), on=place == shown) for place, x in zip(window, xs, strict=True)
    )
    day_x = None if day is None else per_cent(_place_of_day(day, [starts[place] for place in window], xs) / 100)
    return EditionLine(stops=stops, day_x=day_x, earlier=first, later=len(starts) - first - len(window))


def _place_of_day(day: date, starts: Sequence[date | None], xs: Sequence[float]) -> float:
    before = [index for index, start in enumerate(starts) if start is None or start <= day]
    if not before:
        return xs[0] / 2
    left = before[-1]
    if left + 1 == len(xs):
        return min(xs[left] + 10.0, 99.0)
    start, end = starts[left], starts[left + 1]
    share = 0.5 if start is None or end is None else (day - start).days / (end - start).days
    return xs[left] + (xs[left + 1] - xs[left]) * min(max(share, 0.12), 0.88)
