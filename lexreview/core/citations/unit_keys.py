"""The canonical key of a unit: ``art=24/ust=5bis/lit=a``."""

from __future__ import annotations

from collections.abc import Mapping

UNIT_LEVELS = ("dis", "art", "par", "ust", "pkt", "lit", "tiret")


class BadUnitKey(ValueError):
    """A string that is not a canonical unit key."""


def unit_key(
    levels: Mapping[str, str | None] | None = None,
    /,
    **named: str | None,
) -> str | None:
    """Join levels to the canonical key, in the order of ``UNIT_LEVELS``.

    ``par`` is a section sign of a Polish kind, ``ust`` a paragraph (Abs., al., cpv., ust., EU paragraph),
    ``pkt`` a point or number. Values are glued lower-case suffixes (``5bis``) and ``^`` superscripts
    (``117^1``). Empty levels are skipped; ``None`` when nothing is left. Unknown levels raise ``BadUnitKey``.
    """
    given = {**(levels or {}), **named}
    unknown = set(given) - set(UNIT_LEVELS)
    if unknown:
        raise BadUnitKey(f"unknown unit level: {', '.join(sorted(unknown))}")
    parts = [f"{level}={given[level]}" for level in UNIT_LEVELS if given.get(level)]
    return "/".join(parts) or None


def parse_unit_key(key: str | None) -> dict[str, str]:
    """Split a canonical key into its levels, outermost first; an empty key gives an empty mapping.

    Raises ``BadUnitKey`` for unknown, repeated, disordered or empty levels.
    """
    levels: dict[str, str] = {}
    last = -1
    for part in (key or "").split("/") if key else ():
        level, separator, value = part.partition("=")
        if level not in UNIT_LEVELS or not separator or not value:
            raise BadUnitKey(f"not a unit level: {part!r} in {key!r}")
        position = UNIT_LEVELS.index(level)
        if position <= last:
            raise BadUnitKey(f"levels out of order in {key!r}")
        last = position
        levels[level] = value
    return levels
