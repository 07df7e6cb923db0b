"""Specifications are loaded and never changed; decisions are drafted, published and then only superseded."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.specification import specification_from_dict
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.core.workflow import DECISION_TRANSITIONS, DecisionState, DecisionVerb, Role, check_transition
from lexreview.ledger.actions import record_event
from lexreview.ledger.chain import plain
from lexreview.ledger.storing import readable
from lexreview.methodology.models import Decision, Specification
from lexreview.methodology.rules import check_can_decide, check_can_write_specification


class SpecificationChanged(ValueError):
    """A version that is stored already says something else: a change needs a new version."""


class DecisionIsFinal(ValueError):
    """A published decision is not changed; a new one supersedes it."""


class SupersessionRefused(ValueError):
    """Only an earlier published entry of the same benchmark can be superseded."""


class DecisionChanged(ValueError):
    """Somebody else wrote the entry after it was read; `decision` is what stands there now."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(f"decision {decision.number} was written by somebody else meanwhile")
        self.decision = decision


@transaction.atomic
def load_specification(*, content: dict[str, Any], by: User | None, now: datetime) -> Specification:
    """Store one version of a specification; the same content again changes nothing.

    Raises SpecificationChanged for other content under a stored version, and core's SpecificationError.
    """
    check_can_write_specification(by)
    specification = specification_from_dict(content)
    major, minor, patch = parse_version(specification.version)
    content = plain(content)
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    lookup = {"name": specification.name, "major": major, "minor": minor, "patch": patch}
    values = {
        "method": content["method"],
        "dated": specification.dated,
        "rules_changed": specification.rules_changed,
        "content": content,
        "sha256": digest,
    }
    row, is_new = Specification.objects.get_or_create(**lookup, defaults=values)
    if not is_new:
        if row.sha256 != digest:
            raise SpecificationChanged(f"{row} is stored with other content; give the change a new version")
        return row
    record_event(
        by=by,
        verb="load_specification",
        object_type="specification",
        object_id=str(row),
        after={"sha256": digest, "rules_changed": row.rules_changed},
        now=now,
    )
    return row


@dataclass(frozen=True, kw_only=True)
class DecisionDraft:
    """What an entry of the decision log says; see the model for `touches`."""

    decided_on: date
    question: str
    decision: str
    reason: str
    touches: dict[str, list[str]] = field(default_factory=dict)
    specification_version: str = ""
    rules_changed: bool = False
    supersedes: Decision | None = None


@transaction.atomic
def write_decision(
    *,
    benchmark_slug: str,
    draft: DecisionDraft,
    number: int | None = None,
    by: User | None,
    now: datetime,
    author: User | None = None,
    seen: str | None = None,
) -> Decision:
    """A draft entry: new under the next number, or the draft with that number changed.

    The same content again changes nothing. `author` names the lead of an imported entry; else it is whoever wrote it
    first. `seen` is the digest of the entry as the writer read it, "" for a number that was free; None overwrites.
    Raises DecisionIsFinal for other content of a published entry, DecisionChanged where the entry is no longer as
    seen, SupersessionRefused.
    """
    check_can_decide(by, benchmark_slug)
    if number is None:
        number = _number_of_new_entry(benchmark_slug)
    _check_supersession(draft, benchmark_slug=benchmark_slug, number=number)
    row = Decision.objects.select_for_update(of=("self",)).filter(benchmark_slug=benchmark_slug, number=number).first()
    fields = {**draft.__dict__, "author": author or (row.author if row else by)}
    if row is None:
        row = Decision.objects.create(benchmark_slug=benchmark_slug, number=number, **fields)
        _record(row, verb="write_decision", after=readable(fields), by=by, now=now)
        return row
    before = {name: getattr(row, name) for name in fields if getattr(row, name) != fields[name]}
    if not before:
        return row
    if row.state == DecisionState.PUBLISHED:
        raise DecisionIsFinal(f"decision {number} is published and differs in: {', '.join(before)}")
    if seen is not None and seen != row.digest:
        raise DecisionChanged(row)
    for name in before:
        setattr(row, name, fields[name])
    row.save()
    after = readable({name: fields[name] for name in before})
    _record(row, verb="edit_decision", before=readable(before), after=after, by=by, now=now)
    return row


@transaction.atomic
def publish_decision(*, decision: Decision, by: User | None, now: datetime) -> Decision:
    """From draft to final. A published entry stays as it is."""
    check_can_decide(by, decision.benchmark_slug)
    row = Decision.objects.select_for_update(of=("self",)).get(pk=decision.pk)
    if row.state == DecisionState.PUBLISHED:
        return row
    row.state = check_transition(
        DECISION_TRANSITIONS, DecisionVerb.PUBLISH, state=DecisionState(row.state), roles=[Role.LEAD]
    )
    row.save(update_fields=["state"])
    _record(row, verb="publish_decision", after={"state": row.state}, by=by, now=now)
    return row


def _check_supersession(draft: DecisionDraft, *, benchmark_slug: str, number: int) -> None:
    old = draft.supersedes
    if old is None:
        return
    if old.benchmark_slug != benchmark_slug or old.number >= number or old.state != DecisionState.PUBLISHED:
        raise SupersessionRefused(
            f"decision {number} cannot supersede {old}: only an earlier published one of {benchmark_slug} can be"
        )


def next_number(benchmark_slug: str) -> int:
    highest: int | None = Decision.objects.of_benchmark(benchmark_slug).aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1


def _number_of_new_entry(benchmark_slug: str) -> int:
    """The newest entry is locked, so that of two who write at once the second takes the number after the first's."""
    list(Decision.objects.of_benchmark(benchmark_slug).select_for_update(of=("self",)).order_by("-number")[:1])
    return next_number(benchmark_slug)


def _record(row: Decision, *, verb: str, after: Any, by: User | None, now: datetime, before: Any = None) -> None:
    record_event(
        by=by,
        verb=verb,
        object_type="decision",
        object_id=f"{row.benchmark_slug}#{row.number}",
        before=before,
        after=after,
        now=now,
    )
