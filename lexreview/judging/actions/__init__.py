"""Writing judges, verdicts and panels."""

from lexreview.judging.actions.panels import PanelRefused, override_result, save_panel, settle_panel
from lexreview.judging.actions.restoring import (
    OverrideDraft,
    PanelResultDraft,
    PanelResultIsFinal,
    VoteDraft,
    restore_panel_result,
)
from lexreview.judging.actions.starting import start_judging
from lexreview.judging.actions.verdicts import (
    VerdictDraft,
    VerdictIsFinal,
    VerdictRefused,
    save_judge,
    store_asked_verdict,
    store_verdicts,
)

__all__ = [
    "OverrideDraft",
    "PanelRefused",
    "PanelResultDraft",
    "PanelResultIsFinal",
    "VerdictDraft",
    "VerdictIsFinal",
    "VerdictRefused",
    "VoteDraft",
    "override_result",
    "restore_panel_result",
    "save_judge",
    "save_panel",
    "settle_panel",
    "start_judging",
    "store_asked_verdict",
    "store_verdicts",
]
