"""Everything that writes the corpus."""

from lexreview.law.actions.acts import ImportReport, import_acts, import_manifest
from lexreview.law.actions.one_at_a_time import lock_corpus
from lexreview.law.actions.responses import store_response
from lexreview.law.actions.rulings import import_coverage, import_jurisdiction, import_rulings

__all__ = [
    "ImportReport",
    "import_acts",
    "import_coverage",
    "import_jurisdiction",
    "import_manifest",
    "import_rulings",
    "lock_corpus",
    "store_response",
]
