"""Enums of the core as choices of model fields: plain strings, so that migrations name no class."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from django.utils.functional import Promise

E = TypeVar("E", bound=StrEnum)


def choices_of(labels: Mapping[E, str | Promise]) -> list[tuple[str, str | Promise]]:
    """Choices in the order of `labels`, which must name every member of the enum."""
    members = type(next(iter(labels)))
    missing = [member.value for member in members if member not in labels]
    if missing:
        raise ValueError(f"{members.__name__} has members without a label: {', '.join(missing)}")
    return [(member.value, label) for member, label in labels.items()]


def values_of(members: type[E]) -> list[str]:
    return [member.value for member in members]
