"""Read the fields of a record strictly: every refusal names the field and what was expected."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import NoReturn, TypeVar

Choice = TypeVar("Choice", bound=StrEnum)


class RecordFields:
    """The fields of one record, taken one by one; `finish` refuses those nobody took.

    `path` is put before each field's name in messages. `error` makes the exception from a field's
    path and a message.
    """

    def __init__(self, record: object, *, path: str, error: Callable[[str, str], Exception]) -> None:
        self._path = path
        self._error = error
        self._taken: set[str] = set()
        if not isinstance(record, Mapping):
            raise error(path or "the whole record", f"expected fields with values, found {_shown(record)}")
        self._record = record

    def path_of(self, field: str) -> str:
        return f"{self._path}.{field}" if self._path else field

    def refuse(self, field: str, message: str) -> NoReturn:
        raise self._error(self.path_of(field), message)

    def has(self, field: str) -> bool:
        """Whether the field is there and is not null; it counts as taken."""
        self._taken.add(field)
        return self._record.get(field) is not None

    def _value(self, field: str) -> object:
        self._taken.add(field)
        if field not in self._record:
            self.refuse(field, "is missing")
        return self._record[field]

    def _wrong(self, field: str, expected: str, value: object) -> NoReturn:
        self.refuse(field, f"expected {expected}, found {_shown(value)}")

    def text(self, field: str) -> str:
        value = self._value(field)
        if not isinstance(value, str) or not value.strip():
            self._wrong(field, "a text", value)
        return value

    def texts(self, field: str) -> dict[str, str]:
        """A text per language; an absent or null field is no text at all."""
        if not self.has(field):
            return {}
        value = self._value(field)
        if not isinstance(value, Mapping) or not all(
            isinstance(lang, str) and isinstance(text, str) for lang, text in value.items()
        ):
            self._wrong(field, "a text per language code", value)
        return dict(value)

    def flag(self, field: str) -> bool:
        value = self._value(field)
        if not isinstance(value, bool):
            self._wrong(field, "true or false", value)
        return value

    def day(self, field: str) -> date:
        value = self._value(field)
        if isinstance(value, str):
            with suppress(ValueError):
                value = date.fromisoformat(value)
        if type(value) is not date:
            self._wrong(field, "a date such as 2026-10-01", value)
        return value

    def number(self, field: str) -> Decimal:
        value = self._value(field)
        if not isinstance(value, int | float | str | Decimal):
            self._wrong(field, "a number", value)
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            self._wrong(field, "a number", value)
        if not number.is_finite():
            self._wrong(field, "a finite number", value)
        return number

    def choice(self, field: str, choices: type[Choice]) -> Choice:
        value = self._value(field)
        if not isinstance(value, str) or value not in {each.value for each in choices}:
            self._wrong(field, "one of " + ", ".join(each.value for each in choices), value)
        return choices(value)

    def choices(self, field: str, choices: type[Choice]) -> tuple[Choice, ...]:
        """A list of different choices, at least one."""
        allowed = {each.value for each in choices}
        values = self.items(field)
        for position, value in enumerate(values):
            if not isinstance(value, str) or value not in allowed:
                self._wrong(f"{field}[{position}]", "one of " + ", ".join(each.value for each in choices), value)
        found = tuple(choices(str(value)) for value in values)
        if len(set(found)) < len(found):
            self.refuse(field, "names a value twice")
        return found

    def items(self, field: str) -> Sequence[object]:
        """A list with at least one item."""
        value = self._value(field)
        if isinstance(value, str) or not isinstance(value, Sequence) or not value:
            self._wrong(field, "a list with at least one item", value)
        return value

    def finish(self) -> None:
        for field in self._record:
            if field not in self._taken:
                self.refuse(str(field), "is not a field of this record")


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
