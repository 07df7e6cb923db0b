"""Numbers that no column holds, in addresses and in forms, are refused and never reach the database."""

from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import IntConverter

from lexreview.core.workflow import Role
from tests.factories import make_user
from tests.review.factories import SLUG, make_card

TOO_LARGE = 10**30


def patterns(within: URLResolver, before: str = "", converters: Any = None) -> Iterator[tuple[str, dict[str, Any]]]:
    for each in within.url_patterns:
        route = before + str(each.pattern)
        known = {**(converters or {}), **each.pattern.converters}
        if isinstance(each, URLResolver):
            yield from patterns(each, route, known)
        elif isinstance(each, URLPattern) and known:
            yield route, known


def addresses() -> list[str]:
    found = set()
    for route, converters in patterns(get_resolver()):
        if not any(isinstance(each, IntConverter) for each in converters.values()) or route.startswith("admin"):
            continue
        for name, converter in converters.items():
            value = TOO_LARGE if isinstance(converter, IntConverter) else SLUG
            for kind in ("int", "slug", "str", "path", "uuid"):
                route = route.replace(f"<{kind}:{name}>", str(value))
        if "<" not in route and "^" not in route:
            found.add(f"/{route}")
    return sorted(found)


@pytest.mark.django_db
def test_an_address_with_a_number_that_no_column_holds_leads_nowhere(client: Client) -> None:
    make_card()
    client.force_login(make_user("lena", roles=(Role.LEAD, Role.REVIEWER, Role.OPERATOR)))

    seen = {address: client.get(address).status_code for address in addresses()}

    assert len(seen) > 40
    assert not {address: status for address, status in seen.items() if status not in (302, 404, 405)}


def forms_of(kind: type[forms.BaseForm]) -> Iterator[type[forms.BaseForm]]:
    for each in kind.__subclasses__():
        yield from forms_of(each)
        if each.__module__.startswith("lexreview."):
            yield each


def test_every_number_of_a_form_has_an_upper_end() -> None:
    get_resolver().url_patterns  # noqa: B018 - loads every view, and with it every form
    unlimited = {
        f"{form.__module__}.{form.__name__}.{name}"
        for form in forms_of(forms.BaseForm)
        for name, field in getattr(form, "base_fields", {}).items()
        if type(field) is forms.IntegerField and field.max_value is None
    }

    assert unlimited == set()
