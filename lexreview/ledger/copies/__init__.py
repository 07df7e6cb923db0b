"""Copies of the whole database: made, proved by the ledger that they hold, kept, put back."""

from lexreview.ledger.copies.failures import CopyFailed
from lexreview.ledger.copies.making import Copy, check_copy, make_copy, next_night
from lexreview.ledger.copies.restoring import NotEmpty, restore_copy

__all__ = ["Copy", "CopyFailed", "NotEmpty", "check_copy", "make_copy", "next_night", "restore_copy"]
