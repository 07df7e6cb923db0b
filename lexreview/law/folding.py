"""Texts folded for comparing: what remains when typography and white space are taken away."""

import re
import unicodedata

_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‐‑‒–—−", "-")
    | dict.fromkeys('„“”‟«»‹›″"', '"')
    | dict.fromkeys("‘’‚‛′`´", "'")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None)
)
_RAISED = str.maketrans({raised: f"^{digit}" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")})
_NOT_TEXT = (*range(9), *range(14, 32), 127, 0x00AD, 0x200B, 0xFFFE, 0xFFFF, *range(0xD800, 0xE000))
_CONTROL = dict.fromkeys(_NOT_TEXT, None) | {11: " ", 12: " "}
_SPACE = re.compile(r"\s+")


def fold_text(text: str) -> str:
    """The text without spaces, with one kind of dash and quotation mark, compatibility forms resolved, case kept.

    Two texts that fold alike differ in typography only. Raised digits stay apart from others: 385¹ is not 3851.
    """
    text = unicodedata.normalize("NFKC", text.translate(_RAISED)).translate(_TYPOGRAPHY)
    return _SPACE.sub("", text).replace("...", "…")


def printable(text: str) -> str:
    """The text without control characters, soft hyphens and what no XML may hold; white space stays as it is."""
    return text.translate(_CONTROL)


def fold_space(text: str) -> str:
    """The text with every run of white space (no-break spaces too) as one blank.

    Soft hyphens and control characters are dropped: no database and no XML takes the latter.
    """
    return _SPACE.sub(" ", printable(text)).strip()
