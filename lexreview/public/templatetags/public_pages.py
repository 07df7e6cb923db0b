"""Addresses inside a publication: a reader who came to a certain version stays in it."""

from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.translation import gettext as _

from lexreview.public.reading import Shown

register = template.Library()

ARGUMENTS = {"question": "code", "card": "identifier"}


class NavItem(NamedTuple):
    label: str
    url: str
    current: str


def address_in(shown: Shown, name: str, key: str = "") -> str:
    """The address of a page of the publication; `key` is the question's code or the answer's identifier."""
    kwargs: dict[str, Any] = {"slug": shown.publication.benchmark_slug}
    if shown.pinned:
        kwargs["number"] = shown.publication.number
    if key:
        kwargs[ARGUMENTS[name]] = key
    return reverse(f"public:{name}", kwargs=kwargs)


@register.simple_tag(takes_context=True)
def page_url(context: Context, name: str, key: str = "") -> str:
    return address_in(context["shown"], name, key)


@register.simple_tag(takes_context=True)
def publication_nav(context: Context) -> list[NavItem]:
    """The pages of the publication. The one that is shown is marked, and the list above a question or card too."""
    shown: Shown = context["shown"]
    path = context["request"].path
    pages = [
        ("benchmark", _("Results")),
        ("questions", _("Questions")),
        ("errors", _("Errors")),
        ("judges", _("Judges")),
        ("verification", _("Citation layer")),
        ("cost", _("Cost")),
        ("method", _("Method")),
        ("decisions", _("Decisions")),
    ]
    items = [(label, address_in(shown, name)) for name, label in pages]
    first = items[0][1]
    return [
        NavItem(label, url, "page" if path == url else "true" if url != first and path.startswith(url) else "")
        for label, url in items
    ]
