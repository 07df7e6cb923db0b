import pytest
from django.test import Client
from django.urls import reverse
from lxml.html import fromstring

from lexreview.accounts.models import User
from lexreview.answers.masking import masked_name
from lexreview.core.workflow import Role
from lexreview.jobs.kinds import kind_named
from lexreview.jobs.models import Job
from lexreview.questions.models import Benchmark
from lexreview.reports.actions import publish, store_files, withdraw_publication
from lexreview.reports.models import Publication
from lexreview.reports.render import ReportFiles
from lexreview.reports.report_job import REPORT
from lexreview.review.models import Batch, Card
from tests.factories import make_user
from tests.reports.factories import HIDDEN_WORD, NOW, Scene, change_and_approve_again

OVERVIEW = ("reports:overview", ["kestria-01"])
PUBLISH = ("reports:publish", ["kestria-01"])
WITHDRAW = ("reports:withdraw", ["kestria-01", 1])
MAKE = ("reports:make_report", ["kestria-01", 1])
FILE = ("reports:file", ["kestria-01", 1, "report.pdf"])


@pytest.fixture
def publication(scene: Scene) -> Publication:
    row = publish(benchmark=scene.benchmark, note="First.", by=scene.lead, now=NOW)
    store_files(
        publication=row, files={"report.pdf": ("application/pdf", b"%PDF"), "report.html": ("text/html", b"<p>")},
        by=None, now=NOW,
    )  # fmt: skip
    return row


def person(who: str, scene: Scene) -> User | None:
    match who:
        case "nobody":
            return None
        case "outsider":
            return make_user("oda")
        case "operator":
            return make_user("olek", roles=(Role.OPERATOR,))
        case "reviewer":
            return scene.reviewer
        case _:
            return scene.lead


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


ALLOWED: tuple[tuple[tuple[str, list[object]], str, dict[str, int]], ...] = (
    (OVERVIEW, "get", {"nobody": 302, "outsider": 404, "operator": 200, "reviewer": 200, "lead": 200}),
    (OVERVIEW, "post", {"lead": 405}),
    (PUBLISH, "post", {"nobody": 302, "outsider": 404, "operator": 403, "reviewer": 403, "lead": 302}),
    (PUBLISH, "get", {"lead": 405}),
    (WITHDRAW, "post", {"nobody": 302, "outsider": 404, "operator": 403, "reviewer": 403, "lead": 422}),
    (MAKE, "post", {"nobody": 302, "outsider": 404, "operator": 403, "reviewer": 403, "lead": 302}),
    (FILE, "get", {"nobody": 302, "outsider": 404, "operator": 200, "reviewer": 200, "lead": 200}),
)


def test_who_may_do_what(publication: Publication, scene: Scene) -> None:
    people = {who: person(who, scene) for who in ("nobody", "outsider", "operator", "reviewer", "lead")}
    seen = {}
    for address, method, expected in ALLOWED:
        data = {"note": "x"} if address is PUBLISH else {}
        for who in expected:
            response = getattr(client_of(people[who]), method)(reverse(*_named(address)), data)
            seen[address[0], method, who] = response.status_code

    assert seen == {
        (address[0], method, who): status for address, method, expected in ALLOWED for who, status in expected.items()
    }


def test_lead_publishes_with_a_note_and_the_report_is_queued(scene: Scene, publication: Publication) -> None:
    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)

    response = client_of(scene.lead).post(reverse(*_named(PUBLISH)), {"note": "Core of P01 read again."}, follow=True)

    assert "Publication 2 is out." in response.content.decode()
    job = Job.objects.get(kind=REPORT)
    assert job.params == {"benchmark": "kestria-01", "publication": 2}


def test_a_report_is_offered_while_it_is_neither_there_nor_being_made(scene: Scene) -> None:
    publish(benchmark=scene.benchmark, note="First.", by=scene.lead, now=NOW)
    lead, make = client_of(scene.lead), reverse(*_named(MAKE))
    assert f'action="{make}"' in lead.get(reverse(*_named(OVERVIEW))).content.decode()

    lead.post(make)

    html = lead.get(reverse(*_named(OVERVIEW))).content.decode()
    assert f'action="{make}"' not in html
    assert html.count("The report is being made.") == 2, "as a message, and beside the publication"
    Job.objects.update(state="failed", finished_at=NOW)
    assert f'action="{make}"' in lead.get(reverse(*_named(OVERVIEW))).content.decode()


def test_publishing_without_a_note_shows_the_form_again(scene: Scene, publication: Publication) -> None:
    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)

    response = client_of(scene.lead).post(reverse(*_named(PUBLISH)), {"note": ""})

    assert response.status_code == 422
    assert Publication.objects.count() == 1


def test_a_refusal_is_shown_in_words(scene: Scene) -> None:
    Card.objects.filter(state="approved").update(state="parked")

    response = client_of(scene.lead).get(reverse(*_named(OVERVIEW)))

    assert "No card of a disclosed question is approved yet." in response.content.decode()


def test_preview_shows_the_figures_and_no_undisclosed_question(scene: Scene) -> None:
    page = client_of(scene.reviewer).get(reverse(*_named(OVERVIEW))).content.decode()
    text = " ".join(fromstring(page).text_content().split())

    assert "3 of 4 cards approved · 2 disclosed questions" in text
    assert HIDDEN_WORD not in page
    assert "P11" not in text
    assert not fromstring(page).xpath("//a[contains(@href, 'P11')]")


@pytest.mark.parametrize("by_batch", [False, True])
def test_preview_names_no_masked_system_of_an_open_card(by_batch: bool, scene: Scene) -> None:
    card = scene.card("P02_borealis_W1_r1")
    if by_batch:
        batch = Batch.objects.create(
            benchmark=scene.benchmark, number=1, seed=1, size=1, masks_systems=True, given_by=scene.lead, given_at=NOW
        )
        Card.objects.filter(pk=card.pk).update(batch=batch)
    else:
        Benchmark.objects.update(masks_systems=True)

    def open_cards(user: User) -> list[str]:
        page = fromstring(client_of(user).get(reverse(*_named(OVERVIEW))).content)
        return [item.text_content() for item in page.xpath("//ul[@class='identifiers']/li")]

    assert open_cards(scene.reviewer) == [masked_name(card.answer)]
    assert open_cards(scene.lead) == ["P02_borealis_W1_r1"]


def test_preview_follows_the_cards(scene: Scene) -> None:
    client = client_of(scene.reviewer)
    client.get(reverse(*_named(OVERVIEW)))
    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)

    html = client.get(reverse(*_named(OVERVIEW))).content.decode()

    assert "2 of 3 answers" in " ".join(html.split())


def test_lead_withdraws_with_a_reason(scene: Scene, publication: Publication) -> None:
    response = client_of(scene.lead).post(reverse(*_named(WITHDRAW)), {"1-reason": "A key was wrong."}, follow=True)

    publication.refresh_from_db()
    assert publication.withdrawn_reason == "A key was wrong."
    assert "A key was wrong." in response.content.decode()


def test_withdrawing_twice_is_refused_in_words(scene: Scene, publication: Publication) -> None:
    withdraw_publication(publication=publication, reason="A key was wrong.", by=scene.lead, now=NOW)

    response = client_of(scene.lead).post(reverse(*_named(WITHDRAW)), {"1-reason": "Again."})

    assert response.status_code == 422


def test_the_report_job_makes_the_files(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "lexreview.reports.files.render_report", lambda publication: ReportFiles(html=b"<p>", pdf=b"%PDF-")
    )
    publication = publish(benchmark=scene.benchmark, note="", by=scene.lead, now=NOW)
    kind = kind_named(REPORT)
    params = {"benchmark": "kestria-01", "publication": 1}

    keys = list(kind.items(params))
    for key in keys:
        kind.process(key, params, Job())

    assert sorted(publication.files.values_list("name", flat=True)) == ["report.html", "report.pdf"]
    assert list(kind.items(params)) == []


def _named(address: tuple[str, list[object]]) -> tuple[str, None, list[object]]:
    return address[0], None, address[1]


def test_a_report_that_is_being_made_says_so_and_one_that_nobody_makes_is_not_there(scene: Scene) -> None:
    publish(benchmark=scene.benchmark, note="First.", by=scene.lead, now=NOW)
    lead, address = client_of(scene.lead), reverse(*_named(FILE))
    assert lead.get(address).status_code == 404

    lead.post(reverse(*_named(MAKE)))

    response = lead.get(address)
    assert (response.status_code, response["Cache-Control"], response["Retry-After"]) == (409, "no-store", "30")
    assert "The report is being made" in response.content.decode()
    assert client_of(person("outsider", scene)).get(address).status_code == 404
    Job.objects.update(state="failed", finished_at=NOW)
    assert lead.get(address).status_code == 404
