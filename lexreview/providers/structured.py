"""Structured output, read strictly: JSON of the model and nothing around it but one code fence."""

import json
import re
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from lexreview.providers.storable import storable_json

M = TypeVar("M", bound=BaseModel)
FENCED = re.compile(r"```(?:json)?[ \t]*\n(?P<json>.*)\n[ \t]*```", re.DOTALL | re.IGNORECASE)


class NotStructured(ValueError):
    """The text is not exactly one JSON value of the model."""


def read_structured(text: str, model: type[M]) -> M:
    """The one value in `text`. Words around the JSON, two fences, two values or a name given twice are ambiguous, and
    refused.

    Numbers in quotes, missing and further fields are refused too. Raises NotStructured.
    """
    body = storable_json(text).strip().removeprefix("\ufeff")
    if match := FENCED.fullmatch(body):
        body = match["json"]
        if "```" in body:
            raise NotStructured("the answer holds more than one block of JSON")
    try:
        read = model.model_validate_json(body, strict=True, extra="forbid")
        json.loads(body, object_pairs_hook=_each_once)
        return read
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        first = faults[0]
        place = ".".join(str(part) for part in first["loc"])
        raise NotStructured(f"{place}: {first['msg']}" if place else first["msg"]) from error


@lru_cache(maxsize=64)
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """Its JSON schema, not to be changed: made once, for one and the same model is asked for in hundreds of calls."""
    return model.model_json_schema()


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _value in pairs]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise NotStructured(f"{twice} is given twice")
    return dict(pairs)
