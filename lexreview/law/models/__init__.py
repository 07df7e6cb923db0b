"""Acts, their dated editions and units, amendments, rulings, and what was fetched from where."""

from lexreview.law.models.act import Act, ActName, Amendment
from lexreview.law.models.edition import Edition, Unit
from lexreview.law.models.ruling import Jurisdiction, Ruling, SourceCoverage
from lexreview.law.models.stored import StoredResponse

__all__ = [
    "Act",
    "ActName",
    "Amendment",
    "Edition",
    "Jurisdiction",
    "Ruling",
    "SourceCoverage",
    "StoredResponse",
    "Unit",
]
