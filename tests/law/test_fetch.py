"""How a source is asked: what comes back through slowness, errors, cut bodies, wrong kinds and foreign redirects."""

from collections.abc import Iterator

import httpx
import pytest

from lexreview.law.sources.fetch import ATTEMPTS, Fetcher, NotStored, SourceUnknown
from tests.law.serving import Desk, MemoryStore, Reply, fetcher_for, serving

HOSTS = frozenset({"law.example"})
ADDRESS = "https://law.example/act"
JSON = "application/json"


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def client(desk: Desk) -> Iterator[httpx.Client]:
    with serving(desk) as client:
        yield client


@pytest.fixture
def fetcher(client: httpx.Client) -> Fetcher:
    return fetcher_for(client, HOSTS)


def test_an_answer_is_kept_and_not_fetched_twice(desk: Desk, fetcher: Fetcher) -> None:
    desk.replies["/act"] = [Reply(b'{"a": 1}'), Reply(b'{"a": 2}')]

    first, second = fetcher.get(ADDRESS, accept=JSON), fetcher.get(ADDRESS, accept=JSON)

    assert (first.body, second.body) == (b'{"a": 1}', b'{"a": 1}')
    assert (first.is_from_store, second.is_from_store, len(desk.asked)) == (False, True, 1)
    assert first.sha256 == second.sha256


def test_a_refresh_asks_again(desk: Desk, client: httpx.Client) -> None:
    desk.replies["/act"] = [Reply(b"{}"), Reply(b'{"a": 2}')]
    store = MemoryStore()
    fetcher_for(client, HOSTS, store=store).get(ADDRESS, accept=JSON)

    assert fetcher_for(client, HOSTS, store=store, refresh=True).get(ADDRESS, accept=JSON).body == b'{"a": 2}'


def test_offline_only_what_is_stored_is_answered(desk: Desk, client: httpx.Client) -> None:
    desk.replies["/act"] = [Reply(b"{}")]
    store = MemoryStore()
    fetcher_for(client, HOSTS, store=store).get(ADDRESS, accept=JSON)
    offline = fetcher_for(client, HOSTS, store=store, offline=True)

    assert offline.get(ADDRESS, accept=JSON).body == b"{}"
    with pytest.raises(NotStored):
        offline.get("https://law.example/other", accept=JSON)
    assert len(desk.asked) == 1


def test_other_parameters_bodies_and_languages_are_other_requests(desk: Desk, fetcher: Fetcher) -> None:
    desk.fallback = lambda method, path, body: Reply(b"{}")

    fetcher.get(ADDRESS, params={"q": "1"}, accept=JSON)
    fetcher.get(ADDRESS, params={"q": "2"}, accept=JSON)
    fetcher.get(ADDRESS, accept=JSON, language="pol")
    fetcher.get(ADDRESS, accept=JSON, language="eng")
    fetcher.post_form(ADDRESS, form={"query": "a"}, accept=JSON)
    fetcher.post_form(ADDRESS, form={"query": "b"}, accept=JSON)
    fetcher.post_json(ADDRESS, content=b"{}")

    assert len(desk.asked) == 7


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_passing_errors_are_retried_with_growing_pauses(desk: Desk, client: httpx.Client, status: int) -> None:
    desk.replies["/act"] = [Reply(status=status), Reply(status=status), Reply(b"{}")]
    pauses: list[float] = []
    fetcher = fetcher_for(client, HOSTS, wait=pauses.append)

    assert fetcher.get(ADDRESS, accept=JSON).status == 200
    assert [pause for pause in pauses if pause >= 1] == [1.0, 2.0]


def test_a_source_that_names_a_pause_is_given_it_up_to_a_limit(desk: Desk, client: httpx.Client) -> None:
    desk.replies["/act"] = [
        Reply(status=429, headers={"Retry-After": "7"}),
        Reply(status=429, headers={"Retry-After": "9999"}),
        Reply(b"{}"),
    ]
    pauses: list[float] = []

    fetcher_for(client, HOSTS, wait=pauses.append).get(ADDRESS, accept=JSON)

    assert [pause for pause in pauses if pause >= 1] == [7.0, 60.0]


def test_errors_that_stay_give_unknown_after_a_few_attempts(desk: Desk, fetcher: Fetcher) -> None:
    desk.replies["/act"] = [Reply(status=503)]

    with pytest.raises(SourceUnknown, match="status 503"):
        fetcher.get(ADDRESS, accept=JSON)
    assert len(desk.asked) == ATTEMPTS


@pytest.mark.parametrize("status", [400, 403, 406])
def test_refusals_are_not_repeated(desk: Desk, fetcher: Fetcher, status: int) -> None:
    desk.replies["/act"] = [Reply(status=status)]

    with pytest.raises(SourceUnknown, match=str(status)):
        fetcher.get(ADDRESS, accept=JSON)
    assert len(desk.asked) == 1


def test_missing_is_an_answer_of_its_own(fetcher: Fetcher) -> None:
    assert fetcher.get(ADDRESS, accept=JSON).is_missing


def test_a_web_page_where_data_is_due_is_unknown_and_not_kept(desk: Desk, fetcher: Fetcher) -> None:
    desk.replies["/act"] = [Reply(b"\n<!DOCTYPE html><p>Maintenance</p>", content_type="text/html"), Reply(b"{}")]

    with pytest.raises(SourceUnknown, match="expected application/json"):
        fetcher.get(ADDRESS, accept=JSON)
    assert fetcher.get(ADDRESS, accept=JSON).body == b"{}"


def test_a_web_page_where_xml_is_due_is_unknown(desk: Desk, fetcher: Fetcher) -> None:
    desk.replies["/act"] = [Reply(b"<html>App</html>", content_type="text/html")]

    with pytest.raises(SourceUnknown, match="expected application/xml"):
        fetcher.get(ADDRESS, accept="application/xml")


def test_a_body_that_is_cut_off_is_unknown(desk: Desk, fetcher: Fetcher) -> None:
    desk.replies["/act"] = [Reply(b'{"half":', claimed_length=500)]

    with pytest.raises(SourceUnknown, match="RemoteProtocolError"):
        fetcher.get(ADDRESS, accept=JSON)


def test_an_answer_over_the_limit_is_cut_off(desk: Desk, fetcher: Fetcher) -> None:
    desk.replies["/act"] = [Reply(b" " * 1_000_000, repeat=60)]

    with pytest.raises(SourceUnknown, match="longer than 50000000 bytes"):
        fetcher.get(ADDRESS)


def test_a_source_that_does_not_answer_is_given_up(desk: Desk) -> None:
    desk.replies["/act"] = [Reply(b"{}", pause=0.5)]

    with serving(desk, timeout=0.1) as impatient, pytest.raises(SourceUnknown, match="ReadTimeout"):
        fetcher_for(impatient, HOSTS).get(ADDRESS, accept=JSON)


def test_a_redirect_to_a_listed_host_is_followed_and_made_secure(desk: Desk, fetcher: Fetcher) -> None:
    desk.replies["/act"] = [Reply(status=303, headers={"Location": "http://law.example/text"})]
    desk.replies["/text"] = [Reply(b"<html>Act</html>", content_type="text/html")]

    assert fetcher.get(ADDRESS).body == b"<html>Act</html>"
    assert desk.asked[-1][1] == "https://law.example/text"


@pytest.mark.parametrize(
    "location", ["https://evil.example/x", "http://169.254.169.254/latest", "//evil.example/x", "ftp://law.example/x"]
)
def test_a_redirect_to_another_host_or_scheme_is_refused(desk: Desk, fetcher: Fetcher, location: str) -> None:
    desk.replies["/act"] = [Reply(status=302, headers={"Location": location})]

    with pytest.raises(SourceUnknown, match="may only reach"):
        fetcher.get(ADDRESS)
    assert len(desk.asked) == 1


def test_endless_redirects_are_given_up(desk: Desk, fetcher: Fetcher) -> None:
    desk.replies["/act"] = [Reply(status=302, headers={"Location": "/act"})]

    with pytest.raises(SourceUnknown, match="redirects"):
        fetcher.get(ADDRESS)


@pytest.mark.parametrize(
    "address", ["http://law.example/act", "https://evil.example/", "file:///etc/passwd", "https://law.example.evil/"]
)
def test_only_listed_hosts_are_reached(desk: Desk, fetcher: Fetcher, address: str) -> None:
    with pytest.raises(SourceUnknown, match="may only reach"):
        fetcher.get(address)
    assert desk.asked == []


def test_requests_keep_a_distance(desk: Desk, client: httpx.Client) -> None:
    desk.fallback = lambda method, path, body: Reply(b"{}")
    pauses: list[float] = []
    fetcher = fetcher_for(client, HOSTS, wait=pauses.append)

    for number in range(3):
        fetcher.get(f"https://law.example/{number}", accept=JSON)

    assert len(pauses) == 2
    assert all(0 < pause <= 0.5 for pause in pauses)
