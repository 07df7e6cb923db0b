"""Template tags of the look: what a component must compute before it prints. Templates are in `components/`."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from django import template
from django.conf import settings
from django.core.paginator import Paginator
from django.template import Context
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, reverse, translate_url
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from lexreview.accounts.drawing import edition_places, per_cent
from lexreview.accounts.models import ROLE_LABELS, User
from lexreview.accounts.rules import roles_by_benchmark
from lexreview.accounts.themes import chosen_theme
from lexreview.controls import with_controls
from lexreview.core.workflow import Role
from lexreview.translating import written

register = template.Library()

SIGNS = {"ok": "✓", "open": "?"}
MARK_CSS = {"t": "t", "w": "w", "f": "f", "s": "s", "ok": "ok", "open": "o", "!": "f"}


register.filter("written", written)
register.filter("with_controls", with_controls)


class BenchmarkItem(NamedTuple):
    slug: str
    url: str
    roles: str


def address_of(name: str, *args: Any) -> str:
    """The address of a named page, or "" while no room offers it."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


@register.filter(expects_localtime=True)
def to_the_second(at: Any) -> str:
    """A moment as the language of the page writes it, with seconds: `30 Nov 2026, 14:15:09`. "" for none."""
    return f"{date_format(at, 'DATE_FORMAT')}, {date_format(at, 'H:i:s')}" if at else ""


@register.filter(expects_localtime=True)
def day_and_time(at: Any, seconds: str = "") -> str:
    """A moment of these days without its year: `30 Nov, 14:15`; with `seconds`, which is any text, to the second."""
    return f"{date_format(at, 'MONTH_DAY_FORMAT')}, {date_format(at, 'H:i:s' if seconds else 'H:i')}" if at else ""


@register.simple_tag
def home_url() -> str:
    return address_of("home") or "/"


@register.simple_tag(takes_context=True)
def theme_attribute(context: Context) -> SafeString | str:
    """` data-bs-theme="dark"` where the reader has chosen a theme, else nothing: the device decides."""
    request = context.get("request")
    theme = chosen_theme(request) if request else ""
    return format_html(' data-bs-theme="{}"', theme) if theme else ""


@register.simple_tag(takes_context=True)
def nav_item(context: Context, name: str, label: str, *args: Any, css: str = "") -> SafeString | str:
    """A list item with a link, marked as current on its page and the pages below it; "" while no room offers `name`."""
    url = address_of(name, *args)
    if not url:
        return ""
    request = context.get("request")
    path = request.path if request else ""
    current = "page" if path == url else "true" if len(url) > 1 and path.startswith(url) else ""
    return format_html(
        '<li{}><a href="{}"{}>{}</a></li>',
        format_html(' class="{}"', css) if css else "",
        url,
        format_html(' aria-current="{}"', current) if current else "",
        label,
    )


@register.filter
def benchmark_menu(user: User) -> list[BenchmarkItem]:
    """The benchmarks of which `user` is a member, by slug, each once with all roles held in it."""
    held = sorted(roles_by_benchmark(user).items())
    return [
        BenchmarkItem(
            slug,
            address_of("questions:benchmark", slug) or home_url(),
            ", ".join(str(ROLE_LABELS[Role(role)]) for role in sorted(roles)),
        )
        for slug, roles in held
    ]


@register.inclusion_tag("components/language_links.html", takes_context=True)
def language_links(context: Context) -> dict[str, Any]:
    """Links to this page in each interface language, for pages that set no cookie."""
    path = context["request"].get_full_path()
    codes = [(code, name, translate_url(path, code)) for code, name in settings.LANGUAGES]
    links = [{"code": code, "name": name, "url": url, "current": code == get_language()} for code, name, url in codes]
    return {"links": links if len({link["url"] for link in links}) > 1 else []}


@register.inclusion_tag("components/interval.html")
def interval(
    low: float | None,
    value: float | None,
    high: float | None,
    *,
    hollow: bool = False,
    label: str = "",
    reason: str = "",
) -> dict[str, Any]:
    """An interval of shares in [0, 1], drawn and said. None anywhere means undefined: "n/a" with `reason`."""
    if low is None or value is None or high is None:
        return {"known": False, "reason": reason}
    figures = {"value": _rounded(value), "low": _rounded(low), "high": _rounded(high)}
    words = _("%(value)s %%, interval from %(low)s to %(high)s %%") % figures
    places = {"low": per_cent(low), "value": per_cent(value), "high": per_cent(high)}
    return {"known": True, "hollow": hollow, "words": f"{label}: {words}" if label else words, "zero": "", **places}


def _rounded(share: float) -> str:
    return number_format(round(share * 100), use_l10n=True)


@register.simple_tag
def fraction(part: int | None, whole: int | None, *, percent: bool = False, unit: str = "") -> SafeString:
    """ "5 of 10", with `percent=True` "50 % 5 of 10"; "n/a" where a number is unknown. No percentage of nothing."""
    return _fraction(part, whole, percent, unit, get_language() or "")


@lru_cache(maxsize=2048)
def _fraction(part: int | None, whole: int | None, percent: bool, unit: str, language: str) -> SafeString:
    """`language`: the one that is active, since words and numbers are in it. Lists have the same few in every row."""
    share = _rounded(part / whole) if percent and part is not None and whole else ""
    known = part is not None and whole is not None
    shown = {"known": known, "part": part, "whole": whole, "percent": share, "unit": unit}
    return render_to_string("components/fraction.html", shown)


@register.inclusion_tag("components/mark.html")
def mark(code: str, words: str = "") -> dict[str, str]:
    """The square sign of an error class (its letter), of a confirmed ("ok") or of an open ("open") citation."""
    key = str(code).lower()
    return {"sign": SIGNS.get(key, str(code)[:2].upper()), "css": MARK_CSS.get(key, ""), "words": words}


@register.filter
def mark_css(code: str) -> str:
    """The colour class of an error class or state, "o" for those the theme has no colour for."""
    return MARK_CSS.get(str(code).lower(), "o")


@register.inclusion_tag("components/edition_line.html")
def edition_line(editions: Sequence[Any], shown: Any, day: date | None = None) -> dict[str, Any]:
    """Editions of an act in order of time, each with `valid_from` and, optionally, `url`; `shown` is one of them."""
    if not editions:
        return {"stops": [], "day": None, "words": ""}
    starts = [_of(edition, "valid_from") for edition in editions]
    line = edition_places(starts=starts, shown=list(editions).index(shown), day=day)
    stops = [
        {"x": stop.x, "on": stop.on, "label": _day(starts[stop.place]), "url": _of(editions[stop.place], "url") or "",
         "words": _("in force from %(day)s") % {"day": _long_day(starts[stop.place])}}
        for stop in line.stops
    ]  # fmt: skip
    return {
        "stops": stops,
        "day": {"x": line.day_x, "label": _("asked"), "words": _long_day(day)} if day else None,
        "earlier": line.earlier,
        "later": line.later,
        "words": _("Editions, in order of time"),
    }


def _of(edition: Any, name: str) -> Any:
    return edition.get(name) if isinstance(edition, dict) else getattr(edition, name, None)


def _day(day: date | None) -> str:
    return day.isoformat() if day else _("unknown")


def _long_day(day: date | None) -> str:
    return date_format(day, "DATE_FORMAT") if day else _("an unknown day")


@register.filter
def page_window(paginator: "Paginator[Any]", number: int) -> Iterator[int | None]:
    """Page numbers to offer around `number`; None stands for those left out."""
    pages: Iterable[int | str] = paginator.get_elided_page_range(number, on_each_side=2, on_ends=1)
    return (page if isinstance(page, int) else None for page in pages)
