"""Acts that a text names by a shortened title, such as the day of adoption and the first words of what it is about."""

import re
from collections.abc import Sequence
from datetime import date
from itertools import takewhile

from lexreview.core.citations.dates import dates_in
from lexreview.law.models import Act
from lexreview.law.names import fold_name, name_stems
from lexreview.verification.checked import Inquiry

_FEWEST_WORDS = 2
# Words with which many titles begin: alone they name none of them.
_COMMON = frozenset(
    {
        "o",
        "w",
        "sprawie",
        "ustawy",
        "ustaw",
        "ustawa",
        "oraz",
        "niektorych",
        "innych",
        "zmianie",
        "zmieniajaca",
        "zmieniajace",
    }
)
_KIND = re.compile(
    r"\b(?:ustaw|rozporzadz|kodeks|obwieszcz|bundesgesetz|gesetz|verordnung|loi|ordonnance|legge|ordinanza|act|"
    r"regulation|directive)\w*"
)
_FEWEST_STEMS = 3
_FEWEST_INITIALS = 4
_CAPITALS = re.compile(r"\b[A-ZŁŚŻĆ]{4,8}\b")


def acts_of_short_title(raw: str, inquiry: Inquiry, *, whole: bool = False) -> list[Act]:
    """Acts adopted on a day that the text names, whose full title goes on with the words written behind the day.

    Of those, the acts with which the words agree longest: what follows the title in a sentence is no part of it.
    `whole`: nothing may follow it.
    """
    folded = fold_name(raw)
    agreeing: dict[int, tuple[int, Act]] = {}
    for day in dates_in(folded):
        words = _behind(folded, day.end).split()
        for act in inquiry.corpus.acts_adopted_on(date.fromisoformat(day.iso)):
            length = max((_agreement(fold_name(title), words) for title in act.titles.values()), default=0)
            if whole and length < len(words):
                continue
            if length > agreeing.get(act.pk, (0, act))[0]:
                agreeing[act.pk] = (length, act)
    longest = max((length for length, _ in agreeing.values()), default=0)
    return [act for length, act in agreeing.values() if length == longest]


def act_of_kind_and_day(name: str, inquiry: Inquiry) -> Act | None:
    """The one act whose title begins with the kind, the issuer and the day that a name consists of; else None.

    The corpus may lack other acts of that day: alone this proves nothing.
    """
    folded = fold_name(name)
    days = dates_in(folded)
    if len(days) != 1 or not (front := folded[: days[0].start].split()) or not _KIND.match(front[0]):
        return None
    own = tuple(_stem(word) for word in front)
    found = [
        act
        for act in inquiry.corpus.acts_adopted_on(date.fromisoformat(days[0].iso))
        if any(_same_words(front_of(title), own) for title in act.titles.values())
    ]
    return found[0] if len(found) == 1 else None


def _same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """The same words in whatever case: "rozporządzenie Rady Ministrów", "rozporządzeniem Rady Ministrów"."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a.startswith(b) or b.startswith(a) for a, b in pairs)


def speaks_of(text: str, act: Act) -> bool:
    """Whether a text names what the act is about: the initials of a body in its title, or telling words of it."""
    title = act.title("pl")
    initials = "".join(word[0] for word in title.split() if word[0].isupper())
    if any(len(word) >= _FEWEST_INITIALS and word in initials for word in _CAPITALS.findall(text)):
        return True
    day = next(iter(dates_in(fold_name(title))), None)
    telling = name_stems(fold_name(title)[day.end :] if day else title)
    return len(telling & name_stems(text)) >= _FEWEST_STEMS


def front_of(title: str) -> tuple[str, ...]:
    """The kind and the issuer with which a title begins, in front of its day."""
    folded = fold_name(title)
    day = next(iter(dates_in(folded)), None)
    return tuple(_stem(word) for word in folded[: day.start].split()) if day else ()


def _stem(word: str) -> str:
    """A word without its case ending, roughly; "z dnia" leads to the day and stays."""
    return word[: max(3, len(word) - 3)]


def _behind(folded: str, end: int) -> str:
    return folded[end:].removeprefix(" r").strip()


def _agreement(title: str, words: Sequence[str]) -> int:
    """How many words behind the day of a title are those of the text; 0 where they are too few or too common."""
    best = 0
    for day in dates_in(title):
        pairs = zip(_behind(title, day.end).split(), words, strict=False)
        same = [word for word, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
        if len(same) >= min(_FEWEST_WORDS, len(words)) and set(same) - _COMMON:
            best = max(best, len(same))
    return best


def act_of_loose_title(words: str, inquiry: Inquiry) -> list[Act]:
    """The one act whose title has nearly all long words of a name that shortens or rewords it; else none.

    The name begins with its last word for a kind of act. At most one of its long words may be foreign to the title,
    three must be the title's, and a day that the name gives must be the day of adoption.
    """
    folded = fold_name(words)
    kinds = list(_KIND.finditer(folded))
    if not kinds:
        return []
    name = folded[kinds[-1].start() :]
    own = name_stems(name)
    days = {date.fromisoformat(day.iso) for day in dates_in(name)}
    found = [
        act
        for act, stems in inquiry.corpus.title_stems
        if len(own & stems) >= max(_FEWEST_STEMS, len(own) - 1) and (not days or act.adopted_on in days)
    ]
    return found if len(found) == 1 else []
