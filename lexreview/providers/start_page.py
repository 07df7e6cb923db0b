"""The page on which a person chooses calls, sees what they would take, and starts them: nothing is called before that.

Templates of the rooms extend `providers/start.html`; context: benchmark, form (CallPlanForm), plan (CallPlan or None).
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from lexreview.jobs.actions import AlreadyRunning, NothingToDo
from lexreview.jobs.models import Job
from lexreview.providers.confirming import NotConfirmed
from lexreview.providers.forms import SEEN, CallPlanForm
from lexreview.providers.planning import CallPlan, CannotPlan

P = TypeVar("P", bound=CallPlan)


def plan_page(
    request: HttpRequest, template: str, *, benchmark: Any, form: CallPlanForm, make_plan: Callable[..., CallPlan]
) -> HttpResponse:
    """The choice and, once it is made, the plan. `make_plan` takes benchmark and choice, and may raise CannotPlan."""
    plan = _plan(form, benchmark, make_plan)
    return render(request, template, {"benchmark": benchmark, "form": form, "plan": plan})


def start_page(
    request: HttpRequest,
    template: str,
    *,
    benchmark: Any,
    form: CallPlanForm,
    make_plan: Callable[..., P],
    start: Callable[[P, dict[str, Any]], Job],
    started: str,
) -> HttpResponse:
    """To the page of the job that `start` begins with plan and spending, or of the one that does the same already; back
    to the choice with the reasons where nothing was started."""
    plan = _plan(form, benchmark, make_plan)
    if plan is not None and plan.has_grown_since(form.cleaned_data[SEEN]):
        form.add_error(None, _("The plan has grown since it was shown. Look at it as it is now, then start it."))
    elif plan is not None:
        try:
            job = start(plan, form.spending)
        except (NotConfirmed, NothingToDo) as refusal:
            form.add_error(None, str(refusal))
        except AlreadyRunning as refusal:
            messages.warning(request, str(refusal))
            return redirect("jobs:page", number=refusal.job.pk)
        else:
            messages.success(request, started)
            return redirect("jobs:page", number=job.pk)
    return render(request, template, {"benchmark": benchmark, "form": form, "plan": plan}, status=422)


def _plan(form: CallPlanForm, benchmark: Any, make_plan: Callable[..., P]) -> P | None:
    """None, with the reasons as errors of the form, where there is none."""
    if not form.is_valid():
        return None
    try:
        return make_plan(benchmark=benchmark, **form.choice)
    except CannotPlan as refusal:
        for problem in refusal.problems:
            form.add_error(None, problem)
        return None
