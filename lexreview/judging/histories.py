"""The history of a judge with its verdicts on one answer: for leads and operators whom no verdict can sway."""

from django.urls import reverse
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.answers.open_reviews import under_review_by
from lexreview.judging.models import PanelResult, Verdict
from lexreview.judging.rules import can_see_verdicts
from lexreview.ledger.histories import add_history
from lexreview.ledger.timeline import History


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
        verbs={
            "store_verdict": gettext_lazy("gave a verdict"),
            "create_judge": gettext_lazy("added the judge"),
            "settle_panel": gettext_lazy("came to a result"),
            "restore_panel_result": gettext_lazy("was imported with what people said of it"),
            "override_panel": gettext_lazy("said otherwise than the panel"),
        },
    )


add_history("verdict", verdict_history)
