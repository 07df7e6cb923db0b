"""Tokens have no history on a page."""

from lexreview.ledger.histories import leave_without_history

leave_without_history("api_token", because="a token is its owner's own matter, and names what a script may do")
