"""What two editions of an act have different, article by article."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lexreview.law.browsing import ActPage, EditionStop, unit_address
from lexreview.law.changes import (
    ADDED,
    FOOTNOTE_ONLY,
    MODIFIED,
    REMOVED,
    RENUMBERED,
    REPEALED,
    TYPOGRAPHIC_ONLY,
    Change,
    changes_between,
)

KIND_WORDS: Mapping[str, str | Promise] = {
    ADDED: _("added"),
    MODIFIED: _("changed"),
    REPEALED: _("repealed"),
    REMOVED: _("no longer printed"),
    RENUMBERED: _("renumbered"),
    FOOTNOTE_ONLY: _("notes only"),
    TYPOGRAPHIC_ONLY: _("typography only"),
}
KIND_CSS = {ADDED: "ok", MODIFIED: "w", REPEALED: "f", REMOVED: "f"}


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One article that differs, with the address at which both wordings stand side by side."""

    change: Change
    label: str
    moved_from: str
    url: str

    @property
    def kind_words(self) -> str | Promise:
        return KIND_WORDS[self.change.kind]

    @property
    def beginning(self) -> str:
        """The later text, of an article that is gone the earlier one."""
        return self.change.after or self.change.before

    @property
    def css(self) -> str:
        return KIND_CSS.get(self.change.kind, "o")


class ChangesPage:
    """Two editions of an act in the language of `page`; without a choice the edition shown and the one before it."""

    def __init__(self, page: ActPage, *, left: int | None, right: int | None) -> None:
        self.page = page
        by_pk = {stop.edition.pk: stop for stop in page.editions}
        self.right: EditionStop | None = by_pk.get(right or 0, page.shown)
        self.left: EditionStop | None = by_pk.get(left or 0, page.before_shown)

    @cached_property
    def rows(self) -> list[ChangeRow]:
        """In the order of the right edition; two queries."""
        if self.left is None or self.right is None:
            return []
        return [self._row(change, self.left, self.right) for change in self._changes(self.left, self.right)]

    def _changes(self, left: EditionStop, right: EditionStop) -> list[Change]:
        return changes_between(left.edition, right.edition)

    def _row(self, change: Change, left: EditionStop, right: EditionStop) -> ChangeRow:
        key = change.key_after or change.key_before or ""
        day = right.valid_from if change.key_after else left.valid_from
        address = unit_address(self.page.act, unit=key, on=day, language=self.page.language)
        moved = bool(change.key_before and change.key_after and change.key_before != change.key_after)
        return ChangeRow(
            change,
            label=self.page.name_of(key),
            moved_from=self.page.name_of(change.key_before) if moved and change.key_before else "",
            url=f"{address}&left={left.edition.pk}&right={right.edition.pk}#compare",
        )

    @property
    def counts(self) -> list[tuple[str | Promise, int]]:
        """How many articles of each kind, in the order of KIND_WORDS."""
        found = Counter(row.change.kind for row in self.rows)
        return [(words, found[kind]) for kind, words in KIND_WORDS.items() if found[kind]]
