"""How a source shows that nothing is in force in a unit: repealed, or printed before its day."""

import re

_WORDS = re.compile(
    r"\(?\s*(?:uchylon[yaei]|skreślon[yaei]|utracił[ao]? moc|aufgehoben|abrogé(?:e?s?)?|abrogat[oaie]|repealed|"
    r"deleted|"
    r"supprimé(?:e?s?)?|soppress[oaie]|gestrichen|streichung|lettera soppressa|articolo abrogato|comma abrogato)"
    r"\b[^)]*\)?\s*\.?",
    re.IGNORECASE,
)
_ITALIAN = re.compile(r"\(*(?:ARTICOLO|COMMA|LETTERA|NUMERO|PERIODO|PARTE)\s+(?:ABROGAT|SOPPRESS)[AO]\b.*", re.DOTALL)
_ELSEWHERE = re.compile(
    r"konsultiert werden|können unter|peu(?:t|vent) être consultée?s?|p(?:uò|ossono) essere consultat|"
    r"(?:may|can) be consulted",
    re.IGNORECASE,
)
_COMING = re.compile(
    r"(?:(?:tritt|treten) am|entr(?:e|ent) en vigueur le|entr(?:a|ano) in vigore il) \d{1,2}\S{0,2} \w+\.? \d{4}"
    r"(?: i[ns]t? kraft)?[\s.…]*",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"[\s.…—–_-]*")


def says_repealed(text: str, *, notes: list[str] | tuple[str, ...] = ()) -> bool:
    """Whether the whole text of a unit without sub-units only says that nothing is in force there.

    Empty, an ellipsis or a dash, a bracketed "(uchylony)", "(repealed)", or the day on which something begins. An
    ellipsis whose note says where the text can be consulted stands for a text printed elsewhere (amendments of other
    acts) and is in force.
    """
    stripped = text.strip()
    if _NOTHING.fullmatch(stripped):
        return not any(_ELSEWHERE.search(note) for note in notes)
    return len(stripped) < 300 and any(words.fullmatch(stripped) for words in (_WORDS, _ITALIAN, _COMING))
