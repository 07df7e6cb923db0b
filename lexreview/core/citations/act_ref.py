"""What a text says about the act of a citation."""

from __future__ import annotations

from dataclasses import dataclass

from lexreview.core.citations.act_entry import ActEntry

PRIVATE = "private"
FOREIGN = "foreign"


@dataclass(slots=True)
class ActRef:
    """One mention of an act in a view: its span there and what it means.

    ``act`` is a registry id; ``candidates`` are the acts of an ambiguous name. ``identified`` says that the text
    gives an
    official number. ``excluded`` names a reason why units of this are not citations of the law (``PRIVATE``,
    ``FOREIGN``).
    ``anaphora`` marks a reference back that was resolved. ``noun`` is the folded type noun of a mention by type and
    date
    only, ``adopted`` that date. ``reach`` is the end of a bracket behind the mention that gives it a short name.
    ``published`` is a place in a gazette, which is no number of an act named in front of it.
    """

    start: int
    end: int
    act: str | None = None
    candidates: tuple[str, ...] = ()
    entries: tuple[ActEntry, ...] = ()
    journal: str | None = None
    celex: str | None = None
    sr: str | None = None
    identified: bool = False
    excluded: str | None = None
    anaphora: bool = False
    noun: str | None = None
    adopted: str | None = None
    guessed: bool = False
    reach: int = 0
    published: bool = False

    @property
    def named(self) -> bool:
        """Does the mention settle on one act?"""
        return self.act is not None

    def again(self, start: int, end: int) -> ActRef:
        """The same act, meant once more at another place."""
        return ActRef(start, end, act=self.act, candidates=self.candidates, entries=self.entries, anaphora=True)
