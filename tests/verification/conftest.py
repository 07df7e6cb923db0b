import pytest

from lexreview.law.models import Act
from tests.verification.factories import make_law


@pytest.fixture
def law(db: None) -> Act:
    return make_law()
