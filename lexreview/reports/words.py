"""Words for the codes that frozen pages hold, in the language of the reader."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lexreview.answers.models import ANSWER_STATE_LABELS
from lexreview.core.methods.reference_card.label import LabelReason
from lexreview.core.methods.reference_card.specification import KeyMaximum, NotApplicableWhen
from lexreview.core.methods.reference_card.tables import CORE, PERIPHERAL_ONLY
from lexreview.judging.models import VARIANT_LABELS
from lexreview.questions.models import CALIBRATION_LABELS, KEY_STATE_LABELS, QUESTION_TYPE_LABELS
from lexreview.review.models import (
    CITATION_STATE_LABELS,
    LABEL_LABELS,
    OFFICIAL_SOURCE_LABELS,
    ORIGIN_LABELS,
    SCOPE_LABELS,
)
from lexreview.verification.models import RESULT_LABELS

Words = Mapping[Any, str | Promise]

RULES: Words = {
    LabelReason.PROVIDER_BLOCKED: _("the provider refused to answer"),
    LabelReason.EMPTY_ANSWER: _("the answer is empty"),
    LabelReason.HALLUCINATION_FOUND: _("one false claim about a source is enough"),
    LabelReason.FULL_CORE_AND_CONFIRMED_CITATION: _(
        "full core, no false claim, a citation confirmed in an official source"
    ),
    LabelReason.INCOMPLETE_CORE: _("no false claim, but the core is not full"),
    LabelReason.NO_CONFIRMED_CITATION: _("full core, but no citation was confirmed"),
    LabelReason.CORE_NOT_DECIDED: _("the core answer is not decided"),
    LabelReason.FINDINGS_NOT_DECIDED: _("a proposed finding is not decided"),
}
COUNTED_SCOPES: Words = {
    CORE: _("In the core: the question itself, a required basis, a rubric element"),
    PERIPHERAL_ONLY: _("Only at the edge, next to the point"),
}
NOT_APPLICABLE: Words = {
    NotApplicableWhen.KEY_HAS_NO_RUBRIC: _("the key has no rubric"),
    NotApplicableWhen.KEY_HAS_NO_BASES: _("the key has no required bases"),
    NotApplicableWhen.KEY_HAS_NO_PENALTIES: _("the key has no penalties"),
    NotApplicableWhen.NO_TRAP: _("the question has no trap"),
    NotApplicableWhen.QUESTION_CLOSED: _("the question is closed"),
    NotApplicableWhen.NOT_DISPUTED: _("case law is not divided"),
}
MAXIMUMS: Words = {
    KeyMaximum.RUBRIC: _("sum of the key's elements"),
    KeyMaximum.BASES: _("number of required bases"),
    KeyMaximum.PENALTIES: _("number of penalties in the key"),
}
ENTERS: Words = {"points": _("added"), "penalty": _("subtracted"), "separate": _("shown beside A %")}
STEPS: Words = {
    "collected": _("answer collected"),
    "verified": _("citations checked by code, version"),
    "approved": _("card approved, revision"),
    "revised": _("card approved again, revision"),
}
REASONS: Words = {
    "there is nothing to count": _("there is nothing to count"),
    "fewer than two clusters to resample": _("fewer than two questions"),
    "undefined in every resample": _("undefined in every resample"),
    "the cost is not known": _("the cost is not known"),
    "no correctly grounded answer": _("no correctly grounded answer"),
    "the provider blocked the answer": _("the provider blocked the answer"),
    "no points are available": _("no points are available"),
    "no pair of verdicts": _("no pair of verdicts"),
    "both gave the same verdict throughout": _("both gave the same verdict throughout"),
}
LEFT_OUT: Words = {
    "nothing": _("all answers"),
    "same_family": _("without its own family"),
    "assisted": _("without cards that it helped to fill"),
}
TOKENS: Words = {
    "input": _("input"),
    "output": _("output"),
    "cached": _("cached"),
    "reasoning": _("reasoning"),
    "searches": _("searches"),
}
TRACE: Words = {"search": _("searched"), "open": _("opened")}
EXPECTED: Words = {"yes": _("yes"), "no": _("no"), "depends": _("it depends")}
ASKED: Words = {"original": _("original text"), "benchmark": _("benchmark text")}

WORDS: Mapping[str, Words] = {
    "answer_state": ANSWER_STATE_LABELS,
    "asked": ASKED,
    "calibration": CALIBRATION_LABELS,
    "citation": CITATION_STATE_LABELS,
    "counted_scope": COUNTED_SCOPES,
    "enters": ENTERS,
    "expected": EXPECTED,
    "key_state": KEY_STATE_LABELS,
    "label": LABEL_LABELS,
    "left_out": LEFT_OUT,
    "maximum": MAXIMUMS,
    "not_applicable": NOT_APPLICABLE,
    "official_source": OFFICIAL_SOURCE_LABELS,
    "origin": ORIGIN_LABELS,
    "question_type": QUESTION_TYPE_LABELS,
    "reason": REASONS,
    "result": RESULT_LABELS,
    "rule": RULES,
    "scope": SCOPE_LABELS,
    "step": STEPS,
    "tokens": TOKENS,
    "trace": TRACE,
    "variant": VARIANT_LABELS,
}


def words_for(kind: str, code: str) -> str:
    """The words for a code; a code that is not known (from a later version) is shown as it is."""
    return str(WORDS[kind].get(code, code.replace("_", " ")))
