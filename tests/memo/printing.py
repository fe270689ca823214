"""Documents that are set as PDF, and what is read out of the pages."""

import json
from io import BytesIO

from pypdf import PdfReader

from research.memo.blocks import Block, Document, Look, Section, text_line
from research.memo.labels import labels_for
from research.memo.pdf import as_pdf

DATA = b'{"memo": 1}'
SCRIPTS = {
    "Latin": "Łódź, Türkiye İş, Việt Nam, Þórður",
    "Greek": "Ελληνικά",
    "Cyrillic": "Кириллица",
    "Hebrew": "עברית",
    "Arabic": "العربية",
    "Armenian": "Հայերեն",
    "Georgian": "ქართული",
    "Devanagari": "हिन्दी",
    "Thai": "ไทย",
}


def document(*blocks, **more):
    return Document(
        **{
            "language": "de",
            "kind": "Memo",
            "title": "Titel",
            "state": "approved",
            "status": "Freigegeben",
            "header": "",
            "facts": Block("pairs", rows=((text_line("Frage"), text_line("Wer?")),)),
            "sections": (Section("summary", "Zusammenfassung", blocks),),
            "notes": {},
            "words": labels_for("de"),
            "look": Look(),
            "date": "2026-01-02",
            **more,
        }
    )


def paragraph(text):
    return Block("paragraph", (text_line(text),))


def printed(*blocks, **more):
    """A document of these blocks, set and read back."""
    return read(as_pdf(document(*blocks, **more), DATA))


def read(body):
    return PdfReader(BytesIO(bytes(body)))


def text_of(reader):
    return "\n".join(page.extract_text() for page in reader.pages)


def fonts(reader):
    """Every font of every page: its name, and whether its program and the way back to text are in the file."""
    found = {}
    for page in reader.pages:
        for font in page["/Resources"].get("/Font", {}).values():
            inner = font["/DescendantFonts"][0].get_object()
            program = inner["/FontDescriptor"].keys() & {"/FontFile2", "/FontFile3"}
            found[inner["/BaseFont"]] = bool(program) and "/ToUnicode" in font.get_object()
    return found


def tags(reader):
    """The kinds of all structure elements."""
    stack, found = [reader.trailer["/Root"]["/StructTreeRoot"]], set()
    while stack:
        element = stack.pop().get_object()
        if "/S" in element:
            found.add(element["/S"])
        inner = element.get("/K", [])
        inner = inner.get_object() if hasattr(inner, "get_object") else inner
        stack += [
            each
            for each in (inner if isinstance(inner, list) else [inner])
            if hasattr(each.get_object(), "keys")
        ]
    return found


def attached(reader):
    """The data that a memo carries."""
    (content,) = reader.attachments["memo.json"]
    return json.loads(content)
