"""Reference cards: scores, citations as a person judged them, findings, and their approved revisions."""

from lexreview.methodology.words import ORIGIN_LABELS, SCOPE_LABELS
from lexreview.review.models.adjudication import ITEM_KIND_LABELS, AdjudicatedReview, Choice, ItemKind
from lexreview.review.models.attendance import Attendance
from lexreview.review.models.batch import Batch
from lexreview.review.models.card import (
    CARD_STATE_LABELS,
    GIVEN_OUT,
    LABEL_LABELS,
    OFFICIAL_SOURCE_LABELS,
    OPEN_STATES,
    QUEUE_ORDER,
    ApprovedAs,
    Card,
    CardRevision,
)
from lexreview.review.models.citation import CITATION_STATE_LABELS, CardCitation
from lexreview.review.models.finding import FINDING_STATE_LABELS, Finding, FindingState
from lexreview.review.models.key_choice import KeyChoice
from lexreview.review.models.model_proposal import ModelProposal
from lexreview.review.models.plan import ReviewPlan
from lexreview.review.models.quality import (
    CHECK_ORIGIN_LABELS,
    CHECK_OUTCOME_LABELS,
    CheckOrigin,
    CheckOutcome,
    QualityCheck,
)
from lexreview.review.models.rehearsal import Rehearsal, RehearsalItem, is_rehearsal
from lexreview.review.models.ruling import RecheckMark, RulingRequest
from lexreview.review.models.saved_view import SavedView
from lexreview.review.models.score import PROPOSED_BY_CODE, PROPOSED_BY_MODEL, Score

__all__ = [
    "CARD_STATE_LABELS",
    "CHECK_ORIGIN_LABELS",
    "CHECK_OUTCOME_LABELS",
    "CITATION_STATE_LABELS",
    "FINDING_STATE_LABELS",
    "GIVEN_OUT",
    "ITEM_KIND_LABELS",
    "LABEL_LABELS",
    "OFFICIAL_SOURCE_LABELS",
    "OPEN_STATES",
    "ORIGIN_LABELS",
    "PROPOSED_BY_CODE",
    "PROPOSED_BY_MODEL",
    "QUEUE_ORDER",
    "SCOPE_LABELS",
    "AdjudicatedReview",
    "ApprovedAs",
    "Attendance",
    "Batch",
    "Card",
    "CardCitation",
    "CardRevision",
    "CheckOrigin",
    "CheckOutcome",
    "Choice",
    "Finding",
    "FindingState",
    "ItemKind",
    "KeyChoice",
    "ModelProposal",
    "QualityCheck",
    "RecheckMark",
    "Rehearsal",
    "RehearsalItem",
    "ReviewPlan",
    "RulingRequest",
    "SavedView",
    "Score",
    "is_rehearsal",
]
