"""What a test asks an installation of its own to do: `python -m tests.verification.driver begin|report JSON`."""

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.answers.worker_settings")
django.setup()

from django.utils import timezone  # noqa: E402

from lexreview.jobs.models import Job  # noqa: E402
from lexreview.ledger.models import Event  # noqa: E402
from lexreview.providers.models import Call  # noqa: E402
from lexreview.verification.actions import start_support_check, verify_answer  # noqa: E402
from lexreview.verification.models import SupportCheck  # noqa: E402
from lexreview.verification.support_planning import make_support_plan  # noqa: E402
from tests.verification.factories import NOW, make_case, make_law  # noqa: E402


def begin(*, model: str, claims: int, concurrency: int) -> int:
    """A job on one answer with so many claims about one provision."""
    make_law()
    text = " ".join(f"Ship number {number} pays 75 crowns (Art. 2 § 1 HA)." for number in range(claims))
    case = make_case(text)
    verify_answer(answer=case.answer, by=None, now=NOW)
    plan = make_support_plan(benchmark=case.benchmark, model=model)
    return start_support_check(plan=plan, concurrency=concurrency, confirmed=True, by=None, now=timezone.now()).pk


def report() -> dict[str, Any]:
    return {
        "jobs": list(Job.objects.order_by("pk").values_list("state", "total", "done", "failed", "error")),
        "checks": list(SupportCheck.objects.order_by("pk").values_list("request_sha256", "support")),
        "calls": list(Call.objects.order_by("pk").values_list("request_sha256", "state")),
        "events": Event.objects.filter(verb="check_support").count(),
    }


if __name__ == "__main__":
    chosen: Any = {"begin": begin, "report": report}[sys.argv[1]]
    print(json.dumps(chosen(**json.loads(sys.argv[2]))))
