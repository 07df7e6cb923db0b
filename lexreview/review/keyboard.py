"""The keys of the card page as one person has them."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Self, TypeVar

from django.db.models import QuerySet, Subquery
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from lexreview.accounts.models import User
from lexreview.prepared import Prepared
from lexreview.review.keys import KEYS, LACK_WORDS, Key, keys_by_context, keys_with, signs_of
from lexreview.review.models import KeyChoice

_choice = Prepared(lambda user: KeyChoice.objects.filter(user=user), int)
Rows = TypeVar("Rows", bound="QuerySet[Any]")


def with_keys_of(person: int, rows: Rows) -> Rows:
    """The rows, each with what the person with that primary key chose; a page that shows a row reads both at once."""
    choice = KeyChoice.objects.filter(user=person)
    chosen = {
        "keys_of_person": Subquery(choice.values("keys")),
        "single_keys_of_person": Subquery(choice.values("single_keys")),
    }
    return rows.annotate(**chosen)


@dataclass(frozen=True)
class Keyboard:
    """`is_on`: whether single keys do anything; what works with Ctrl always does."""

    keys: tuple[Key, ...] = KEYS
    is_on: bool = True

    @classmethod
    def of(cls, user: User) -> Self:
        """One query. A stored key for something that is there no longer is passed over."""
        choice = _choice.first(user.pk)
        return cls() if choice is None else cls(keys_with(choice.keys), choice.single_keys)

    @classmethod
    def read_with(cls, row: Any) -> Self:
        """Of the person for whom the row was read `with_keys_of`: no query."""
        if row.single_keys_of_person is None:
            return cls()
        return cls(keys_with(row.keys_of_person), row.single_keys_of_person)

    @property
    def sheet(self) -> SafeString:
        """The list of all keys. It is on every card page and the same for most people, so it is made once."""
        return _sheet(tuple((key.does, key.key) for key in self.keys if not key.fixed), get_language() or "")

    @cached_property
    def signs(self) -> dict[str, str]:
        """By what a key does the sign for its button; only what works."""
        return signs_of(key for key in self.keys if self.is_on or key.key.startswith("Ctrl+"))


@lru_cache(maxsize=64)
def _sheet(chosen: tuple[tuple[str, str], ...], language: str) -> SafeString:
    """`language`: the one that is active, since the words are in it."""
    groups = keys_by_context(keys_with(dict(chosen)))
    return render_to_string("review/_key_list.html", {"groups": groups, "lacks": LACK_WORDS})
