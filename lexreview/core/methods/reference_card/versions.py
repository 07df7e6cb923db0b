"""Versions of a scoring specification: which cards may be compared, which have to be scored again."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")
_NAMED_IN_MESSAGE = 10

Version = tuple[int, int, int]


class DatedRules(Protocol):
    """What is asked of a specification here: its version and whether it changed scores."""

    @property
    def version(self) -> str: ...

    @property
    def rules_changed(self) -> bool: ...


class UnknownVersion(ValueError):
    """A card names a specification version that the chain does not hold."""


class MixedSpecifications(ValueError):
    """Records scored under different rules were to be compared.

    `groups` holds the records of each version, oldest version first, and `stale` those that have
    to be scored again under the newest rules.
    """

    def __init__(self, groups: Mapping[str, tuple[str, ...]], stale: tuple[str, ...]) -> None:
        self.groups = groups
        self.stale = stale
        listed = "; ".join(f"{version}: {_named(records)}" for version, records in groups.items())
        super().__init__(
            f"Scores of versions {', '.join(groups)} cannot be compared, the rules changed in between. "
            f"To be scored again: {_named(stale)}. Scored under {listed}."
        )


def parse_version(version: str) -> Version:
    """Major, minor, patch; `1.0` is `1.0.0`. `ValueError` for anything else."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise ValueError(f"expected a version such as 1.0.1, found {version!r}")
    major, minor, patch = match.groups()
    return int(major), int(minor), int(patch or 0)


def rescoring_needed(old: str, new: str, *, chain: Iterable[DatedRules]) -> bool:
    """Whether a version later than the older of the two, up to the newer, changed scores.

    `chain` are all versions of the specification in any order. The order of `old` and `new` does
    not matter. Raises `UnknownVersion` when one of them is not in the chain.
    """
    changed = {parse_version(each.version): each.rules_changed for each in chain}
    first, last = sorted((_known(old, changed), _known(new, changed)))
    return any(rules_changed for version, rules_changed in changed.items() if first < version <= last)


def check_same_rules(versions: Mapping[str, str], *, chain: Sequence[DatedRules]) -> str | None:
    """Refuse to mix records scored under rules that differ; return their newest version.

    `versions` gives the specification version of each record by its name (a card's identifier);
    None comes back when there is none. Raises `MixedSpecifications`, or `UnknownVersion`.
    """
    by_version: dict[str, list[str]] = {}
    for record, version in versions.items():
        by_version.setdefault(version, []).append(record)
    if not by_version:
        return None
    groups = {version: tuple(by_version[version]) for version in sorted(by_version, key=parse_version)}
    newest = list(groups)[-1]
    stale = tuple(
        record
        for version, records in groups.items()
        if rescoring_needed(version, newest, chain=chain)
        for record in records
    )
    if stale:
        raise MixedSpecifications(groups, stale)
    return newest


def _known(version: str, changed: Mapping[Version, bool]) -> Version:
    parsed = parse_version(version)
    if parsed not in changed:
        raise UnknownVersion(f"version {version} is not among the versions of the specification")
    return parsed


def _named(records: Sequence[str]) -> str:
    shown = ", ".join(records[:_NAMED_IN_MESSAGE])
    more = len(records) - _NAMED_IN_MESSAGE
    return f"{shown} and {more} more" if more > 0 else shown
