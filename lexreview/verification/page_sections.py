"""What this room adds to pages of rooms below: how many answers are verified, and who cites a unit of an act."""

from collections.abc import Mapping, Sequence

from django.db.models import Count
from django.utils.translation import ngettext_lazy

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.law.unit_page import UnitPage
from lexreview.law.unit_sections import UnitSection, add_unit_section
from lexreview.questions.models import Benchmark
from lexreview.questions.sections import Figure, add_figures
from lexreview.verification.citing import CitingSection
from lexreview.verification.models import Verification


def verified_figures(benchmarks: Sequence[Benchmark], user: User) -> Mapping[int, Sequence[Figure]]:
    """Scored answers and how many of them have a verification, two queries."""
    scored = Answer.objects.scored().filter(question__benchmark__in=benchmarks).values_list("question__benchmark_id")
    current = Verification.objects.current().filter(answer__question__benchmark__in=benchmarks)
    verified = current.values_list("answer__question__benchmark_id")
    answers = dict(scored.annotate(n=Count("pk")).order_by())
    done = dict(verified.annotate(n=Count("pk")).order_by())
    return {
        each.pk: [
            Figure(label=ngettext_lazy("answer verified", "answers verified", n), part=n, whole=answers.get(each.pk, 0))
        ]
        for each in benchmarks
        for n in [done.get(each.pk, 0)]
    }


def citing_section(page: UnitPage, user: User) -> UnitSection | None:
    """Citations that point at the unit, under the key asked for or the one that the corpus stores; None without any."""
    section = CitingSection.of_unit(page.act, keys={page.key, page.found.key or page.key}, user=user)
    return UnitSection("verification/_citing.html", section) if section.count else None


add_figures(position=15, make=verified_figures)
add_unit_section(position=15, make=citing_section)
