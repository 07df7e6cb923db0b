"""The keyboard of the card page: one registry, from which the key sheet, the script and the tests are fed.

A person may give most keys to others; what is fixed works with Ctrl, in a field, or by the place of a digit.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Context(StrEnum):
    """Where a key works. Digits mean points while a criterion has the focus and the origin otherwise."""

    CARD = "card"
    CITATION = "citation"
    CRITERION = "criterion"
    FIELD = "field"


CONTEXT_LABELS = {
    Context.CARD: _("Card"),
    Context.CITATION: _("Chosen citation"),
    Context.CRITERION: _("Criterion with the focus"),
    Context.FIELD: _("While typing"),
}


class Key(NamedTuple):
    """`key`: the character typed (a digit is matched by its place on the keyboard), two with a space between where one
    follows the other, "" for none; `does`: the element or function. `fixed`: nobody can give it to another key."""

    key: str
    does: str
    words: str | Promise
    context: Context
    shown: str = ""
    fixed: bool = False

    @property
    def sign(self) -> str:
        """What stands on a button for it."""
        return self.shown or " ".join(map(_sign, self.strokes))

    @property
    def strokes(self) -> list[str]:
        """The keys to press one after the other."""
        return self.key.split(" ")


def _sign(stroke: str) -> str:
    return SHOWN.get(stroke, "") or (f"⇧{stroke}" if stroke.isupper() else stroke)


SHOWN = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", "Escape": "Esc"}


KEYS = (
    Key("j", "next-citation", _("next citation"), Context.CARD),
    Key("k", "previous-citation", _("previous citation"), Context.CARD),
    Key("l", "next-open", _("next citation that is not decided"), Context.CARD),
    Key("i", "next-criterion", _("next criterion"), Context.CARD),
    Key("z", "accept-proposals", _("accept all proposed points that are sure"), Context.CARD),
    Key("h", "confirm-in-bulk", _("confirm all citations that code found identical"), Context.CARD),
    Key("m", "missed-citation", _("add the selected words as a missed citation"), Context.CARD),
    Key("n", "new-finding", _("new finding from the selected words"), Context.CARD),
    Key("v", "toggle-source", _("show or hide the source"), Context.CARD),
    Key(",", "earlier-edition", _("earlier edition"), Context.CARD),
    Key(".", "later-edition", _("later edition"), Context.CARD),
    Key("b", "toggle-raw", _("answer as stored"), Context.CARD),
    Key("H", "toggle-order", _("citations by need or in text order"), Context.CARD),
    Key("q", "fold-question", _("question"), Context.CARD),
    Key("y", "fold-key", _("key"), Context.CARD),
    Key("T", "fold-trace", _("trace"), Context.CARD),
    Key("Enter", "approve", _("approve and open the next card"), Context.CARD),
    Key("p", "park", _("park, with a reason"), Context.CARD),
    Key("d", "ask-ruling", _("ask for a ruling"), Context.CARD),
    Key("ArrowLeft", "previous-card", _("previous card"), Context.CARD),
    Key("ArrowRight", "next-card", _("next card"), Context.CARD),
    Key("g q", "go-queue", _("go to the queue"), Context.CARD),
    Key("g m", "go-decisions", _("go to my decisions"), Context.CARD),
    Key("g l", "go-log", _("go to the decision log"), Context.CARD),
    Key("Ctrl+z", "undo", _("take back the last change, also after saving"), Context.CARD, "Ctrl Z", True),
    Key("?", "show-keys", _("this sheet"), Context.CARD),
    Key("a", "agree", _("agree with the proposal, or confirm"), Context.CITATION),
    Key("t", "set-t", _("wrong: class T"), Context.CITATION),
    Key("w", "set-w", _("wrong: class W"), Context.CITATION),
    Key("f", "set-f", _("wrong: class F"), Context.CITATION),
    Key("s", "set-s", _("wrong: class S"), Context.CITATION),
    Key("o", "no-error", _("no error: confirm"), Context.CITATION),
    Key("u", "cannot-tell", _("cannot be established"), Context.CITATION),
    Key("c", "scope-core", _("scope: core"), Context.CITATION),
    Key("x", "scope-peripheral", _("scope: peripheral"), Context.CITATION),
    Key("1", "origin-memory", _("origin: memory"), Context.CITATION),
    Key("2", "origin-source_read", _("origin: source read"), Context.CITATION),
    Key("3", "origin-secondary_source", _("origin: secondary source"), Context.CITATION),
    Key("4", "origin-undetermined", _("origin: undetermined"), Context.CITATION),
    Key("e", "edit-finding", _("write the evidence of its error"), Context.CITATION),
    Key("r", "classes", _("what the classes mean"), Context.CITATION),
    Key("0-9", "points", _("set the points"), Context.CRITERION, "0 … 9", True),
    Key("e", "edit-evidence", _("write the evidence"), Context.CRITERION),
    Key("r", "rule", _("what the criterion means"), Context.CRITERION),
    Key("Escape", "leave-field", _("leave the field"), Context.FIELD, "Esc", True),
    Key(
        "Ctrl+Enter",
        "approve",
        _("send the form, or where it saves by itself approve and open the next card"),
        Context.FIELD,
        "Ctrl Enter",
        True,
    ),
)


# Firefox searches on / and ', the space bar and the paging keys scroll, Tab and Backspace move, F-keys are commands.
TAKEN_BY_BROWSERS = frozenset(
    ["/", "'", " ", "Tab", "Backspace", "Delete", "Home", "End", "PageUp", "PageDown", "ArrowUp", "ArrowDown", "Escape"]
    + [f"F{number}" for number in range(1, 13)]
)
# With Ctrl: what a page cannot have, or must not take from people.
TAKEN_WITH_CTRL = frozenset("tnwTNWlrkfphdjucvxaso+-0123456789")
NAMED_KEYS = ("Enter", "ArrowLeft", "ArrowRight", "Insert")


def is_free(key: str) -> bool:
    """Whether a person may use the key: one printable character, two with a space between, or a named key, and none
    that browsers need."""
    if key in TAKEN_BY_BROWSERS:
        return False
    strokes = key.split(" ")
    if len(strokes) == 2:
        return all(len(stroke) == 1 and is_free(stroke) for stroke in strokes)
    if key.startswith("Ctrl+"):
        return key.removeprefix("Ctrl+") not in TAKEN_WITH_CTRL
    return key in NAMED_KEYS or (len(key) == 1 and unicodedata.category(key)[0] in "LNPS")


def keys_with(chosen: Mapping[str, str]) -> tuple[Key, ...]:
    """The registry as a person set it; `chosen`: by what a key does the key that does it instead.

    A key of the registry that would mean two things by the side of a chosen one gives way, and does nothing.
    """
    own = {does: key for does, key in chosen.items() if key}
    keys = [key._replace(key=own[key.does], shown="") if _is_of(key, own) else key for key in KEYS]
    doubled = collisions(keys)
    return tuple(
        key._replace(key="") if key.key in doubled and not (key.fixed or _is_of(key, own)) else key for key in keys
    )


def _is_of(key: Key, own: Mapping[str, str]) -> bool:
    return not key.fixed and key.does in own


def keys_by_context(keys: Iterable[Key] = KEYS) -> list[tuple[Context, str | Promise, list[Key]]]:
    every = list(keys)
    return [
        (context, words, [key for key in every if key.context is context]) for context, words in CONTEXT_LABELS.items()
    ]


def signs_of(keys: Iterable[Key]) -> dict[str, str]:
    """By what a key does the sign for a button; of two keys that do the same the first."""
    signs: dict[str, str] = {}
    for key in keys:
        if key.key:
            signs.setdefault(key.does, key.sign)
    return signs


# What the page listens to at the same time. A criterion with the focus takes digits before the citation does.
HEARD_TOGETHER = ((Context.CARD, Context.CITATION), (Context.CARD, Context.CRITERION), (Context.FIELD,))


def collisions(keys: Iterable[Key] = KEYS) -> set[str]:
    """Keys that mean two things at once, also those that are the first stroke of two."""
    every = [key for key in keys if key.key]
    found: set[str] = set()
    for contexts in HEARD_TOGETHER:
        heard = Counter(key.key for key in every if key.context in contexts)
        found |= {key for key, count in heard.items() if count > 1}
        longer = {key.key: key.strokes[0] for key in every if key.context in contexts and len(key.strokes) > 1}
        found |= {each for key, first in longer.items() if first in heard for each in (key, first)}
    return found
