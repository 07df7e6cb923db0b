"""H6: a judge beside the cards, differences first, figures per version, and the way to the decision log."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from lexreview.accounts.models import User
from lexreview.core.workflow import CardState, Role, Round
from lexreview.judging.models import Judge, Verdict
from lexreview.methodology.actions import load_specification
from lexreview.reports import calibration
from lexreview.reports.calibration import CalibrationPage, Difference, Kind
from lexreview.review.models import Card, ModelProposal
from tests.factories import make_user
from tests.reports.factories import NOW, Scene, approve, decided, with_finding
from tests.review.factories import SLUG, make_benchmark, specification_content
from tests.visiting import HOSTILE, check_harmless, check_only_reading, check_sign_in, queries_of, visit

pytestmark = pytest.mark.django_db
ADDRESS = f"/reports/{SLUG}/judges/lynx-5/"


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "RESAMPLES", 100)


def page_of(user: User, **options: Any) -> CalibrationPage:
    return CalibrationPage(
        Judge.objects.select_related("benchmark__specification").get(code="lynx-5"), user=user, **options
    )


def verdict_on(identifier: str) -> Verdict:
    return Verdict.objects.get(judge__code="lynx-5", answer__identifier=identifier)


def said(page: CalibrationPage) -> list[tuple[str, str]]:
    return [(each.card.answer.identifier, each.difference.value) for each in page.comparisons]


def test_h6_verdicts_stand_beside_approved_cards_differences_first(scene: Scene) -> None:
    page = page_of(scene.lead)

    # The card of P02 W1 is open, so nothing is compared there; an undisclosed question (P11) counts here.
    assert said(page) == [
        ("P01_argon-4_W0_r1", "false_alarm"),
        ("P11_argon-4_W0_r1", "false_alarm"),
        ("P02_argon-4_W0_r1", "classes"),
        ("P01_borealis_W0_r1", "none"),
    ]
    assert [(group.kind, group.code) for group in page.groups] == [
        (Kind.OUTCOME, ""),
        (Kind.OUTCOME, "W"),
        (Kind.NOTHING, ""),
    ]


def test_h6_figures_have_base_rate_and_constant_guess_per_version(scene: Scene) -> None:
    (version,) = page_of(scene.lead).figures
    everything, without_kin = version.rows

    # yes/no, yes/yes, no/no, yes/no against the cards: one in four is hallucinated, "never" would be right in three.
    assert version.version == "1.0.1"
    assert (everything["n"], everything["base_rate"], everything["constant_guess"]) == (4, 0.25, 0.75)
    assert (everything["agreement"]["n"], everything["agreement"]["of"]) == (2, 4)
    assert (everything["false_alarms"], everything["misses"]) == (2, 0)
    # expected by chance: 3/4 * 1/4 + 1/4 * 3/4 = 0.375; (0.5 - 0.375) / 0.625 = 0.2
    assert everything["kappa"] == pytest.approx(0.2)
    # Of another family is one answer alone: both say no throughout.
    assert (without_kin["n"], without_kin["kappa"]) == (1, None)
    assert without_kin["kappa_reason"]


def test_failed_votes_and_open_cards_are_in_no_comparison(scene: Scene) -> None:
    Verdict.objects.filter(pk=verdict_on("P01_argon-4_W0_r1").pk).update(hallucinated=None, failure="no JSON")

    page = page_of(scene.lead)

    assert "P01_argon-4_W0_r1" not in dict(said(page))
    assert (page.judged, page.failed) == (4, 1)
    assert page.figures[0].rows[0]["n"] == 3


def test_verdicts_under_rules_that_changed_are_compared_with_nothing(scene: Scene) -> None:
    content = {**specification_content(), "version": "1.1.0", "rules_changed": True}
    newer = load_specification(content=content, by=None, now=NOW)
    Card.objects.filter(answer__identifier="P02_argon-4_W0_r1").update(specification=newer)

    page = page_of(scene.lead)

    assert page.under_other_rules == 1
    assert "P02_argon-4_W0_r1" not in dict(said(page))
    assert [each.version for each in page.figures] == ["1.0.1"]


def test_each_version_of_the_rules_has_its_own_figures(scene: Scene) -> None:
    content = {**specification_content(), "version": "1.0.2", "rules_changed": False}
    newer = load_specification(content=content, by=None, now=NOW)
    Card.objects.filter(answer__identifier="P02_argon-4_W0_r1").update(specification=newer)

    figures = page_of(scene.lead).figures

    assert [(each.version, each.rows[0]["n"]) for each in figures] == [("1.0.2", 1), ("1.0.1", 3)]


def test_points_that_differ_are_named_and_only_they(scene: Scene) -> None:
    Verdict.objects.filter(pk=verdict_on("P01_borealis_W0_r1").pk).update(criteria={"A-R": 2, "A1": 4, "B1": 2.0})

    row = next(each for each in page_of(scene.lead).comparisons if each.card.answer.identifier == "P01_borealis_W0_r1")

    assert row.difference is Difference.POINTS
    assert [(each.criterion, each.card, each.judge) for each in row.points] == [("A-R", "1", "2")]


def test_a_miss_is_graver_than_other_classes(scene: Scene) -> None:
    other = with_finding(
        decided(scene, "P03", "argon-4", text="Article 17 gives fourteen days (Art. 17 § 1 CPA, Art. 22 CPA)."),
        by=scene.reviewer,
    )
    approve(other, by=scene.reviewer)
    first = verdict_on("P02_argon-4_W0_r1")
    Verdict.objects.create(
        judge=first.judge, answer=other.answer, specification_version="1.0.1", judged_at=NOW, hallucinated=False
    )

    listed = [each for each in said(page_of(scene.lead)) if each[1] in {"miss", "classes"}]

    assert listed == [("P03_argon-4_W0_r1", "miss"), ("P02_argon-4_W0_r1", "classes")]


def test_h8_kin_of_the_answering_system_is_marked(scene: Scene, client: Client) -> None:
    by_answer = {each.card.answer.identifier: each.kin for each in page_of(scene.lead).comparisons}

    assert by_answer["P01_argon-4_W0_r1"] == "family"
    assert by_answer["P01_borealis_W0_r1"] == ""
    assert "same family" in visit(client, scene.lead, ADDRESS)


@pytest.mark.parametrize("by", ["model", "served_model"])
def test_h15_cards_that_the_judge_s_model_pre_filled_are_marked_and_told_apart(
    scene: Scene, client: Client, by: str
) -> None:
    judge = Judge.objects.get(code="lynx-5")
    assert "assisted" not in {row["left_out"] for each in page_of(scene.lead).figures for row in each.rows}
    names = {"model": "another-1", "served_model": "another-1", by: judge.model_identifier.upper()}
    ModelProposal.objects.create(
        card=scene.card("P01_argon-4_W0_r1"), provider="local", prompt_version="1", prompt_sha256="0" * 64,
        fingerprint="0" * 64, content={}, proposed_at=NOW, **names,
    )  # fmt: skip

    page = page_of(scene.lead)

    marked = {each.card.answer.identifier for each in page.comparisons if each.assisted}
    assert marked == {"P01_argon-4_W0_r1"}
    (figures,) = page.figures
    n = {row["left_out"]: row["n"] for row in figures.rows}
    assert n["assisted"] == n["nothing"] - 1
    text = visit(client, scene.lead, ADDRESS)
    assert text.count("also pre-filled or checked") == 1
    assert "1 of 4 cards was pre-filled" in text
    assert "without cards that it helped to fill" in text


def test_a_sample_is_drawn_by_its_seed(scene: Scene) -> None:
    drawn = [said_by(page_of(scene.lead, size=2, seed=seed)) for seed in (1, 1, 2, 3, 4, 5)]

    assert drawn[0] == drawn[1]
    assert all(len(each) == 2 for each in drawn)
    assert len({tuple(each) for each in drawn}) > 1


def said_by(page: CalibrationPage) -> list[str]:
    return [each.card.answer.identifier for each in page.sample]


def test_h6_a_disagreement_opens_an_entry_of_the_decision_log(scene: Scene, client: Client) -> None:
    page = html.fromstring(visit(client, scene.lead, ADDRESS))
    address = page.xpath("//a[contains(., 'Open an entry')]/@href")[0]

    form = html.fromstring(visit(client, scene.lead, address))

    entered = parse_qs(urlsplit(address).query)
    assert form.xpath("//textarea[@name='cards']")[0].text.strip() == "P01_argon-4_W0_r1"
    assert form.xpath("//input[@name='questions']/@value") == ["P01"]
    assert entered["question"][0] in form.xpath("//textarea[@name='question']")[0].text
    assert "Judge: hallucinated" in form.xpath("//textarea[@name='reason']")[0].text


def test_operators_see_figures_and_no_way_to_decide(scene: Scene, client: Client) -> None:
    page = visit(client, make_user("olek", roles=(Role.OPERATOR,)), ADDRESS)

    assert "false alarm" in page
    assert "Open an entry" not in page


@pytest.mark.parametrize("role", [Role.REVIEWER])
def test_reviewers_and_outsiders_find_nothing(scene: Scene, client: Client, role: Role, outsider: User) -> None:
    for user in (make_user("una", roles=(role,)), scene.reviewer, outsider):
        client.force_login(user)
        assert client.get(ADDRESS).status_code == 404


def test_a_lead_who_has_still_to_review_an_answer_does_not_see_the_verdict_on_it(scene: Scene, client: Client) -> None:
    card = Card.objects.get(answer__identifier="P01_argon-4_W0_r1")
    Card.objects.create(
        answer=card.answer,
        specification=card.specification,
        key_version=card.key_version,
        queue_benchmark=card.queue_benchmark,
        round=Round.REPEAT,
        seat=1,
        state=CardState.IN_REVIEW,
        assigned_to=scene.lead,
    )

    assert "P01_argon-4_W0_r1" not in visit(client, scene.lead, ADDRESS)
    other = make_user("lea", roles=(Role.LEAD,))
    assert "P01_argon-4_W0_r1" in visit(client, other, ADDRESS)


def test_page_asks_for_sign_in_and_only_reads(scene: Scene, client: Client) -> None:
    check_sign_in(client, ADDRESS)
    check_only_reading(client, scene.lead, ADDRESS)


def test_judge_of_another_benchmark_is_not_found(scene: Scene, client: Client) -> None:
    make_benchmark("other-01")
    client.force_login(make_user("una", roles=(Role.LEAD,), benchmark="other-01"))
    assert client.get("/reports/other-01/judges/lynx-5/").status_code == 404


def test_hostile_words_of_a_judge_are_shown_as_words(scene: Scene, client: Client) -> None:
    Verdict.objects.filter(pk=verdict_on("P01_borealis_W0_r1").pk).update(
        findings=[{"class": HOSTILE, "claim": HOSTILE, "source_says": HOSTILE}]
    )
    check_harmless(visit(client, scene.lead, ADDRESS))


def test_a_judge_without_verdicts_has_an_empty_page(scene: Scene, client: Client) -> None:
    Verdict.objects.all().delete()
    assert "Nothing to compare yet" in visit(client, scene.lead, ADDRESS)


def test_a_wrong_choice_is_named_and_everything_is_shown(scene: Scene, client: Client) -> None:
    page = visit(client, scene.lead, ADDRESS + "?size=-3&seed=x&page=99999999999999")
    assert 'role="alert"' in page
    assert "P01_argon-4_W0_r1" in page


def test_number_of_queries_does_not_grow_with_the_answers(scene: Scene, client: Client) -> None:
    before = queries_of(client, scene.lead, ADDRESS)
    for code in ("P05", "P06", "P07"):
        card = approve(decided(scene, code, "argon-4"), by=scene.reviewer)
        Verdict.objects.create(
            judge=Judge.objects.get(),
            answer=card.answer,
            specification_version="1.0.1",
            judged_at=NOW,
            hallucinated=True,
        )
    assert queries_of(client, scene.lead, ADDRESS) == before


def test_address_is_that_of_the_page() -> None:
    assert reverse("reports:calibration", args=[SLUG, "lynx-5"]) == ADDRESS
