"""Texts that come without a language: short ones, as labelled cases are, are read by what their citations look like."""

from pathlib import Path

import pytest

from lexreview.core.citations import Citation, extract
from lexreview.core.citations.language import language_of

CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize("name", ["pl", "ch", "eu"])
def test_the_language_of_nearly_every_short_text_with_a_citation_is_found(name: str) -> None:
    rows = [line.split("\t") for line in (CASES / f"{name}.tsv").read_text().splitlines() if line[:1] not in {"", "#"}]
    citing = [(row[0], row[1]) for row in rows if len(row) > 2 and row[2]]

    found = sum(language_of(text, given="", default="") == lang for lang, text in citing)

    assert len(citing) > 150
    assert found >= 0.95 * len(citing)


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("Cass. civ. Sez. III n. 11112/2019 esclude il danno in re ipsa.", "Cass. civ. Sez. III n. 11112/2019"),
        ("T.R.G.A. Trento n. 13/2020", "T.R.G.A. Trento n. 13/2020"),
        ("Licenziamento: art. 18 St. lav. e art. 2119 c.c.", "art. 18 St. lav."),
        ("Haftung aus unerlaubter Handlung: Art. 41 f. OR", "Art. 41 f. OR"),
        ("Termin: art. 291 § 1 KP.", "art. 291 § 1 KP"),
        ("Vente : art. 197 al. 1 CO.", "art. 197 al. 1 CO"),
    ],
)
def test_auto_reads_a_short_text_without_a_language(text: str, raw: str) -> None:
    found = extract(text, jurisdiction="auto", lang="")

    assert raw in [each.raw for each in found]
    assert all(each.to_case() == other.to_case() for each, other in zip(found, _given(text), strict=True))


def _given(text: str) -> list[Citation]:
    """What a grammar finds that is told the language; of Italian the one for Italian law."""
    lang = language_of(text, given="", default="")
    law = {"pl": "pl", "de": "ch", "fr": "ch", "it": "it"}[lang]
    return list(extract(text, jurisdiction=law, lang=lang))
