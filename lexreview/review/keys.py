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


class Lack(StrEnum):
    """Why a key may find nothing to do."""

    FURTHER = "further"
    OPEN = "open"
    POINTS = "points"
    SURE = "sure"
    IDENTICAL = "identical"
    EDITION = "edition"
    PART = "part"
    ORDER = "order"
    HERE = "here"
    UNDO = "undo"
    CITATION = "citation"
    PROPOSAL = "proposal"
    STATE = "state"
    CLASS = "class"
    ERROR = "error"


LACK_WORDS = {
    Lack.FURTHER: _("There is no further citation in this direction."),
    Lack.OPEN: _("No other citation is left to decide."),
    Lack.POINTS: _("This criterion does not have these points, or has them already."),
    Lack.SURE: _("No proposed points that are sure are left to accept."),
    Lack.IDENTICAL: _("No citation that code found identical is left to confirm."),
    Lack.EDITION: _("No other edition is stored in this direction."),
    Lack.PART: _("This card has no such part."),
    Lack.ORDER: _("There are no two citations to be ordered."),
    Lack.HERE: _("This cannot be done with the card as it is now."),
    Lack.UNDO: _("There is nothing of yours to take back: the last change is somebody else's, or there is none."),
    Lack.CITATION: _("No citation is chosen."),
    Lack.PROPOSAL: _("The citation is decided already, or nothing is proposed for it."),
    Lack.STATE: _("The citation is in this state already."),
    Lack.CLASS: _("The specification does not have this class."),
    Lack.ERROR: _("The chosen citation has no error."),
}


class Key(NamedTuple):
    """`key`: the character typed (a digit is matched by its place on the keyboard), two with a space between where one
    follows the other, "" for none; `does`: the element or function. `fixed`: nobody can give it to another key.
    `lacks`: what there is none of where the key can do nothing; None where it always can. `changes`: whether it writes
    to the card, so that where the card takes no changes that is the reason."""

    key: str
    does: str
    words: str | Promise
    context: Context
    shown: str = ""
    fixed: bool = False
    lacks: Lack | None = None
    changes: bool = False

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
    Key("j", "next-citation", _("next citation"), Context.CARD, lacks=Lack.FURTHER),
    Key("k", "previous-citation", _("previous citation"), Context.CARD, lacks=Lack.FURTHER),
    Key("l", "next-open", _("next citation that is not decided"), Context.CARD, lacks=Lack.OPEN),
    Key("i", "next-criterion", _("next criterion"), Context.CARD, lacks=Lack.HERE, changes=True),
    Key(
        "z",
        "accept-proposals",
        _("accept all proposed points that are sure"),
        Context.CARD,
        lacks=Lack.SURE,
        changes=True,
    ),
    Key(
        "h",
        "confirm-in-bulk",
        _("confirm all citations that code found identical"),
        Context.CARD,
        lacks=Lack.IDENTICAL,
        changes=True,
    ),
    Key(
        "m",
        "missed-citation",
        _("add the selected words as a missed citation"),
        Context.CARD,
        lacks=Lack.HERE,
        changes=True,
    ),
    Key("n", "new-finding", _("new finding from the selected words"), Context.CARD, lacks=Lack.HERE, changes=True),
    Key("v", "toggle-source", _("show or hide the source"), Context.CARD),
    Key(",", "earlier-edition", _("earlier edition"), Context.CARD, lacks=Lack.EDITION),
    Key(".", "later-edition", _("later edition"), Context.CARD, lacks=Lack.EDITION),
    Key("b", "toggle-raw", _("answer as stored"), Context.CARD, lacks=Lack.PART),
    Key("H", "toggle-order", _("citations by need or in text order"), Context.CARD, lacks=Lack.ORDER),
    Key("q", "fold-question", _("question"), Context.CARD, lacks=Lack.PART),
    Key("y", "fold-key", _("key"), Context.CARD, lacks=Lack.PART),
    Key("T", "fold-trace", _("trace"), Context.CARD, lacks=Lack.PART),
    Key("Enter", "approve", _("approve and open the next card"), Context.CARD, lacks=Lack.HERE, changes=True),
    Key("p", "park", _("park, with a reason"), Context.CARD, lacks=Lack.HERE, changes=True),
    Key("d", "ask-ruling", _("ask for a ruling"), Context.CARD, lacks=Lack.HERE, changes=True),
    Key("ArrowLeft", "previous-card", _("previous card"), Context.CARD),
    Key("ArrowRight", "next-card", _("next card"), Context.CARD),
    Key("g q", "go-queue", _("go to the queue"), Context.CARD),
    Key("g m", "go-decisions", _("go to my decisions"), Context.CARD),
    Key("g l", "go-log", _("go to the decision log"), Context.CARD),
    Key(
        "Ctrl+z",
        "undo",
        _("take back the last change, also after saving"),
        Context.CARD,
        "Ctrl Z",
        True,
        lacks=Lack.UNDO,
        changes=True,
    ),
    Key("?", "show-keys", _("this sheet"), Context.CARD),
    Key("a", "agree", _("agree with the proposal, or confirm"), Context.CITATION, lacks=Lack.PROPOSAL, changes=True),
    Key("t", "set-t", _("wrong: class T"), Context.CITATION, lacks=Lack.CLASS, changes=True),
    Key("w", "set-w", _("wrong: class W"), Context.CITATION, lacks=Lack.CLASS, changes=True),
    Key("f", "set-f", _("wrong: class F"), Context.CITATION, lacks=Lack.CLASS, changes=True),
    Key("s", "set-s", _("wrong: class S"), Context.CITATION, lacks=Lack.CLASS, changes=True),
    Key("o", "no-error", _("no error: confirm"), Context.CITATION, lacks=Lack.STATE, changes=True),
    Key("u", "cannot-tell", _("cannot be established"), Context.CITATION, lacks=Lack.STATE, changes=True),
    Key("c", "scope-core", _("scope: core"), Context.CITATION, lacks=Lack.ERROR, changes=True),
    Key("x", "scope-peripheral", _("scope: peripheral"), Context.CITATION, lacks=Lack.ERROR, changes=True),
    Key("1", "origin-memory", _("origin: memory"), Context.CITATION, lacks=Lack.ERROR, changes=True),
    Key("2", "origin-source_read", _("origin: source read"), Context.CITATION, lacks=Lack.ERROR, changes=True),
    Key(
        "3", "origin-secondary_source", _("origin: secondary source"), Context.CITATION, lacks=Lack.ERROR, changes=True
    ),
    Key("4", "origin-undetermined", _("origin: undetermined"), Context.CITATION, lacks=Lack.ERROR, changes=True),
    Key("e", "edit-finding", _("write the evidence of its error"), Context.CITATION, lacks=Lack.ERROR, changes=True),
    Key("r", "classes", _("what the classes mean"), Context.CITATION, lacks=Lack.CITATION),
    Key("0-9", "points", _("set the points"), Context.CRITERION, "0 … 9", True, lacks=Lack.POINTS, changes=True),
    Key("e", "edit-evidence", _("write the evidence"), Context.CRITERION, lacks=Lack.HERE, changes=True),
    Key("r", "rule", _("what the criterion means"), Context.CRITERION, lacks=Lack.PART),
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
