"""Numbers of no known act that are a slip of the pen: nearly the number of an act that the same sentence names."""

import re
from collections.abc import Sequence

from lexreview.core.citations import Citation
from lexreview.core.citations.dates import dates_in
from lexreview.core.citations.view import fold
from lexreview.law.models import Act
from lexreview.law.names import fold_name
from lexreview.verification.checked import Inquiry

_MOST_SLIPS = 2
# How far from a number its act may be named, in characters and in words.
NAME_REACH, MOST_WORDS = 240, 24
_STEM = 5
_FEWEST_LONG = 2
_CONJUNCTIONS = frozenset(fold("und oder sowie et ou e o ed i oraz lub ani and or nor neither sowie as well").split())
_STOP = re.compile(r"[\n;|]")
_SENTENCE_END = re.compile(r"\w{4}[.!?][\"”»*_)]*\Z")
KIND_OF_ACT = re.compile(
    r"verordnung|gesetz|ordonnance|ordinanza|loi|legge|ustaw|rozporzadz|cod(?:e|ex|ice)|kode|act\b|regulation|directive|"
    r"dyrektyw|reglement|regolament|richtlini|direttiv|decret|dekret|erlass"
)
# "The QUAR amends Regulation …": the number is of another act.
_RELATION = re.compile(
    r"(?:amend|repeal|replac|supplement|implement|refer|based|ander|geander|aufgehob|aufheb|hebt|ersetz|erganz|stutz|verweis|"
    r"modif|abrog|remplac|complet|renvo|sostitu|integr|attu|rinvi|zmieni|uchyl|zastep|uzupeln|wykon|odsyl|powol|obok|neben|"
    r"beside|along|outre|oltre|accanto|zusatz|addition)"
)
_ABBREVIATION = re.compile(r"[A-ZÄÖÜ]\w*[A-ZÄÖÜ]")


def is_slip(number: str, own: str) -> bool:
    """Whether two numbers of one length differ by at most two signs, or by two that changed places."""
    if len(number) != len(own):
        return False
    differing = [pair for pair in zip(number, own, strict=True) if pair[0] != pair[1]]
    return 0 < len(differing) <= _MOST_SLIPS


def act_of_slip(text: str, citation: Citation, number: str, inquiry: Inquiry) -> list[Act]:
    """The one act whose number this one nearly is and that its sentence names, with no other act in between.

    Polish journals and European acts only: neighbours in the Swiss collection are acts of one matter, which a sentence
    may well name together.
    """
    near = {act.pk: act for own, acts in inquiry.corpus.numbers.items() if is_slip(number, own) for act in acts}
    if not near:
        return []
    before = _STOP.split(text[max(0, citation.start - NAME_REACH) : citation.start])[-1].split()
    behind = _STOP.split(text[citation.end : citation.end + NAME_REACH])[0].split()
    named = [
        act
        for act in near.values()
        if _leads_to(act, before[::-1], inquiry, backwards=True) or _leads_to(act, behind, inquiry, backwards=False)
    ]
    return named if len(named) == 1 else []


def _leads_to(act: Act, words: Sequence[str], inquiry: Inquiry, *, backwards: bool) -> bool:
    """Whether the words, read away from the number, reach a name of the act before anything else that may be one."""
    names = [_stems(name) for name in inquiry.corpus.folded_names_of(act)]
    read: list[str] = []
    for word in words[:MOST_WORDS]:
        plain = word.strip("(),;:.–—-*_\"'«»„”[]")
        if (not read and fold(plain) in _CONJUNCTIONS) or (backwards and _SENTENCE_END.search(word)):
            return False
        read = [word, *read] if backwards else [*read, word]
        stems = _stems(fold_name(" ".join(read)))
        if any(_contains(stems, name) for name in names) or _begins_title(act, stems):
            return True
        if _ABBREVIATION.search(plain) or KIND_OF_ACT.search(fold(plain)) or _RELATION.match(fold(plain)):
            return False
        if not backwards and _SENTENCE_END.search(word):
            return False
    return False


def _stems(folded: str) -> list[str]:
    """The beginnings of the words, so that a name in another case is the same."""
    return [word[:_STEM] for word in folded.split()]


def _contains(stems: Sequence[str], name: Sequence[str]) -> bool:
    size = len(name)
    return any(stems[at : at + size] == name for at in range(len(stems) - size + 1)) if size else False


def _begins_title(act: Act, stems: Sequence[str]) -> bool:
    """Whether the words hold the first words of what a title says the act is about: "o wypowiedzeniu Porozumienia"."""
    for title in act.titles.values():
        folded = fold_name(title)
        day = next(iter(dates_in(folded)), None)
        about = _stems(folded[day.end :].removeprefix(" r").strip()) if day else []
        long = [at for at, stem in enumerate(about) if len(stem) == _STEM]
        if len(long) >= _FEWEST_LONG and _contains(stems, about[: long[_FEWEST_LONG - 1] + 1]):
            return True
    return False
