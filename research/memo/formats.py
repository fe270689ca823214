"""Write content in a format."""

import json
from collections.abc import Callable, Mapping

from research.memo.blocks import Document
from research.memo.content import Content
from research.memo.document import compose
from research.memo.html import as_html
from research.memo.labels import Labels
from research.memo.markdown import as_markdown
from research.memo.template import Template

MEDIA_TYPES = {
    "md": "text/markdown",
    "html": "text/html",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
}
TEXTS = ("md", "html", "json")


def write(
    content: Content, labels: Labels, *, style: str, format: str, template: Template | None = None
) -> bytes:
    """The bytes of a memo. The same content always gives the same bytes.

    Raises:
        FormatUnavailable: the content is too large for the format.
    """
    chosen = template or Template()
    if format == "json" or style == "json":
        return _as_json(content, chosen)
    document = compose(content, labels, chosen, bullets=style == "bullets")
    if format == "pdf":
        # Typst takes 12 MB of memory, and the DOCX writer 7 MB: import them only when needed.
        from research.memo.pdf import as_pdf

        return as_pdf(document, _as_json(content, chosen))
    return _WRITERS[format](document)


def _as_json(content: Content, template: Template) -> bytes:
    """The content as JSON. Lone surrogates, which UTF-8 cannot hold, are escaped."""
    told = {"name": template.name, "version": template.version, "digest": template.digest}
    data = {**content.as_json(), "template": told}
    text = json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    return text.encode(errors="backslashreplace")


def _as_docx(document: Document) -> bytes:
    from research.memo.docx import as_docx

    return as_docx(document)


_WRITERS: Mapping[str, Callable[[Document], bytes]] = {
    "md": lambda document: as_markdown(document).encode(errors="replace"),
    "html": lambda document: as_html(document).encode(errors="replace"),
    "docx": _as_docx,
}
