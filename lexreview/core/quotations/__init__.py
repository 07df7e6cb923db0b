"""Quotations in a text: where they stand, to which citation each belongs, and whether they are verbatim.

``find_quotations`` → ``attribute`` → ``compare``. Pure text in, plain values out; the law itself comes from outside.
"""

from lexreview.core.quotations.attribution import Attribution, Candidate, CitedSpan, attribute
from lexreview.core.quotations.comparison import (
    ANSWER,
    SAME,
    SOURCE,
    Comparison,
    Wording,
    compare,
    similarity,
    stretches,
    word_diff,
)
from lexreview.core.quotations.finding import Quotation, find_quotations
from lexreview.core.quotations.folding import Folded, Piece, fold, pieces_of
from lexreview.core.quotations.layout import Layout

__all__ = [
    "ANSWER",
    "SAME",
    "SOURCE",
    "Attribution",
    "Candidate",
    "CitedSpan",
    "Comparison",
    "Folded",
    "Layout",
    "Piece",
    "Quotation",
    "Wording",
    "attribute",
    "compare",
    "find_quotations",
    "fold",
    "pieces_of",
    "similarity",
    "stretches",
    "word_diff",
]
