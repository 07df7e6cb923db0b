"""Price rows and exact costs. Every expected cost is worked out in a comment."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from lexreview.ledger.models import Event
from lexreview.providers.actions import BadPrice, add_price, import_prices
from lexreview.providers.listed_prices import listed_prices
from lexreview.providers.models import Price
from lexreview.providers.money import money
from lexreview.providers.pricing import Cost, PriceList, cost_of, fits

ON = date(2026, 11, 29)
FULL = {
    "input": "3",
    "cached": "0.30",
    "cache_written": "3.75",
    "cache_written_1h": "6",
    "output": "15",
    "searches": "10",
}


def price(**changes: Any) -> Price:
    values: dict[str, Any] = {"provider": "local", "model": "m", "prices": FULL, "tiers": [], "valid_from": ON}
    return Price(**{**values, **changes})


@pytest.mark.parametrize(
    ("usage", "usd", "lower"),
    [
        # 1000 x 3 + 200 x 15 = 6000 per million
        ({"input": 1000, "output": 200}, "0.006", False),
        # 300 x 3 + 600 x 0.3 + 100 x 3.75 + 50 x 15 = 900 + 180 + 375 + 750
        ({"input": 1000, "cached": 600, "cache_written": 100, "output": 50}, "0.002205", False),
        # of 100 written 40 for an hour: 900 x 3 + 60 x 3.75 + 40 x 6 = 2700 + 225 + 240
        ({"input": 1000, "cache_written": 100, "cache_written_1h": 40, "output": 0}, "0.003165", False),
        # reasoning is part of what was written: 100 x 3 + 50 x 15
        ({"input": 100, "output": 50, "reasoning": 30}, "0.00105", False),
        # three searches at 10 per thousand
        ({"input": 0, "output": 0, "searches": 3}, "0.03", False),
        ({"output": 10}, "0.00015", True),
    ],
)
def test_cost_by_kind_of_token(usage: dict[str, int], usd: str, lower: bool) -> None:
    assert cost_of(usage, price()) == Cost(Decimal(usd), lower)


def test_part_without_a_price_makes_a_lower_bound_and_is_not_charged_otherwise() -> None:
    bare = price(prices={"input": "3", "output": "15"})

    # 400 x 3 + 50 x 15; the 600 cached ones have no price
    assert cost_of({"input": 1000, "cached": 600, "output": 50}, bare) == Cost(Decimal("0.00195"), True)
    assert cost_of({"input": 10, "output": 0, "searches": 1}, bare) == Cost(Decimal("0.00003"), True)


def test_tier_holds_for_the_whole_call() -> None:
    tiered = price(prices={"input": "1.25", "output": "10"}, tiers=[{"above": 200_000, "prices": {"input": "2.5"}}])

    assert cost_of({"input": 200_000, "output": 0}, tiered).usd == Decimal("0.25")
    # 200,001 x 2.5 per million, output at its price of always
    assert cost_of({"input": 200_001, "output": 100}, tiered).usd == Decimal("0.5000025") + Decimal("0.001")


def test_sum_of_costs() -> None:
    assert Cost.sum([]) == Cost(None)
    assert Cost.sum([Cost(None, True)]) == Cost(None, True)
    assert Cost.sum([Cost(Decimal("0.1")), Cost(Decimal("0.2"))]) == Cost(Decimal("0.3"))
    assert Cost.sum([Cost(Decimal("0.1")), Cost(None, True)]) == Cost(Decimal("0.1"), True)
    assert Cost.sum([Cost(Decimal("0.1"), True)]).is_lower_bound


@pytest.mark.parametrize(
    ("match", "name", "expected"),
    [
        ({"starts_with": "claude-opus-4-6"}, "Claude-Opus-4-6-20260301", True),
        ({"equals": "gpt-5"}, "gpt-5-mini", False),
        ({"or": [{"equals": "a"}, {"ends_with": "b"}]}, "xb", True),
        ({"and": [{"contains": "a"}, {"regex": "^b"}]}, "ab", False),
    ],
)
def test_patterns_of_models(match: dict[str, Any], name: str, expected: bool) -> None:
    assert fits(match, name) is expected


def test_unknown_rule_of_a_pattern_is_an_error() -> None:
    with pytest.raises(ValueError, match="sounds_like"):
        fits({"sounds_like": "x"}, "y")


@pytest.mark.django_db
class TestRows:
    def add(self, now: datetime, on: date = ON, model: str = "m", **changes: Any) -> Price:
        values: dict[str, Any] = {"provider": "local", "prices": {"input": "3", "output": "15"}, "source": "a page"}
        return add_price(model=model, valid_from=on, by=None, now=now, **{**values, **changes})

    def test_price_dated_on_or_before_the_answer_counts(self, now: datetime) -> None:
        old = self.add(now, date(2026, 1, 1))
        new = self.add(now, date(2026, 6, 1))
        prices = PriceList.current()

        assert prices.price_of("local", "m", date(2025, 12, 31)) is None
        assert prices.price_of("local", "m", date(2026, 5, 31)) == old
        assert prices.price_of("local", "m", date(2026, 6, 1)) == new

    def test_later_row_of_the_same_day_replaces_the_earlier_one(self, now: datetime) -> None:
        self.add(now)
        assert PriceList.current().price_of("local", "m", ON).prices["input"] == "3"

        corrected = self.add(now, prices={"input": "4", "output": "15"})

        assert PriceList.current().price_of("local", "m", ON) == corrected
        assert Price.objects.count() == 2

    def test_every_row_is_an_event(self, now: datetime) -> None:
        self.add(now)

        event = Event.objects.get(verb="add_price")
        assert event.object_id == "local/m"
        assert event.after["prices"] == {"input": "3", "output": "15"}

    @pytest.mark.parametrize(
        "changes",
        [
            {"prices": {"input": "3"}},
            {"prices": {"input": "3", "output": "-1"}},
            {"prices": {"input": "3", "output": "NaN"}},
            {"prices": {"input": "3", "output": "15", "thoughts": "1"}},
            {"source": " "},
        ],
    )
    def test_bad_price_is_refused(self, now: datetime, changes: dict[str, Any]) -> None:
        with pytest.raises(BadPrice):
            self.add(now, **changes)
        assert Price.objects.count() == 0

    def test_list_is_imported_with_its_date_once(self, now: datetime) -> None:
        rows = list(listed_prices(on=ON))

        new = import_prices(rows=rows, by=None, now=now)
        again = import_prices(rows=listed_prices(on=date(2026, 12, 24)), by=None, now=now)

        assert len(new) == Price.objects.count() > 50
        assert again == []
        assert {row.provider for row in new} == {"anthropic", "google", "openai"}
        assert {row.source for row in new} == {"genai-prices 0.2.3"}
        assert Event.objects.filter(verb="add_price").count() == len(new)

    def test_imported_price_is_what_the_list_itself_computes(self, now: datetime) -> None:
        from genai_prices import Usage, calc_price

        import_prices(rows=listed_prices(on=ON), by=None, now=now)
        usage = {"input": 120_000, "cached": 20_000, "output": 3_000}
        asked = Usage(input_tokens=120_000, cache_read_tokens=20_000, output_tokens=3_000)
        prices = PriceList.current()
        on_the_day = datetime(ON.year, ON.month, ON.day, 12, tzinfo=UTC)
        compared = 0
        for row in Price.objects.filter(valid_from__lte=ON, prices__has_keys=["input", "cached", "output"]):
            theirs = calc_price(asked, row.model, provider_id=row.provider, genai_request_timestamp=on_the_day)
            ours = prices.cost(provider=row.provider, models=[row.model], on=ON, usage=usage)
            if theirs.model.id == row.model:
                compared += 1
                assert ours.usd == theirs.total_price, row
        assert compared > 20

    def test_served_model_is_priced_before_the_one_asked_for(self, now: datetime) -> None:
        self.add(now, model="m-2026-09", prices={"input": "1", "output": "1"})
        self.add(now, model="m", prices={"input": "9", "output": "9"})

        usage = {"input": 1_000_000, "output": 0}
        cost = PriceList.current().cost(provider="local", models=["m-2026-09", "m"], on=ON, usage=usage)
        assert cost.usd == 1
        assert PriceList.current().cost(provider="local", models=["", "m"], on=ON, usage=usage).usd == 9

    def test_commands(self, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("prices", "list")
        assert "No price is on record" in capsys.readouterr().out
        call_command("prices", "import", "--on", "2026-11-29")
        assert "prices added" in capsys.readouterr().out
        call_command("prices", "add", "local", "m", "input=0.5", "output=1", "--from", "2026-01-01", "--source", "us")
        call_command("prices", "list", "--provider", "local")
        assert "2026-01-01 local m input=0.5 output=1 (us)" in capsys.readouterr().out
        with pytest.raises(CommandError, match="at least input and output"):
            call_command("prices", "add", "local", "m", "input=0.5", "--from", "2026-01-01", "--source", "us")


@pytest.mark.parametrize(
    ("amount", "lower", "words"),
    [
        (None, False, "n/a"),
        (Decimal("0"), False, "0.0000"),
        (Decimal("12.5"), True, "≥ 12.5000"),
        (Decimal("0.00096"), False, "0.00096"),
    ],
)
def test_money_in_words(amount: Decimal | None, lower: bool, words: str) -> None:
    assert money(amount, lower=lower) == words
