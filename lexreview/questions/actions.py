"""Benchmarks, questions and keys. A key freezes at the first answer; what comes after is a departure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.core.words import says_nothing
from lexreview.core.workflow import KeyState
from lexreview.ledger.actions import record_event
from lexreview.ledger.storing import readable, store_row
from lexreview.methodology.actions import DecisionDraft, write_decision
from lexreview.methodology.models import Decision, Specification
from lexreview.questions.completeness import missing_in_key, missing_in_sources
from lexreview.questions.models import Benchmark, KeyVersion, Question, QuestionSet
from lexreview.questions.rules import check_can_write_questions


class QuestionIsFrozen(ValueError):
    """Answers to the question exist: its text and what is expected are fixed."""


class KeyIsFixed(ValueError):
    """An approved or superseded key version is never changed in place."""


class DepartureNeeded(ValueError):
    """A key changed after the first answer must say so, with a reason."""


class MirrorRefused(ValueError):
    """A mirror is another question of the same benchmark."""


class AdoptionRefused(ValueError):
    """A benchmark moves on to later versions of its own specification only."""


class QuestionChanged(Exception):
    """Somebody else wrote the question after it was read; `question` is what stands there now."""

    def __init__(self, question: Question) -> None:
        super().__init__(f"question {question.code} was written by somebody else meanwhile")
        self.question = question


class KeyChanged(Exception):
    """Somebody else wrote the key version after it was read; `key` is what stands there now."""

    def __init__(self, key: KeyVersion) -> None:
        super().__init__(f"{key} was written by somebody else meanwhile")
        self.key = key


class KeyIncomplete(ValueError):
    """The draft cannot be approved; `missing` lists everything that it lacks, each in words fit for the user."""

    def __init__(self, missing: Sequence[str]) -> None:
        super().__init__(" ".join(missing))
        self.missing = tuple(missing)


@dataclass(frozen=True, kw_only=True)
class BenchmarkDraft:
    slug: str
    titles: dict[str, str]
    summaries: dict[str, str]
    limitations: list[dict[str, str]]
    language: str
    jurisdiction: str
    legal_state_on: date
    method: str
    canary: UUID
    specification: Specification


@transaction.atomic
def save_benchmark(*, draft: BenchmarkDraft, by: User | None, now: datetime) -> Benchmark:
    """Create the benchmark, or bring it up to date; the same again changes nothing."""
    check_can_write_questions(by, draft.slug)
    fields = dict(draft.__dict__)
    slug = fields.pop("slug")
    return store_row(
        Benchmark, by=by, now=now, object_type="benchmark", object_id=slug, lookup={"slug": slug}, fields=fields
    )


@transaction.atomic
def adopt_specification(
    *, benchmark: Benchmark, specification: Specification, by: User | None, now: datetime
) -> Benchmark:
    """Let another version of its specification count in a benchmark. Adopting it again changes nothing.

    Raises AdoptionRefused for a version of another specification or an earlier one. Cards are not touched.
    """
    check_can_write_questions(by, benchmark.slug)
    row = Benchmark.objects.select_for_update(of=("self",)).get(pk=benchmark.pk)
    old = row.specification
    if specification.name != old.name:
        raise AdoptionRefused(f"{row.slug} is scored by {old.name}; {specification} is another specification")
    if parse_version(specification.version) < parse_version(old.version):
        raise AdoptionRefused(f"{specification} is older than {old}; write a new version that says the same")
    return store_row(
        Benchmark,
        by=by,
        now=now,
        object_type="benchmark",
        object_id=row.slug,
        lookup={"slug": row.slug},
        fields={"specification": specification},
    )


@transaction.atomic
def set_system_masking(*, benchmark: Benchmark, masked: bool, by: User, now: datetime) -> Benchmark:
    """Hide from reviewers which system gave an answer before its card is approved, or show it. Leads decide."""
    check_can_write_questions(by, benchmark.slug)
    current = Benchmark.objects.select_for_update(of=("self",)).get(pk=benchmark.pk)
    if current.masks_systems == masked:
        return current
    current.masks_systems = masked
    current.save(update_fields=["masks_systems"])
    record_event(
        by=by,
        verb="set_system_masking",
        object_type="benchmark",
        object_id=current.slug,
        before={"masks_systems": not masked},
        after={"masks_systems": masked},
        now=now,
    )
    return current


@transaction.atomic
def save_question_set(
    *, benchmark: Benchmark, code: str, titles: dict[str, str], position: int, by: User | None, now: datetime
) -> QuestionSet:
    check_can_write_questions(by, benchmark.slug)
    return store_row(
        QuestionSet,
        by=by,
        now=now,
        object_type="question_set",
        object_id=f"{benchmark.slug}/{code}",
        lookup={"benchmark": benchmark, "code": code},
        fields={"titles": titles, "position": position},
    )


@dataclass(frozen=True, kw_only=True)
class QuestionDraft:
    """See the model for `expected` and `trap`."""

    code: str
    set: QuestionSet
    type: str
    language: str
    area: str
    task_type: str
    original_text: str
    benchmark_text: str
    asked: str
    expected: dict[str, Any]
    trap: dict[str, str] | None
    disclosure: str


FROZEN_FIELDS = ("type", "language", "original_text", "benchmark_text", "asked", "expected", "trap")


@transaction.atomic
def save_question(
    *, benchmark: Benchmark, draft: QuestionDraft, by: User | None, now: datetime, seen: str | None = None
) -> Question:
    """Create the question, or bring it up to date. Raises QuestionIsFrozen once answers to it exist.

    `seen` is the digest of the question as the writer read it, "" for a code that was free; None overwrites. Raises
    QuestionChanged where the question is no longer as seen.
    """
    check_can_write_questions(by, benchmark.slug)
    fields = dict(draft.__dict__)
    code = fields.pop("code")
    row = Question.objects.select_for_update(of=("self",)).filter(benchmark=benchmark, code=code).first()
    if row and seen is not None and seen != row.digest and any(getattr(row, name) != fields[name] for name in fields):
        raise QuestionChanged(row)
    if row and row.is_frozen:
        changed = [name for name in FROZEN_FIELDS if getattr(row, name) != fields[name]]
        if changed:
            raise QuestionIsFrozen(f"question {code} has answers; it cannot change in: {', '.join(changed)}")
    return store_row(
        Question,
        by=by,
        now=now,
        object_type="question",
        object_id=f"{benchmark.slug}/{code}",
        lookup={"benchmark": benchmark, "code": code},
        fields=fields,
    )


@transaction.atomic
def pair_mirrors(*, question: Question, mirror: Question | None, by: User | None, now: datetime) -> Question:
    """Say that another question asks the same with the opposite suggestion. Raises MirrorRefused."""
    slug = question.benchmark.slug
    check_can_write_questions(by, slug)
    if mirror is not None and (mirror.pk == question.pk or mirror.benchmark_id != question.benchmark_id):
        raise MirrorRefused(f"{mirror.code} cannot mirror {question.code}: it has to be another question of {slug}")
    return store_row(
        Question,
        by=by,
        now=now,
        object_type="question",
        object_id=f"{slug}/{question.code}",
        lookup={"pk": question.pk},
        fields={"mirror": mirror},
    )


@transaction.atomic
def match_mirrors(*, question: Question, mirror: Question | None, by: User | None, now: datetime) -> Question:
    """Make two questions each other's mirror; whoever mirrored one of them before mirrors nothing then."""
    for left in Question.objects.filter(mirror__in=[each for each in (question, mirror) if each is not None]).by_code():
        if left.pk not in (question.pk, mirror.pk if mirror else None):
            pair_mirrors(question=left, mirror=None, by=by, now=now)
    if mirror is not None:
        pair_mirrors(question=mirror, mirror=question, by=by, now=now)
    return pair_mirrors(question=question, mirror=mirror, by=by, now=now)


@dataclass(frozen=True, kw_only=True)
class KeyDraft:
    """What a key version says; see the model for the shape of rubric, penalties and bases."""

    dated: date
    core_answer: str
    rubric: list[dict[str, Any]]
    penalties: list[dict[str, str]]
    bases: list[dict[str, Any]]
    calibration: str
    condition: str = ""
    disputed: bool = False
    verification_note: str = ""
    reason: str = ""
    departure: bool = False
    decision: Decision | None = field(default=None)


@transaction.atomic
def write_key(
    *, question: Question, number: int, draft: KeyDraft, by: User | None, now: datetime, seen: str | None = None
) -> KeyVersion:
    """A draft version of a key: new, or the draft with that number changed; the same again changes nothing.

    A departure without a decision gets its entry in the decision log here. `seen` is the digest of the version as the
    writer read it, "" for a number that was free; None overwrites. Raises KeyIsFixed for other content under a number
    that is approved or superseded, KeyChanged where the draft is no longer as seen, DepartureNeeded for a departure
    without a reason.
    """
    check_can_write_questions(by, question.benchmark.slug)
    _check_departure(question, number=number, draft=draft)
    fields = dict(draft.__dict__)
    row = KeyVersion.objects.select_for_update(of=("self",)).filter(question=question, number=number).first()
    if row is not None and fields["decision"] is None:
        fields["decision"] = row.decision
    if row is not None and row.state != KeyState.DRAFT:
        changed = [name for name, value in fields.items() if getattr(row, name) != value]
        if changed:
            raise KeyIsFixed(
                f"key {question.code} v{number} is {row.state} and cannot change in {', '.join(changed)}; "
                "a change needs a new version with a date and a reason"
            )
        return row
    if row is not None and seen is not None and seen != row.digest:
        if any(getattr(row, name) != value for name, value in fields.items()):
            raise KeyChanged(row)
        return row
    if fields["departure"] and fields["decision"] is None:
        fields["decision"] = _departure_entry(question, number=number, draft=draft, by=by, now=now)
    return store_row(
        KeyVersion,
        by=by,
        now=now,
        object_type="key",
        object_id=ledger_name(question, number),
        lookup={"question": question, "number": number},
        fields=fields,
        reason=draft.reason,
    )


@transaction.atomic
def add_basis(*, key: KeyVersion, basis: dict[str, Any], by: User | None, now: datetime, seen: str) -> KeyVersion:
    """Put a required basis into a draft; it takes the place of the basis with its code. Raises as `write_key`."""
    kept = [each for each in key.bases if each["code"] != basis["code"]]
    return _write_bases(key, [*kept, basis], by=by, now=now, seen=seen)


@transaction.atomic
def remove_basis(*, key: KeyVersion, code: str, by: User | None, now: datetime, seen: str) -> KeyVersion:
    """Take a required basis out of a draft. Raises as `write_key`."""
    return _write_bases(key, [each for each in key.bases if each["code"] != code], by=by, now=now, seen=seen)


def _write_bases(
    key: KeyVersion, bases: list[dict[str, Any]], *, by: User | None, now: datetime, seen: str
) -> KeyVersion:
    draft = replace(draft_of_key(key), bases=bases)
    return write_key(question=key.question, number=key.number, draft=draft, by=by, now=now, seen=seen)


def draft_of_key(key: KeyVersion) -> KeyDraft:
    """What a key version says, to be written again with changes."""
    return KeyDraft(**{name: getattr(key, name) for name in KeyDraft.__dataclass_fields__})


@transaction.atomic
def approve_key(
    *,
    key: KeyVersion,
    on: date,
    by: User | None,
    now: datetime,
    approver: User | None = None,
    seen: str | None = None,
) -> KeyVersion:
    """Approve a draft, dated; the version approved before it is superseded.

    Raises KeyIncomplete with all that is missing, DepartureNeeded when the version before it is frozen (answers exist)
    and this one is no departure, KeyChanged where it is no longer as `seen`. Approving an approved version changes
    nothing. `approver` names the lead of an imported approval; one given here and now is also held against the corpus.
    """
    slug = key.question.benchmark.slug
    check_can_write_questions(by, slug)
    row = KeyVersion.objects.select_for_update(of=("self",)).get(pk=key.pk)
    if row.state != KeyState.DRAFT:
        return row
    if seen is not None and seen != row.digest:
        raise KeyChanged(row)
    missing = missing_in_key(row)
    if by is not None and approver is None:
        missing += missing_in_sources(row)
    if missing:
        raise KeyIncomplete(missing)
    earlier = KeyVersion.objects.approved().filter(question=row.question).first()
    if earlier is not None:
        if earlier.frozen_at and not row.departure:
            raise DepartureNeeded(
                f"key {key_name(row.question, row.number)} follows a version that answers were collected under; "
                "mark it as a departure and give the reason"
            )
        earlier.state = KeyState.SUPERSEDED
        earlier.save(update_fields=["state"])
        _record(earlier, verb="supersede_key", after={"state": earlier.state}, reason=row.reason, by=by, now=now)
    row.state, row.approved_by, row.approved_on = KeyState.APPROVED, approver or by, on
    row.frozen_at = earlier.frozen_at if earlier else None
    row.save(update_fields=["state", "approved_by", "approved_on", "frozen_at"])
    after = {"state": row.state, "approved_by": row.approved_by.username if row.approved_by else None, "on": on}
    _record(row, verb="approve_key", after=after, reason=row.reason, by=by, now=now)
    return row


@transaction.atomic(savepoint=False)
def freeze_keys(*, questions: Collection[Question], by: User | None, now: datetime) -> None:
    """Fix the approved keys at the first answer. A frozen key stays as it is.

    Raises KeyVersion.DoesNotExist, naming the question, when one has no approved key: it cannot enter a run.
    """
    approved = KeyVersion.objects.approved().filter(question__in=questions).order_by("pk")
    rows = approved.select_for_update(of=("self",)).only("question_id", "number", "frozen_at")
    by_question = {row.question_id: row for row in rows}
    for question in questions:
        row = by_question.get(question.pk)
        if row is None:
            raise KeyVersion.DoesNotExist(f"question {question.code} has no approved key")
        if row.frozen_at is None:
            row.frozen_at, row.question = now, question
            row.save(update_fields=["frozen_at"])
            _record(row, verb="freeze_key", after={"frozen_at": now}, by=by, now=now)


def key_name(question: Question, number: int) -> str:
    """How a key version is named in logs and decisions: `P09.v2`, within its benchmark."""
    return f"{question.code}.v{number}"


def _check_departure(question: Question, *, number: int, draft: KeyDraft) -> None:
    name, slug = key_name(question, number), question.benchmark.slug
    if draft.departure and says_nothing(draft.reason):
        raise DepartureNeeded(f"key {name} departs from the one that answers were collected under; give the reason")
    if draft.decision is not None and draft.decision.benchmark_slug != slug:
        raise DepartureNeeded(f"key {name} cannot rest on {draft.decision}: it has to be a decision of {slug}")


def ledger_name(question: Question, number: int) -> str:
    """What the ledger calls a key version: codes of questions repeat from benchmark to benchmark."""
    return f"{question.benchmark.slug}/{key_name(question, number)}"


def _departure_entry(question: Question, *, number: int, draft: KeyDraft, by: User | None, now: datetime) -> Decision:
    """The entry of the decision log that every departure gets by itself; a lead completes and publishes it."""
    name = key_name(question, number)
    return write_decision(
        benchmark_slug=question.benchmark.slug,
        draft=DecisionDraft(
            decided_on=draft.dated,
            question=f"May the key of {question.code} change after answers were collected?",
            decision=f"{name} replaces the version under which answers were collected.",
            reason=draft.reason,
            touches={"criteria": [], "questions": [question.code], "key_versions": [name], "cards": []},
        ),
        by=by,
        now=now,
    )


def _record(
    row: KeyVersion, *, verb: str, after: dict[str, Any], by: User | None, now: datetime, reason: str = ""
) -> None:
    record_event(
        by=by,
        verb=verb,
        object_type="key",
        object_id=ledger_name(row.question, row.number),
        after=readable(after),
        reason=reason,
        now=now,
    )
