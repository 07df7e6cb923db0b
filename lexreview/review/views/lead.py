"""The lead's desk over the reviews of a benchmark: plan, second reviews, agreement, rulings, checks of quality."""

import csv
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from lexreview.accounts.rules import check_has_role
from lexreview.core.methods.reference_card.human_agreement import Cell, Measure
from lexreview.core.workflow import CardState, Role, Round, TransitionRefused
from lexreview.methodology.models import Decision
from lexreview.methodology.rules import check_can_decide
from lexreview.questions.models import Benchmark
from lexreview.review.actions import StaleCard
from lexreview.review.actions.planning import PlanChanged, save_review_plan
from lexreview.review.actions.quality import CheckRefused, add_checks, check_card, draw_checks
from lexreview.review.actions.repeating import bring_back_all
from lexreview.review.actions.returning import return_card
from lexreview.review.actions.rulings import give_ruling, mark_for_recheck, rule_by_new_entry
from lexreview.review.actions.second_review import (
    RoundRefused,
    SelectionChanged,
    cancel_second_review,
    select_for_second_review,
    take_seat,
)
from lexreview.review.actions.sent_once import SentBefore
from lexreview.review.agreement import SELF, AgreementPage, Group
from lexreview.review.agreement_table import COLUMNS, agreement_lines
from lexreview.review.changing import sent_form
from lexreview.review.forms import ReasonForm, form_key_of
from lexreview.review.lead_forms import (
    AnswerForm,
    CheckForm,
    DrawForm,
    PlanForm,
    ReasonOnlyForm,
    RecheckForm,
    SamplingForm,
    first_error,
)
from lexreview.review.models import Card, CheckOutcome, QualityCheck, ReviewPlan
from lexreview.review.quality import checkable, fast_cards, quality_of
from lexreview.review.rounds import candidates_for_second_review, people_who_review, select
from lexreview.review.rules import can_plan_reviews, check_can_plan_reviews, check_can_rule
from lexreview.review.rulings import cards_ruled_by, recheck_candidates
from lexreview.review.views.rendering import ReviewRequest, card_address, card_for, leave, number_in, save, sent
from lexreview.translating import translated


def _benchmark(request: ReviewRequest, slug: str) -> Benchmark:
    """404 for outsiders, 403 for members who are no leads."""
    found = get_object_or_404(Benchmark.objects.visible_to(request.user).select_related("specification"), slug=slug)
    check_can_plan_reviews(request.user, found)
    return found


@require_safe
def second_review(request: ReviewRequest, slug: str) -> HttpResponse:
    """The sample as it would be drawn, where the address says how: nothing is written."""
    benchmark = _benchmark(request, slug)
    asked = "seats" in request.GET
    form = SamplingForm(request.GET if asked else None, people=people_who_review(benchmark))
    selection = select(benchmark, form.sampling) if asked and form.is_valid() else None
    return _second_review_page(request, benchmark, form=form, selection=selection)


@require_POST
def ask_second_review(request: ReviewRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    form = SamplingForm(request.POST, people=people_who_review(benchmark))
    if not form.is_valid():
        return _second_review_page(request, benchmark, form=form, status=422)
    stamp: dict[str, Any] = {"by": request.user, "now": timezone.now()}
    shown = request.POST.get("fingerprint", "")
    try:
        with sent_form(form_key_of(request)):
            selection = select_for_second_review(
                benchmark=benchmark, sampling=form.sampling, fingerprint=shown, **stamp
            )  # fmt: skip
        number = len(selection.cards)
    except SentBefore as before:
        number = before.after["sample"]["cards"]
    except SelectionChanged as refusal:
        now_ = select(benchmark, form.sampling)
        return _second_review_page(request, benchmark, form=form, selection=now_, error=str(refusal), status=409)
    except RoundRefused as refusal:
        return _second_review_page(request, benchmark, form=form, error=str(refusal), status=422)
    text = ngettext("%(n)s card waits for its second review.", "%(n)s cards wait for their second review.", number)
    messages.success(request, text % {"n": number})
    return redirect("rounds:second_review", slug)


def _second_review_page(
    request: ReviewRequest, benchmark: Benchmark, *, error: str = "", status: int = 200, **context: Any
) -> HttpResponse:
    plan = ReviewPlan.of(benchmark)
    seen = Card.objects.visible_to(request.user).of_benchmark(benchmark).with_list_data().in_queue_order()
    waiting = seen.filter(round=Round.FIRST, state__in=[CardState.SECOND_REVIEW, CardState.IN_ADJUDICATION])
    plan_form = context.pop("plan_form", None) or PlanForm.of(plan)
    everything = {
        "benchmark": benchmark,
        "candidates": candidates_for_second_review(benchmark).count(),
        "waiting": waiting.filter(state=CardState.SECOND_REVIEW),
        "differing": waiting.filter(state=CardState.IN_ADJUDICATION),
        "plan_form": plan_form,
        "error": error,
        "query": request.GET.urlencode(),
        "meanwhile": (),
        "kept": None,
        "reason": "",
        **context,
    }
    return render(request, "review/second_review.html", everything, status=status)


@require_POST
def plan(request: ReviewRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    form = PlanForm(request.POST)
    if not form.is_valid():
        sampling = SamplingForm(people=people_who_review(benchmark))
        return _second_review_page(
            request, benchmark, form=sampling, plan_form=form, error=first_error(form), status=422
        )
    base = form.cleaned_data["base"]
    try:
        save_review_plan(benchmark=benchmark, draft=form.draft, base=base, by=request.user, now=timezone.now())
    except PlanChanged as refusal:
        sampling = SamplingForm(people=people_who_review(benchmark))
        theirs, mine = PlanForm.of(refusal.plan), form.on(refusal.plan)
        return _second_review_page(
            request, benchmark, form=sampling, plan_form=mine, meanwhile=mine.beside(theirs), error=str(refusal),
            status=409,
        )  # fmt: skip
    messages.success(request, _("The plan is saved. It holds for cards that are opened from now on."))
    return redirect("rounds:second_review", slug)


@require_POST
def bring_back(request: ReviewRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    number = len(bring_back_all(benchmark=benchmark, by=request.user, now=timezone.now()))
    text = ngettext("%(n)s card was brought back.", "%(n)s cards were brought back.", number)
    messages.success(request, text % {"n": number})
    return redirect("rounds:second_review", slug)


@require_POST
def cancel(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_for(request, pk)
    check_can_plan_reviews(request.user, card.benchmark)
    form = ReasonOnlyForm(request.POST)
    if not form.is_valid():
        return _not_cancelled(request, card, first_error(form))
    reason = form.cleaned_data["reason"]
    try:
        with sent_form(form_key_of(request)):
            cancel_second_review(card=card, reason=reason, by=request.user, now=timezone.now())
    except (RoundRefused, TransitionRefused) as refusal:
        return _not_cancelled(request, card, translated(refusal))
    return redirect("rounds:second_review", card.benchmark.slug)


def _not_cancelled(request: ReviewRequest, card: Card, error: str) -> HttpResponse:
    """The page with what was typed, in its place."""
    form = SamplingForm(people=people_who_review(card.benchmark))
    kept = {"kept": card, "reason": sent(request, "reason")}
    return _second_review_page(request, card.benchmark, form=form, error=error, status=422, **kept)


@require_POST
def take(request: ReviewRequest, pk: int) -> HttpResponse:
    """Take a free seat of a second review."""
    card = card_for(request, pk)
    check_has_role(request.user, card.benchmark.slug, Role.REVIEWER, Role.LEAD)
    try:
        seat = take_seat(card=card, by=request.user, now=timezone.now())
    except RoundRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("review:queue")
    return redirect(card_address(seat))


@require_safe
def agreement(request: ReviewRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    page = AgreementPage(benchmark, version=request.GET.get("specification", ""))
    return render(request, "review/agreement.html", {"benchmark": benchmark, "page": page})


@require_safe
def agreement_cards(request: ReviewRequest, slug: str) -> HttpResponse:
    """The pairs that are counted in one cell; 404 for a cell that no table has."""
    benchmark = _benchmark(request, slug)
    page = AgreementPage(benchmark, version=request.GET.get("specification", ""))
    measure = Measure(request.GET.get("measure", ""), request.GET.get("positive", ""))
    group, cell = request.GET.get("group", ""), request.GET.get("cell", "")
    if measure not in page.measures or cell not in [each.value for each in Cell] or group not in [*Group, SELF]:
        raise Http404
    pairs = page.pairs(group, measure, Cell(cell))
    shown = set(Card.objects.visible_to(request.user).of_benchmark(benchmark).values_list("pk", flat=True))
    context = {
        "benchmark": benchmark,
        "page": page,
        "measure": measure,
        "group": group,
        "cell": cell,
        "pairs": [pair for pair in pairs if {pair.first.pk, pair.second.pk} <= shown],
    }
    return render(request, "review/agreement_cards.html", context)


@require_safe
def agreement_csv(request: ReviewRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    page = AgreementPage(benchmark, version=request.GET.get("specification", ""))
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-agreement.csv"'
    writer = csv.writer(response)
    writer.writerow(COLUMNS)
    writer.writerows(agreement_lines(page))
    return response


@require_safe
def answer_ruling(request: ReviewRequest, pk: int) -> HttpResponse:
    return _answer_page(request, _asking(request, pk))


@require_POST
def give_answer(request: ReviewRequest, pk: int) -> HttpResponse:
    """Answer a question on a card by an entry of the log, or by a new draft."""
    card = _asking(request, pk)
    form = AnswerForm(request.POST, slug=card.benchmark.slug)
    if not form.is_valid():
        return _answer_page(request, card, form=form, status=422)
    try:
        with sent_form(form_key_of(request)):
            _answered(request, card, form)
    except StaleCard as stale:
        if not stale.is_repeat:
            return _answer_page(request, _asking(request, pk), form=form, error=str(stale), status=409)
    except TransitionRefused as refusal:
        return _answer_page(request, _asking(request, pk), form=form, error=translated(refusal), status=409)
    request_row = card.ruling_requests.exclude(decision=None).order_by("-number").select_related("decision").first()
    decision = request_row.decision if request_row else None
    if decision is None:
        return redirect(card_address(card))
    return redirect("rounds:recheck", card.benchmark.slug, decision.number)


def _answered(request: ReviewRequest, card: Card, form: AnswerForm) -> Card:
    values = form.cleaned_data
    stamp: dict[str, Any] = {"version": values["version"], "by": request.user, "now": timezone.now()}
    if values["entry"] is not None:
        return give_ruling(card=card, decision=values["entry"], **stamp)
    return rule_by_new_entry(card=card, draft=form.draft(card, on=timezone.localdate()), **stamp)


def _asking(request: ReviewRequest, pk: int) -> Card:
    card = card_for(request, pk)
    check_can_rule(request.user, card)
    return card


def _answer_page(
    request: ReviewRequest, card: Card, *, form: AnswerForm | None = None, error: str = "", status: int = 200
) -> HttpResponse:
    initial = {"version": card.version, "question": card.ruling_question}
    context = {
        "card": card,
        "benchmark": card.benchmark,
        "form": form.on(card) if form is not None else AnswerForm(initial=initial, slug=card.benchmark.slug),
        "typed": form.typed if form is not None else (),
        "asked": list(card.ruling_requests.select_related("asked_by", "decision", "answered_by").in_order()),
        "error": error or (first_error(form) if form is not None and form.errors else ""),
        "is_waiting": card.state == CardState.NEEDS_RULING,
    }
    return render(request, "review/answer_ruling.html", context, status=status)


@require_safe
def recheck(request: ReviewRequest, slug: str, number: int) -> HttpResponse:
    return _recheck_page(request, _decision(request, slug, number))


@require_POST
def mark_recheck(request: ReviewRequest, slug: str, number: int) -> HttpResponse:
    decision = _decision(request, slug, number)
    offered = [each.card for each in recheck_candidates(decision, user=request.user)]
    form = RecheckForm(request.POST, cards=offered)
    if not form.is_valid():
        return _recheck_page(request, decision, error=first_error(form), status=422)
    marks = mark_for_recheck(
        decision=decision,
        cards=list(form.cleaned_data["cards"]),
        reason=form.cleaned_data["reason"],
        by=request.user,
        now=timezone.now(),
    )
    text = ngettext("%(n)s card is to be looked at again.", "%(n)s cards are to be looked at again.", len(marks))
    messages.success(request, text % {"n": len(marks)})
    return redirect("rounds:recheck", slug, number)


def _decision(request: ReviewRequest, slug: str, number: int) -> Decision:
    found = get_object_or_404(Decision.objects.visible_to(request.user), benchmark_slug=slug, number=number)
    check_can_decide(request.user, slug)
    return found


def _recheck_page(
    request: ReviewRequest, decision: Decision, *, error: str = "", status: int = 200
) -> HttpResponse:  # fmt: skip
    context = {
        "decision": decision,
        "benchmark": Benchmark.objects.get(slug=decision.benchmark_slug),
        "ruled": cards_ruled_by(decision, user=request.user),
        "candidates": recheck_candidates(decision, user=request.user),
        "chosen": {number_in(key) for key in request.POST.getlist("cards")} if error else set(),
        "reason": sent(request, "reason") if error else "",
        "error": error,
    }
    return render(request, "review/recheck.html", context, status=status)


@require_safe
def quality(request: ReviewRequest, slug: str) -> HttpResponse:
    """The lead sees every reviewer's figures, a reviewer their own."""
    benchmark = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    check_has_role(request.user, slug, Role.LEAD, Role.REVIEWER)
    return _quality_page(request, benchmark)


@require_POST
def draw(request: ReviewRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    form = _draw_form(benchmark, request.POST)
    if not form.is_valid():
        return _quality_page(request, benchmark, form=form, error=first_error(form), status=422)
    try:
        with sent_form(form_key_of(request)):
            checks = draw_checks(benchmark=benchmark, draw=form.draw, by=request.user, now=timezone.now())
        number = len(checks)
    except SentBefore as before:
        number = before.after["sample"]["cards"]
    except CheckRefused as refusal:
        return _quality_page(request, benchmark, form=form, error=str(refusal), status=422)
    text = ngettext("%(n)s card was drawn.", "%(n)s cards were drawn.", number)
    messages.success(request, text % {"n": number})
    return redirect("rounds:quality", slug)


@require_POST
def add_fast(request: ReviewRequest, slug: str) -> HttpResponse:
    """Add the cards that were approved strikingly fast."""
    benchmark = _benchmark(request, slug)
    cards = list(fast_cards(benchmark, by=request.user).with_answer().order_by("pk"))
    number = len(add_checks(cards=cards, by=request.user, now=timezone.now()))
    text = ngettext("%(n)s card was added.", "%(n)s cards were added.", number)
    messages.success(request, text % {"n": number})
    return redirect("rounds:quality", slug)


def _draw_form(benchmark: Benchmark, sent: Any = None) -> DrawForm:
    codes = list(benchmark.questions.order_by("code").values_list("code", flat=True))
    return DrawForm(sent, people=people_who_review(benchmark), questions=codes)


def _quality_page(
    request: ReviewRequest, benchmark: Benchmark, *, form: DrawForm | None = None, error: str = "", status: int = 200
) -> HttpResponse:
    is_lead = can_plan_reviews(request.user, benchmark)
    checks = (
        QualityCheck.objects.of_benchmark(benchmark)
        .visible_to(request.user)
        .select_related("card__answer__question__benchmark", "card__answer__run", "reviewer", "checked_by")
    )
    context = {
        "benchmark": benchmark,
        "is_lead": is_lead,
        "people": quality_of(benchmark, user=request.user),
        "open": checks.open().in_order() if is_lead else [],
        "overturned": (checks if is_lead else checks.filter(reviewer=request.user))
        .filter(outcome=CheckOutcome.OVERTURNED)
        .order_by("-checked_at", "pk")[:50],
        "form": form or _draw_form(benchmark),
        "fast": fast_cards(benchmark, by=request.user).count() if is_lead else 0,
        "left": checkable(benchmark, by=request.user).count() if is_lead else 0,
        "error": error,
    }
    return render(request, "review/quality.html", context, status=status)


def _check(request: ReviewRequest, pk: int) -> QualityCheck:
    rows = QualityCheck.objects.visible_to(request.user)
    found = get_object_or_404(rows.select_related("card__answer__question__benchmark", "reviewer"), pk=pk)
    check_can_plan_reviews(request.user, found.card.benchmark)
    return found


@require_safe
def check(request: ReviewRequest, pk: int) -> HttpResponse:
    return _check_page(request, _check(request, pk))


@require_POST
def settle_check(request: ReviewRequest, pk: int) -> HttpResponse:
    row = _check(request, pk)
    form = CheckForm(request.POST)
    if not form.is_valid():
        return _check_page(request, row, error=first_error(form), status=422)
    outcome, reason = CheckOutcome(form.cleaned_data["outcome"]), form.cleaned_data["reason"]
    try:
        check_card(check=row, outcome=outcome, reason=reason, by=request.user, now=timezone.now())
    except CheckRefused as refusal:
        return _check_page(request, _check(request, pk), error=str(refusal), status=422)
    checks = QualityCheck.objects.of_benchmark(row.card.benchmark).visible_to(request.user)
    following = checks.open().exclude(reviewer=request.user).in_order().first()
    if following is not None:
        return redirect("rounds:check", following.pk)
    return redirect("rounds:quality", row.card.benchmark.slug)


def _check_page(request: ReviewRequest, row: QualityCheck, *, error: str = "", status: int = 200) -> HttpResponse:
    card = Card.objects.with_answer().get(pk=row.card_id)
    context = {
        "check": row,
        "card": card,
        "benchmark": card.benchmark,
        "scores": card.scores.filter(not_applicable=False, decided__isnull=False).order_by("pk"),
        "findings": card.findings.standing().in_order(),
        "citations": card.citations.in_text_order(),
        "is_own": row.reviewer_id == request.user.pk,
        "is_open": row.outcome == CheckOutcome.OPEN,
        "reason": request.POST.get("reason", ""),
        "error": error,
    }
    return render(request, "review/check.html", context, status=status)


@require_POST
def send_back(request: ReviewRequest, pk: int) -> HttpResponse:
    """Return an approved card to its reviewer with a reason."""
    card = card_for(request, pk)
    check_has_role(request.user, card.benchmark.slug, Role.LEAD)

    def act(*, reason: str, version: int) -> Card:
        return return_card(card=card, reason=reason, version=version, by=request.user, now=timezone.now())

    def told(current: Card) -> HttpResponse:
        messages.success(request, _("The card went back to its reviewer."))
        return leave(request, card_address(current))

    return save(request, card, ReasonForm(request.POST), act, target="return", done=told)
