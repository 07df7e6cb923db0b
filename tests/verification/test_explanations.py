import pytest
from django.utils.translation import override

from lexreview.verification.actions import verify_answer
from lexreview.verification.corpus import Corpus
from lexreview.verification.explanations import explanation_of
from lexreview.verification.layer import check_citations
from lexreview.verification.models import Citation
from tests.verification.factories import NOW, make_case

TEXT = (
    "Art. 2 § 1 HA: “The harbour due is 60 crowns for each day of stay.” See Art. 99 HA, Art. 3 HA, Art. 3 FeA, Art. 5 "
    "HA and Art. 7 of the Lighthouse Act; Art. 3 HA is repealed. Judgment of the Maritime Court of 3 June 2024, I Mar "
    "99/24; Art. 1."
)

pytestmark = pytest.mark.usefixtures("law")


@pytest.mark.parametrize("language", ["pl", "de", "fr", "it"])
def test_a_page_says_in_its_own_language_what_the_layer_would_have_said_in_it(language: str) -> None:
    case = make_case(TEXT)
    verify_answer(answer=case.answer, by=None, now=NOW)
    with override(language):
        said = check_citations(
            TEXT,
            jurisdiction=case.benchmark.jurisdiction,
            lang="en",
            on=case.benchmark.legal_state_on,
            corpus=Corpus.current(),
        )

    with override(language):
        shown = [explanation_of(row) for row in Citation.objects.with_sources().in_text_order()]

    assert shown == [row.explanation for row in said]
    assert len({row.result for row in said}) >= 5
    assert not {row.explanation for row in Citation.objects.all()} & set(shown)


def test_acts_that_lie_between_two_texts_are_named_in_the_language_of_the_page() -> None:
    case = make_case("Art. 5 HA")
    verify_answer(answer=case.answer, by=None, now=NOW)
    told = "An amending act touches it, and its text is not stored. It is this one: Act 9."
    Citation.objects.update(result="undetermined", reason="amendment_not_read", explanation=told)

    with override("de"):
        shown = explanation_of(Citation.objects.with_sources().get())

    assert shown.startswith("Ein Änderungserlass betrifft sie") and shown.endswith(": Act 9.")


def test_an_explanation_that_the_row_cannot_tell_again_stays_as_it_is_stored() -> None:
    case = make_case("Art. 5 HA")
    verify_answer(answer=case.answer, by=None, now=NOW)
    Citation.objects.update(explanation="Told by an earlier version of the layer.")

    with override("pl"):
        assert explanation_of(Citation.objects.with_sources().get()) == "Told by an earlier version of the layer."
