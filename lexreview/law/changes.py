"""What changed between two editions of an act: added, modified, repealed, or only a note or the typography."""

from dataclasses import dataclass

from rapidfuzz import fuzz, process

from lexreview.law.folding import fold_space, fold_text
from lexreview.law.keys import split_key
from lexreview.law.models import Edition, Unit
from lexreview.law.reading import EditionText, read_edition

ADDED, MODIFIED, REPEALED, REMOVED = "added", "modified", "repealed", "removed"
FOOTNOTE_ONLY, TYPOGRAPHIC_ONLY, RENUMBERED = "footnote_only", "typographic_only", "renumbered"
ALIKE = 75.0
"""From this likeness (0 to 100) on two containers of transitional provisions are taken for the same one."""


@dataclass(frozen=True, slots=True)
class Change:
    """One article that differs. `kind` is one of the constants of this module; the keys differ where it was renumbered.

    `removed`: the later edition no longer prints the article; `repealed`: it prints it as repealed. An article that is
    born empty counts as neither added nor repealed and gives no change.
    """

    kind: str
    key_before: str | None
    key_after: str | None
    before: str
    after: str


def changes_between(before: Edition, after: Edition) -> list[Change]:
    """The articles that differ between two editions of one language, in the order of the later text.

    Articles are paired by key; in transitional containers, whose numbers move when one is inserted, by the likeness of
    the containers' content first. Notes are compared apart from the text. ValueError for editions of two languages.
    """
    if before.language != after.language:
        raise ValueError(f"editions of two languages are not compared: {before.language}, {after.language}")
    return compare(read_edition(before), read_edition(after))


def compare(before: EditionText, after: EditionText) -> list[Change]:
    """`changes_between` on editions that were read already."""
    old, new = _articles(before), _articles(after)
    moved = _moved_containers(before, after)
    pairs = [(_old_key(key, moved), key) for key in new]
    taken = {old_key for old_key, _ in pairs if old_key in old}
    changes = [
        change
        for old_key, key in pairs
        if (change := _compare_one(before, after, old.get(old_key), new[key])) is not None
    ]
    for key, unit in old.items():
        if key in taken or unit.is_repealed:
            continue
        ranged = after.find(key)
        if ranged is not None and ranged.is_repealed:
            changes.append(Change(REPEALED, key, ranged.key, before.full_text(unit), ""))
        elif ranged is None:
            changes.append(Change(REMOVED, key, None, before.full_text(unit), ""))
    return changes


def _articles(text: EditionText) -> dict[str, Unit]:
    """Articles by key (top paragraphs of executive acts too), the first where a number stands twice."""
    found: dict[str, Unit] = {}
    for unit in text.units:
        if unit.level == "art" or (unit.level == "par" and unit.key.count("/") == 0):
            found.setdefault(unit.key, unit)
    return found


def _compare_one(before: EditionText, after: EditionText, old: Unit | None, new: Unit) -> Change | None:
    now = "" if new.is_repealed else after.full_text(new)
    if old is None:
        return None if new.is_repealed else Change(ADDED, None, new.key, "", now)
    then = "" if old.is_repealed else before.full_text(old)
    if old.is_repealed and new.is_repealed:
        return None
    if new.is_repealed:
        return Change(REPEALED, old.key, new.key, then, "")
    if old.is_repealed:
        return Change(ADDED, old.key, new.key, "", now)
    kind = _kind(before, after, old, new, then, now)
    return Change(kind, old.key, new.key, then, now) if kind else None


def _kind(before: EditionText, after: EditionText, old: Unit, new: Unit, then: str, now: str) -> str:
    heads = (fold_text(old.heading), fold_text(new.heading)) if new.level == "art" else ("", "")
    if fold_text(then) != fold_text(now) or heads[0] != heads[1]:
        return MODIFIED
    if fold_space(then) != fold_space(now):
        return TYPOGRAPHIC_ONLY
    if [fold_text(note) for note in _notes(before, old)] != [fold_text(note) for note in _notes(after, new)]:
        return FOOTNOTE_ONLY
    return RENUMBERED if old.key != new.key else ""


def _notes(text: EditionText, unit: Unit) -> list[str]:
    return [note for inner in text.subtree(unit) for note in inner.notes]


def _old_key(key: str, moved: dict[str, str]) -> str:
    pairs = split_key(key)
    if pairs[0][0] != "dis" or pairs[0][1] not in moved:
        return key
    return key.replace(f"dis={pairs[0][1]}", f"dis={moved[pairs[0][1]]}", 1)


def _moved_containers(before: EditionText, after: EditionText) -> dict[str, str]:
    """New number to old number of transitional containers, paired by content: best likeness first, ties by number."""
    old, new = _containers(before), _containers(after)
    if not old or not new:
        return {}
    scores = process.cdist(list(new.values()), list(old.values()), scorer=fuzz.ratio)
    ranked = sorted(
        (-float(scores[row][column]), new_number, old_number)
        for row, new_number in enumerate(new)
        for column, old_number in enumerate(old)
    )
    pairs: dict[str, str] = {}
    for likeness, new_number, old_number in ranked:
        if -likeness >= ALIKE and new_number not in pairs and old_number not in pairs.values():
            pairs[new_number] = old_number
    return pairs | {number: f"new {number}" for number in new if number not in pairs}


def _containers(text: EditionText) -> dict[str, str]:
    """Number to heading and beginning of each transitional container."""
    return {
        split_key(unit.key)[0][1]: fold_text(f"{unit.heading} {text.full_text(unit)}")[:4000]
        for unit in text.units
        if unit.level in {"proviso", "transitional"} and unit.key.startswith("dis=")
    }
