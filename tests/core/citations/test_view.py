from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.citations.view import fold, view_of


@pytest.mark.parametrize(
    ("source", "seen", "origin"),
    [
        ("art. 385<sup>1</sup> k.c.", "385¹", "385<sup>1</sup>"),
        ("art. 385<sup>\n<!-- -->1</sup> k.c.", "385¹", "385<sup>\n<!-- -->1</sup>"),
        ("§&nbsp;1&sect;", "§ 1", "§&nbsp;1"),
        ("prze\u00addawnienie", "przedawnienie", "prze\u00addawnienie"),
        ("z\u0307aden", "żaden", "z\u0307aden"),
        ("<b>art.</b> 5", "art. 5", "art.</b> 5"),
        ("art. 385$^{1}$", "385¹", "385$^{1}$"),
        ("art.\u00a05\u2009k.c.", "art. 5 k.c.", "art.\u00a05\u2009k.c."),
        ("C\u2011520/21", "C-520/21", "C\u2011520/21"),
    ],
)
def test_normalised_text_leads_back_to_its_origin(source: str, seen: str, origin: str) -> None:
    view = view_of(source)

    at = view.text.index(seen)
    start, end = view.span(at, at + len(seen))

    assert source[start:end] == origin


def test_superscripts_do_not_become_digits() -> None:
    assert "3851" not in view_of("art. 385¹ k.c.").folded


@pytest.mark.parametrize(
    "source",
    [
        "https://isap.example/eli/acts/DU/2024/1061",
        "art.118@kc-kancelaria.pl",
        "[ustawa](https://e.example/art.5)",
        "www.prawo.example/art.5",
    ],
)
def test_addresses_are_blanked_out(source: str) -> None:
    view = view_of(f"Zob. {source} oraz art. 7")

    assert view.folded.count("art.") == 1
    assert view.urls


def test_code_fence_is_cut_off_by_blank_lines() -> None:
    assert "\n\n" in view_of("art. 5\n```\nk.c.\n```").text[5:10]


@given(st.text(max_size=200))
def test_folding_keeps_the_length_and_spans_stay_inside(text: str) -> None:
    view = view_of(text)

    assert len(view.text) == len(view.folded)
    for position in range(0, len(view.text), 7):
        start, end = view.span(position, position + 1)
        assert 0 <= start <= end <= len(text)


def test_folding_removes_diacritics_and_case() -> None:
    assert fold("Zażółć GĘŚLĄ Łódź à Ö") == "zazolc gesla lodz a o"
