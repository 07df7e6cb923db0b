"""What is left to verify: upper rooms and the job ask here."""

from django.db.models import Exists, OuterRef, QuerySet

from lexreview.answers.models import Answer
from lexreview.questions.models import Benchmark
from lexreview.verification.models import Verification
from lexreview.verification.version import LAYER_VERSION


def pending(benchmark: Benchmark) -> QuerySet[Answer]:
    """Scored answers of the benchmark without a current verification of this layer version, in their order."""
    done = Verification.objects.current().filter(answer=OuterRef("pk"), layer_version=LAYER_VERSION)
    return Answer.objects.of_benchmark(benchmark).scored().exclude(Exists(done)).in_order()
