"""The lead's desk of a benchmark: writing questions and keys."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.middleware import HtmxDetails

from lexreview.accounts.models import User
from lexreview.questions.actions import (
    DepartureNeeded,
    KeyChanged,
    KeyIncomplete,
    KeyIsFixed,
    QuestionChanged,
    QuestionIsFrozen,
    add_basis,
    approve_key,
    match_mirrors,
    remove_basis,
    save_question,
    write_key,
)
from lexreview.questions.forms import BasisForm, KeyForms, PickForm, QuestionForm, entered_of
from lexreview.questions.key_differences import differences
from lexreview.questions.key_editor import KeyEditor
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.questions.question_page import expected_words
from lexreview.questions.rules import check_can_write_questions
from lexreview.questions.source_picker import NothingPicked, SourcePicker


class MemberRequest(HttpRequest):
    user: User
    htmx: HtmxDetails


@require_http_methods(["GET", "HEAD", "POST"])
def new_question(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    check_can_write_questions(request.user, slug)
    initial = {"language": benchmark.language, "seen": ""}
    form = QuestionForm(request.POST or None, benchmark=benchmark, initial=initial)
    return _question_saved(request, form) or _question_page(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_question(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    question = _question(request, slug, code)
    form = QuestionForm(
        request.POST or None, benchmark=question.benchmark, question=question, initial=entered_of(question)
    )
    return _question_saved(request, form) or _question_page(request, form)


def _question_saved(request: MemberRequest, form: QuestionForm) -> HttpResponse | None:
    """Save a valid form and go to the question; None where the form is to be shown again, with what is wrong."""
    if request.method != "POST" or not form.is_valid():
        return None
    now = timezone.now()
    try:
        question = save_question(
            benchmark=form.benchmark, draft=form.draft, by=request.user, now=now, seen=form.cleaned_data["seen"]
        )
    except QuestionIsFrozen as refusal:
        form.add_error(None, str(refusal))
        return None
    except QuestionChanged as changed:
        return _question_conflict(request, form, changed.question)
    if question.mirror != form.cleaned_data["mirror"]:
        match_mirrors(question=question, mirror=form.cleaned_data["mirror"], by=request.user, now=now)
    messages.success(request, _("Question %(code)s is saved.") % {"code": question.code})
    return redirect("questions:question", form.benchmark.slug, question.code)


def _question_conflict(request: MemberRequest, form: QuestionForm, current: Question) -> HttpResponse:
    """Both versions on one page. A code that was taken meanwhile is entered anew; a changed question is shown."""
    data = request.POST.copy()
    data["seen"] = "" if form.question is None else current.digest
    kept = QuestionForm(data, benchmark=form.benchmark, question=form.question)
    if form.question is None:
        kept.add_error("code", _("There is a question %(code)s already.") % {"code": current.code})
    return _question_page(request, kept, status=409, other=current, other_expected=expected_words(current))


def _question_page(
    request: MemberRequest, form: QuestionForm, *, status: int | None = None, **context: Any
) -> HttpResponse:
    context |= {
        "form": form,
        "benchmark": form.benchmark,
        "question": form.question,
        "frozen": form.question is not None and form.question.is_frozen,
    }
    return render(request, "questions/question_form.html", context, status=status or (422 if form.is_bound else 200))


@require_http_methods(["GET", "HEAD", "POST"])
def edit_key(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    editor = KeyEditor(_question(request, slug, code))
    forms = editor.forms(request.POST or None, today=timezone.localdate())
    return _key_saved(request, editor, forms) or _key_page(request, editor, forms)


def _key_saved(request: MemberRequest, editor: KeyEditor, forms: KeyForms) -> HttpResponse | None:
    """Save valid forms as the draft; None where they are to be shown again, with what is wrong."""
    if request.method != "POST" or not forms.is_valid():
        return None
    question = editor.question
    try:
        key = write_key(
            question=question,
            number=editor.number,
            draft=forms.draft(bases=editor.bases),
            by=request.user,
            now=timezone.now(),
            seen=forms.form.cleaned_data["seen"],
        )
    except (DepartureNeeded, KeyIsFixed) as refusal:
        forms.form.add_error(None, str(refusal))
        return None
    except KeyChanged as changed:
        return _key_conflict(request, editor, forms, changed.key)
    said = _("Version %(number)s is saved as a draft.") % {"number": key.number}
    if key.departure and key.decision:
        said += " " + _("Decision %(number)s of the log speaks of the departure.") % {"number": key.decision.number}
    messages.success(request, said)
    then = "questions:pick_basis" if request.POST.get("then") == "basis" else "questions:edit_key"
    return redirect(then, question.benchmark.slug, question.code)


def _key_conflict(request: MemberRequest, editor: KeyEditor, forms: KeyForms, current: KeyVersion) -> HttpResponse:
    """What stands there now beside what was entered; saving once more replaces it, and the ledger keeps both."""
    fields = forms.draft(bases=current.bases).__dict__
    entered = KeyVersion(question=editor.question, number=current.number, **fields)
    data = request.POST.copy()
    data["seen"] = current.digest
    kept = KeyEditor(editor.question)
    again = kept.forms(data, today=timezone.localdate())
    return _key_page(request, kept, again, status=409, conflict=differences(current, entered), current=current)


def _key_page(
    request: MemberRequest, editor: KeyEditor, forms: KeyForms, *, status: int | None = None, **context: Any
) -> HttpResponse:
    context |= {"editor": editor, "forms": forms, "question": editor.question, "benchmark": editor.question.benchmark}
    status = status or (422 if forms.form.is_bound else 200)
    return render(request, "questions/key_form.html", context, status=status)


@require_POST
@vary_on_headers("HX-Request")
def compare_key(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    """What the form would change against the approved version. Nothing is written."""
    editor = KeyEditor(_question(request, slug, code))
    forms = editor.forms(request.POST, today=timezone.localdate())
    forms.need_no_reason()
    valid = forms.is_valid()
    context = {"entered": True, "valid": valid, "differences": editor.compared(forms) if valid else []}
    if request.htmx:
        return render(request, "questions/_key_compared.html", {"editor": editor, **context})
    return _key_page(request, editor, forms, status=200 if valid else 422, **context)


@require_POST
def approve(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    editor = KeyEditor(_question(request, slug, code))
    if editor.draft is None:
        messages.warning(request, _("There is no draft to approve."))
        return redirect("questions:question", slug, code)
    now = timezone.now()
    try:
        key = approve_key(
            key=editor.draft, on=timezone.localdate(now), by=request.user, now=now, seen=request.POST.get("seen", "")
        )
    except KeyChanged:
        messages.warning(request, _("Somebody changed the draft after you opened it. Read it again, then approve."))
        return redirect("questions:edit_key", slug, code)
    except (KeyIncomplete, DepartureNeeded) as refusal:
        forms = editor.forms(today=timezone.localdate())
        missing = refusal.missing if isinstance(refusal, KeyIncomplete) else [str(refusal)]
        return _key_page(request, editor, forms, status=422, refused=missing)
    messages.success(request, _("Version %(number)s is approved.") % {"number": key.number})
    return redirect("questions:question", slug, code)


@require_http_methods(["GET", "HEAD", "POST"])
def pick_basis(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    editor = KeyEditor(_question(request, slug, code))
    if editor.draft is None:
        messages.warning(request, _("Save a draft of the key first: a basis is added to it."))
        return redirect("questions:edit_key", slug, code)
    asked = PickForm(request.GET)
    asked.is_valid()
    values = {name: value for name, value in asked.cleaned_data.items() if value}
    picker = SourcePicker(editor.draft, **values)
    count = len(picker.source.pieces) if picker.source else 0
    form = BasisForm(request.POST or None, count=count, initial={"citation": picker.citation, "seen": editor.seen})
    return _basis_added(request, editor, picker, form) or _pick_page(request, editor, picker, form, asked)


def _basis_added(
    request: MemberRequest, editor: KeyEditor, picker: SourcePicker, form: BasisForm
) -> HttpResponse | None:
    if request.method != "POST" or editor.draft is None or not form.is_valid():
        return None
    values = form.cleaned_data
    try:
        if picker.source is None:
            raise NothingPicked(_("There is no wording to quote."))
        quotation = picker.source.quotation(start=values["start"], end=values["end"], pieces=values["pieces"])
        basis = picker.basis(quotation=quotation, citation=values["citation"], passage=values["passage"])
        add_basis(key=editor.draft, basis=basis, by=request.user, now=timezone.now(), seen=values["seen"])
    except NothingPicked as refusal:
        form.add_error(None, str(refusal))
        return None
    except KeyChanged:
        messages.warning(
            request, _("Somebody changed the draft meanwhile. Nothing was added; read it, then pick again.")
        )
        return redirect("questions:edit_key", editor.question.benchmark.slug, editor.question.code)
    messages.success(request, _("Basis %(code)s is added.") % {"code": basis["code"]})
    address = reverse("questions:edit_key", args=[editor.question.benchmark.slug, editor.question.code])
    return redirect(f"{address}#bases")


def _pick_page(
    request: MemberRequest, editor: KeyEditor, picker: SourcePicker, form: BasisForm, asked: PickForm
) -> HttpResponse:
    context = {
        "picker": picker,
        "form": form,
        "asked": asked,
        "question": editor.question,
        "benchmark": editor.question.benchmark,
    }
    return render(request, "questions/pick_basis.html", context, status=422 if form.is_bound else 200)


@require_POST
def drop_basis(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    editor = KeyEditor(_question(request, slug, code))
    if editor.draft is None:
        messages.warning(request, _("There is no draft to change."))
        return redirect("questions:question", slug, code)
    basis, seen = request.POST.get("basis", ""), request.POST.get("seen", "")
    try:
        remove_basis(key=editor.draft, code=basis, by=request.user, now=timezone.now(), seen=seen)
    except KeyChanged:
        messages.warning(request, _("Somebody changed the draft meanwhile. Nothing was removed."))
    else:
        messages.success(request, _("Basis %(code)s is removed.") % {"code": basis})
    return redirect(f"{reverse('questions:edit_key', args=[slug, code])}#bases")


@require_safe
def key_versions(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    """Two versions of a key side by side, whichever the person chooses."""
    question = get_object_or_404(
        Question.objects.visible_to(request.user).with_page_data(), benchmark__slug=slug, code=code
    )
    versions = {each.number: each for each in question.key_versions.with_people().in_order()}
    numbers = sorted(versions)
    left, right = (_chosen(request.GET.get(name), numbers) for name in ("left", "right"))
    left, right = left or (numbers[-2:][0] if numbers else 0), right or (numbers[-1] if numbers else 0)
    context = {
        "question": question,
        "benchmark": question.benchmark,
        "versions": list(versions.values()),
        "left": versions.get(left),
        "right": versions.get(right),
        "differences": differences(versions[left], versions[right]) if left and right else [],
    }
    return render(request, "questions/key_versions.html", context)


def _chosen(text: str | None, numbers: list[int]) -> int:
    return next((number for number in numbers if str(number) == text), 0)


def _question(request: MemberRequest, slug: str, code: str) -> Question:
    """The question of a lead: 404 for who may not know of it, 403 for other members."""
    visible = Question.objects.visible_to(request.user).with_page_data()
    question: Question = get_object_or_404(visible, benchmark__slug=slug, code=code)
    check_can_write_questions(request.user, slug)
    return question
