"""How a value of an event is written in a history: choices by their labels, days, times and numbers as the reader's
language has them, languages by their names.

Rooms register which models their events speak of, in their module `histories`; the labels stay with the models.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.timezone import is_aware, localtime
from django.utils.translation import get_language_info, gettext

from lexreview.translating import written

Say = Callable[[str], str]
OF_A_DAY = re.compile(r"(_on|_at|^(valid|covered)_(from|to)|^dated|^on|^edition)$")
"""Names of values that are days and moments; a text that only looks like one stays as it was written."""
OF_A_LANGUAGE = frozenset({"language", "languages"})
_said: dict[tuple[str, str, str], Say] = {}


def add_values(object_type: str, model: type[models.Model], *, group: str = "", also: Mapping[str, str] = {}) -> None:
    """Events about `object_type` hold fields of `model`, under `group` where they stand in a list or mapping of that
    name. `also`: other names of values, with the field that each is."""
    for field in model._meta.get_fields():
        say = _say_of(field)
        if say is not None:
            _said[object_type, group, field.name] = say
    for name, field_name in also.items():
        say = _say_of(_field(model, field_name))
        if say is None:
            raise ValueError(f"{model.__name__}.{field_name} has neither choices nor decimals")
        _said[object_type, group, name] = say


def add_words(object_type: str, name: str, say: Say | Mapping[Any, str | Promise]) -> None:
    """The value of that name, which is no field with choices, is written as `say` has it, or by these labels."""
    _said[object_type, "", name] = partial(_label, say) if isinstance(say, Mapping) else say


def in_words(object_type: str, name: str, value: Any) -> str:
    """The value of an event under its dotted name. What is no known code, day or number is as it was stored."""
    if isinstance(value, list):
        return ", ".join(in_words(object_type, name, each) for each in value)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, float):
        return str(number_format(value))
    group, field = group_and_field(name)
    say = _said.get((object_type, group, field))
    if say is not None:
        return say(str(value))
    if field in OF_A_LANGUAGE:
        return _language(str(value))
    return _day(value) if isinstance(value, str) and OF_A_DAY.search(field) else str(value)


def group_and_field(name: str) -> tuple[str, str]:
    """`scores.A1.decided` is in the group `scores` and is its field `decided`; a value by itself is in none."""
    parts = [part for part in name.split(".") if part and part != "value"]
    return (parts[0] if len(parts) > 1 else "", parts[-1] if parts else "")


def language_of(name: str) -> str:
    """The language of a text that is stored by language, as `titles.pl`; "" for other values."""
    last = name.rpartition(".")[2]
    return last if "." in name and last in dict(settings.LANGUAGES) else ""


def _field(model: type[models.Model], name: str) -> Any:
    try:
        return model._meta.get_field(name)
    except FieldDoesNotExist:
        raise ValueError(f"{model.__name__} has no field {name}") from None


def _say_of(field: Any) -> Say | None:
    if getattr(field, "choices", None):
        return partial(_label, dict(field.flatchoices))
    return written if isinstance(field, models.DecimalField) else None


def _label(labels: Mapping[Any, str | Promise], value: str) -> str:
    return str(labels.get(value, value))


def _language(code: str) -> str:
    try:
        return str(get_language_info(code)["name_translated"])
    except KeyError:
        return code


def _day(value: str) -> str:
    try:
        if len(value) == len("2026-10-01"):
            return date_format(date.fromisoformat(value), "DATE_FORMAT")
        moment = datetime.fromisoformat(value)
    except ValueError:
        return value
    moment = localtime(moment) if is_aware(moment) else moment
    return f"{date_format(moment, 'DATE_FORMAT')}, {date_format(moment, 'H:i:s')}"
