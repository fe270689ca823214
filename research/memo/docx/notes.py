"""Footnotes: written as a separate part, because python-docx has none (ECMA-376 part 1, 17.11)."""

from collections.abc import Iterable, Sequence

from docx.document import Document as Docx
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.xmlchemy import BaseOxmlElement
from lxml import etree

from research.memo.docx.xml import element, field, paragraph, run


def reference(number: int) -> list[BaseOxmlElement]:
    """The mark of a note in the text, with a bookmark for further references."""
    name, place = _bookmark(number), str(number)
    mark = element("r", [_mark_style(), element("footnoteReference", id=place)])
    return [element("bookmarkStart", id=place, name=name), mark, element("bookmarkEnd", id=place)]


def again(number: int) -> Iterable[BaseOxmlElement]:
    """A further reference to a note: its number, updated by the word processor."""
    return field(f"NOTEREF {_bookmark(number)} \\f \\h", str(number), style="FootnoteReference")


def add_notes(docx: Docx, notes: Sequence[Iterable[BaseOxmlElement]]) -> None:
    """Add the notes, numbered from 1, with the two separators that the part requires."""
    separators = [_separator("-1", "separator"), _separator("0", "continuationSeparator")]
    told = [_note(number, runs) for number, runs in enumerate(notes, start=1)]
    root = element("footnotes", [*separators, *told])
    blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    part = Part(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, blob, docx.part.package)
    docx.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    known = [element("footnote", id="-1"), element("footnote", id="0")]
    settings = docx.settings.element
    settings.insert_element_before(
        element("footnotePr", known),
        "w:endnotePr",
        "w:compat",
        "w:docVars",
        "w:rsids",
        "m:mathPr",
        "w:themeFontLang",
    )


def _note(number: int, runs: Iterable[BaseOxmlElement]) -> BaseOxmlElement:
    mark = element("r", [_mark_style(), element("footnoteRef")])
    return element("footnote", [paragraph("FootnoteText", [mark, run(" "), *runs])], id=str(number))


def _separator(place: str, kind: str) -> BaseOxmlElement:
    inner = element("p", [element("r", [element(kind)])])
    return element("footnote", [inner], type=kind, id=place)


def _mark_style() -> BaseOxmlElement:
    return element("rPr", [element("rStyle", val="FootnoteReference")])


def _bookmark(number: int) -> str:
    return f"_Note{number}"
