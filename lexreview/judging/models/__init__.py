"""Judges, their verdicts, and panels of judges."""

from lexreview.judging.models.judge import VARIANT_LABELS, Judge, Variant
from lexreview.judging.models.panel import (
    CONSENSUS_LABELS,
    PANEL_STATE_LABELS,
    STRATEGY_LABELS,
    Panel,
    PanelOverride,
    PanelResult,
    PanelVote,
)
from lexreview.judging.models.verdict import HALLUCINATED, Verdict

__all__ = [
    "CONSENSUS_LABELS",
    "HALLUCINATED",
    "PANEL_STATE_LABELS",
    "STRATEGY_LABELS",
    "VARIANT_LABELS",
    "Judge",
    "Panel",
    "PanelOverride",
    "PanelResult",
    "PanelVote",
    "Variant",
    "Verdict",
]
