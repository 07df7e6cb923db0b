"""What a test asks an installation of its own to do: `python -m tests.answers.driver begin|report JSON`."""

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.answers.worker_settings")
django.setup()

from django.utils import timezone  # noqa: E402

from lexreview.answers.actions import save_condition, save_system, start_collecting  # noqa: E402
from lexreview.answers.collecting import make_plan  # noqa: E402
from lexreview.answers.models import Answer  # noqa: E402
from lexreview.jobs.models import Job  # noqa: E402
from lexreview.ledger.models import Event  # noqa: E402
from lexreview.providers.models import Call  # noqa: E402
from lexreview.questions.models import Benchmark, Question  # noqa: E402
from tests.review.factories import make_benchmark, make_question  # noqa: E402


def prepare(*, slugs: list[str], model: str, questions: int) -> None:
    now = timezone.now()
    for slug in slugs:
        benchmark = make_benchmark(slug)
        for number in range(questions):
            question = make_question(benchmark, code=f"P{number:02d}", trap=False)
            Question.objects.filter(pk=question.pk).update(benchmark_text=f"Question {number} of {slug}?")
        fields = {
            "name": "Argon", "provider": "local", "family": "argon", "model_identifier": model,
            "settings": {"max_tokens": 50}, "position": 1,
        }  # fmt: skip
        save_system(benchmark=benchmark, code="argon", fields=fields, by=None, now=now)
        condition = {"titles": {}, "tools": False, "preambles": {}, "position": 1}
        save_condition(benchmark=benchmark, code="W0", fields=condition, by=None, now=now)


def start(*, slugs: list[str], concurrency: int, repetitions: int = 1) -> list[int]:
    plans = [
        make_plan(
            benchmark=Benchmark.objects.get(slug=slug), systems=["argon"], conditions=["W0"], repetitions=repetitions
        )
        for slug in slugs
    ]
    return [
        start_collecting(plan=plan, concurrency=concurrency, confirmed=True, by=None, now=timezone.now()).pk
        for plan in plans
    ]


def report() -> dict[str, Any]:
    return {
        "jobs": list(Job.objects.order_by("pk").values_list("state", "total", "done", "failed", "error")),
        "answers": list(Answer.objects.order_by("identifier").values_list("identifier", "state")),
        "calls": list(Call.objects.order_by("pk").values_list("subject", "state")),
        "events": Event.objects.filter(verb="store_answer").count(),
    }


def begin(*, slugs: list[str], model: str, questions: int, concurrency: int, repetitions: int = 1) -> list[int]:
    prepare(slugs=slugs, model=model, questions=questions)
    return start(slugs=slugs, concurrency=concurrency, repetitions=repetitions)


if __name__ == "__main__":
    chosen: Any = {"begin": begin, "report": report}[sys.argv[1]]
    print(json.dumps(chosen(**json.loads(sys.argv[2]))))
