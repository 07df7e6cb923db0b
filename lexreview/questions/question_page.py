"""What the page of a question shows: its texts, what is expected, its key through all versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import QuestionType
from lexreview.law.browsing import known_acts, known_rulings, web_address
from lexreview.law.models import Ruling
from lexreview.law.names import fold_docket
from lexreview.questions.benchmark_page import key_that_counts
from lexreview.questions.key_differences import Change, changes_of
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.questions.rules import can_write_questions
from lexreview.questions.sections import Place, Section, sections_of


@dataclass(frozen=True, slots=True)
class BasisRow:
    """A required basis of a key. `corpus_url`: its text in the corpus, `source_url`: its official page; "" if none."""

    fields: Mapping[str, Any]
    corpus_url: str
    source_url: str


class QuestionPage:
    """One question as a member sees it; it was fetched `with_page_data()`."""

    def __init__(self, question: Question, *, user: User) -> None:
        self.question = question
        self.user = user

    @property
    def benchmark(self) -> Benchmark:
        return self.question.benchmark

    @property
    def expected(self) -> str:
        return expected_words(self.question)

    @cached_property
    def mirrored_by(self) -> list[Question]:
        """Questions that name this one as their mirror, without its own mirror."""
        others = self.question.mirrored_by.by_code()
        return [each for each in others if each.pk != self.question.mirror_id]

    @cached_property
    def versions(self) -> list[KeyVersion]:
        return list(self.question.key_versions.with_people().in_order())

    @cached_property
    def may_write(self) -> bool:
        return can_write_questions(self.user, self.benchmark.slug)

    @property
    def has_draft(self) -> bool:
        return bool(self.versions) and self.versions[-1].is_draft

    @property
    def key(self) -> KeyVersion | None:
        return key_that_counts(self.versions)

    @property
    def changes(self) -> list[Change]:
        return changes_of(self.versions)

    @property
    def rubric_points(self) -> int:
        return sum(int(element.get("points", 1)) for element in self.key.rubric) if self.key else 0

    @cached_property
    def bases(self) -> list[BasisRow]:
        """The bases of the key that counts; two queries."""
        elements: list[dict[str, Any]] = self.key.bases if self.key else []
        acts = known_acts({element["act"] for element in elements if element.get("act")})
        rulings = known_rulings({element["docket"] for element in elements if element.get("docket")})
        return [
            BasisRow(
                fields=each,
                corpus_url=self._provision_url(each, acts) or _ruling_url(each, rulings),
                source_url=web_address(str(each.get("source") or "")),
            )
            for each in elements
        ]

    def _provision_url(self, element: Mapping[str, Any], known: set[str]) -> str:
        if element.get("act") not in known or not element.get("unit"):
            return ""
        query = {
            "unit": element["unit"],
            "on": self.benchmark.legal_state_on.isoformat(),
            "lang": self.question.language,
        }
        return f"{reverse('law:unit', args=[element['act']])}?{urlencode(query)}"

    @cached_property
    def sections(self) -> list[Section]:
        return sections_of(Place.QUESTION, self.question, self.user)


def _ruling_url(element: Mapping[str, Any], known: Sequence[Ruling]) -> str:
    """The ruling of that docket, court and day; "" where the corpus has none or several."""
    fitting = [
        ruling
        for ruling in known
        if ruling.docket_folded == fold_docket(str(element.get("docket") or ""))
        and element.get("court") in (None, "", ruling.court)
        and element.get("decided_on") in (None, "", str(ruling.decided_on))
    ]
    one = {(ruling.jurisdiction, ruling.court, ruling.decided_on) for ruling in fitting}
    return reverse("law:ruling", args=[fitting[0].pk]) if len(one) == 1 else ""


def expected_words(question: Question) -> str:
    """What the question's key expects, in words; "" for a shape that the type does not know."""
    expected: dict[str, Any] = question.expected
    match question.type:
        case QuestionType.CLOSED:
            return _closed_words(expected)
        case QuestionType.CALCULATION:
            value = " ".join(str(expected[name]) for name in ("value", "unit") if expected.get(name))
            return _("%(value)s, tolerance %(tolerance)s") % {
                "value": value,
                "tolerance": expected.get("tolerance") or "0",
            }
        case QuestionType.VERIFICATION:
            return _("the claim holds") if expected.get("claim_holds") else _("the claim does not hold")
        case _:
            return ""


def _closed_words(expected: Mapping[str, Any]) -> str:
    words = {"yes": _("yes"), "no": _("no"), "depends": _("it depends")}
    answer = words.get(str(expected.get("answer")), "")
    return f"{answer}: {expected['condition']}" if expected.get("condition") else answer
