"""The forms of a card as a browser would send them, one per action."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.urls import reverse

from lexreview.review.models import Card


class Sent(NamedTuple):
    """An address and what is posted to it."""

    address: str
    fields: dict[str, Any]


NEW_FINDING = {
    "finding_class": "T",
    "claim": "a request filed without it is returned",
    "occurrence": "1",
    "source_says": "§ 2 returns a request only after a call to pay.",
    "checked_source": "Civil Procedure Act",
    "checked_address": "https://law.kestria.example/act/2011/9/2026-09-01/en",
    "checked_edition": "2026-09-01",
    "checked_on": "2026-10-18",
    "origin": "memory",
    "scope": "core",
}


def _form(name: str, *arguments: Any, **fields: Any) -> Callable[[Card], Sent]:
    def sent(card: Card) -> Sent:
        address = reverse(f"review:{name}", args=[card.pk, *arguments])
        return Sent(address, {"version": card.version, "selected": 1, "form_key": f"key of {name}", **fields})

    return sent


# Every form of an open card, by the name of its address. Citations 1 and 3 are proposed as wrong, 4 is exact.
FORMS: Mapping[str, Callable[[Card], Sent]] = {
    "decide_citation agree": _form("decide_citation", 1, verdict="agree"),
    "decide_citation error": _form("decide_citation", 4, verdict="error:T"),
    "decide_citation confirm": _form("decide_citation", 4, verdict="state:confirmed"),
    "decide_citation no error": _form("decide_citation", 1, verdict="state:confirmed", reason="It is quoted as old."),
    "decide_citation cannot tell": _form("decide_citation", 6, verdict="state:undetermined"),
    "decide_citation scope": _form("decide_citation", 1, verdict="scope:peripheral"),
    "decide_citation origin": _form("decide_citation", 1, verdict="origin:secondary_source"),
    "confirm_in_bulk": _form("confirm_in_bulk"),
    "decide_score": _form("decide_score", "A-R", points="1", evidence="Half of the core."),
    "decide_score elements": _form("decide_score", "A1", elements=["R1", "R3"], evidence="R1 and R3 are there."),
    "accept_proposals": _form("accept_proposals"),
    "add_finding": _form("add_finding", **NEW_FINDING),
    "edit_finding": _form("edit_finding", 1, **{**NEW_FINDING, "claim": "Art. 17 § 1 CPA", "finding_class": "W"}),
    "accept_finding": _form("accept_finding", 1),
    "reject_finding": _form("reject_finding", 2, reason="The paragraph was added in 2025."),
    "note": _form("note", note="Ask about § 2."),
    "ask_ruling": _form("ask_ruling", question="Does an older wording count when it is quoted as such?"),
}
# After these the page shows something else than before.
LEAVING: Mapping[str, Callable[[Card], Sent]] = {
    "park": _form("park", reason="Waiting for the new edition."),
    "add_citation": _form("add_citation", quote="file number", occurrence="1"),
}
BARE: Mapping[str, Callable[[Card], Sent]] = {
    "open_citation": _form("open_citation", 3),
    "take": _form("take"),
}
ALL = {**FORMS, **LEAVING, **BARE}
