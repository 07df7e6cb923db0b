"""Markdown as safe HTML, for texts of people and of models alike. None of them is trusted.

HTML in the text is shown as text, links and pictures are inert and show where they lead, and the result passes an
allow-list. Answers have places to be marked; `lexreview.answers.answer_html` adds them to the renderer here.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

FIRST_HEADING = 3
LAST_HEADING = 6
LONGEST_ADDRESS = 300
ALLOWED_TAGS = {
    "blockquote", "br", "code", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "span", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ALLOWED_ATTRIBUTES = {"span": {"class"}, "ol": {"start"}}


def safe_html(text: str) -> SafeString:
    """The text rendered and sanitised; its headings begin at level 3 and never skip a level."""
    return sanitised(_parser().render(text))


def sanitised(
    html: str,
    *,
    tags: set[str] = ALLOWED_TAGS,
    attributes: dict[str, set[str]] = ALLOWED_ATTRIBUTES,
) -> SafeString:
    """`html` with nothing but these tags and attributes; no address of any scheme stays."""
    clean = nh3.clean(html, tags=tags, attributes=attributes, url_schemes=set(), link_rel=None)
    return mark_safe(clean)  # noqa: S308 - sanitised by the allow-list


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}, renderer_cls=InertRenderer)
    return parser.enable(["table", "strikethrough"]).disable(["html_block", "html_inline"])


class InertRenderer(RendererHTML):
    """Headings below the page's own; links and pictures as words with their address."""

    def heading_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Never more than one level below the heading before, whatever the text does: the outline stays whole."""
        before = env.setdefault("heading", FIRST_HEADING - 1)
        wanted = FIRST_HEADING - 1 + int(tokens[idx].tag.removeprefix("h"))
        env["heading"] = min(wanted, before + 1, LAST_HEADING)
        return f"<h{env['heading']}>"

    def heading_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f"</h{env['heading']}>\n"

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        env.setdefault("links", []).append(str(tokens[idx].attrs.get("href", "")))
        return '<span class="inert">'

    def link_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        address = env["links"].pop()
        return "</span>" + ("" if tokens[idx].info == "auto" else shown_address(address))

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        alternative = self.renderInlineAsText(token.children or [], options, env)
        return f'<span class="inert">[{escape(alternative)}]</span>' + shown_address(str(token.attrs.get("src", "")))


def shown_address(address: str) -> str:
    shown = address if len(address) <= LONGEST_ADDRESS else address[:LONGEST_ADDRESS] + "…"
    return f' <span class="address">⟨{escape(shown)}⟩</span>' if address else ""
