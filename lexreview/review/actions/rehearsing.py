"""Rehearsals: answers whose pre-fill has planted errors, prepared once and given to one reviewer after another."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.answers.models import Answer
from lexreview.core.methods.reference_card.planted import Aspect
from lexreview.core.workflow import Role, Round
from lexreview.ledger.actions import record_event
from lexreview.ledger.chain import plain
from lexreview.questions.models import Benchmark, KeyVersion
from lexreview.review.actions.model_prefilling import PREPARED, lay_prepared
from lexreview.review.actions.prefilling import prefill_card
from lexreview.review.actions.sent_once import check_not_sent_before, lock_benchmark, with_key
from lexreview.review.drawing import lot
from lexreview.review.judgements import proposed_on, stored
from lexreview.review.model_prompt import CriterionReply, FindingReply, PrefillReply, asked_about
from lexreview.review.models import Card, Rehearsal, RehearsalItem
from lexreview.review.parts import CardParts
from lexreview.review.recording import fields_since
from lexreview.review.rehearsal_set import FaultyRehearsal, PreparedAnswer, SetRecord, prepared_answers
from lexreview.review.rules import check_can_plan_reviews, check_can_prepare_rehearsal


class RehearsalRefused(Exception):
    """The set cannot be given to this person; the message says why."""


@transaction.atomic
def prepare_rehearsal(*, benchmark: Benchmark, record: SetRecord, by: User | None, now: datetime) -> Rehearsal:
    """Make the benchmark a rehearsal, for good, and keep what is planted and what is right.

    Each answer is pre-filled on trial, and nothing is kept unless the proposals are exactly those of the set. The same
    set again changes nothing. The event names the set by its SHA-256 only: a history is read by reviewers too.
    Raises NotAllowed, and FaultyRehearsal: a benchmark that has cards, another set than before, answers that differ
    from those of the set, proposals that differ.
    """
    check_can_prepare_rehearsal(by, benchmark)
    lock_benchmark(benchmark.pk)
    prepared = prepared_answers(record)
    digest, slug = _digest(record, prepared), {"slug": benchmark.slug}
    if known := Rehearsal.objects.filter(benchmark=benchmark).first():
        if known.sha256 == digest:
            return known
        raise FaultyRehearsal([_("%(slug)s has another set already; a new set takes a new benchmark.") % slug])
    if Card.objects.of_benchmark(benchmark).exists():
        raise FaultyRehearsal([_("%(slug)s has cards already; a rehearsal takes a benchmark of its own.") % slug])
    answers = _answers(benchmark, prepared)
    faults = [fault for each in prepared for fault in _faults(answers[each.identifier], each, record.name, now)]
    if faults:
        raise FaultyRehearsal(faults)
    rehearsal = Rehearsal.objects.create(
        benchmark=benchmark,
        blind_share=record.blind_share,
        seed=record.seed,
        sha256=digest,
        prepared_by=by,
        prepared_at=now,
    )
    RehearsalItem.objects.bulk_create(
        [
            RehearsalItem(
                rehearsal=rehearsal,
                answer=answers[each.identifier],
                proposals={"name": record.name, "raws": each.raws, **each.proposals},
                right=stored(each.right),
                proposed=stored(each.proposed),
            )
            for each in prepared
        ]
    )
    record_event(
        by=by,
        verb="prepare_rehearsal",
        object_type="benchmark",
        object_id=benchmark.slug,
        after={"answers": len(prepared), "sha256": digest, "blind_share": str(record.blind_share), "seed": record.seed},
        now=now,
    )
    return rehearsal


@transaction.atomic
def give_rehearsal(*, rehearsal: Rehearsal, to: User, by: User, now: datetime) -> list[Card]:
    """A card for every answer of the set, pre-filled and assigned to the person; some are blind, drawn for this person.

    Returns them in queue order. Raises NotAllowed for others than leads, RehearsalRefused for whoever cannot be
    measured: no reviewer, a lead or operator, who may know what is planted, and whoever was given the set before;
    FaultyRehearsal where the pre-fill is no longer what the set says, as after the law was imported anew; SentBefore.
    """
    benchmark = rehearsal.benchmark
    check_can_plan_reviews(by, benchmark)
    check_not_sent_before(benchmark, verb="give_rehearsal", by=by)
    roles = roles_of(to, benchmark.slug)
    if not to.is_active or roles != {Role.REVIEWER}:
        raise RehearsalRefused(
            _("%(person)s must be a reviewer of the benchmark, and neither lead nor operator: those know the set.")
            % {"person": to.username}
        )
    if Card.objects.of_benchmark(benchmark).rehearsed().filter(assigned_to=to).exists():
        raise RehearsalRefused(
            _("%(person)s was given this set before; it measures a person once.") % {"person": to.username}
        )
    items = list(rehearsal.items.select_related("answer__question__benchmark__specification", "answer__run__condition"))
    blind = _blind_ones(rehearsal, items, to)
    cards = [_given(item, to=to, blind=item.pk in blind, now=now) for item in items]
    record_event(
        by=by,
        verb="give_rehearsal",
        object_type="benchmark",
        object_id=benchmark.slug,
        after=with_key({"reviewer": to.username, "cards": len(cards)}),
        now=now,
    )
    return sorted(cards, key=lambda card: (card.queue_code, card.queue_shuffle, card.pk))


def _blind_ones(rehearsal: Rehearsal, items: Sequence[RehearsalItem], person: User) -> set[int]:
    """Keys of so many items as the share says, to the nearest whole, by the person's own lots: over several people each
    error is seen by some and kept from others."""
    number = int(rehearsal.blind_share * len(items) + Decimal("0.5"))
    drawn = sorted(items, key=lambda item: lot(seed=rehearsal.seed, what=person.username, name=item.answer.identifier))
    return {item.pk for item in drawn[:number]}


def _given(item: RehearsalItem, *, to: User, blind: bool, now: datetime) -> Card:
    highest = Card.objects.filter(answer=item.answer).rehearsed().aggregate(highest=Max("seat"))["highest"] or 0
    card = _opened(item.answer, seat=highest + 1, to=to, blind=blind, now=now)
    card = _filled(card, item.proposals, now=now)
    if not blind and (faults := _differing(card, stored_proposed=item.proposed)):
        raise FaultyRehearsal(faults)
    return card


def _opened(answer: Answer, *, seat: int, to: User | None, blind: bool, now: datetime) -> Card:
    benchmark = answer.question.benchmark
    card = Card.objects.create(
        answer=answer,
        round=Round.REHEARSAL,
        seat=seat,
        specification=benchmark.specification,
        key_version=KeyVersion.objects.get(question=answer.question, state="approved"),
        assigned_to=to,
        blind=blind,
    )
    after = {"specification": benchmark.specification.version, "key_version": card.key_version.number}
    record_event(
        by=None,
        verb="open_card",
        object_type="card",
        object_id=card.ledger_id,
        after={**after, **fields_since(None, card)},
        now=now,
    )
    return card


def _filled(card: Card, proposals: Any, *, now: datetime) -> Card:
    """Pre-filled by code as any card, and then by what the set proposes beside it."""
    prefill_card(card=card, by=None, now=now)
    filled = Card.objects.with_answer().get(pk=card.pk)
    asked = asked_about(filled, CardParts(filled), provider=PREPARED, model=proposals["name"])
    texts = {source.name: source.text for source in asked.sources}
    reply = PrefillReply(
        criteria=[
            CriterionReply(**each, quotes_from_answer=[], quotes_from_sources=[]) for each in proposals["criteria"]
        ],
        findings=[
            FindingReply(
                source=next((name for name, text in texts.items() if each["source_says"] in text), ""),
                **{name: value for name, value in each.items() if name != "citation"},
            )
            for each in proposals["findings"]
        ],
    )
    lay_prepared(card=filled, asked=asked, reply=reply, name=proposals["name"], now=now)
    return Card.objects.with_answer().get(pk=card.pk)


class _OnTrial(Exception):
    """Takes back what a trial wrote."""


def _faults(answer: Answer, prepared: PreparedAnswer, name: str, now: datetime) -> list[str]:
    """What the pre-fill of the answer has otherwise than the set says; what was written to see it is taken back."""
    found: list[str] = []
    try:
        with transaction.atomic():
            card = _opened(answer, seat=1, to=None, blind=False, now=now)
            card = _filled(card, {"name": name, **prepared.proposals}, now=now)
            found = [*_misnumbered(card, prepared), *_differing(card, stored_proposed=stored(prepared.proposed))]
            raise _OnTrial
    except _OnTrial:
        return found


def _misnumbered(card: Card, prepared: PreparedAnswer) -> list[str]:
    raws = {row.number: row.raw for row in card.citations.in_text_order()}
    faults = [
        _("%(card)s: citation %(number)s is “%(found)s” and not “%(expected)s”.")
        % {"card": prepared.identifier, "number": number, "found": raws.get(number, ""), "expected": raw}
        for number, raw in prepared.raws.items()
        if raws.get(number) != raw
    ]
    if len(raws) != prepared.citations:
        text = ngettext(
            "%(card)s: %(found)s citation was found, expected %(expected)s.",
            "%(card)s: %(found)s citations were found, expected %(expected)s.",
            len(raws),
        )
        faults.append(text % {"card": prepared.identifier, "found": len(raws), "expected": prepared.citations})
    return faults


def _differing(card: Card, *, stored_proposed: Any) -> list[str]:
    found = stored(proposed_on(card, CardParts(card)))
    places = [(aspect.value, target) for aspect in Aspect for target in found.get(aspect, {})]
    places += [(aspect, target) for aspect, values in stored_proposed.items() for target in values]
    return [
        _("%(card)s: %(aspect)s of %(target)s is proposed as %(found)s, expected %(expected)s.")
        % {
            "card": card.answer.identifier,
            "aspect": aspect,
            "target": target,
            "found": found.get(aspect, {}).get(target, "–"),
            "expected": stored_proposed.get(aspect, {}).get(target, "–"),
        }
        for aspect, target in dict.fromkeys(places)
        if found.get(aspect, {}).get(target) != stored_proposed.get(aspect, {}).get(target)
    ]


def _answers(benchmark: Benchmark, prepared: Sequence[PreparedAnswer]) -> dict[str, Answer]:
    """By identifier; each answer of the benchmark is in the set, and none is missing."""
    rows = Answer.objects.of_benchmark(benchmark).scored().with_run().select_related(
        "question__benchmark__specification", "run__condition"
    )  # fmt: skip
    found = {answer.identifier: answer for answer in rows}
    wanted = {each.identifier for each in prepared}
    if faults := [
        *(_("%(card)s is not an answer of the benchmark.") % {"card": name} for name in sorted(wanted - found.keys())),
        *(_("%(card)s is not in the set.") % {"card": name} for name in sorted(found.keys() - wanted)),
    ]:
        raise FaultyRehearsal(faults)
    return found


def _digest(record: SetRecord, prepared: Sequence[PreparedAnswer]) -> str:
    """SHA-256 (hex) of the set as canonical JSON."""
    answers = [
        {
            "answer": each.identifier,
            "right": stored(each.right),
            "proposed": stored(each.proposed),
            "proposals": each.proposals,
        }
        for each in prepared
    ]
    whole = plain({"name": record.name, "blind_share": record.blind_share, "seed": record.seed, "answers": answers})
    return hashlib.sha256(json.dumps(whole, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
