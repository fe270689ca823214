"""A memo as PDF, through WeasyPrint: tagged (PDF/UA-1), fonts embedded, and nothing fetched from anywhere.

The same document gives the same bytes on one installation: no clock, no random identifier. WeasyPrint stands on Pango,
a library of the system; where it is missing everything but PDF works.
"""

import logging
import threading
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string

from research.errors import FormatUnavailable
from research.memo.blocks import Document
from research.memo.html import as_pages
from research.memo.markdown import shown

PACKAGES = {
    "serif": ("font_source_serif_pro", "SourceSerifPro"),
    "sans": ("font_source_sans_pro", "SourceSansPro"),
}
NEEDS = "PDF needs the libraries Pango and HarfBuzz: apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
MAX_CHARACTERS = 500_000  # of the page that is printed: some hundred sheets, and half a minute
AT_ONCE = 60_000  # some twenty sheets, and two seconds: more is nothing to wait for in a request
_ONE_AT_A_TIME = threading.Lock()  # fontconfig, below Pango, is one for the whole process


@cache
def missing() -> str:
    """Why there is no PDF here, in a sentence; empty where there is."""
    try:
        import weasyprint.text.fonts  # noqa: F401
    except (ImportError, OSError):
        return NEEDS
    return ""


def as_pdf(document: Document) -> bytes:
    """The document's pages.

    Raises:
        FormatUnavailable: when Pango is not installed, or the document is too large to be set.
    """
    if reason := missing():
        raise FormatUnavailable(reason)
    page = page_of(document)
    if len(page) > MAX_CHARACTERS:
        raise FormatUnavailable(
            f"this memo is too large for PDF ({len(page):,} characters); take HTML or DOCX"
        )
    with _ONE_AT_A_TIME:
        return _print(page, document)


def page_of(document: Document) -> str:
    """The page that is set."""
    return as_pages(document, shown)


def takes_long(page: str) -> bool:
    """Whether setting a page is work for the background; not when it cannot be set here at all."""
    return AT_ONCE < len(page) <= MAX_CHARACTERS and not missing()


def _print(page: str, document: Document) -> bytes:
    from weasyprint import CSS, HTML
    from weasyprint.text.fonts import FontConfiguration

    fetcher, fonts = _fetcher(), FontConfiguration()
    css = render_to_string("memo/print.css").replace("PAGE_WORDS", _page_words(document.words["page"]))
    style = CSS(string=css, url_fetcher=fetcher, font_config=fonts)
    html = HTML(string=page, url_fetcher=fetcher, base_url="memo:")
    written: bytes = html.write_pdf(stylesheets=[style], font_config=fonts, pdf_variant="pdf/ua-1")
    return written


def _page_words(words: str) -> str:
    """``Page {page} of {pages}`` as CSS content."""
    before, _, rest = words.partition("{page}")
    between, _, after = rest.partition("{pages}")
    return f'"{before}" counter(page) "{between}" counter(pages) "{after}"'


@cache
def _fetcher() -> Any:
    """Serves our typefaces by their names, and refuses every other address."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class OwnFonts(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
            family, _, style = url.removeprefix("font:").partition("/")
            if not url.startswith("font:") or family not in PACKAGES or not style.isalpha():
                raise ValueError(f"a memo fetches nothing: {url[:200]}")
            return URLFetcherResponse(url, _font(family, style), {"Content-Type": "font/otf"})

    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    return OwnFonts()


@cache
def _font(family: str, style: str) -> bytes:
    package, name = PACKAGES[family]
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ValueError(f"the Python package {package} is not installed")
    return (Path(found.submodule_search_locations[0]) / "files" / f"{name}-{style}.otf").read_bytes()
