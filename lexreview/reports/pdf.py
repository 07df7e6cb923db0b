"""HTML on standard input, PDF on standard output: runs as a process of its own, so that its memory is given back.

It knows neither Django nor the database. The HTML holds text of models, so nothing is ever fetched but the style sheet
and the fonts that the project ships.
"""

import argparse
import resource
import sys
from pathlib import Path
from urllib.parse import urlsplit

from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

STATIC_HOST = "static.invalid"
"""A name that no resolver answers. The style sheet's relative links become addresses on it."""
FETCHED = (".css", ".woff2")


class StaticFetcher(URLFetcher):  # type: ignore[misc]
    """Gives style sheets and fonts below `folder`; refuses every other address without looking at it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(allowed_protocols=("https",), allow_redirects=False)
        self.folder = folder.resolve()

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        parts = urlsplit(url)
        path = (self.folder / parts.path.lstrip("/")).resolve()
        if parts.netloc != STATIC_HOST or path.suffix not in FETCHED or not path.is_relative_to(self.folder):
            raise ValueError("only the project's own style sheets and fonts are loaded")
        return URLFetcherResponse(url, path.read_bytes())


def pdf_of(html: str, *, static: Path, stylesheet: str = "css/report.css", identifier: bytes = b"") -> bytes:
    """The PDF of a whole HTML document. The same input gives the same bytes."""
    fetcher, fonts = StaticFetcher(static), FontConfiguration()
    base = f"https://{STATIC_HOST}/"
    sheet = CSS(url=base + stylesheet, url_fetcher=fetcher, font_config=fonts)
    document = HTML(string=html, base_url=base, url_fetcher=fetcher)
    pdf: bytes = document.write_pdf(
        stylesheets=[sheet], font_config=fonts, pdf_identifier=identifier or None, pdf_variant="pdf/ua-1", hinting=False
    )
    return pdf


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("static", type=Path)
    parser.add_argument("--identifier", default="")
    parser.add_argument("--memory", type=int, default=0, help="most bytes of address space, 0 for no limit")
    options = parser.parse_args()
    if options.memory:
        resource.setrlimit(resource.RLIMIT_AS, (options.memory, options.memory))
    html = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(pdf_of(html, static=options.static, identifier=options.identifier.encode()))


if __name__ == "__main__":
    main()
