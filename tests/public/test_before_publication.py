"""What readers see of a benchmark that is not published, or whose report is not made."""

import pytest
from django.test import Client

from lexreview.reports.actions import publish
from tests.public.test_pages import LIST, address
from tests.reports.factories import NOW, Scene, make_scene


@pytest.fixture
def unpublished(db: None) -> Scene:
    return make_scene()


def test_an_unpublished_benchmark_is_not_there_even_for_its_lead(client: Client, unpublished: Scene) -> None:
    client.force_login(unpublished.lead)

    assert client.get(address("benchmark")).status_code == 404
    assert "Nothing is published yet" in client.get(LIST).content.decode()


def test_report_link_appears_once_the_report_is_made(client: Client, unpublished: Scene) -> None:
    publish(benchmark=unpublished.benchmark, note="", by=unpublished.lead, now=NOW)

    assert address("report_pdf") not in client.get(address("benchmark")).content.decode()
    assert client.get(address("report_pdf")).status_code == 404
