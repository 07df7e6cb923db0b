"""What a test asks an installation of its own to do: `python -m tests.judging.driver begin|report JSON`."""

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.answers.worker_settings")
django.setup()

from django.utils import timezone  # noqa: E402

from lexreview.answers.models import Answer  # noqa: E402
from lexreview.jobs.models import Job  # noqa: E402
from lexreview.judging.actions import start_judging  # noqa: E402
from lexreview.judging.models import PanelResult, Verdict  # noqa: E402
from lexreview.judging.planning import make_plan  # noqa: E402
from lexreview.ledger.models import Event  # noqa: E402
from lexreview.providers.models import Call  # noqa: E402
from tests.judging.bench import Bench  # noqa: E402
from tests.review.factories import make_benchmark  # noqa: E402


def begin(*, answers: int, models: list[str], concurrency: int) -> int:
    now = timezone.now()
    bench = Bench(make_benchmark(), now)
    for number in range(1, answers + 1):
        bench.answer(repetition=number, text=f"Seven days, says the answer of run {number}.")
    bench.panel("adaptive_majority", *models)
    plan = make_plan(benchmark=bench.benchmark, panel="panel")
    return start_judging(plan=plan, concurrency=concurrency, confirmed=True, by=None, now=now).pk


def report() -> dict[str, Any]:
    return {
        "jobs": list(Job.objects.order_by("pk").values_list("state", "done", "failed", "error")),
        "verdicts": list(
            Verdict.objects.order_by("judge__code", "answer__identifier", "attempt").values_list(
                "judge__code", "answer__identifier", "hallucinated", "attempt"
            )
        ),
        "results": list(PanelResult.objects.order_by("answer__identifier").values_list("value", "consensus")),
        "answers": Answer.objects.count(),
        "calls": list(Call.objects.order_by("pk").values_list("state", flat=True)),
        "events": Event.objects.filter(verb="store_verdict").count(),
        "settled": Event.objects.filter(verb="settle_panel").count(),
    }


if __name__ == "__main__":
    chosen: Any = {"begin": begin, "report": report}[sys.argv[1]]
    print(json.dumps(chosen(**json.loads(sys.argv[2]))))
