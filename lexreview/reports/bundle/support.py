"""`support/<answer>.jsonl`: what models said of claims and their sources, with the citation check that it was said of.

One line is one check of the answer, whole, with the opinions on its citations: so they are found again by content.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Any

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.questions.models import Benchmark
from lexreview.review.snapshot import layer_result_of
from lexreview.verification.actions import SUPPORT_FIELDS, restore_support_check
from lexreview.verification.models import Citation, SupportCheck, Verification
from lexreview.verification.restoring import restore_verification

Record = dict[str, Any]


def checked_for_support(benchmark: Benchmark) -> list[Verification]:
    """The checks of which some citation has an opinion, by answer, the newest first."""
    checks = SupportCheck.objects.of_benchmark(benchmark)
    rows = Verification.objects.filter(pk__in=checks.values("citation__verification"))
    return list(rows.select_related("answer").order_by("answer__identifier", "-verified_at", "layer_version", "pk"))


def support_records(benchmark: Benchmark) -> Iterator[tuple[str, list[Record]]]:
    """By identifier of the answer its lines."""
    by_answer = groupby(checked_for_support(benchmark), key=lambda row: row.answer.identifier)
    return ((identifier, [_record(row) for row in rows]) for identifier, rows in by_answer)


def _record(row: Verification) -> Record:
    citations = Citation.objects.filter(verification=row).with_sources().in_text_order()
    checks = SupportCheck.objects.filter(citation__verification=row).select_related("citation").oldest_first()
    return {
        "verification": {
            "layer_version": row.layer_version,
            "legal_state_on": row.legal_state_on.isoformat(),
            "verified_at": row.verified_at.isoformat(),
        },
        "citations": [
            {**layer_result_of(each), "start": each.start, "end": each.end, "raw": each.raw} for each in citations
        ],
        "opinions": [
            {
                "citation": check.citation.number,
                "request_sha256": check.request_sha256,
                **{name: getattr(check, name) for name in SUPPORT_FIELDS},
                "checked_at": check.checked_at.isoformat(),
            }
            for check in checks
        ],
    }


def restore_support(
    *, answer: Answer, record: Record, time: Callable[[str], datetime], by: User | None, now: datetime
) -> None:
    """The check with its citations where it is not stored, and the opinions on them. No model is asked."""
    verification = restore_verification(
        answer=answer, record=record["verification"], results=record["citations"], by=by, now=now
    )
    citations = {row.number: row for row in Citation.objects.filter(verification=verification).with_sources()}
    for opinion in record["opinions"]:
        if opinion["citation"] not in citations:
            raise ValueError(f"the stored check of {answer.identifier} has no citation {opinion['citation']}")
        restore_support_check(
            citation=citations[opinion["citation"]],
            request_sha256=opinion["request_sha256"],
            fields={**{name: opinion[name] for name in SUPPORT_FIELDS}, "checked_at": time(opinion["checked_at"])},
            by=by,
            now=now,
        )
