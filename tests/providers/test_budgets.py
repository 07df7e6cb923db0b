from decimal import Decimal

import pytest

from lexreview.ledger.chain import plain
from lexreview.providers.actions import budget_of, limits_as_params


@pytest.mark.parametrize("usd", [None, Decimal(0), Decimal("0.1000000001"), Decimal(40)])
@pytest.mark.parametrize("tokens", [None, 0, 1_000_000])
def test_a_budget_comes_back_from_the_parameters_as_it_was_given(usd: Decimal | None, tokens: int | None) -> None:
    """None is no limit, and 0 is one: nothing may be spent."""
    params = limits_as_params(budget_usd=usd, budget_tokens=tokens, concurrency=None)

    assert budget_of(params) == (tokens, usd)
    assert plain(params) == params
    assert "concurrency" not in params
