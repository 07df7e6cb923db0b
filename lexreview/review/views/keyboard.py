"""A person's own keys on the card page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from lexreview.review.actions import choose_keys
from lexreview.review.forms import KeysForm
from lexreview.review.keyboard import Keyboard
from lexreview.review.keys import KEYS, keys_by_context
from lexreview.review.views.rendering import ReviewRequest


@require_http_methods(["GET", "HEAD", "POST"])
def keys(request: ReviewRequest) -> HttpResponse:
    keyboard = Keyboard.of(request.user)
    if request.method == "POST":
        if "defaults" in request.POST:
            choose_keys(user=request.user, keys={}, single_keys=True, now=timezone.now())
            messages.success(request, _("The keys are as they were at first."))
            return redirect("review:keys")
        form = KeysForm(request.POST)
        if form.is_valid():
            choose_keys(
                user=request.user,
                keys=form.chosen,
                single_keys=form.cleaned_data["single_keys"],
                now=timezone.now(),
            )
            messages.success(request, _("Your keys are saved."))
            return redirect("review:keys")
    else:
        own = {key.does: key.key for key in keyboard.keys if not key.fixed}
        form = KeysForm(initial={**own, "single_keys": keyboard.is_on})
    groups = [
        (words, [(key, form[key.does] if not key.fixed else None) for key in group])
        for _context, words, group in keys_by_context(KEYS)
    ]
    return render(request, "review/keys.html", {"form": form, "groups": groups}, status=422 if form.errors else 200)


@require_POST
def switch(request: ReviewRequest) -> HttpResponse:
    """Single keys on or off, from the key sheet of the card page."""
    keyboard = Keyboard.of(request.user)
    own = {key.does: key.key for key in keyboard.keys if not key.fixed}
    choose_keys(user=request.user, keys=own, single_keys=request.POST.get("single_keys") == "on", now=timezone.now())
    return HttpResponse(status=204) if request.htmx else redirect("review:keys")
