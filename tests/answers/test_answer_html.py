"""The visible text never depends on the highlights, and every highlight lies on its own characters."""

import re
from html import unescape

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from lexreview.answers.answer_html import Highlight, answer_html, answer_source_html

MARKDOWN_BITS = [
    "Art. 17 § 1", "k.p.c.", "Zażółć", "😀", "e\u0301", "\ue000", "\ue001", "\u202e", "x", "1", " ", "  ", "\n", "\r\n",
    "\r", "\n\n", "\t", "    ", "*", "**", "***", "_", "__", "~~", "~~~", "`", "``", "```", "# ", "## ", "> ", "- ",
    "1. ", "2) ", "|", "|--|--|", "a | b", "\\", "\\*", "\\|", "\\\n", "&amp;", "&#167;", "&", "<", ">", "<b>", "</b>",
    "<!-- c -->", "<https://a.b/c>", "[", "]", "(", ")", "![", "[a](http://b.c \"d\")", "[r]", "\n[r]: http://r.s\n",
    "===", "---", ":", "\"", "'", "\0", "javascript:", "http://d.e/f",
]  # fmt: skip
texts = st.lists(st.sampled_from(MARKDOWN_BITS), min_size=1, max_size=40).map("".join)


def highlight(start: int, end: int, *, number: int = 1, kind: str = "citation") -> Highlight:
    href = f"?citation={number}" if kind == "citation" else ""
    return Highlight(start, end, kind, number, "w", "W", f"{kind} {number}", href=href)


def highlight_of(text: str, words: str, **options: object) -> Highlight:
    start = text.index(words)
    return highlight(start, start + len(words), **options)  # type: ignore[arg-type]


def tree_of(html: str) -> lxml_html.HtmlElement:
    return lxml_html.fragment_fromstring(html, create_parent="div")


def visible(html: str) -> str:
    return tree_of(html.replace("\r", "\n")).text_content()


def marked(html: str, *, kind: str = "citation", number: int = 1) -> str:
    found = tree_of(html).xpath(f"//*[@data-{kind}='{number}']")
    return "".join(element.text_content() for element in found)


def spans_in(text: str, numbers: list[int]) -> list[Highlight]:
    places = [number % (len(text) + 1) for number in numbers]
    pairs = zip(places[::2], places[1::2], strict=False)
    spans = [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]
    return [
        highlight(start, end, number=index, kind="citation" if index % 2 else "finding")
        for index, (start, end) in enumerate(spans, start=1)
    ]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=texts, numbers=st.lists(st.integers(0, 10_000), max_size=10))
@example(text="**a*b", numbers=[0, 5])
@example(text="~~~~~a~~~ b", numbers=[1, 8])
def test_e2_visible_text_is_the_same_with_and_without_highlights(text: str, numbers: list[int]) -> None:
    plain = answer_html(text).html

    with_marks = answer_html(text, spans_in(text, numbers)).html

    assert visible(with_marks) == visible(plain)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=texts, numbers=st.lists(st.integers(0, 10_000), max_size=10))
def test_e1_every_highlight_lies_on_its_own_characters(text: str, numbers: list[int]) -> None:
    """Marks show the stored span without its markup: each visible character of it, in order, and nothing else."""
    highlights = spans_in(text, numbers)

    html = answer_html(text, highlights).html

    for each in highlights:
        end = each.end + (text[each.end - 1] == "\\")  # a backslash and what it escapes are one visible character
        span = text[each.start : end].replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
        shown = marked(html, kind=each.kind, number=each.number)
        if "&" not in text:
            assert is_subsequence(shown.replace("\n", " "), span.replace("\n", " "))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=texts.map(lambda text: text.replace("[", "").replace("<", "")))
def test_e1_a_span_over_everything_marks_everything_visible(text: str) -> None:
    html = answer_html(text, [highlight(0, len(text))] if text else []).html

    assert "".join(marked(html).split()) == "".join(visible(html).split())


@settings(max_examples=200, deadline=None)
@given(text=st.text(min_size=1, max_size=200), numbers=st.lists(st.integers(0, 10_000), max_size=8))
def test_source_view_shows_the_stored_text_exactly(text: str, numbers: list[int]) -> None:
    assume("\0" not in text and "\r" not in text)
    html = answer_source_html(text, spans_in(text, numbers)).html

    assert without_tags(html) == text
    for each in spans_in(text, numbers):
        assert marked_exactly(html, kind=each.kind, number=each.number) == text[each.start : each.end]


@given(
    words=st.lists(st.sampled_from(["Art. 3 FA", "😀", "e\u0301", "Zażółć gęślą", "§ 117¹"]), min_size=1, max_size=6)
)
def test_e1_words_inside_blocks_are_marked_whole(words: list[str]) -> None:
    text = "".join(f"- item\n\n  > **{word}** and\r\n  > more {word}\n\n" for word in words)

    for index, place in enumerate(places_of(text, words), start=1):
        html = answer_html(text, [highlight(*place, number=index)]).html

        assert marked(html, number=index) == text[slice(*place)]


def places_of(text: str, words: list[str]) -> list[tuple[int, int]]:
    found, position = [], 0
    for word in words:
        for _ in range(2):
            position = text.index(word, position)
            found.append((position, position + len(word)))
            position += len(word)
    return found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("See **Art. 17** § 1 CPA.", "Art. 17** § 1 CPA"),
        ("# Art. 5 #\n\ntext", "Art. 5"),
        ("1. Art. 5\n2. b", "Art. 5"),
        ("| Act | Unit |\n|---|---|\n| FA | Art. 5 \\| 6 |", "Art. 5 \\| 6"),
        ("> quoted\nlazy Art. 5", "lazy Art. 5"),
        ("text `Art. 5` text", "Art. 5"),
        ("text `` Art. 5 `` text", "Art. 5"),
        ("```\nArt. 5\n```", "Art. 5"),
        ("    Art. 5", "Art. 5"),
        ("Art. 5 &sect; 2", "Art. 5 &sect; 2"),
        ("![picture of Art. 5](http://a.b/c.png)", "Art. 5"),
        ("<https://isap.example/Art5>", "isap.example/Art5"),
        ("Art.\n5 \u2028 end", "Art.\n5"),
    ],
)
def test_span_is_marked_whatever_the_markup_around_it(text: str, words: str) -> None:
    answer = answer_html(text, [highlight_of(text, words)])

    expected = unescape(words.replace("**", "").replace("\\|", "|"))
    assert marked(answer.html) == expected
    assert not answer.unplaced


def test_overlapping_spans_become_nested_marks_without_nested_links() -> None:
    text = "Art. 17 § 1 CPA and Art. 18"
    highlights = [highlight(0, 15, number=1), highlight(5, 27, number=2), highlight(0, 11, number=3, kind="finding")]

    html = answer_html(text, highlights).html

    assert marked(html, number=1) == "Art. 17 § 1 CPA"
    assert visible(html).strip() == text
    tree = tree_of(html)
    assert not tree.xpath("//a//a")
    assert [len(tree.xpath(f"//*[@id='{name}']")) for name in ("citation-1", "citation-2", "finding-3")] == [1, 1, 1]
    assert [len(tree.xpath(f"//*[@data-citation='{number}'][@data-sign]")) for number in (1, 2)] == [1, 1]


def test_citation_in_a_links_address_is_told_apart_as_unplaced() -> None:
    text = "see [the act](http://law.example/Art5)"

    answer = answer_html(text, [highlight_of(text, "Art5")])

    assert answer.unplaced == {("citation", 1)}
    assert "⟨http://law.example/Art5⟩" in answer.html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[click](javascript:alert(1))",
        "[click](JaVaScRiPt&colon;alert(1))",
        "<javascript:alert(1)>",
        "[click](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](data:image/svg+xml;base64,PHN2Zz4=)",
        "![x](http://tracker.example/pixel.png)",
        "[r]: javascript:alert(1)\n\n[r]",
        "<!-- hidden --> shown",
        "<p style='position:fixed' onclick=alert(1)>x</p>",
        "<a href='http://evil.example'>x</a>",
        "<form action=/logout method=post><button>x</button></form>",
        "```<script>\nalert(1)\n```",
        "[x](http://a.b \"\\\" onmouseover=alert(1) x=\\\"\")",
        "\ue000\ue001</mark></a><script>alert(1)</script>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<svg/onload=alert(1)>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    ],
)  # fmt: skip
def test_m1_hostile_answers_stay_text(text: str) -> None:
    highlights = [highlight(0, len(text)), highlight(1, max(2, len(text) // 2), number=2, kind="finding")]

    for html in (answer_html(text, highlights).html, answer_source_html(text, highlights).html):
        tree = tree_of(html)
        tags = {element.tag for element in tree.iter()}
        assert tags <= {"div", "p", "a", "mark", "span", "pre", "code", "br"}
        names = {name for element in tree.iter() for name in element.attrib}
        assert names <= {"class", "href", "id", "title", "data-citation", "data-finding", "data-sign", "tabindex"}
        assert all(element.get("href") == "?citation=1" for element in tree.iter("a"))


def test_words_of_a_highlight_cannot_break_out_of_their_attribute() -> None:
    evil = Highlight(0, 3, "citation", 1, 'x" onclick="alert(1)', '"', '"><script>', href="?citation=1")

    html = answer_html("abc", [evil]).html

    element = tree_of(html).xpath("//a")[0]
    assert element.get("class") == "hl o"
    assert element.get("title") == '"><script>'
    assert "onclick" not in element.attrib


def test_headings_of_an_answer_never_skip_a_level() -> None:
    html = answer_html("### three\n\n# one\n\n###### six\n\n## two").html

    assert [element.tag for element in tree_of(html).iter("h3", "h4", "h5", "h6")] == ["h3", "h3", "h4", "h4"]


def is_subsequence(part: str, whole: str) -> bool:
    characters = iter(whole)
    return all(character in characters for character in part)


def without_tags(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def marked_exactly(html: str, *, kind: str, number: int) -> str:
    """Text under the marks of one highlight, read without an HTML parser's own ideas about characters."""
    depth, text, stack = 0, [], []
    for part in re.split(r"(<[^>]*>)", html):
        if part.startswith("</"):
            depth -= stack.pop()
        elif part.startswith("<"):
            hit = f'data-{kind}="{number}"' in part
            stack.append(hit)
            depth += hit
        elif depth:
            text.append(unescape(part))
    return "".join(text)
