"""Everything that writes cards. Each action checks its rule, writes and records its event in one transaction."""

from lexreview.review.actions.approval import (
    CannotApprove,
    approve_card,
    park_card,
    revise_card,
    unpark_card,
)
from lexreview.review.actions.assigning import assign_cards, release_claims
from lexreview.review.actions.bulk import NotSure, approve_sure_card
from lexreview.review.actions.citations import (
    InvalidCitation,
    add_citation,
    confirm_in_bulk,
    decide_citation,
    open_citation,
)
from lexreview.review.actions.findings import (
    FindingDraft,
    InvalidFinding,
    accept_finding,
    add_finding,
    edit_finding,
    reject_finding,
    remove_finding,
)
from lexreview.review.actions.keyboard import choose_keys
from lexreview.review.actions.opening import assign_card, open_cards
from lexreview.review.actions.prefilling import prefill_card
from lexreview.review.actions.recomputing import recompute_card
from lexreview.review.actions.rulings import ask_ruling, give_ruling
from lexreview.review.actions.saved_views import TooManyViews, delete_view, save_view
from lexreview.review.actions.scores import accept_proposals, decide_score, set_note, set_official_source
from lexreview.review.actions.undoing import CannotUndo, undo_change
from lexreview.review.changing import StaleCard

__all__ = [
    "CannotApprove",
    "CannotUndo",
    "FindingDraft",
    "InvalidCitation",
    "InvalidFinding",
    "NotSure",
    "StaleCard",
    "TooManyViews",
    "accept_finding",
    "accept_proposals",
    "add_citation",
    "add_finding",
    "approve_card",
    "approve_sure_card",
    "ask_ruling",
    "assign_card",
    "assign_cards",
    "choose_keys",
    "confirm_in_bulk",
    "decide_citation",
    "decide_score",
    "delete_view",
    "edit_finding",
    "give_ruling",
    "open_cards",
    "open_citation",
    "park_card",
    "prefill_card",
    "recompute_card",
    "reject_finding",
    "release_claims",
    "remove_finding",
    "revise_card",
    "save_view",
    "set_note",
    "set_official_source",
    "undo_change",
    "unpark_card",
]
