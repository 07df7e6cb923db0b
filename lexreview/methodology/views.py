from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from lexreview.accounts.models import User
from lexreview.accounts.rules import benchmark_slugs_of
from lexreview.methodology.actions import (
    DecisionChanged,
    DecisionIsFinal,
    SupersessionRefused,
    next_number,
    publish_decision,
    write_decision,
)
from lexreview.methodology.decision_pages import DecisionPage, decision_groups
from lexreview.methodology.feeds import DecisionFeed
from lexreview.methodology.forms import DecisionForm, LogForm, entered_in, entered_of
from lexreview.methodology.models import Decision
from lexreview.methodology.rules import check_can_decide

PER_PAGE = 50


class MemberRequest(HttpRequest):
    user: User


@require_safe
def decisions(request: MemberRequest) -> HttpResponse:
    mine = sorted(benchmark_slugs_of(request.user))
    chosen = request.GET.get("benchmark", "")
    slugs = [_own_slug(request, chosen)] if chosen else mine
    visible = Decision.objects.visible_to(request.user)
    filters = LogForm(request.GET)
    rows = filters.narrowed(visible.of_benchmark(chosen) if chosen else visible).with_list_data().by_benchmark()
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    whole = page.number == 1 and not filters.values
    shown = slugs if whole else sorted({row.benchmark_slug for row in page.object_list})
    query = {"benchmark": chosen, **filters.values}
    context = {
        "slug": chosen,
        "slugs": mine,
        "page_obj": page,
        "groups": decision_groups(list(page.object_list), slugs=shown, user=request.user),
        "filters": filters,
        "query": "".join(f"{urlencode({name: value})}&" for name, value in query.items() if value),
    }
    return render(request, "methodology/decisions.html", context)


@require_safe
def feed(request: MemberRequest, slug: str) -> HttpResponse:
    return DecisionFeed(_own_slug(request, slug))(request)


@require_safe
def decision(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    shown = _decision(request, slug, number)
    return render(request, "methodology/decision.html", {"page": DecisionPage(shown, user=request.user)})


@require_http_methods(["GET", "HEAD", "POST"])
def new_decision(request: MemberRequest, slug: str) -> HttpResponse:
    check_can_decide(request.user, _own_slug(request, slug))
    initial = {**entered_in(request.GET), "number": next_number(slug), "seen": "", "decided_on": timezone.localdate()}
    form = DecisionForm(request.POST or None, slug=slug, initial=initial)
    return _written(request, form, slug=slug) or _form_page(request, form, slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_decision(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    shown = _decision(request, slug, number)
    check_can_decide(request.user, slug)
    if shown.is_published:
        messages.warning(request, _("A published entry is not changed. Write a new one that supersedes it."))
        return redirect("methodology:decision", slug, number)
    form = DecisionForm(request.POST or None, slug=slug, initial=entered_of(shown))
    return _written(request, form, slug=slug, number=number) or _form_page(request, form, slug=slug, decision=shown)


@require_POST
def publish(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    shown = _decision(request, slug, number)
    publish_decision(decision=shown, by=request.user, now=timezone.now())
    messages.success(request, _("Decision %(number)s is published. It is final.") % {"number": number})
    return redirect("methodology:decision", slug, number)


def _own_slug(request: MemberRequest, slug: str) -> str:
    """The slug of a benchmark of the person; of another nobody learns that it exists."""
    if slug not in benchmark_slugs_of(request.user):
        raise Http404
    return slug


def _decision(request: MemberRequest, slug: str, number: int) -> Decision:
    visible = Decision.objects.visible_to(request.user).with_list_data()
    return get_object_or_404(visible, benchmark_slug=slug, number=number)


def _written(
    request: MemberRequest, form: DecisionForm, *, slug: str, number: int | None = None
) -> HttpResponse | None:
    """Write a valid form and go to the entry; None where the form is to be shown again, with what is wrong."""
    if request.method != "POST" or not form.is_valid():
        return None
    try:
        row = write_decision(
            benchmark_slug=slug,
            draft=form.draft,
            number=number or form.cleaned_data["number"],
            by=request.user,
            now=timezone.now(),
            seen=form.cleaned_data["seen"],
        )
    except (DecisionIsFinal, SupersessionRefused) as refusal:
        form.add_error(None, str(refusal))
        return None
    except DecisionChanged as changed:
        return _conflict(request, form, slug=slug, current=changed.decision, is_new=number is None)
    messages.success(request, _("Decision %(number)s is saved as a draft.") % {"number": row.number})
    return redirect("methodology:decision", slug, row.number)


def _conflict(
    request: MemberRequest, form: DecisionForm, *, slug: str, current: Decision, is_new: bool
) -> HttpResponse:
    """Both versions, one above the other. What was entered is kept: a new entry moves to the next number."""
    data = request.POST.copy()
    data["number"] = str(next_number(slug) if is_new else current.number)
    data["seen"] = "" if is_new else current.digest
    kept = DecisionForm(data, slug=slug)
    context = {"other": DecisionPage(current, user=request.user), "is_new": is_new}
    return _form_page(request, kept, slug=slug, decision=None if is_new else current, status=409, **context)


def _form_page(
    request: MemberRequest,
    form: DecisionForm,
    *,
    slug: str,
    decision: Decision | None = None,
    status: int | None = None,
    **context: Any,
) -> HttpResponse:
    status = status or (422 if form.is_bound else 200)
    context |= {"form": form, "slug": slug, "decision": decision}
    return render(request, "methodology/decision_form.html", context, status=status)
