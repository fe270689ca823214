"""What kind of document an answer holds: what its header says, corrected by how it begins."""

import re

READABLE = frozenset(
    (
        *("text/html", "application/xhtml+xml", "text/plain", "text/markdown", "text/csv"),
        *("text/xml", "application/xml", "application/json", "application/pdf"),
    )
)
_ALIASES = {
    "application/x-pdf": "application/pdf",
    "text/x-markdown": "text/markdown",
    "text/json": "application/json",
    "application/csv": "text/csv",
    "application/ld+json": "application/json",
    "application/x-ndjson": "text/plain",
}
_SAYS_NOTHING = frozenset(("", "application/octet-stream", "binary/octet-stream", "application/download"))
_HTML = re.compile(
    rb"\s*(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta)\b", re.IGNORECASE
)
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)


def declared(content_type: str) -> tuple[str, str]:
    """Media type and charset of a Content-Type header, in lower case; "" for what it does not say."""
    mime = content_type.partition(";")[0].strip().lower()
    charset = _CHARSET.search(content_type)
    return _plain(mime), charset[1].lower() if charset else ""


def may_be_read(mime: str) -> bool:
    """Whether it is worth reading the body at all."""
    return mime in READABLE or mime in _SAYS_NOTHING


def actual(mime: str, body: bytes) -> str:
    """The media type of a body, or "" when it is nothing that can be read.

    The beginning outweighs the header for PDF and HTML only: servers call PDFs "octet-stream", and error pages PDFs.
    """
    start = body[:1_024]
    if b"%PDF-" in start and (
        mime in _SAYS_NOTHING or mime == "application/pdf" or start.startswith(b"%PDF-")
    ):
        return "application/pdf"
    if mime == "application/pdf" or mime in _SAYS_NOTHING:
        return _sniffed(start, body)
    return mime if mime in READABLE else ""


def _sniffed(start: bytes, body: bytes) -> str:
    bare = start.removeprefix(_BOMS[0])
    if _HTML.match(bare):
        return "text/html"
    if bare.lstrip().startswith(b"<?xml"):
        return "application/xml"
    if not start.startswith(_BOMS) and _is_binary(body[:65_536]):
        return ""
    return "application/json" if bare.lstrip()[:1] in {b"{", b"["} else "text/plain"


def _is_binary(start: bytes) -> bool:
    control = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in start)
    return b"\0" in start or control > len(start) // 100


def _plain(mime: str) -> str:
    if mime.endswith("+json"):
        return "application/json"
    if mime.endswith("+xml") and mime != "application/xhtml+xml":
        return "image/svg+xml" if mime.startswith("image/") else "application/xml"
    return _ALIASES.get(mime, mime)
