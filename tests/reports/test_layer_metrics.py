import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.stats.intervals import wilson_interval
from lexreview.core.workflow import Role
from lexreview.reports.layer_metrics import VersionMetrics, layer_metrics, version_key
from lexreview.verification.models import Citation, Support, SupportCheck, Verification
from lexreview.verification.support import PROMPT_VERSION
from tests.factories import make_user
from tests.reports.factories import NOW, Scene
from tests.review.factories import make_benchmark
from tests.verification.advising import make_advice
from tests.visiting import check_members_read, check_only_reading, check_sign_in, queries_of, visit

LAYER = "reports:layer"


def checked_again(scene: Scene, identifier: str, *said: tuple[str, CheckResult], version: str = "10.0.0") -> None:
    """Another version of the layer on the answer: citations by their words, units as in the first version."""
    answer = scene.card(identifier).answer
    first = Verification.objects.get(answer=answer, is_current=True)
    again = Verification.objects.create(
        answer=answer,
        layer_version=version,
        legal_state_on=first.legal_state_on,
        verified_at=NOW,
        is_current=False,
    )
    for number, (raw, result) in enumerate(said, start=1):
        known = first.citations.get(raw=raw)
        Citation.objects.create(
            verification=again,
            number=number,
            start=known.start,
            end=known.end,
            raw=raw,
            kind=known.kind,
            unit_key=known.unit_key,
            result=result,
        )


def of_version(scene: Scene, version: str) -> VersionMetrics:
    return next(each for each in layer_metrics(scene.benchmark).versions if each.version == version)


def test_the_layer_is_measured_on_all_approved_cards_undisclosed_ones_too(scene: Scene) -> None:
    metrics = layer_metrics(scene.benchmark)

    (first,) = metrics.versions
    # Four approved cards with two citations each, one of them on an undisclosed question. The one recorded error is the
    # one on which the layer raised its one alarm; the other seven citations were confirmed by it and by a person.
    assert (metrics.approved, metrics.without, first.reviewed) == (4, 0, 4)
    assert (first.detected.successes, first.detected.n) == (1, 1)
    assert (first.false_alarms.successes, first.false_alarms.n) == (0, 7)
    assert (first.found.successes, first.found.n) == (8, 8)
    assert (first.undetermined.successes, first.out_of_scope.successes) == (0, 0)
    assert {line.code: (line.detected.successes, line.detected.n) for line in first.classes} == {
        "T": (0, 0),
        "W": (1, 1),
        "F": (0, 0),
        "S": (0, 0),
    }


def test_shares_have_wilsons_interval_and_none_of_nothing(scene: Scene) -> None:
    first = layer_metrics(scene.benchmark).versions[0]

    assert first.false_alarms.wilson == wilson_interval(0, 7)
    assert next(line for line in first.classes if line.code == "F").detected.share is None


def test_another_version_is_laid_beside_the_same_decisions(scene: Scene) -> None:
    checked_again(
        scene,
        "P02_argon-4_W0_r1",
        ("Art. 17 § 1 CPA", CheckResult.CONFIRMED),
        ("Art. 22 CPA", CheckResult.NOT_FOUND),
    )
    checked_again(scene, "P01_argon-4_W0_r1", ("Art. 22 CPA", CheckResult.OUT_OF_SCOPE))

    later = of_version(scene, "10.0.0")

    # It confirms the wrong citation and raises an alarm on the right one; on the other card it finds one of two.
    assert (later.figures.cards, later.reviewed) == (2, 0)
    assert (later.detected.successes, later.detected.n) == (0, 1)
    assert (later.false_alarms.successes, later.false_alarms.n) == (1, 2)
    assert (later.found.successes, later.found.n) == (3, 4)
    assert (later.out_of_scope.successes, later.out_of_scope.n) == (1, 3)


def test_versions_stand_in_order_of_their_numbers(scene: Scene) -> None:
    checked_again(scene, "P02_argon-4_W0_r1", version="10.0.0")
    checked_again(scene, "P02_argon-4_W0_r1", version="9.1.0")

    versions = [each.version for each in layer_metrics(scene.benchmark).versions]

    assert versions[:2] == ["10.0.0", "9.1.0"]
    assert version_key("1.10.0") > version_key("1.9.9")


def test_an_open_card_is_in_no_figure(scene: Scene) -> None:
    before = layer_metrics(scene.benchmark).as_json()

    checked_again(scene, "P02_borealis_W1_r1", ("Art. 22 CPA", CheckResult.NOT_FOUND))

    assert layer_metrics(scene.benchmark).as_json() == before


def test_the_command_prints_lines_or_json(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verification_metrics", "kestria-01")
    lines = capsys.readouterr().out
    call_command("verification_metrics", "kestria-01", "--json")
    record = json.loads(capsys.readouterr().out)

    assert "errors of class W detected: 1 of 1 = 100.0%" in lines
    assert "errors of class F detected: 0 of 0, n/a" in lines
    assert record["versions"][0]["false_alarms"]["of"] == 7
    assert {"result": "not_in_force", "n": 1} in record["versions"][0]["results"]


def test_the_command_names_an_unknown_benchmark(db: None) -> None:
    with pytest.raises(CommandError, match="no benchmark other-01"):
        call_command("verification_metrics", "other-01")


def test_the_page_is_for_members_and_only_read(scene: Scene, client: Client) -> None:
    address = reverse(LAYER, args=["kestria-01"])

    check_sign_in(client, address)
    check_members_read(client, address, outsider=make_user("oda"))
    check_only_reading(client, scene.reviewer, address)


def test_the_page_shows_shares_with_their_intervals(scene: Scene, client: Client) -> None:
    page = visit(client, scene.reviewer, reverse(LAYER, args=["kestria-01"]))

    assert "0 – 35" in page  # Wilson's interval of 0 of 7
    assert reverse("reports:overview", args=["kestria-01"]) in page
    assert reverse(LAYER, args=["kestria-01"]) in visit(
        client, scene.reviewer, reverse("reports:overview", args=["kestria-01"])
    )


def test_the_page_asks_as_much_for_more_cards(scene: Scene, client: Client) -> None:
    address = reverse(LAYER, args=["kestria-01"])
    few = queries_of(client, scene.reviewer, address)
    checked_again(scene, "P02_argon-4_W0_r1", ("Art. 22 CPA", CheckResult.NOT_FOUND))
    checked_again(scene, "P01_argon-4_W0_r1", ("Art. 22 CPA", CheckResult.NOT_FOUND))

    assert queries_of(client, scene.reviewer, address) == few


def test_advice_is_measured_against_recorded_misstatements_and_confirmed_citations(
    scene: Scene, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    # The card with the finding: its citation is contradicted, and so is the confirmed one beside it. Of another card
    # both confirmed citations are supported, one of them on words that are not there.
    wrong, right = scene.card("P02_argon-4_W0_r1"), scene.card("P01_argon-4_W0_r1")
    wrong.findings.update(error_class="T")
    for row in wrong.citations.all():
        make_advice(row.checked, Support.CONTRADICTS)
    for row in right.citations.all():
        make_advice(row.checked, Support.SUPPORTS)
    SupportCheck.objects.filter(citation=right.citations.first().checked).update(support=Support.UNSURE)
    make_advice(scene.card("P02_borealis_W1_r1").citations.first().checked, Support.CONTRADICTS)

    (advice,) = layer_metrics(scene.benchmark).advice

    assert (advice.model, advice.prompt_version) == ("local:plain", PROMPT_VERSION)
    figures = [advice.detected, advice.false_alarms, advice.unsure, advice.unfounded]
    assert [(figure.successes, figure.n) for figure in figures] == [(1, 1), (1, 3), (1, 4), (1, 4)]
    call_command("verification_metrics", "kestria-01")
    assert "contradicted, of citations with an error of class T: 1 of 1 = 100.0%" in capsys.readouterr().out
    page = visit(client, scene.reviewer, reverse(LAYER, args=["kestria-01"]))
    assert "local:plain, prompt" in page


def test_advice_of_two_models_is_measured_apart(scene: Scene) -> None:
    citation = scene.card("P01_argon-4_W0_r1").citations.first().checked
    make_advice(citation, Support.SUPPORTS, model="plain")
    make_advice(citation, Support.CONTRADICTS, model="other")

    found = {each.model: each.false_alarms.successes for each in layer_metrics(scene.benchmark).advice}

    assert found == {"local:plain": 0, "local:other": 1}


def test_a_benchmark_without_approved_cards_says_so(db: None, client: Client) -> None:
    make_benchmark()
    member = make_user("mia", benchmark="kestria-01", roles=(Role.REVIEWER,))

    assert "Nothing to measure yet" in visit(client, member, reverse(LAYER, args=["kestria-01"]))
