"""Lists in pages, and no question that is answered as if it had not been asked."""

from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

USUAL, LARGEST = 50, 500
"""Rows of one page where nothing is said, and at most."""


class Pages(LimitOffsetPagination):
    """`limit` rows from `offset`. A number that cannot be meant is refused and not replaced by another."""

    default_limit = USUAL
    limit_query_description = f"Rows of one page: 1 to {LARGEST}, {USUAL} where nothing is said."
    offset_query_description = "Rows to leave out at the beginning."

    def get_limit(self, request: Request) -> int:
        return self._number(request, "limit", least=1, most=LARGEST, otherwise=USUAL)

    def get_offset(self, request: Request) -> int:
        return self._number(request, "offset", least=0, most=2**62, otherwise=0)

    def _number(self, request: Request, name: str, *, least: int, most: int, otherwise: int) -> int:
        said = request.query_params.get(name)
        if said is None:
            return otherwise
        if not (said.isascii() and said.isdigit() and len(said) < 20 and least <= int(said) <= most):
            reach = f"from {least} to {most}" if name == "limit" else f"of {least} or more"
            raise ValidationError({name: [f"Expected a number {reach}."]})
        return int(said)


def check_parameters(request: Request, known: list[str]) -> None:
    """Raises ValidationError for a parameter that this address does not know: a misspelt filter would give all rows."""
    if unknown := sorted(set(request.query_params) - set(known)):
        said = f"Not known here. Known: {', '.join(known)}." if known else "Not known here, where there are none."
        raise ValidationError({name: [said] for name in unknown})


def with_errors(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """The description with the errors that every address may answer, for drf-spectacular."""
    schemas = result["components"]["schemas"]
    schemas["Refusal"] = {"type": "object", "properties": {"detail": {"type": "string"}}, "required": ["detail"]}
    schemas["WrongParameters"] = {
        "type": "object",
        "description": "What is wrong, by the name of the parameter.",
        "additionalProperties": {"type": "array", "items": {"type": "string"}},
    }
    for path, operations in result["paths"].items():
        for operation in operations.values():
            _add(operation, "400", "A parameter is not known or cannot be read.", "WrongParameters")
            _add(operation, "401", "No token, or one that is unknown, expired or revoked.", "Refusal")
            if "{" in path:
                _add(operation, "404", "There is nothing, or it is kept from this person.", "Refusal")
    return result


def _add(operation: dict[str, Any], status: str, words: str, schema: str) -> None:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    operation["responses"][status] = {"description": words, "content": content}
