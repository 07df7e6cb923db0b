"""Accounts have no history on a page."""

from lexreview.ledger.histories import leave_without_history

leave_without_history("user", because="an account is its person's own matter; `ledger.Event` keeps it for inquiries")
