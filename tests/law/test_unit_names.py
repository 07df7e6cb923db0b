import pytest

from lexreview.law.unit_names import unit_name


@pytest.mark.parametrize(
    ("key", "state", "lang", "name"),
    [
        ("art=17/ust=1/lit=a", "CH", "de", "Art. 17 Abs. 1 lit. a"),
        ("art=117^1/par=2", "PL", "pl", "art. 117¹ § 2"),
        ("art=17/ust=1/lit=a", "EU", "en", "Article 17(1)(a)"),
        ("motyw=26", "EU", "en", "recital 26"),
        ("dis=1/art=2", "QK", "en", "Art. 2 (transitional provisions)"),
        ("dis=2/art=2/ust=1", "CH", "fr", "art. 2 al. 1 (dispositions transitoires 2)"),
        ("@annex/1", "EU", "en", "annex/1"),
        ("", "CH", "de", ""),
    ],
)
def test_a_key_reads_as_people_cite_it(key: str, state: str, lang: str, name: str) -> None:
    assert unit_name(key, jurisdiction=state, lang=lang) == name
