from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from lexreview.accounts.models import User
from lexreview.law.browsing import ActPage, act_rows, acts_found, described_states, jurisdictions
from lexreview.law.changes_page import ChangesPage
from lexreview.law.forms import ActForm, ChangesForm, SearchForm, UnitForm
from lexreview.law.models import Act, Ruling
from lexreview.law.ruling_pages import RulingPage, ruling_jurisdictions, rulings_found
from lexreview.law.unit_page import UnitPage
from lexreview.law.unit_sections import unit_sections

PER_PAGE = 50


class MemberRequest(HttpRequest):
    user: User


@require_safe
def acts(request: HttpRequest) -> HttpResponse:
    form = SearchForm(request.GET)
    found = acts_found(words=form.words, jurisdiction=form.jurisdiction)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = _list_context(form, page) | {
        "rows": act_rows(page.object_list, language=_interface_language()),
        "states": jurisdictions(),
    }
    return render(request, "law/acts.html", context)


@require_safe
def act(request: HttpRequest, eli: str) -> HttpResponse:
    stored = get_object_or_404(Act, eli=eli)
    form = ActForm(request.GET)
    values = _valid_values(form)
    page = ActPage(
        stored,
        language=values.get("lang") or _interface_language(),
        on=values.get("on") or timezone.localdate(),
        edition=values.get("edition"),
    )
    return render(request, "law/act.html", {"page": page, "form": form})


@require_safe
def changes(request: HttpRequest, eli: str) -> HttpResponse:
    stored = get_object_or_404(Act, eli=eli)
    values = _valid_values(ChangesForm(request.GET))
    act_page = ActPage(
        stored,
        language=values.get("lang") or _interface_language(),
        on=values.get("on") or timezone.localdate(),
        edition=values.get("right"),
    )
    page = ChangesPage(act_page, left=values.get("left"), right=values.get("right"))
    return render(request, "law/changes.html", {"page": page})


@require_safe
def unit(request: MemberRequest, eli: str) -> HttpResponse:
    stored = get_object_or_404(Act, eli=eli)
    form = UnitForm(request.GET)
    values = _valid_values(form)
    if not values.get("unit"):
        raise Http404
    page = UnitPage(
        stored,
        key=values["unit"],
        on=values.get("on") or timezone.localdate(),
        language=values.get("lang") or "",
        preferred=_interface_language(),
        left=values.get("left"),
        right=values.get("right"),
    )
    context = {"page": page, "form": form, "sections": unit_sections(page, request.user)}
    return render(request, "law/unit.html", context)


@require_safe
def rulings(request: HttpRequest) -> HttpResponse:
    form = SearchForm(request.GET)
    found = rulings_found(words=form.words, jurisdiction=form.jurisdiction, language=_interface_language())
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "law/rulings.html", _list_context(form, page) | {"states": ruling_jurisdictions()})


@require_safe
def ruling(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "law/ruling.html", {"page": RulingPage(get_object_or_404(Ruling, pk=pk))})


def _list_context(form: SearchForm, page: Any) -> dict[str, Any]:
    chosen = {"q": form.words, "state": form.jurisdiction}
    query = urlencode({name: value for name, value in chosen.items() if value})
    return {
        "form": form,
        "page_obj": page,
        "chosen_state": form.jurisdiction,
        "query": f"{query}&" if query else "",
        "described": described_states(),
    }


def _valid_values(form: forms.Form) -> dict[str, Any]:
    """What is valid of the address; a field that is not is left out, and the form says so."""
    form.is_valid()
    return form.cleaned_data


def _interface_language() -> str:
    return (get_language() or "en").split("-")[0]
