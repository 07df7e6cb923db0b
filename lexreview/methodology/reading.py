"""A stored specification as the record that the pure method reads."""

from functools import lru_cache

from lexreview.core.methods.reference_card.specification import Specification, specification_from_dict
from lexreview.methodology.models import Specification as SpecificationRow


def read_specification(row: SpecificationRow) -> Specification:
    """Rows never change, so each is read once per process."""
    return _read(row.pk, row.sha256)


@lru_cache(maxsize=64)
def _read(pk: int, sha256: str) -> Specification:
    return specification_from_dict(SpecificationRow.objects.get(pk=pk).content)
