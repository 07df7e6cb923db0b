"""All verdicts of a benchmark as rows of a table: for leads and operators."""

import json
from collections.abc import Iterator

from lexreview.accounts.models import User
from lexreview.answers.open_reviews import under_review_by
from lexreview.judging.models import Verdict
from lexreview.questions.models import Benchmark

HEAD = (
    "canary", "judge", "variant", "answer", "question", "system", "condition", "repetition", "specification", "key",
    "prompt", "repeat", "attempt", "judged_at", "hallucinated", "criteria", "classes", "findings", "dropped",
    "citations_checked", "flags", "failure", "family", "own_answer", "served_model", "cost_usd", "cost_is_lower_bound",
)  # fmt: skip
AT_A_TIME = 500


def verdict_table(benchmark: Benchmark, *, user: User) -> Iterator[list[str]]:
    """A row per verdict, failed votes and repetitions too; none on answers that the person has still to review.

    `hallucinated` is yes, no, or empty for a failed vote; `criteria` is JSON; `family` and `own_answer` are the marks.
    """
    hidden = under_review_by(user, benchmark)
    rows = Verdict.objects.of_benchmark(benchmark).select_related(
        "judge", "answer__question", "answer__run__system", "answer__run__condition", "key_version", "call"
    )
    for verdict in rows.defer("answer__text", "answer__trace").in_order().iterator(chunk_size=AT_A_TIME):
        if verdict.answer_id not in hidden:
            yield _row(verdict, canary=str(benchmark.canary))


def _row(verdict: Verdict, *, canary: str) -> list[str]:
    judge, answer, call = verdict.judge, verdict.answer, verdict.call
    return [
        canary,
        judge.code,
        judge.variant,
        answer.identifier,
        answer.question.code,
        answer.run.system.code,
        answer.run.condition.code,
        str(answer.run.repetition),
        verdict.specification_version,
        str(verdict.key_version.number) if verdict.key_version else "",
        verdict.prompt_version,
        str(verdict.repeat),
        str(verdict.attempt),
        verdict.judged_at.isoformat(),
        _yes_no(verdict.hallucinated),
        json.dumps(verdict.criteria, ensure_ascii=False, sort_keys=True),
        " ".join(sorted({str(finding.get("class", "")) for finding in verdict.findings})),
        str(len(verdict.findings)),
        str(len(verdict.dropped)),
        str(len(verdict.citations_checked)),
        " ".join(verdict.flags),
        verdict.failure,
        _yes_no(judge.is_of_family_of(answer.run.system)),
        _yes_no(judge.gave(answer)),
        verdict.served_model,
        "" if call is None or call.cost_usd is None else str(call.cost_usd),
        "" if call is None else _yes_no(call.cost_is_lower_bound),
    ]


def _yes_no(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"
