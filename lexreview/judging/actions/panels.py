"""Panels: their judges, what they came to, and what a person says beside it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.methods.criteria.panel import MOVES, PanelState, Seat, Strategy, Vote, decide, state_of
from lexreview.core.methods.reference_card.scoring import PointsRefused, check_range, shown_points
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.judging.models import HALLUCINATED, Panel, PanelOverride, PanelResult, PanelVote, Verdict
from lexreview.judging.requesting import Asked
from lexreview.judging.rules import check_can_override
from lexreview.ledger.actions import EventDraft, record_event, record_events
from lexreview.ledger.storing import store_row
from lexreview.methodology.models import Specification as SpecificationRow
from lexreview.methodology.reading import read_specification
from lexreview.questions.key_facts import key_facts_of
from lexreview.questions.models import Benchmark
from lexreview.questions.rules import check_can_operate


class PanelRefused(ValueError):
    """The panel, or what a person says of its result, cannot be as asked; the message says why, fit for the user."""


@transaction.atomic
def save_panel(
    *, benchmark: Benchmark, code: str, fields: dict[str, Any], by: User | None, now: datetime, is_new: bool = False
) -> Panel:
    """`fields`: name, strategy, judge_a, judge_b and judge_c (None for one judge alone), items, position.

    Raises PanelRefused for judges of another benchmark, a number of judges or equal judges that the strategy does not
    have, items that are no criterion of the benchmark's specification, and with `is_new` for a code that is taken.
    """
    check_can_operate(by, benchmark.slug)
    _check_panel(benchmark, fields)
    Benchmark.objects.select_for_update(of=("self",)).get(pk=benchmark.pk)  # two at once take the same code in turn
    if is_new and Panel.objects.of_benchmark(benchmark).filter(code=code).exists():
        raise PanelRefused(_("There is a panel of this code."))
    return store_row(
        Panel,
        by=by,
        now=now,
        object_type="panel",
        object_id=f"{benchmark.slug}/{code}",
        lookup={"benchmark": benchmark, "code": code},
        fields=fields,
    )


@transaction.atomic
def settle_panel(
    *, panel: Panel, questions: Mapping[Seat, Asked], asking: bool = False, by: User | None, now: datetime
) -> list[PanelResult]:
    """Take the verdicts that are there as votes, and write what follows from them, one result per item of the panel.

    `questions`: the question to each judge about one answer. `asking`: one of them is about to be asked. Of several
    tries of a judge the newest counts. Doing it again changes nothing, and what is resolved stays as it is. An event is
    recorded where a result is settled.
    """
    check_can_operate(by, panel.benchmark.slug)
    Panel.objects.select_for_update(of=("self",)).get(pk=panel.pk)  # two at once would both write the same results
    addresses = {seat: asked.address for seat, asked in questions.items()}
    verdicts = _tries(questions)
    results = [_result(panel, item, questions=questions, addresses=addresses, now=now) for item in panel.items]
    events = []
    for result in results:
        if result.state == PanelState.RESOLVED:
            continue
        before = result.state
        _add_votes(result, verdicts)
        _move(result, panel, asking=asking, now=now)
        if result.is_settled and (result.state, before) != (PanelState.UNRESOLVED, PanelState.UNRESOLVED):
            events.append(_event(result))
    if events:
        record_events(by=by, drafts=events, now=now)
    return results


@transaction.atomic
def override_result(*, result: PanelResult, value: str, reason: str, by: User, now: datetime) -> PanelOverride:
    """A person's word beside the panel's. Raises NotAllowed for others than leads, PanelRefused without a reason, for a
    value that the item cannot have, and for what was said already."""
    panel = result.panel
    check_can_override(by, panel.benchmark.slug)
    result = PanelResult.objects.select_for_update(of=("self",)).get(pk=result.pk)
    newest = result.overrides.order_by("-number").first()
    value = checked_value(result, value=value, reason=reason, newest=newest)
    number = newest.number + 1 if newest else 1
    row = PanelOverride(result=result, number=number, value=value, reason=reason.strip(), by=by, decided_at=now)
    row.save(force_insert=True)
    record_event(
        by=by,
        verb="override_panel",
        object_type="panel_result",
        object_id=result.ledger_name,
        before={"value": newest.value if newest else result.value},
        after={"value": value},
        reason=row.reason,
        now=now,
    )
    return row


def checked_value(result: PanelResult, *, value: str, reason: str, newest: PanelOverride | None) -> str:
    """The value as it is kept. `newest`: what was said last. Raises PanelRefused, see override_result."""
    if not reason.strip():
        raise PanelRefused(_("Give a reason: it stays beside the decision."))
    value = value_on(result, value.strip())
    if newest is not None and newest.value == value:
        raise PanelRefused(_("This was said already."))
    return value


def value_on(result: PanelResult, value: str) -> str:
    """As verdicts write it. Raises PanelRefused for what the item cannot have."""
    if result.item == HALLUCINATED:
        if value not in {"yes", "no"}:
            raise PanelRefused(_("The value has to be yes or no."))
        return value
    if not value:
        raise PanelRefused(_("Give a value."))
    return _points_on(result, value)


def result_address(strategy: str, item: str, addresses: Mapping[Seat, str]) -> str:
    """SHA-256 over the strategy, the item and the addresses of the verdicts on which the result rests."""
    seats = [[seat.value, addresses[seat]] for seat in sorted(addresses)]
    return hashlib.sha256(json.dumps([strategy, item, seats]).encode()).hexdigest()


def _check_panel(benchmark: Benchmark, fields: Mapping[str, Any]) -> None:
    judges = [fields[name] for name in ("judge_a", "judge_b", "judge_c") if fields.get(name) is not None]
    alone = fields["strategy"] == Strategy.SINGLE
    if len(judges) != (1 if alone else 3):
        raise PanelRefused(_("One judge alone, or three judges: the strategy says which."))
    if len({judge.pk for judge in judges}) != len(judges):
        raise PanelRefused(_("The judges of a panel have to be different ones."))
    if any(judge.benchmark_id != benchmark.pk for judge in judges):
        raise PanelRefused(_("The judges of a panel are those of its own benchmark."))
    known = {HALLUCINATED, *(each.code for each in read_specification(benchmark.specification).criteria)}
    items: Sequence[str] = fields["items"]
    if not items or len(set(items)) != len(items) or not set(items) <= known:
        names = ", ".join(sorted(known))
        raise PanelRefused(_("A panel decides on one or more of these, each once: %(names)s.") % {"names": names})


def _tries(questions: Mapping[Seat, Asked]) -> dict[Seat, list[Verdict]]:
    """All tries of each judge, oldest first."""
    return {
        seat: list(Verdict.objects.filter(judge=asked.judge).at(asked.address).order_by("attempt", "pk"))
        for seat, asked in questions.items()
    }


def _result(
    panel: Panel, item: str, *, questions: Mapping[Seat, Asked], addresses: Mapping[Seat, str], now: datetime
) -> PanelResult:
    asked = questions[Seat.A]
    address = result_address(panel.strategy, item, addresses)
    place = {"panel": panel, "answer": asked.answer, "address": address}
    stored = PanelResult.objects.select_for_update(of=("self",)).filter(**place).first()
    if stored is not None:
        return stored
    row = PanelResult(
        **place,
        item=item,
        specification_version=asked.rules.version,
        key_version=asked.key,
        repeat=asked.repeat,
        begun_at=now,
    )
    row.save(force_insert=True)
    return row


def _add_votes(result: PanelResult, verdicts: Mapping[Seat, Sequence[Verdict]]) -> None:
    known = set(result.votes.values_list("verdict_id", flat=True))
    rows = [
        PanelVote(result=result, seat=seat, verdict=verdict, value=verdict.value_on(result.item) or "")
        for seat, tries in sorted(verdicts.items())
        for verdict in tries
        if verdict.pk not in known
    ]
    PanelVote.objects.bulk_create(rows)


def newest_votes(result: PanelResult) -> dict[Seat, Vote]:
    """The newest vote of each seat that has one. One query."""
    return {Seat(row.seat): Vote(row.value or None) for row in result.votes.order_by("pk")}


def _move(result: PanelResult, panel: Panel, *, asking: bool, now: datetime) -> None:
    """Where the result stands with its votes; every step is one of MOVES."""
    strategy, votes = Strategy(panel.strategy), newest_votes(result)
    state, decision = state_of(strategy, votes, at_work=asking), decide(strategy, votes)
    if state != result.state and not _leads_to(PanelState(result.state), state):
        raise ValueError(f"a panel cannot go from {result.state} to {state}")
    result.state = state
    result.settled_at = now if result.is_settled else None
    result.consensus = decision.consensus if decision else ""
    result.value = (decision.value or "") if decision else ""
    result.supporting = [seat.value for seat in decision.supporting] if decision else []
    result.tie_breaker_used = decision.tie_breaker_used if decision else False
    result.save()


def _leads_to(start: PanelState, end: PanelState) -> bool:
    """Whether steps of MOVES lead from one state to the other: several votes may have come since the last look."""
    reached, edge = {start}, {start}
    while edge:
        edge = {state for each in edge for state in MOVES[each]} - reached
        reached |= edge
    return end in reached


def _event(result: PanelResult) -> EventDraft:
    return EventDraft(
        verb="settle_panel",
        object_type="panel_result",
        object_id=result.ledger_name,
        after={
            "state": result.state,
            "value": result.value,
            "consensus": result.consensus,
            "supporting": result.supporting,
            "address": result.address,
        },
    )


def _points_on(result: PanelResult, value: str) -> str:
    """The points as verdicts write them; PanelRefused for what the criterion does not give under the result's key."""
    try:
        points = Decimal(value)
    except InvalidOperation:
        points = Decimal("NaN")
    try:
        criterion = _rules_of(result).criterion(result.item)
        check_range(criterion, key=key_facts_of(result.key_version), points=points)
    except KeyError as error:
        words = _("The rules %(version)s have no criterion %(code)s.")
        raise PanelRefused(words % {"version": result.specification_version, "code": result.item}) from error
    except PointsRefused as refusal:
        raise PanelRefused(str(refusal)) from refusal
    return shown_points(points)


def _rules_of(result: PanelResult) -> Specification:
    """Those that the judges went by; the benchmark may have others by now."""
    now = result.panel.benchmark.specification
    then = SpecificationRow.objects.named(now.name).with_version(result.specification_version).first()
    return read_specification(then or now)
