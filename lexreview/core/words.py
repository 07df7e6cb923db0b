"""Sentences for people from rooms that know one language: English now, and what another language is made of."""

from decimal import Decimal
from typing import Any, Self


class Words(str):
    """An English sentence that keeps its template and the values put into it. A value may be such a sentence again, or
    a number, which every language writes in its own way."""

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, **values: Any) -> Self:
        shown = {name: shown_number(each) if isinstance(each, Decimal) else each for name, each in values.items()}
        words = super().__new__(cls, template % shown)
        words.template, words.values = template, values
        return words


def shown_number(number: Decimal) -> str:
    """As code and English write it: no trailing zeros, no exponent."""
    return f"{number.normalize():f}" if number.is_finite() else str(number)


def gettext_noop(text: str) -> str:
    """Marks a template: `makemessages` puts what stands in it into the catalogues."""
    return text


def counted(number: int, one: str, many: str = "") -> str:
    """`1 answer`, `2 answers`, for the English of commands and refusals; `many` where it is not `one` with an s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def says_nothing(text: str) -> bool:
    """Whether a text shows no sign: empty, or all of it blank, without width, or only steering what is around it."""
    return not any(sign.isprintable() and not sign.isspace() for sign in text)
