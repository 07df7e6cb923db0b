"""Every kind of result of the citation check occurs in the demonstration, so that people can see what each is like."""

from collections import defaultdict
from datetime import date
from pathlib import Path

import pytest
from django.conf import settings

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.law.actions import import_acts, import_coverage, import_jurisdiction, import_rulings
from lexreview.law.files import read_bundle_folder
from lexreview.verification.checked import CheckedCitation
from lexreview.verification.corpus import Corpus
from lexreview.verification.layer import check_citations
from tests.factories import LONG_AGO

BUNDLE = Path(settings.BASE_DIR) / "fixtures/demo/bundle"
LEGAL_STATE_ON = date(2026, 10, 1)
POLISH = ("P03", "P06", "P07")

Found = dict[CheckResult, list[tuple[str, CheckedCitation]]]


def answers() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((BUNDLE / "answers").glob("*.md"))}


@pytest.fixture
def found(db: None) -> Found:
    """Every citation of every answer by its result."""
    law = read_bundle_folder(BUNDLE)
    import_acts(parsed=law.acts, by=None, now=LONG_AGO)
    import_rulings(parsed=law.rulings, by=None, now=LONG_AGO)
    import_coverage(rows=law.coverage, by=None, now=LONG_AGO)
    import_jurisdiction(profile=dict(law.jurisdiction or {}), by=None, now=LONG_AGO)
    corpus, by_result = Corpus.current(), defaultdict(list)
    for name, text in answers().items():
        lang = "pl" if name.startswith(POLISH) else "en"
        for row in check_citations(text, jurisdiction="QK", lang=lang, on=LEGAL_STATE_ON, corpus=corpus):
            by_result[row.result].append((name, row))
    return by_result


def test_every_result_occurs(found: Found) -> None:
    assert set(found) == set(CheckResult)


def test_a_docket_of_two_rulings_is_ambiguous_and_a_court_without_register_out_of_scope(found: Found) -> None:
    (ambiguous,) = [row for name, row in found[CheckResult.AMBIGUOUS] if name == "P10_dune-2_W0_r1"]
    (outside,) = [row for name, row in found[CheckResult.OUT_OF_SCOPE] if name == "P04_dune-2_W0_r1"]

    assert ambiguous.citation.docket == "I ACiv 57/24"
    assert "2024-04-18" in ambiguous.suggestion and "2024-11-07" in ambiguous.suggestion
    assert outside.citation.docket == "III Cd 214/24"
    assert outside.reason == "ruling_not_covered"
    assert not ambiguous.proposed_class and not outside.proposed_class
