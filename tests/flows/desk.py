"""A reviewer at the desk: signs in and works through cards with nothing but the pages' own forms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from lxml import html

from lexreview.review.models import Card
from tests.factories import PASSWORD


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What a reviewer says of one card; citations that are not named here are agreed with as proposed.

    `points`: criterion to points. `dropped`: the text of a citation to why its proposed finding does not count.
    `findings`: fields of the form for a new finding.
    """

    points: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, str] = field(default_factory=dict)
    findings: Sequence[Mapping[str, Any]] = ()


class Desk:
    """`with_script`: save as the page's script does, and read the next form out of the fragment that comes back."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.with_script = False
        self.address = ""
        self.page: html.HtmlElement = html.Element("html")

    def sign_in(self, username: str) -> None:
        self.open(reverse("account_login"))
        self.send(f"//form[@action='{reverse('account_login')}']", login=username, password=PASSWORD)
        assert "_auth_user_id" in self.client.session, self.text

    def open(self, address: str) -> None:
        self._take(self.client.get(address, follow=True), address)

    def send(self, form: str, **fields: Any) -> None:
        """Fill in the one form that the XPath finds and send it as a browser would."""
        found = self.page.xpath(form)
        assert len(found) == 1, f"{len(found)} forms at {form} on {self.address}"
        values = [(name, value) for name, value in found[0].form_values() if name not in fields]
        for name, value in fields.items():
            assert found[0].xpath(".//*[@name=$name]", name=name), f"{form} has no field {name}"
            values += [(name, each) for each in (value if isinstance(value, list) else [value])]
        body, address = urlencode([(name, str(value)) for name, value in values]), found[0].get("action")
        kind = "application/x-www-form-urlencoded"
        headers = {"HX-Request": "true"} if self.with_script else {}
        self._take(self.client.post(address, body, content_type=kind, follow=True, headers=headers), address)

    def _take(self, response: HttpResponse, address: str) -> None:
        if "HX-Redirect" in response:
            return self.open(response["HX-Redirect"])
        assert response.status_code == 200, f"{response.status_code} at {address}: {response.content.decode()[:3000]}"
        chain = getattr(response, "redirect_chain", [])
        self.address = chain[-1][0] if chain else response.get("HX-Replace-Url", address)
        self.page = html.fromstring(response.content.decode())
        return None

    @property
    def text(self) -> str:
        return " ".join(self.page.text_content().split())

    # Cards

    def begin(self, benchmark: str) -> None:
        """From the queue to the first card of the benchmark."""
        self.open(f"{reverse('review:queue')}?pile=unassigned&benchmark={benchmark}")
        self.send(f"//form[@action='{reverse('review:take_next')}']")

    @property
    def card(self) -> Card | None:
        """The card shown; None when the queue is."""
        parts = urlsplit(self.address).path.strip("/").split("/")
        return Card.objects.with_answer().get(pk=parts[2]) if parts[:2] == ["review", "cards"] else None

    def review(self, judged: Judged) -> None:
        """Decide everything on the card shown and approve it, which opens the next card."""
        for number in self.numbers:
            self.look_at(number)
            self.decide(judged)
        if self.page.xpath("//form[@id='form-proposals']"):
            self.send("//form[@id='form-proposals']")
        for code, points in judged.points.items():
            self.send(f"//form[@id='criterion-{code}']", points=points, evidence=f"{code} read beside the key.")
        for finding in judged.findings:
            self.send("//form[@id='form-new']", **finding)
        self.send("//form[@id='approval']")

    @property
    def numbers(self) -> list[int]:
        return [int(each) for each in self.page.xpath("//*[starts-with(@id, 'cite-')]/@data-number")]

    def look_at(self, number: int) -> None:
        """The first look is noted by a form; later ones are plain links."""
        if self.page.xpath(f"//form[@id='open-{number}']"):
            self.send(f"//form[@id='open-{number}']")
        else:
            self.open(self.page.xpath(f"//a[@id='cite-{number}']/@href")[0])
        assert self.page.xpath(f"//*[@id='citation'][@data-number='{number}']")

    def decide(self, judged: Judged) -> None:
        """The verdict on the citation shown."""
        reason = judged.dropped.get(self._shown().raw)
        if reason:
            self.send("//form[@id='form-no-error']", reason=reason)
        else:
            assert self.page.xpath("//form[@id='form-citation']//button[@id='agree']"), self._shown().raw
            self.send("//form[@id='form-citation']", verdict="agree")

    def _shown(self) -> Any:
        card, number = self.card, self.page.xpath("//*[@id='citation']/@data-number")[0]
        assert card is not None
        return card.citations.get(number=number)
