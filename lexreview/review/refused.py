"""A form of the card page that was not accepted, to be shown again with what was entered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Refused:
    """`target`: the id of the form's place on the page, "" where nothing was refused; what was entered; why not."""

    target: str = ""
    entered: Mapping[str, Any] = field(default_factory=dict)
    errors: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.errors)

    @property
    def reason(self) -> str:
        return self._text("reason")

    @property
    def question(self) -> str:
        return self._text("question")

    @property
    def quote(self) -> str:
        return self._text("quote")

    @property
    def note(self) -> str:
        return self._text("note")

    def _text(self, name: str) -> str:
        return str(self.entered.get(name, ""))


NOTHING_REFUSED = Refused()
