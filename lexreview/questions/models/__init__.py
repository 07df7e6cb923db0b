"""Benchmarks, their questions, and the keys fixed before the answers."""

from lexreview.questions.models.benchmark import Benchmark, Method, QuestionSet
from lexreview.questions.models.key import CALIBRATION_LABELS, KEY_STATE_LABELS, KeyVersion
from lexreview.questions.models.question import QUESTION_TYPE_LABELS, Asked, Disclosure, Question, asked_text

__all__ = [
    "CALIBRATION_LABELS",
    "KEY_STATE_LABELS",
    "QUESTION_TYPE_LABELS",
    "Asked",
    "Benchmark",
    "Disclosure",
    "KeyVersion",
    "Method",
    "Question",
    "QuestionSet",
    "asked_text",
]
