"""The keys of the card page as one person has them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

from django.utils.functional import Promise

from lexreview.accounts.models import User
from lexreview.review.keys import KEYS, Context, Key, keys_by_context, keys_with, signs_of
from lexreview.review.models import KeyChoice


@dataclass(frozen=True)
class Keyboard:
    """`is_on`: whether single keys do anything; what works with Ctrl always does."""

    keys: tuple[Key, ...] = KEYS
    is_on: bool = True

    @classmethod
    def of(cls, user: User) -> Self:
        """One query. A stored key for something that is there no longer is passed over."""
        choice = KeyChoice.objects.filter(user=user).first()
        return cls() if choice is None else cls(keys_with(choice.keys), choice.single_keys)

    @property
    def groups(self) -> list[tuple[Context, str | Promise, list[Key]]]:
        return keys_by_context(self.keys)

    @cached_property
    def signs(self) -> dict[str, str]:
        """By what a key does the sign for its button; only what works."""
        return signs_of(key for key in self.keys if self.is_on or key.key.startswith("Ctrl+"))
