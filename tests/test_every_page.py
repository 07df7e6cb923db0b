"""Every page of the site: each address is one or is known to be none, and legal text says its language."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from lxml import html as lxml_html

from lexreview.answers.models import Answer
from lexreview.law.models import Unit
from lexreview.questions.models import KeyVersion, Question
from lexreview.review.models import Finding
from lexreview.verification.models import Citation
from tests.whole_site import WholeSite, make_whole_site

pytestmark = pytest.mark.django_db
ELSEWHERE = "leads to another page"
UNSET = "of a second factor that the person has not set up"
ASKED_AGAIN = "asks for the password first"
FILE = "a file or a feed"
NO_PAGE = {
    "home": ELSEWHERE, "account_login": ELSEWHERE, "account_signup": ELSEWHERE, "account_set_password": ELSEWHERE,
    "account_request_reauthentication_code": ASKED_AGAIN, "account_confirm_reauthentication_code": ASKED_AGAIN,
    "account_confirm_login_code": ELSEWHERE, "mfa_authenticate": ELSEWHERE, "mfa_reauthenticate": ASKED_AGAIN,
    "mfa_activate_totp": ASKED_AGAIN, "mfa_deactivate_totp": UNSET, "mfa_view_recovery_codes": UNSET,
    "mfa_generate_recovery_codes": ASKED_AGAIN, "mfa_download_recovery_codes": UNSET, "mfa_add_webauthn": ASKED_AGAIN,
    "mfa_reauthenticate_webauthn": ASKED_AGAIN, "mfa_remove_webauthn": ASKED_AGAIN, "mfa_edit_webauthn": ASKED_AGAIN,
    "mfa_login_webauthn": ELSEWHERE, "providers:raw": FILE, "questions:pick_basis": "only where a key is being drafted",
    "methodology:decision_feed": FILE, "review:following_card": "only where another card is waiting",
    "review:previous_card": ELSEWHERE, "review:next_card": ELSEWHERE,
    "rounds:rehearsal_csv": FILE, "rounds:rehearsal_json": FILE,
    "rounds:agreement_csv": FILE, "judging:verdicts_csv": FILE, "reports:costs_csv": FILE, "reports:file": FILE,
    "public:decision_feed": FILE, "public:report_pdf": FILE, "public:report_html": FILE,
}  # fmt: skip
# Values of the ledger stand there as they were recorded, texts of every language among them.
MIXED = {"ledger:history"}
NOT_READ = {"script", "style", "title", "textarea", "option"}


@pytest.fixture
def site(db: None, now: datetime, monkeypatch: pytest.MonkeyPatch) -> WholeSite:
    return make_whole_site(now, monkeypatch)


def test_every_address_is_a_page_or_known_to_be_none(client: Client, site: WholeSite) -> None:
    pages = site.pages(client)

    others = {name: address for name, address in site.addresses().items() if name not in pages}
    read = {name for name, address in others.items() if client.get(address).status_code != 405}
    assert read == set(NO_PAGE)
    assert len(pages) > 60


def test_legal_text_says_its_language_on_every_page(client: Client, site: WholeSite) -> None:
    legal = legal_texts()
    seen, silent = set(), {}
    pages = site.pages(client)
    for name, address in pages.items():
        if name in MIXED:
            continue
        polish = address.replace("/en/p/", "/pl/p/")
        page = lxml_html.document_fromstring(client.get(polish, headers={"Accept-Language": "pl"}).content)
        assert page.get("lang") == "pl", name
        for text, language in texts_of(page):
            if is_legal(text, legal):
                seen.add(name)
                if language != "en":
                    silent.setdefault(name, []).append(text)

    assert silent == {}
    assert {"review:card", "review:queue", "rounds:check", "rounds:adjudication", "verification:source"} <= seen


def legal_texts() -> str:
    """Everything that stands in the language of the case, as one text; all of the scene is in English."""
    found = [*Answer.objects.values_list("text", flat=True), *Finding.objects.values_list("claim", flat=True)]
    found += Unit.objects.filter(edition__language="en").values_list("text", flat=True)
    for citation in Citation.objects.all():
        found += [citation.raw, citation.source_text]
    for question in Question.objects.all():
        found += [question.original_text, question.benchmark_text, (question.trap or {}).get("premise", "")]
    for key in KeyVersion.objects.all():
        found += [key.core_answer, *(each["text"] for each in [*key.rubric, *key.penalties])]
        found += [base["quotation"] for base in key.bases]
    return " ¦ ".join(squeezed(text) for text in found)


def squeezed(text: str) -> str:
    return " ".join(text.replace("**", "").split())


def is_legal(text: str, legal: str) -> bool:
    bare = squeezed(text).strip("…. „“”\"‘’'")
    return len(bare) > 11 and bare in legal


def texts_of(page: Any) -> Iterator[tuple[str, str]]:
    """Every piece of text that is read, with its language."""
    for text in page.xpath("//body//text()"):
        element = text.getparent() if text.is_text else text.getparent().getparent()
        if not any(each.tag in NOT_READ for each in (element, *element.iterancestors())):
            yield str(text), next(each.get("lang") for each in (element, *element.iterancestors()) if each.get("lang"))
