import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from lexreview.methodology.markdown import ALLOWED_TAGS, safe_html

HOSTILE_PIECES = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))", "![a](https://x.example)",
    "<https://x.example>", "[a]: javascript:alert(1)", "[a]", "# Heading", "| a | b |\n| - | - |\n| c | d |",
    "~~struck~~", "`<b>`", "```\n<i>\n```", "<a href=//x.example>", "&lt;script&gt;", "&#60;script>", "\0", "- item",
    "1. item", "> quote", "<svg/onload=alert(1)>", "<style>*{}</style>", "[a](data:text/html,x)", "</p>", "<!-- -->",
    "\\<b>", "*em*", "**b**",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\n### B\n\n# C", "<h3>A</h3>\n<h4>B</h4>\n<h3>C</h3>\n"),
        ("**A6** = *0*", "<p><strong>A6</strong> = <em>0</em></p>\n"),
        ("[law](https://x.example)", '<p><span class="inert">law</span> <span class="address">⟨https://x.example⟩</span></p>\n'),
        ("<https://x.example>", '<p><span class="inert">https://x.example</span></p>\n'),
        ("![seal](https://x.example/s.png)",
         '<p><span class="inert">[seal]</span> <span class="address">⟨https://x.example/s.png⟩</span></p>\n'),
        ("<b>bold</b>", "<p>&lt;b&gt;bold&lt;/b&gt;</p>\n"),
    ],
)  # fmt: skip
def test_markdown_becomes_plain_html(text: str, expected: str) -> None:
    assert safe_html(text) == expected


@settings(deadline=None)
@given(st.lists(st.sampled_from(HOSTILE_PIECES), min_size=1, max_size=8), st.sampled_from(["\n\n", "\n", " ", ""]))
def test_no_text_makes_other_markup_than_the_allowed(pieces: list[str], between: str) -> None:
    tree = html.fragment_fromstring(safe_html(between.join(pieces)), create_parent="div")

    for element in tree.iterdescendants():
        assert element.tag in ALLOWED_TAGS
        assert set(element.attrib) <= {"class", "start"}


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_rendered(text: str) -> None:
    assert isinstance(safe_html(text), str)
