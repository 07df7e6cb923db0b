from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.middleware import HtmxDetails

from lexreview.accounts.models import User
from lexreview.methodology.actions import SpecificationChanged, load_specification
from lexreview.methodology.models import Specification
from lexreview.methodology.rules import can_write_specification, check_can_write_specification
from lexreview.methodology.specification_changes import changes_between
from lexreview.methodology.specification_editor import Shown, SpecificationForms, unstored
from lexreview.methodology.specification_forms import (
    MOST_LANGUAGES,
    SpecificationTextForm,
    languages_in,
    languages_of,
    one_line_end,
)
from lexreview.methodology.specification_page import SpecificationPage
from lexreview.methodology.specification_sections import specification_sections
from lexreview.methodology.specification_text import HEAD, TextError, content_of, text_of_rules


class MemberRequest(HttpRequest):
    user: User
    htmx: HtmxDetails


class Begun(NamedTuple):
    """The version that a new one is begun from, and the highest of that name."""

    old: Specification
    newest: Specification


@require_safe
def specification(request: MemberRequest, name: str, version: str) -> HttpResponse:
    visible = Specification.objects.visible_to(request.user).named(name).with_version(version)
    shown = get_object_or_404(visible)
    context = {
        "page": SpecificationPage(shown, user=request.user),
        "sections": specification_sections(shown, request.user),
        "may_write": can_write_specification(request.user),
    }
    return render(request, "methodology/specification.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
def write(request: MemberRequest, name: str, version: str) -> HttpResponse:
    """A new version field by field: rows moved about, shown with what it would do to cards, or added for good."""
    begun = _begun(request, name, version)
    if request.method != "POST":
        return _forms_page(request, _fresh_forms(begun))
    then = request.POST.get("then", "")
    if then == "from_text":
        return _from_text(request, begun)
    forms = SpecificationForms(**begun._asdict(), shown=_entered_head(request, begun), entered=request.POST)
    if changed := forms.as_entered().changed(then, language=request.POST.get("further_language", "")):
        return _forms_page(request, SpecificationForms(**begun._asdict(), shown=changed))
    if not forms.is_valid:
        return _forms_page(request, forms, status=422)
    if then == "add":
        if row := _stored(request, forms.content):
            return redirect("methodology:specification", row.name, row.version)
        forms.version.add_error("version", _("Somebody added this version meanwhile: give a higher number."))
        return _forms_page(request, forms, status=409)
    return _forms_page(request, forms, **_preview(request, begun, forms.specification))


@require_http_methods(["GET", "HEAD", "POST"])
def write_text(request: MemberRequest, name: str, version: str) -> HttpResponse:
    """The same with the rules as text."""
    begun = _begun(request, name, version)
    if request.method != "POST":
        return _text_page(request, _text_form(begun, initial=_initial_head(begun)))
    if request.POST.get("then") == "from_forms":
        shown = _entered_head(request, begun)
        entered = SpecificationForms(**begun._asdict(), shown=shown, entered=request.POST)
        initial = {**entered.version.as_entered(), "body": text_of_rules(entered.content)}
        return _text_page(request, _text_form(begun, initial=initial, languages=list(shown.languages)))
    form = _text_form(begun, entered=request)
    if not form.is_valid():
        return _text_page(request, form, status=422)
    if request.POST.get("then") == "add":
        if row := _stored(request, form.cleaned_data["content"]):
            return redirect("methodology:specification", row.name, row.version)
        form.add_error("version", _("Somebody added this version meanwhile: give a higher number."))
        return _text_page(request, form, status=409)
    return _text_page(request, form, **_preview(request, begun, unstored(form.cleaned_data["content"])))


def _begun(request: MemberRequest, name: str, version: str) -> Begun:
    named = Specification.objects.visible_to(request.user).named(name)
    old = get_object_or_404(named.with_version(version))
    check_can_write_specification(request.user)
    return Begun(old, named.newest())


def _initial_head(begun: Begun) -> dict[str, Any]:
    newest = begun.newest
    return {"version": f"{newest.major}.{newest.minor + 1}.0", "dated": timezone.localdate()}


def _fresh_forms(begun: Begun) -> SpecificationForms:
    return SpecificationForms(**begun._asdict(), shown=Shown.of(begun.old.content, version=_initial_head(begun)))


def _entered_languages(request: MemberRequest, begun: Begun) -> list[str]:
    codes = request.POST.get("languages_entered", "").split()[:MOST_LANGUAGES]
    return languages_in(codes) if codes else languages_of(begun.old.content)


def _entered_head(request: MemberRequest, begun: Begun) -> Shown:
    """What forms begin with whose values were all entered."""
    languages = _entered_languages(request, begun)
    return Shown(languages=languages, version={}, words={}, criteria=[], error_classes=[])


def _text_form(
    begun: Begun,
    *,
    entered: MemberRequest | None = None,
    initial: dict[str, Any] | None = None,
    languages: list[str] | None = None,
) -> SpecificationTextForm:
    spoken = languages or (_entered_languages(entered, begun) if entered else languages_of(begun.old.content))
    given = entered.POST if entered else None
    return SpecificationTextForm(given, **begun._asdict(), languages=spoken, initial=initial or {})


def _from_text(request: MemberRequest, begun: Begun) -> HttpResponse:
    """The forms with what the text says. A text that is no specification is shown again with what is wrong."""
    form = _text_form(begun, entered=request)
    head = {name: begun.old.content[name] for name in HEAD}
    try:
        content = content_of(one_line_end(request.POST.get("body", "")), head=head)
    except TextError:
        form.is_valid()
        return _text_page(request, form, status=422)
    shown = Shown.of(content, version=form.as_entered(), languages=form.languages)
    return _forms_page(request, SpecificationForms(**begun._asdict(), shown=shown))


def _preview(request: MemberRequest, begun: Begun, row: Specification) -> dict[str, Any]:
    changes = changes_between(begun.old, row)
    return {
        "previewed": True,
        "changes": changes,
        "unflagged": not row.rules_changed and any(change.scored for change in changes),
        "sections": specification_sections(row, request.user),
    }


def _stored(request: MemberRequest, content: dict[str, Any]) -> Specification | None:
    """The version, added; None where somebody else gave its number to another in the meantime."""
    try:
        row = load_specification(content=content, by=request.user, now=timezone.now())
    except SpecificationChanged:
        return None
    messages.success(request, _("Version %(version)s is added.") % {"version": row.version})
    return row


def _forms_page(
    request: MemberRequest, forms: SpecificationForms, *, status: int = 200, **context: Any
) -> HttpResponse:
    context |= {"forms": forms, "old": forms.old}
    template = "methodology/_specification_form.html" if request.htmx else "methodology/specification_form.html"
    return render(request, template, context, status=status)


def _text_page(
    request: MemberRequest, form: SpecificationTextForm, *, status: int = 200, **context: Any
) -> HttpResponse:
    context |= {"form": form, "old": form.old}
    return render(request, "methodology/specification_text.html", context, status=status)
