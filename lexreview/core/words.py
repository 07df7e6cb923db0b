"""Sentences for people from rooms that know one language: English now, and what another language is made of."""

from typing import Any, Self


class Words(str):
    """An English sentence that keeps its template and the values put into it. A value may be such a sentence again."""

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, **values: Any) -> Self:
        words = super().__new__(cls, template % values)
        words.template, words.values = template, values
        return words


def gettext_noop(text: str) -> str:
    """Marks a template: `makemessages` puts what stands in it into the catalogues."""
    return text


def says_nothing(text: str) -> bool:
    """Whether a text shows no sign: empty, or all of it blank, without width, or only steering what is around it."""
    return not any(sign.isprintable() and not sign.isspace() for sign in text)
