from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lexreview.accounts.actions import set_account_language, set_account_name
from lexreview.accounts.forms import AccountForm, LanguageForm
from lexreview.accounts.gallery import gallery_context
from lexreview.accounts.models import Membership, User
from lexreview.accounts.themes import chosen_theme, keep_language, keep_theme


class SignedInRequest(HttpRequest):
    user: User


@require_http_methods(["GET", "HEAD", "POST"])
def account(request: SignedInRequest) -> HttpResponse:
    form = AccountForm(request.POST or None, user=request.user, theme=chosen_theme(request))
    if request.method == "POST" and form.is_valid():
        return _save_account(request, form)
    memberships = Membership.objects.held_by(request.user).by_benchmark()
    return render(
        request,
        "account/me.html",
        {"form": form, "memberships": memberships},
        status=422 if request.method == "POST" else 200,
    )


def _save_account(request: SignedInRequest, form: AccountForm) -> HttpResponse:
    values, now = form.cleaned_data, timezone.now()
    set_account_name(
        user=request.user,
        first_name=values["first_name"],
        last_name=values["last_name"],
        by=request.user,
        now=now,
    )
    set_account_language(user=request.user, language=values["language"], by=request.user, now=now)
    response = redirect("accounts:account")
    keep_language(response, values["language"])
    keep_theme(response, values["theme"])
    with override(values["language"] or None):
        messages.success(request, _("Your account was saved."))
    return response


@login_not_required
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    form = LanguageForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest(_("This language is not offered."))
    chosen = form.cleaned_data["language"]
    if request.user.is_authenticated:
        set_account_language(user=request.user, language=chosen, by=request.user, now=timezone.now())
    response = redirect(_safe_next(request, form.cleaned_data["next"]))
    keep_language(response, chosen)
    return response


def _safe_next(request: HttpRequest, address: str) -> str:
    if url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        return address
    return "/"


@require_GET
def gallery(request: SignedInRequest) -> HttpResponse:
    if not request.user.is_staff:
        raise PermissionDenied(_("The style page is for the staff of this installation."))
    return render(request, "components/gallery.html", gallery_context(user=request.user, asked_on=date(2026, 1, 20)))
