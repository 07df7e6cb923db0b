"""The histories of judges, of panels, and of what both said of an answer: for people whom no verdict can sway."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.answers.open_reviews import under_review_by
from lexreview.judging.models import Judge, Panel, PanelResult, Verdict
from lexreview.judging.rules import can_see_verdicts
from lexreview.ledger.histories import Part, Parts, add_history, add_parts
from lexreview.ledger.timeline import History
from lexreview.ledger.values import add_values

VERBS = {
    "store_verdict": gettext_lazy("gave a verdict"),
    "create_judge": gettext_lazy("added the judge"),
    "change_judge": gettext_lazy("changed the judge"),
    "create_panel": gettext_lazy("set the panel up"),
    "change_panel": gettext_lazy("changed the panel"),
    "settle_panel": gettext_lazy("came to a result"),
    "restore_panel_result": gettext_lazy("was imported with what people said of it"),
    "override_panel": gettext_lazy("said otherwise than the panel"),
}


def verdict_history(person: User, name: str) -> History | None:
    """The verdicts of all judges on an answer, and what panels came to; `name` is `slug/identifier`."""
    slug, _sign, identifier = name.partition("/")
    if not can_see_verdicts(person, slug):
        return None
    verdicts = Verdict.objects.filter(judge__benchmark__slug=slug, answer__identifier=identifier)
    first = verdicts.select_related("judge__benchmark").order_by("pk").first()
    if first is None or first.answer_id in under_review_by(person, first.judge.benchmark):
        return None
    judges = sorted(set(verdicts.order_by("judge__code").values_list("judge__code", flat=True)))
    results = PanelResult.objects.filter(panel__benchmark__slug=slug, answer__identifier=identifier)
    results = results.select_related("panel__benchmark", "answer").order_by("panel__code", "item", "pk")
    return History(
        title=identifier,
        back_url=reverse("answers:answer", args=[slug, identifier]),
        about=[
            *(("verdict", f"{slug}/{judge}/{identifier}", judge) for judge in judges),
            *(("judge", f"{slug}/{judge}", judge) for judge in judges),
            *(("panel_result", result.ledger_name, result.panel.name) for result in results),
        ],
        verbs=VERBS,
    )


def judge_history(person: User, name: str) -> History | None:
    """The judge itself, without its verdicts; `name` is `slug/code`."""
    slug, _sign, code = name.partition("/")
    judge = Judge.objects.filter(benchmark__slug=slug, code=code).first()
    if judge is None or not can_see_verdicts(person, slug):
        return None
    return History(
        title=judge.name,
        back_url=reverse("judging:judges", args=[slug]),
        about=[("judge", name, "")],
        verbs=VERBS,
    )


def panel_history(person: User, name: str) -> History | None:
    """The panel itself, without its results; `name` is `slug/code`."""
    slug, _sign, code = name.partition("/")
    panel = Panel.objects.filter(benchmark__slug=slug, code=code).first()
    if panel is None or not can_see_verdicts(person, slug):
        return None
    return History(
        title=panel.name,
        back_url=reverse("judging:panel", args=[slug, code]),
        about=[("panel", name, "")],
        verbs=VERBS,
    )


def judging_parts(person: User, slug: str) -> Sequence[Parts]:
    if not can_see_verdicts(person, slug):
        return []
    judges = Judge.objects.filter(benchmark__slug=slug).in_order().values_list("code", "name")
    panels = Panel.objects.filter(benchmark__slug=slug).in_order().values_list("code", "name")
    return [
        Parts(_("Judges"), [Part(name, "judge", f"{slug}/{code}") for code, name in judges]),
        Parts(_("Panels"), [Part(name, "panel", f"{slug}/{code}") for code, name in panels]),
    ]


add_history("verdict", verdict_history, of=["verdict", "panel_result"])
add_history("judge", judge_history, of=["judge"])
add_history("panel", panel_history, of=["panel"])
add_parts("benchmark", judging_parts, position=20)
add_values("judge", Judge)
add_values("panel", Panel)
add_values("panel_result", PanelResult)
