"""C4: Krippendorff's alpha over all who assessed the same answers, people and judges."""

import pytest
from django.test import Client

from lexreview.answers.models import Answer
from lexreview.core.workflow import Role
from lexreview.judging.models import Verdict
from lexreview.reports.assessors import all_assessors
from lexreview.review.models import ModelProposal
from tests.factories import make_user
from tests.reports.factories import NOW, Scene, add_judge
from tests.review.rounds import ask, review
from tests.visiting import visit

pytestmark = pytest.mark.django_db
VERSION = "1.0.1"


def test_c4_people_and_judges_are_assessors_alike(scene: Scene) -> None:
    everybody = all_assessors(scene.benchmark, VERSION)

    # Card no, yes, no, no against the judge's yes, yes, no, yes; on the open card a verdict stands alone: no pair.
    # observed 4/8; expected (64 - 32) / 56 = 4/7; 1 - (1/2) / (4/7) = 1/8
    assert (everybody.alpha.value, everybody.alpha.units) == (0.125, 4)
    assert (everybody.reviews, everybody.verdicts, everybody.judges) == (4, 4, 1)


def test_c4_two_judges_pair_where_no_person_has_reviewed(scene: Scene) -> None:
    add_judge(scene.benchmark, "puma-2", {"P02_borealis_W1_r1": False, "P01_argon-4_W0_r1": False})

    everybody = all_assessors(scene.benchmark, VERSION)

    assert (everybody.reviews, everybody.verdicts, everybody.judges) == (4, 7, 2)
    # no yes no; yes yes; no no; yes no; no yes: n = 11, yes 5, no 6
    # observed (4/2 + 0 + 0 + 2 + 2) / 11 = 6/11; expected (121 - 61) / 110 = 6/11
    assert (everybody.alpha.value, everybody.alpha.units) == (pytest.approx(0), 5)


def test_c4_a_second_review_is_one_more_assessor(scene: Scene) -> None:
    colleague = make_user("karl", roles=(Role.REVIEWER,))
    Verdict.objects.all().delete()
    assert all_assessors(scene.benchmark, VERSION).alpha.value is None

    [seat] = ask(colleague, by=scene.lead, card=scene.card("P02_argon-4_W0_r1"), now=NOW)
    waiting = all_assessors(scene.benchmark, VERSION)
    review(seat, by=colleague, now=NOW)

    assert waiting.reviews == 0
    assert all_assessors(scene.benchmark, VERSION).reviews == 2


def test_c4_what_is_no_vote_or_not_independent_or_kept_from_the_person_does_not_enter(scene: Scene) -> None:
    def entering() -> tuple[int, int]:
        found = all_assessors(scene.benchmark, VERSION, hidden=hidden)
        return found.reviews, found.verdicts

    answer = Answer.objects.get(question__code="P01", run__system__code="argon-4")
    hidden: set[int] = {answer.pk}
    assert entering() == (3, 3)

    hidden = set()
    Verdict.objects.filter(answer=answer).update(hallucinated=None, failure="no JSON")
    assert entering() == (3, 3)

    other = scene.card("P01_borealis_W0_r1")
    ModelProposal.objects.create(
        card=other, provider="local", model="LYNX-5", served_model="lynx-5-2026", prompt_version="1",
        prompt_sha256="0" * 64, fingerprint="0" * 64, content={}, proposed_at=NOW,
    )  # fmt: skip
    assert entering() == (2, 2)
    assert all_assessors(scene.benchmark, "1.0.0").reviews == 0


def test_c4_the_page_of_a_judge_shows_it(client: Client, scene: Scene) -> None:
    page = visit(client, scene.lead, f"/reports/{scene.benchmark.slug}/judges/lynx-5/")

    assert "under specification 1.0.1: 0.13, on 4 answers." in page
    assert "4 reviews, 4 verdicts of 1 judge." in page
