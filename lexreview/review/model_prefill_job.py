"""The job "prefill_model": after the code pass a model is asked once about every card that nobody has handed in.

Safe to repeat at any moment: a reply that is stored is never asked for again, and a person's decision is never touched.
A call that a dead worker left behind counts as lost in the job's cost.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone
from django.utils.translation import gettext_lazy

from lexreview.core.methods.reference_card.specification import Specification
from lexreview.jobs.kinds import Aside, Failed, JobKind, Later, Params, Remarked, Wait, register
from lexreview.jobs.models import Job, JobItem
from lexreview.jobs.obstacles import register_obstacle
from lexreview.providers.asking import Arrived, ask, calls, take
from lexreview.providers.connecting import named_model
from lexreview.providers.estimating import estimated_usage
from lexreview.providers.models import Call, Role
from lexreview.providers.obstacles import InTheWay
from lexreview.providers.pricing import Cost, PriceList
from lexreview.questions.models import Benchmark
from lexreview.review.actions.model_prefilling import lay_known, propose_by_model
from lexreview.review.facts import specification_of
from lexreview.review.model_prompt import Asked, PrefillReply, asked_about
from lexreview.review.models import Card, ModelProposal
from lexreview.review.parts import CardParts

PREFILL_BY_MODEL = "prefill_model"
PREFIX = "card/"
CARD_CHANGED = "card_changed"
TWIN_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class ModelPrefillPlan:
    """What asking `name` (provider:model) about the open cards of a benchmark would do; nothing is written.

    Raises NotConfigured, when it is first asked for the cards, for a model that cannot be called.
    """

    benchmark: Benchmark
    name: str

    @cached_property
    def cards(self) -> list[tuple[Card, Asked]]:
        """Cards on which the model's opinion is not laid yet, in the order of the queue."""
        provider, model = named_model(self.name)
        cards = Card.objects.of_benchmark(self.benchmark).open_to_a_model().with_answer().in_queue_order()
        found = []
        for card in cards:
            parts = CardParts(card)
            if _is_undecided(parts, specification_of(card)):
                asked = asked_about(card, parts, provider=provider, model=model)
                laid = card.model_proposal
                if laid is None or laid.fingerprint != asked.fingerprint:
                    found.append((card, asked))
        return found

    @property
    def calls(self) -> list[Asked]:
        """One per request that was never answered in the benchmark; cards may share it."""
        new = {asked.fingerprint: asked for _card, asked in self.cards}
        stored = ModelProposal.objects.filter(card__queue_benchmark=self.benchmark, fingerprint__in=new)
        known = set(stored.values_list("fingerprint", flat=True))
        return [asked for fingerprint, asked in new.items() if fingerprint not in known]

    @property
    def cost(self) -> Cost:
        prices, on = PriceList.current(), timezone.now().date()
        requests = [asked.request for asked in self.calls]
        return Cost.sum(
            [
                prices.cost(provider=each.provider, models=[each.model], on=on, usage=estimated_usage(each))
                for each in requests
            ]
        )


def items(params: Params) -> Iterator[str]:
    plan = ModelPrefillPlan(benchmark=Benchmark.objects.get(slug=params["benchmark"]), name=params["model"])
    return (f"{PREFIX}{card.pk}" for card, _asked in plan.cards)


def prepare(item: JobItem, params: Params, job: Job) -> Wait | Aside | None:
    found = _open_card(item)
    if found is None:
        return None
    card, parts = found
    provider, _sign, model = params["model"].partition(":")
    asked = asked_about(card, parts, provider=provider, model=model)
    asked_alike = ModelProposal.objects.filter(
        card__queue_benchmark=card.queue_benchmark_id, fingerprint=asked.fingerprint
    ).in_order()
    known = asked_alike.filter(card=card).first() or asked_alike.first()
    if known is not None:
        lay_known(card=card, known=known, by=None, now=timezone.now())
        return None
    if Call.objects.twins_at_work(job, asked.fingerprint).exists():
        return Later(seconds=TWIN_SECONDS, reason="", obstacle=InTheWay.TWIN, is_try=False)
    return ask(job=job, item=item, role=Role.PREFILL, subject=card.identifier, request=asked.request, prefix=PREFIX)


def store(item: JobItem, arrived: Arrived, params: Params, job: Job) -> Aside | None:
    call, aside = take(arrived, item, prefix=PREFIX)
    if aside is not None and not isinstance(aside, Remarked):
        return aside
    obstacle, reply = arrived.reply.obstacle or InTheWay.NO_TEXT, arrived.reply.output
    if not isinstance(reply, PrefillReply):
        reason = arrived.reply.reason or "no reason given"
        return Failed(reason=f"{call.provider} {call.model}: {reason}", obstacle=obstacle)
    card = Card.objects.with_answer().filter(pk=_number(item)).first()
    if card is None:
        return None
    asked = asked_about(card, CardParts(card), provider=call.provider, model=call.model)
    if asked.fingerprint != call.request_sha256:
        return Later(seconds=1, reason="", obstacle=CARD_CHANGED)
    propose_by_model(card=card, asked=asked, reply=reply, call=call, by=None, now=timezone.now())
    return None


def _open_card(item: JobItem) -> tuple[Card, CardParts] | None:
    """None for a card that is gone, was handed in, or has nothing left to propose for."""
    card = Card.objects.open_to_a_model().with_answer().filter(pk=_number(item)).first()
    if card is None:
        return None
    parts = CardParts(card)
    return (card, parts) if _is_undecided(parts, specification_of(card)) else None


def _is_undecided(parts: CardParts, specification: Specification) -> bool:
    """Whether a criterion is left that nobody has decided."""
    by_hand = {criterion.code for criterion in specification.criteria if criterion.rule is None}
    rows = [row for row in parts.scores if row.criterion in by_hand and not row.not_applicable]
    return any(row.decided is None for row in rows)


def _number(item: JobItem) -> int:
    return int(item.key.removeprefix(PREFIX))


def register_model_prefill() -> None:
    register_obstacle(
        code=CARD_CHANGED,
        what=gettext_lazy("The card was put under other rules or verified again meanwhile"),
        remedy=gettext_lazy("Nothing to do: the model is asked again about the card as it is now."),
    )
    register(
        JobKind(
            name=PREFILL_BY_MODEL,
            label=gettext_lazy("Pre-fill cards by a model"),
            items=items,
            elsewhere=calls(prepare=prepare, store=store),
        )
    )
