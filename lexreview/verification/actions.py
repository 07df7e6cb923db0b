"""Writing verifications and the advice on their citations: rows and event in one transaction."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils.translation import override

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.jobs.actions import start_job
from lexreview.jobs.models import Job
from lexreview.ledger.actions import record_event
from lexreview.providers.actions import limits_as_params
from lexreview.providers.confirming import check_confirmed
from lexreview.providers.models import Call
from lexreview.verification.advice import content_of
from lexreview.verification.checked import CheckedCitation
from lexreview.verification.corpus import Corpus
from lexreview.verification.explanations import language_of_explanations
from lexreview.verification.languages import language_of_answer
from lexreview.verification.layer import check_citations
from lexreview.verification.models import Citation, SupportCheck, Verification
from lexreview.verification.rules import check_can_verify
from lexreview.verification.support import PROMPT_SHA256, PROMPT_VERSION, SupportOpinion
from lexreview.verification.support_planning import SupportPlan
from lexreview.verification.version import LAYER_VERSION

SUPPORT_FIELDS = (
    "support",
    "said",
    "sentence",
    "reason",
    "provider",
    "model",
    "served_model",
    "prompt_version",
    "prompt_sha256",
    "checked_at",
)
_ACT_NAME, _REASON, _KEY, _URL = 200, 60, 200, 500


class SupportCheckIsFinal(ValueError):
    """A model's opinion on this content and request is stored with other words."""


@transaction.atomic
def verify_answer(*, answer: Answer, by: User | None, now: datetime, force: bool = False) -> Verification:
    """Check every citation of the answer against the law of the benchmark's legal-state date and store the result.

    The same layer version on the same corpus and day gives the verification that is there, and no event, unless
    `force`. Earlier verifications stay and are no longer current. An answer without text gets one without citations.
    `by` None is code acting by itself. Raises NotAllowed.
    """
    benchmark = answer.question.benchmark
    check_can_verify(by, benchmark)
    Answer.objects.select_for_update(of=("self",)).get(pk=answer.pk)
    corpus = Corpus.current()
    before = Verification.objects.current().filter(answer=answer).first()
    if before is not None and not force and _is_the_same(before, corpus, benchmark.legal_state_on):
        return before
    with override(language_of_explanations(benchmark.language)):
        rows = check_citations(
            answer.text,
            jurisdiction=benchmark.jurisdiction,
            lang=language_of_answer(answer),
            on=benchmark.legal_state_on,
            corpus=corpus,
        )
    Verification.objects.current().filter(answer=answer).update(is_current=False)
    verification = Verification.objects.create(
        answer=answer,
        layer_version=LAYER_VERSION,
        corpus_fingerprint=corpus.fingerprint,
        legal_state_on=benchmark.legal_state_on,
        verified_at=now,
    )
    Citation.objects.bulk_create(_row(verification, number, row) for number, row in enumerate(rows, start=1))
    record_event(
        by=by,
        verb="verify_answer",
        object_type="answer",
        object_id=f"{benchmark.slug}/{answer.identifier}",
        now=now,
        before={"verification": before.pk} if before else None,
        after={
            "verification": verification.pk,
            "layer_version": LAYER_VERSION,
            "legal_state_on": benchmark.legal_state_on,
            "corpus": corpus.fingerprint,
            "results": _counts(rows),
        },
    )
    return verification


def start_support_check(
    *,
    plan: SupportPlan,
    budget_usd: Decimal | None = None,
    budget_tokens: int | None = None,
    concurrency: int | None = None,
    confirmed: bool = False,
    by: User | None,
    now: datetime,
) -> Job:
    """Start the job that asks the plan's model. Raises NotConfirmed, see check_confirmed, and what start_job raises."""
    if plan.calls:
        check_confirmed(plan.cost, confirmed=confirmed)
    params: dict[str, Any] = {"benchmark": plan.benchmark.slug, "provider": plan.provider, "model": plan.model}
    params |= limits_as_params(budget_usd=budget_usd, budget_tokens=budget_tokens, concurrency=concurrency)
    return start_job(kind="check_support", benchmark_slug=plan.benchmark.slug, params=params, by=by, now=now)


@transaction.atomic
def store_support_check(
    *, citation: Citation, opinion: SupportOpinion, call: Call, by: User | None, now: datetime
) -> SupportCheck:
    """Keep the opinion that a call brought. What is on record for this content and request stays as it is, no event.

    Fetch the citation `with_sources()`. Raises NotAllowed.
    """
    fields = {
        **_opinion_fields(opinion),
        "provider": call.provider,
        "model": call.model,
        "served_model": call.served_model,
        "prompt_version": PROMPT_VERSION,
        "prompt_sha256": PROMPT_SHA256,
        "call": call,
        "checked_at": call.finished_at or now,
    }
    return _keep(citation, request_sha256=call.request_sha256, fields=fields, verb="check_support", by=by, now=now)


@transaction.atomic
def repeat_support_check(*, check: SupportCheck, citation: Citation, by: User | None, now: datetime) -> SupportCheck:
    """Keep the same opinion for another citation that raises the very same question; nothing is asked or paid."""
    fields = {name: getattr(check, name) for name in (*SUPPORT_FIELDS, "call")}
    return _keep(citation, request_sha256=check.request_sha256, fields=fields, verb="check_support", by=by, now=now)


@transaction.atomic
def restore_support_check(
    *, citation: Citation, request_sha256: str, fields: dict[str, Any], by: User | None, now: datetime
) -> SupportCheck:
    """Keep an opinion that comes from an export. `fields`: SUPPORT_FIELDS. Fetch the citation `with_sources()`.

    Raises SupportCheckIsFinal where the opinion on this content and request is stored and differs; NotAllowed.
    """
    verb = "restore_support_check"
    check = _keep(citation, request_sha256=request_sha256, fields=fields, verb=verb, by=by, now=now)
    if changed := [name for name in SUPPORT_FIELDS if getattr(check, name) != fields[name]]:
        raise SupportCheckIsFinal(
            f"the opinion on citation {citation.number} is stored and differs in: {', '.join(changed)}"
        )
    return check


def _opinion_fields(opinion: SupportOpinion) -> dict[str, str]:
    return {
        "support": opinion.support,
        "said": opinion.said,
        "sentence": opinion.sentence,
        "reason": opinion.reason,
    }


def _keep(
    citation: Citation, *, request_sha256: str, fields: dict[str, Any], verb: str, by: User | None, now: datetime
) -> SupportCheck:
    answer = citation.verification.answer
    benchmark = answer.question.benchmark
    check_can_verify(by, benchmark)
    check, is_new = SupportCheck.objects.get_or_create(
        content_sha256=content_of(citation), request_sha256=request_sha256, defaults={"citation": citation, **fields}
    )
    if is_new:
        record_event(
            by=by,
            verb=verb,
            object_type="verification",
            object_id=f"{benchmark.slug}/{answer.identifier}",
            now=now,
            after={
                "citation": citation.number,
                "support": check.support,
                "said": check.said,
                "sentence": check.sentence,
                "reason": check.reason,
                "model": f"{check.provider}:{check.model}",
                "served_model": check.served_model,
                "prompt": [check.prompt_version, check.prompt_sha256],
                "content": check.content_sha256,
                "request": check.request_sha256,
            },
        )
    return check


def _is_the_same(before: Verification, corpus: Corpus, legal_state_on: object) -> bool:
    return (before.layer_version, before.corpus_fingerprint, before.legal_state_on) == (
        LAYER_VERSION,
        corpus.fingerprint,
        legal_state_on,
    )


def _counts(rows: list[CheckedCitation]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.result.value] = counts.get(row.result.value, 0) + 1
    return counts


def _row(verification: Verification, number: int, row: CheckedCitation) -> Citation:
    return Citation(
        verification=verification,
        number=number,
        start=row.citation.start,
        end=row.citation.end,
        raw=row.citation.raw,
        kind=row.citation.kind,
        act_name=row.act_name[:_ACT_NAME],
        unit_key=(row.unit or "")[:_KEY],
        act=row.act,
        edition=row.edition,
        ruling=row.ruling,
        result=row.result,
        reason=row.reason[:_REASON],
        explanation=row.explanation,
        suggestion=row.suggestion,
        quotation=row.quotation,
        quotation_spans=[list(span) for span in row.quotation_spans],
        quotation_match=row.quotation_match,
        diff=[list(part) for part in row.diff],
        other_edition=row.other_edition,
        other_unit_key=row.other_unit[:_KEY],
        source_text=row.source_text,
        source_url=row.source_url[:_URL],
        source_sha256=row.source_sha256,
        certainty=row.certainty,
        proposed_class=row.proposed_class,
    )
