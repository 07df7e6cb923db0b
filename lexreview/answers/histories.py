"""The histories of an answer, of the systems with their runs, and of the conditions."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.accounts.rules import has_role
from lexreview.answers.masking import is_unmasked_for, sees_every_system
from lexreview.answers.models import Answer, Condition, System
from lexreview.core.workflow import Role
from lexreview.ledger.histories import Part, Parts, add_history, add_parts
from lexreview.ledger.timeline import History
from lexreview.ledger.values import add_values
from lexreview.questions.models import Benchmark

VERBS = {
    "store_answer": gettext_lazy("stored the answer"),
    "verify_answer": gettext_lazy("checked its citations"),
    "restore_verification": gettext_lazy("imported the check of its citations"),
    "check_support": gettext_lazy("asked a model whether the source supports the claim"),
    "restore_support_check": gettext_lazy("imported a model's opinion on the source"),
    "create_system": gettext_lazy("added the system"),
    "change_system": gettext_lazy("changed the system"),
    "create_run": gettext_lazy("began the run"),
    "change_run": gettext_lazy("changed the run"),
    "create_condition": gettext_lazy("added the condition"),
    "change_condition": gettext_lazy("changed the condition"),
    "freeze_condition": gettext_lazy("froze the condition at the first answer"),
}


def answer_history(person: User, name: str) -> History | None:
    """`name` is `slug/identifier`, which tells the system: None while that is masked for the person.

    For leads and operators also what was checked in it: a reviewer whose card comes without proposals must not read
    them here.
    """
    slug, _sign, identifier = name.partition("/")
    visible = Answer.objects.visible_to(person).with_run()
    answer = visible.filter(question__benchmark__slug=slug, identifier=identifier).first()
    if answer is None or not is_unmasked_for(person, answer):
        return None
    about = [("answer", name, _("answer"))]
    if has_role(person, slug, Role.LEAD, Role.OPERATOR):
        about.append(("verification", name, _("check of the citations")))
    return History(
        title=identifier,
        back_url=reverse("answers:answer", args=[slug, identifier]),
        about=about,
        verbs=VERBS,
    )


def system_history(person: User, name: str) -> History | None:
    """`name` is `slug/code`. Runs go with it unless their times could tell the person which answer it gave."""
    slug, _sign, code = name.partition("/")
    benchmark = Benchmark.objects.visible_to(person).filter(slug=slug).first()
    system = System.objects.filter(benchmark=benchmark, code=code).first() if benchmark else None
    if benchmark is None or system is None:
        return None
    about = [("system", name, system.name)]
    if sees_every_system(person, benchmark):
        runs = system.runs.select_related("condition").order_by("condition__position", "repetition", "pk")
        about += [_run(name, run.condition.code, run.repetition) for run in runs]
    return History(
        title=system.name, back_url=reverse("questions:benchmark", args=[slug]), about=about, verbs=VERBS
    )  # fmt: skip


def _run(system: str, condition: str, repetition: int) -> tuple[str, str, str]:
    place = f"{condition}/r{repetition}"
    return "run", f"{system}/{place}", _("run %(place)s") % {"place": place}


def condition_history(person: User, name: str) -> History | None:
    """`name` is `slug/code`."""
    slug, _sign, code = name.partition("/")
    benchmark = Benchmark.objects.visible_to(person).filter(slug=slug).first()
    condition = Condition.objects.filter(benchmark=benchmark, code=code).first() if benchmark else None
    if condition is None:
        return None
    return History(
        title=f"{code} {condition.title}",
        back_url=reverse("questions:benchmark", args=[slug]),
        about=[("condition", name, "")],
        verbs=VERBS,
    )


def material_parts(person: User, slug: str) -> Sequence[Parts]:
    systems = System.objects.filter(benchmark__slug=slug).order_by("position", "pk").values_list("code", "name")
    conditions = (
        Condition.objects.filter(benchmark__slug=slug).order_by("position", "pk").values_list("code", flat=True)
    )
    return [
        Parts(_("Systems"), [Part(name, "system", f"{slug}/{code}") for code, name in systems]),
        Parts(_("Conditions"), [Part(code, "condition", f"{slug}/{code}") for code in conditions]),
    ]


add_history("answer", answer_history, of=["answer", "verification"])
add_history("system", system_history, of=["system", "run"])
add_history("condition", condition_history, of=["condition"])
add_parts("benchmark", material_parts, position=10)
add_values("answer", Answer)
