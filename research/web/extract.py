"""From a document to its text. Runs in the reader's child process (``reader.py``): nothing here trusts its input.

The libraries that do the work are imported where they are used: the web process never loads them.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from research.web.charset import decode
from research.web.faults import FetchFault
from research.web.hidden import links_of, unseen_text

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MAX_TEXT = 2_000_000  # bytes in UTF-8
MAX_TITLE = 500
MAX_PAGES = 100
PDF_SECONDS = 12.0  # of CPU, well within what the reader grants a document
MAX_ELEMENTS = 30_000  # of HTML; trafilatura takes seconds and hundreds of megabytes above it
MAX_HTML = 3_000_000  # characters, likewise
_DROPPED = (
    "script",
    "style",
    "noscript",
    "template",
    "svg",
    "nav",
    "footer",
    "form",
    "iframe",
    "object",
    "head",
)
BLOCKS = frozenset(
    (
        *(
            "address",
            "article",
            "blockquote",
            "br",
            "caption",
            "dd",
            "div",
            "dl",
            "dt",
            "figcaption",
            "h1",
            "h2",
        ),
        *("h3", "h4", "h5", "h6", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr", "ul"),
    )
)
_FEED_ITEMS = frozenset(("item", "entry"))


@dataclass(frozen=True)
class Extracted:
    """The text of a document, a kind of Markdown for HTML; ``published`` is an ISO date, ``pages`` counts those of a
    PDF. ``language`` and ``published`` are what the document says of itself, "" when it says nothing. ``cut`` says
    that the text was longer, or the PDF had more pages. ``links`` are the addresses that a page leads to, and
    ``unseen`` is what it says where a person does not see it."""

    text: str
    title: str = ""
    language: str = ""
    mime: str = ""
    published: str = ""
    pages: int = 0
    cut: bool = False
    links: tuple[str, ...] = ()
    unseen: str = ""


def extract(
    body: bytes, *, mime: str, charset: str = "", url: str = "", max_pages: int = MAX_PAGES
) -> Extracted:
    """The text of a fetched body.

    Raises:
        FetchFault: ``unreadable``, when the document is damaged, encrypted or holds no text.
    """
    if mime == "application/pdf":
        return _bounded(_pdf(body, max_pages), mime)
    text = decode(body, charset)
    if mime in {"text/html", "application/xhtml+xml"}:
        return _bounded(_html(text, url), mime)
    if mime in {"application/xml", "text/xml"}:
        return _bounded(_xml(text, url), mime)
    return _bounded(Extracted(text), mime)


def _bounded(found: Extracted, mime: str) -> Extracted:
    text = re.sub(
        r"\n{4,}", "\n\n\n", found.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    ).strip()
    if not text:
        raise FetchFault("unreadable", "The document holds no text that can be read.")
    raw = text.encode("utf-8", "replace")
    title = " ".join(found.title.split())[:MAX_TITLE]
    return Extracted(
        text=raw[:MAX_TEXT].decode("utf-8", "ignore"),
        title=title,
        language=found.language,
        mime=mime,
        published=found.published,
        pages=found.pages,
        cut=found.cut or len(raw) > MAX_TEXT,
        links=found.links,
        unseen=found.unseen,
    )


def _html(text: str, url: str) -> Extracted:
    text = text.replace("\0", "")
    tree = parsed_html(text)
    if tree is None:
        return Extracted("")
    title, language = title_of(tree), language_of(tree)
    links, unseen = links_of(tree, url), unseen_text(tree, text)
    elements = sum(1 for _ in tree.iter())
    if elements > MAX_ELEMENTS or len(text) > MAX_HTML:
        return Extracted(_plain_text(tree), title, language, links=links, unseen=unseen)
    main, published = _main_text(text, url)
    return Extracted(
        main or _plain_text(tree), title, language, published=published, links=links, unseen=unseen
    )


def parsed_html(text: str) -> Any:
    from lxml import etree
    from lxml import html as lxml_html

    parser = lxml_html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        return lxml_html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None


def _main_text(text: str, url: str) -> tuple[str, str]:
    """What trafilatura takes for the content of a page, and the day the page says it is from."""
    import trafilatura

    dates = {"original_date": True, "extensive_search": False}  # no guessing from years in the text
    found = trafilatura.extract(
        text,
        url=url or None,
        output_format="markdown",
        include_comments=False,
        include_tables=True,
        include_formatting=True,
        favor_recall=True,
        with_metadata=False,
        date_extraction_params=dates,
    )
    said = trafilatura.extract_metadata(text, default_url=url or None, date_config=dates)
    return found or "", said.date or ""


def title_of(tree: Any) -> str:
    for path in ("//title", '//meta[@property="og:title"]/@content', "//h1"):
        for found in tree.xpath(path)[:1]:
            title = found if isinstance(found, str) else found.text_content()
            if title.strip():
                return str(title)
    return ""


def language_of(tree: Any) -> str:
    """``de`` of a page that calls itself ``de-CH``."""
    said = tree.get("lang") or next(iter(tree.xpath('//meta[@property="og:locale"]/@content')), "")
    code = re.split(r"[-_]", str(said).strip().lower())[0]
    return code if re.fullmatch(r"[a-z]{2,3}", code) else ""


def _plain_text(tree: Any) -> str:
    """All of the text that a person sees, in order, a line a block."""
    for element in list(tree.iter(*_DROPPED)):
        if element.getparent() is not None:
            element.drop_tree()
    lines = "".join(_pieces(tree)).split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def _pieces(tree: Any) -> Iterator[str]:
    from lxml import etree

    for event, element in etree.iterwalk(tree, events=("start", "end")):
        block = element.tag in BLOCKS
        if block:
            yield "\n"
        if event == "start":
            yield _one_line(element.text)
        else:
            yield _one_line(element.tail)


def _one_line(text: str | None) -> str:
    return re.sub(r"\s+", " ", text) if text else ""


def _xml(text: str, url: str) -> Extracted:
    from lxml import etree

    if re.match(r"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!DOCTYPE[^>]{0,300}>\s*)?<html[\s>]", text, re.IGNORECASE):
        return _html(text, url)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, recover=True, remove_comments=True, remove_pis=True
    )
    declared = re.sub(r"^\s*<\?xml[^>]{0,200}\?>", "", text)
    try:
        root = etree.fromstring(declared.strip().encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError):
        root = None
    if root is None:
        raise FetchFault("unreadable", "The XML is damaged.")
    items = [element for element in root.iter() if _name(element) in _FEED_ITEMS]
    lines = _feed(root, items) if items else (piece.strip() for piece in root.itertext())
    return Extracted("\n".join(line for line in lines if line), title=_child(root, "title"))


def _feed(root: Any, items: list[Any]) -> Iterator[str]:
    """RSS or Atom: each item with its title, address, date and text."""
    for item in items:
        yield f"\n## {_child(item, 'title')}"
        yield _child(item, "link") or next((e.get("href", "") for e in item if _name(e) == "link"), "")
        yield (
            _child(item, "pubdate")
            or _child(item, "published")
            or _child(item, "updated")
            or _child(item, "date")
        )
        yield _without_tags(_child(item, "description") or _child(item, "summary") or _child(item, "content"))


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    tree = parsed_html(text)
    return "" if tree is None else _plain_text(tree)


def _child(element: Any, name: str) -> str:
    """The text of the first child of this name, also one level down (``channel/title``)."""
    for depth in (element, *element[:1]):
        for child in depth:
            if _name(child) == name:
                return " ".join("".join(child.itertext()).split())
    return ""


def _name(element: Any) -> str:
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def _pdf(body: bytes, max_pages: int) -> Extracted:
    from io import BytesIO

    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    try:
        reader = PdfReader(BytesIO(body), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise FetchFault("unreadable", "The PDF is encrypted.")
        total = len(reader.pages)
    except (DependencyError, NotImplementedError):  # a cipher that would need another package
        raise FetchFault("unreadable", "The PDF is encrypted.") from None
    except (
        PyPdfError,
        ArithmeticError,
        AttributeError,
        LookupError,
        OSError,
        TypeError,
        ValueError,
        RecursionError,
    ):
        raise FetchFault("unreadable", "The PDF is damaged.") from None
    read = min(total, max_pages)
    parts = list(_page_texts(reader, read))
    if not any(said for _, said in parts):
        raise FetchFault("unreadable", "The PDF holds no text; its pages may be pictures.")
    text = "\n\n".join(f"[Page {number}]\n{said}" for number, said in parts)
    title, language = _pdf_says(reader)
    return Extracted(text, title, language, pages=total, cut=len(parts) < total)


def _page_texts(reader: "PdfReader", count: int) -> Iterator[tuple[int, str]]:
    """Page after page, until there is enough, or until it has taken long enough: what was read counts."""
    size, end = 0, time.process_time() + PDF_SECONDS
    for number in range(1, count + 1):
        said = _page_text(reader, number)
        size += len(said)
        yield number, said
        if size > MAX_TEXT or time.process_time() > end:
            return


def _page_text(reader: "PdfReader", number: int) -> str:
    """One page; a page that cannot be read must not take the others with it."""
    try:
        page: PageObject = reader.pages[number - 1]
        return page.extract_text().strip()
    except (KeyboardInterrupt, MemoryError, SystemExit):
        raise
    except Exception:  # noqa: BLE001 - pypdf raises whatever a damaged page makes it stumble over
        return ""


def _pdf_says(reader: "PdfReader") -> tuple[str, str]:
    """Title and language as the document's own metadata have them."""
    try:
        title = str(reader.metadata.title or "") if reader.metadata else ""
        language = str(reader.root_object.get("/Lang", ""))
    except Exception:  # noqa: BLE001 - metadata are worth less than the text
        return "", ""
    code = re.split(r"[-_]", language.strip().lower())[0]
    return title, code if re.fullmatch(r"[a-z]{2,3}", code) else ""
