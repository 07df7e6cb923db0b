"""Price rows: added, never changed. Each is an event of the ledger."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.ledger.actions import EventDraft, record_events
from lexreview.providers.listed_prices import ListedPrice
from lexreview.providers.models import Price
from lexreview.providers.pricing import KINDS, PriceList


class BadPrice(ValueError):
    """A price that cannot be stored; the message says what is wrong."""


@transaction.atomic
def import_prices(*, rows: Iterable[ListedPrice], by: User | None, now: datetime) -> list[Price]:
    """Add a row for every price that differs from the one in force on its day. Returns the new rows."""
    prices = PriceList()
    new = []
    for row in rows:
        old = prices.price_of(row.provider, row.model, row.valid_from)
        if old is not None and old.model == row.model and _same(old, row):
            continue
        new.append(Price(**asdict(row), added_at=now))
    Price.objects.bulk_create(new, batch_size=200)
    _record_prices(new, by=by, now=now)
    return new


@transaction.atomic
def add_price(
    *,
    provider: str,
    model: str,
    valid_from: date,
    prices: Mapping[str, str],
    source: str,
    by: User | None,
    now: datetime,
) -> Price:
    """Add one row by hand; the earlier ones stay. `prices`: USD by kind of usage. Raises BadPrice."""
    if unknown := sorted(set(prices) - set(KINDS)):
        raise BadPrice(f"no kind of usage is named {', '.join(unknown)}; there are {', '.join(KINDS)}")
    for kind, amount in prices.items():
        if not _is_amount(amount):
            raise BadPrice(f"the price of {kind} must be a number of USD that is not negative; it is {amount!r}")
    if not {"input", "output"} <= set(prices):
        raise BadPrice("a price needs at least input and output")
    if not source.strip():
        raise BadPrice("say where the price is from")
    row = Price(provider=provider, model=model, valid_from=valid_from, prices=dict(prices), source=source, added_at=now)
    row.save(force_insert=True)
    _record_prices([row], by=by, now=now)
    return row


def _record_prices(rows: list[Price], *, by: User | None, now: datetime) -> None:
    drafts = [
        EventDraft(
            verb="add_price",
            object_type="price",
            object_id=f"{row.provider}/{row.model}",
            after={"valid_from": row.valid_from, "prices": row.prices, "tiers": row.tiers, "source": row.source},
        )
        for row in rows
    ]
    if drafts:
        record_events(by=by, drafts=drafts, now=now)


def _is_amount(text: str) -> bool:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return False
    return amount.is_finite() and amount >= 0


def _same(old: Price, row: ListedPrice) -> bool:
    return (old.match, old.prices, old.tiers) == (row.match, row.prices, row.tiers)
