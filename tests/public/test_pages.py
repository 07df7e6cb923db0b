"""What a reader without an account can see, and what never."""

import re
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from lexreview.jobs.actions import start_job
from lexreview.jobs.models import Job
from lexreview.public.feeds import DecisionFeed
from lexreview.public.urls import PAGES
from lexreview.reports.actions import publish, withdraw_publication
from lexreview.reports.models import Publication
from lexreview.reports.report_job import REPORT
from lexreview.review.actions import revise_card
from tests.reports.factories import (
    ADDRESS,
    DRAFT_WORD,
    HIDDEN_DECISION_WORD,
    HIDDEN_WORD,
    NOW,
    OPEN_WORD,
    Scene,
    approved,
    change_and_approve_again,
)

NAMES = (
    "benchmark",
    "questions",
    "errors",
    "judges",
    "verification",
    "cost",
    "method",
    "decisions",
    "decision_feed",
    "versions",
    "report_pdf",
    "report_html",
)
LIST = "/en/p/"
KEYED = {"question": {"code": "P01"}, "card": {"identifier": "P02_argon-4_W0_r1"}}
SENTINELS = (HIDDEN_WORD, HIDDEN_DECISION_WORD, DRAFT_WORD, OPEN_WORD, ADDRESS, "P11")


def address(name: str, **kwargs: Any) -> str:
    """In English, whatever language the page asked for before was in."""
    with override("en"):
        return reverse(f"public:{name}", kwargs={"slug": "kestria-01", **kwargs})


def every_address(number: int | None = None) -> list[str]:
    pinned = {} if number is None else {"number": number}
    plain = [address(name, **pinned) for name in NAMES]
    return plain + [address(name, **pinned, **kwargs) for name, kwargs in KEYED.items()]


def crawl(client: Client, start: str) -> dict[str, str]:
    """Every page that can be reached by links from `start`, by address, as its reader gets it."""
    pages: dict[str, str] = {}
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path in pages:
            continue
        response = client.get(path)
        assert response.status_code == 200, path
        pages[path] = response.content.decode(errors="replace")
        if response["Content-Type"].startswith("text/html") and not path.endswith(".html"):
            waiting += re.findall(r'href="(/[a-z]{2}/p/[^"#?]*)', pages[path])
    return pages


def test_every_page_is_reached_by_links_and_leaks_nothing(client: Client, publication: Publication) -> None:
    pages = crawl(client, LIST)

    assert set(every_address()) - {address("report_html")} <= set(pages)
    assert address("card", identifier="P02_borealis_W1_r1") in pages
    for path in [*pages, address("report_html")]:
        text = pages.get(path) or client.get(path).content.decode()
        for word in SENTINELS:
            assert word.casefold() not in text.casefold(), (path, word)


def test_pages_of_the_newest_and_of_a_number_both_stand(client: Client, publication: Publication) -> None:
    for path in (*every_address(), *every_address(1)):
        assert client.get(path).status_code == 200, path


@pytest.mark.parametrize("name", NAMES)
def test_pages_answer_reading_only(client: Client, publication: Publication, name: str) -> None:
    assert client.head(address(name)).status_code == 200
    assert client.post(address(name)).status_code == 405
    assert client.delete(address(name)).status_code == 405


@pytest.mark.parametrize(
    "path",
    [
        "/en/p/other-01/",
        "/en/p/kestria-01/v2/",
        "/en/p/kestria-01/questions/P11/",
        "/en/p/kestria-01/questions/P99/",
        "/en/p/kestria-01/cards/P11_argon-4_W0_r1/",
        "/en/p/kestria-01/cards/nothing/",
        "/en/p/kestria-01/other/",
    ],
)
def test_what_is_not_published_is_not_there(client: Client, publication: Publication, path: str) -> None:
    assert client.get(path).status_code == 404


def test_an_undisclosed_and_an_unknown_question_look_the_same(client: Client, publication: Publication) -> None:
    hidden = client.get(address("question", code="P11"))
    unknown = client.get(address("question", code="P99"))

    assert hidden.content.replace(b"P11", b"P99") == unknown.content


def test_benchmark_page_shows_the_figures_with_denominators(client: Client, publication: Publication) -> None:
    text = " ".join(re.sub(r"<[^>]+>", " ", client.get(address("benchmark")).content.decode()).split())

    # Three cards of the scene and the hostile one, which is grounded: 2 of 4.
    assert "correctly grounded 50 % 2 of 4 answers" in text
    assert "at least one false claim about a source 25 % 1 of 4 answers" in text
    assert "Approved and counted: 4 of 5 cards. One is open and in no figure." in text


def test_open_card_shows_its_answer_and_nothing_more(client: Client, publication: Publication) -> None:
    html = client.get(address("card", identifier="P02_borealis_W1_r1")).content.decode()

    assert "not approved yet" in html
    assert "paying late changes nothing" in html
    for heading in ("Points", "What was false", "Citations</h2>", "History"):
        assert heading not in html


def test_card_page_leads_from_claim_to_source(client: Client, publication: Publication) -> None:
    html = client.get(address("card", identifier="P02_argon-4_W0_r1")).content.decode()

    assert '<mark class="hl w claim' in html
    assert 'href="#c1"' in html
    assert 'id="c1"' in html
    assert "The fee is payable within seven days." in html


def test_hostile_answer_does_nothing_on_the_page(client: Client, publication: Publication) -> None:
    html = client.get(address("card", identifier="P02_cedar_W0_r1")).content.decode()
    answer = html.partition('<div class="answer" lang="en">')[2].partition("</section>")[0]

    assert "&lt;script&gt;" in answer
    assert not re.search(r"<(script|img|style|iframe|link|object)\b", answer)
    assert not re.search(r'href="(?!#c\d+")', answer)
    assert not re.search(r"<[^>]*\son\w+=", answer)


def test_pages_ask_not_to_be_trained_on(client: Client, publication: Publication) -> None:
    for path in every_address():
        response = client.get(path)
        if path.endswith((".pdf", ".html")):
            assert "noai" in response["X-Robots-Tag"]
            continue
        assert str(publication.canary) in response.content.decode(), path
        if response["Content-Type"].startswith("text/html"):
            assert '<meta name="robots"' in response.content.decode(), path


def test_j6_pages_set_no_cookie_and_have_no_token_and_no_script(
    client: Client, publication: Publication, scene: Scene
) -> None:
    """A page may be kept for everybody: it says nothing of who asked, also where they are signed in."""
    assert {each.name for each in PAGES} == {*NAMES, *KEYED}, "every public address is among those walked"
    walked = [LIST, *every_address(), *every_address(1)]
    for path in walked:
        response = client.get(path)
        assert not response.cookies, path
        assert b"<script" not in response.content, path
        assert b"csrf" not in response.content.lower(), path

    client.force_login(scene.reviewer)
    for path in walked:
        response = client.get(path)
        assert not response.cookies, path
        assert b"csrf" not in response.content.lower(), path
        assert not path.endswith("/") or b"rita" not in response.content, path


def test_unchanged_page_is_not_sent_again(client: Client, publication: Publication) -> None:
    first = client.get(address("benchmark"))

    by_etag = client.get(address("benchmark"), headers={"if-none-match": first["ETag"]})
    by_date = client.get(address("benchmark"), headers={"if-modified-since": first["Last-Modified"]})

    assert (by_etag.status_code, by_date.status_code) == (304, 304)
    assert by_etag.content == b""


def test_validator_changes_with_content_language_and_newer_publications(
    client: Client, publication: Publication, scene: Scene
) -> None:
    tags = {client.get(address("benchmark"))["ETag"], client.get("/pl/p/kestria-01/")["ETag"]}
    tags.add(client.get(address("benchmark", number=1))["ETag"])
    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)
    publish(benchmark=scene.benchmark, note="Read again.", by=scene.lead, now=NOW + timedelta(days=1))
    tags |= {client.get(address("benchmark"))["ETag"], client.get(address("benchmark", number=1))["ETag"]}

    assert len(tags) == 5


def test_pages_do_not_move_when_cards_change(client: Client, publication: Publication, scene: Scene) -> None:
    before = {path: client.get(path).content for path in every_address()}
    card = scene.card("P01_argon-4_W0_r1")
    revise_card(card=card, reason="Read again.", version=card.version, by=scene.reviewer, now=NOW)

    assert {path: client.get(path).content for path in every_address()} == before


def test_an_older_version_says_so_and_links_stay_in_it(client: Client, publication: Publication, scene: Scene) -> None:
    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)
    publish(benchmark=scene.benchmark, note="Read again.", by=scene.lead, now=NOW + timedelta(days=1))

    old = client.get(address("benchmark", number=1)).content.decode()
    versions = client.get(address("versions")).content.decode()

    assert "This is version 1. The newest is version 2." in old
    assert address("question", number=1, code="P01") in old
    assert address("question", code="P01") not in old
    assert "Read again." in versions
    assert versions.index("Version 2") < versions.index("Version 1")


def test_withdrawn_publication_shows_its_reason_and_nothing_else(
    client: Client, publication: Publication, scene: Scene
) -> None:
    withdraw_publication(publication=publication, reason="A key was wrong.", by=scene.lead, now=NOW)

    for path in (*every_address(), *every_address(1)):
        response = client.get(path)
        assert response.status_code == 410, path
        assert "A key was wrong." in response.content.decode(), path
        text = re.sub(r'(?:href|action)="[^"]*"', "", response.content.decode())
        assert not re.search(r"P0\d|argon|hallucinated", text), path
    assert "kestria-01" not in client.get(LIST).content.decode()


def test_after_a_withdrawal_readers_get_the_one_before(client: Client, publication: Publication, scene: Scene) -> None:
    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)
    second = publish(benchmark=scene.benchmark, note="Read again.", by=scene.lead, now=NOW + timedelta(days=1))
    withdraw_publication(publication=second, reason="Too early.", by=scene.lead, now=NOW + timedelta(days=2))

    assert "version 1" in client.get(address("benchmark")).content.decode()
    assert client.get(address("benchmark", number=2)).status_code == 410


def test_report_as_html_may_do_nothing(client: Client, publication: Publication) -> None:
    response = client.get(address("report_html"))

    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "script-src" not in policy


def test_report_that_is_being_made_says_so_and_is_not_kept(
    client: Client, publication: Publication, scene: Scene
) -> None:
    publication.files.all().delete()
    assert client.get(address("report_pdf")).status_code == 404
    params = {"benchmark": "kestria-01", "publication": publication.number}
    job = start_job(kind=REPORT, benchmark_slug="kestria-01", params=params, by=scene.lead, now=NOW)

    for name in ("report_pdf", "report_html"):
        response = client.get(address(name))
        assert response.status_code == 409
        assert "The report is being made" in response.content.decode()
        assert "no-store" in response["Cache-Control"] and not response.has_header("ETag")
        assert not response.cookies

    Job.objects.filter(pk=job.pk).update(state="failed", finished_at=NOW)
    assert client.get(address("report_pdf")).status_code == 404


def test_feed_is_atom_with_the_newest_decision_first(client: Client, publication: Publication, scene: Scene) -> None:
    response = client.get(address("decision_feed"))
    text = response.content.decode()

    assert response["Content-Type"].startswith("application/atom+xml")
    assert text.count("<entry>") == 1
    assert "How is the core read?" in text
    assert f"urn:uuid:{publication.canary}:decision:1" in text
    assert '<summary type="html">&lt;p&gt;' in text


def test_a_feed_says_that_an_entry_was_superseded_and_escapes_its_words() -> None:
    old = {"number": 1, "decided_on": "2026-10-01", "decision": "Class <T>.", "reason": "A & B.", "supersedes": None}
    new = {"number": 2, "decided_on": "2026-11-05", "decision": "No.", "reason": "Read.", "superseded_by": None}
    entries = [old | {"superseded_by": 2}, new | {"supersedes": 1}]
    feed = DecisionFeed(SimpleNamespace(content=lambda kind: {"decisions": entries}))  # type: ignore[arg-type]

    assert feed.item_description(entries[0]) == (
        "<p>Class &lt;T&gt;.</p>\n\n<p>A &amp; B.</p>\n\n<p>Superseded by decision 2.</p>"
    )
    assert "Supersedes decision 1." in feed.item_description(entries[1])
    assert [feed.item_updateddate(each).isoformat()[:10] for each in entries] == ["2026-11-05", "2026-11-05"]


def test_queries_do_not_grow_with_cards(client: Client, publication: Publication, scene: Scene) -> None:
    def counts() -> dict[str, int]:
        found = {}
        for path in every_address():
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            found[path] = len(queries)
        return found

    few = counts()
    for repetition in (2, 3):
        approved(scene, "P01", "argon-4", repetition=repetition)
    publish(benchmark=scene.benchmark, note="More runs.", by=scene.lead, now=NOW + timedelta(days=1))
    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)
    third = publish(benchmark=scene.benchmark, note="Read again.", by=scene.lead, now=NOW + timedelta(days=2))
    Publication.objects.get(pk=publication.pk).files.update(publication=third)

    assert counts() == few
    assert max(few.values()) <= 4
