"""How an amount of USD is written: exact enough to add up, with the mark of a lower bound."""

from decimal import Decimal, InvalidOperation

UNKNOWN = "n/a"


def money(amount: Decimal | None, *, lower: bool = False) -> str:
    """`≥ 0.0123`: at least four decimals, further ones where the amount has them; "n/a" where nothing is known."""
    if amount is None:
        return UNKNOWN
    digits = -amount.normalize().as_tuple().exponent if amount else 0  # type: ignore[operator]
    return f"{'≥ ' if lower else ''}{amount:.{min(max(digits, 4), 10)}f}"


def amount(text: str) -> Decimal:
    """The amount that a person typed. Raises ValueError for what is no number, negative or without end."""
    try:
        value = Decimal(text)
    except InvalidOperation as error:
        raise ValueError(text) from error
    if not value.is_finite() or value < 0:
        raise ValueError(text)
    return value
