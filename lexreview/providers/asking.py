"""One call as an item of a job: before, elsewhere, after. The rooms that ask a model add what they ask and keep."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone

from lexreview.jobs.kinds import Aside, Elsewhere, Later, Params, Stop, Wait
from lexreview.jobs.models import Job, JobItem
from lexreview.providers.actions import (
    Asked,
    Begun,
    Ended,
    aside_of,
    begin_calls,
    drop_unsent,
    end_calls,
    mark_lost,
)
from lexreview.providers.calling import carry_out, load_client
from lexreview.providers.models import Call, Role
from lexreview.providers.pricing import PriceList
from lexreview.providers.requests import CallRequest, Reply


class Arrived(NamedTuple):
    """A call that is back, not yet stored."""

    call: Call
    request: CallRequest
    reply: Reply
    is_paced: bool


def calls(**steps: Any) -> Elsewhere:
    """The frame of a kind of job each of whose items is one call; `steps`: its own part of it, see Elsewhere."""
    return Elsewhere(at_once=_at_once, ready=load_client, left_over=mark_lost, not_sent=drop_unsent, **steps)


def _at_once(params: Params) -> int:
    return int(params.get("concurrency") or settings.PROVIDER_CONCURRENCY)


def ask(*, job: Job, item: JobItem, role: Role, subject: str, request: CallRequest, prefix: str) -> Wait | Later | Stop:
    """What the `prepare` of a kind of job returns for an item that is one call; it brings an `Arrived`.

    `prefix`: keys of the items that use the same account, which wait or are held together.
    """
    asked = Asked(item=item, role=role, subject=subject, request=request, prefix=prefix)
    return ask_all(job=job, asked=[asked])[0]


def ask_all(*, job: Job, asked: Sequence[Asked]) -> list[Wait | Later | Stop]:
    """As `ask`, for many items of `prepare_all`."""
    begun = begin_calls(job=job, asked=asked, prices=PriceList.current(), now=timezone.now())
    return [_wait_for(each) if isinstance(each, Begun) else each for each in begun]


def take(arrived: Arrived, item: JobItem, *, prefix: str) -> tuple[Call, Aside | None]:
    """Store the call with its cost and response; what the job does with the item, None where there is a reply."""
    return take_all([(item, arrived)], prefixes=[prefix])[0]


def take_all(arrived: Sequence[tuple[JobItem, Arrived]], *, prefixes: Sequence[str]) -> list[tuple[Call, Aside | None]]:
    """As `take`, for many items of `store_all`."""
    ended = [Ended(each.call, each.reply, each.is_paced) for _, each in arrived]
    calls = end_calls(ended=ended, prices=PriceList.current(), now=timezone.now())
    return [
        (call, aside_of(call, each.reply, item, prefix=prefix))
        for call, (item, each), prefix in zip(calls, arrived, prefixes, strict=True)
    ]


def _wait_for(begun: Begun) -> Wait:
    async def wait() -> Arrived:
        reply = await carry_out(begun.request, after=begun.after)
        return Arrived(begun.call, begun.request, reply, begun.is_paced)

    return wait
