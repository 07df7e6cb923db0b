"""Cells of a table as text that no spreadsheet takes for a formula."""

BEGINS_A_FORMULA = frozenset("=+-@\t\r")


def plain_cell(text: str) -> str:
    """The text, behind an apostrophe where a spreadsheet would compute it."""
    return f"'{text}" if text[:1] in BEGINS_A_FORMULA else text
