"""From document to WordprocessingML."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import docx as python_docx
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.shared import Mm

from research.memo.blocks import Block, Document, Line, Span, noted
from research.memo.docx.lists import Numbering, numbered
from research.memo.docx.notes import add_notes, again, reference
from research.memo.docx.package import pack
from research.memo.docx.styles import LANGUAGES, STYLES, set_styles
from research.memo.docx.tables import pairs_table, table
from research.memo.docx.xml import clean, element, paragraph, run
from research.memo.docx.xml import field as word_field

PAPER = {"page_width": Mm(210), "page_height": Mm(297)}
MARGINS = {"left_margin": Mm(27), "right_margin": Mm(25), "top_margin": Mm(25), "bottom_margin": Mm(24)}
BULLETS = ("ListBullet", "ListBullet2", "ListBullet3")
ROLES = {"small": "MemoSmall", "lead": "Normal"}
PLAIN_LISTS = ("citations", "verbs", "points", "items")
MAX_TITLE = 200


def as_docx(document: Document) -> bytes:
    """The bytes of the memo."""
    docx = python_docx.Document()
    section = docx.sections[0]
    for name, value in {**PAPER, **MARGINS}.items():
        setattr(section, name, value)
    section.different_first_page_header_footer = True
    section.header.paragraphs[0].text = clean(document.title)[:80]
    for footer in (section.footer, section.first_page_footer):
        footer.paragraphs[0]._p.extend(_page_number(document.words["page"]))
        footer.paragraphs[0].alignment = 2
    properties = docx.core_properties
    properties.title = clean(f"{document.words['title']}: {document.title}")[:MAX_TITLE]
    properties.subject, properties.author = clean(document.kind)[:MAX_TITLE], "Dossier"
    properties.language, properties.comments, properties.keywords = LANGUAGES[document.language], "", ""
    properties.last_modified_by, properties.revision = "Dossier", 1
    properties.created = properties.modified = datetime.fromisoformat(document.date)
    set_styles(docx, document.look, document.language)
    writer = _Writer(document, Numbering(docx))
    body = docx.element.body
    body.clear_content()
    for child in writer.body():
        body.insert_element_before(child, "w:sectPr")
    add_notes(docx, [list(writer.runs(document.notes[key])) for key in writer.order])
    return pack(docx)


def _page_number(words: str) -> Iterator[BaseOxmlElement]:
    """``Page {page} of {pages}`` with fields for the numbers."""
    before, _, rest = words.partition("{page}")
    between, _, after = rest.partition("{pages}")
    yield run(before)
    yield from word_field("PAGE", "1")
    yield run(between)
    yield from word_field("NUMPAGES", "1")
    yield run(after)


@dataclass
class _Writer:
    document: Document
    numbering: Numbering
    order: list[str] = field(init=False)
    told: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.order = noted(self.document)

    def body(self) -> Iterator[BaseOxmlElement]:
        document = self.document
        if document.header:
            yield paragraph("MemoLetterhead", [run(document.header)])
        yield paragraph("Title", [run(document.title)])
        yield paragraph("Subtitle", [run(document.kind)])
        yield paragraph("MemoStatus", [run(document.status)])
        yield from self.block(document.facts)
        if document.look.contents:
            yield from self._contents()
        for number, section in enumerate(document.sections):
            place = str(100_000 + number)
            start = element("bookmarkStart", id=place, name=_anchor(number))
            yield paragraph("Heading1", [start, run(section.title), element("bookmarkEnd", id=place)])
            for block in section.blocks:
                yield from self.block(block)

    def _contents(self) -> Iterator[BaseOxmlElement]:
        """A field for page numbers, with the headings until a word processor updates it."""
        titles = [section.title for section in self.document.sections]
        yield paragraph("MemoContentsHeading", [run(self.document.words["contents"])])
        begin, code, separate, _, end = word_field('TOC \\o "1-1" \\h \\z', "", dirty=True)
        for number, title in enumerate(titles):
            link = element("hyperlink", [run(title)], anchor=_anchor(number), history="1")
            before = [begin, code, separate] if number == 0 else []
            after = [end] if number == len(titles) - 1 else []
            yield paragraph("MemoContents", [*before, link, *after])

    def block(self, block: Block) -> Iterator[BaseOxmlElement]:
        if block.kind == "heading":
            yield paragraph(f"Heading{min(max(block.level - 1, 2), 3)}", self.runs(block.lines[0]))
        elif block.kind == "code":
            yield paragraph("Normal", [run(block.text, "MemoCode")])
        elif block.kind in ("list", "picture"):
            yield from self._list(block)
        elif block.kind == "pairs":
            yield from pairs_table([[list(self.runs(line)) for line in row] for row in block.rows])
        elif block.kind == "table":
            if block.role == "terms":
                yield paragraph("Caption", [run("DE / FR / IT / EN")], element("keepNext"))
            rows = [[list(self.runs(cell)) for cell in row] for row in block.rows]
            yield from table(rows)
        else:
            style = "Quote" if block.kind == "quote" else ROLES.get(block.role, "Normal")
            keep = [element("keepNext")] if block.role == "lead" else []
            runs = [each for line in block.lines for each in self.runs(line)]
            yield paragraph(style, runs, *keep)

    def _list(self, block: Block) -> Iterator[BaseOxmlElement]:
        numbers = self.numbering.start(block.lines)
        for place, line in enumerate(block.lines, start=1):
            runs = list(self.runs(line))
            if numbers:
                yield paragraph("ListNumber", runs, numbered(numbers))
            elif line.mark:
                yield paragraph("MemoItem", [run(f"{line.mark}.\t"), *runs])
            elif block.role in PLAIN_LISTS:
                indent = element("ind", left=str(227 + 340 * min(line.depth, 4)))
                keep = [element("keepNext")] if block.role == "citations" and place < len(block.lines) else []
                yield paragraph("MemoItem", runs, *keep, indent)
            else:
                yield paragraph(BULLETS[min(line.depth, 2)], runs)

    def runs(self, line: Line) -> Iterable[BaseOxmlElement]:
        return [piece for span in line.spans for piece in self._span(span)]

    def _span(self, span: Span) -> Sequence[BaseOxmlElement]:
        if span.style != "note":
            return [run(span.text, STYLES.get(span.style, ""))]
        if span.text not in self.document.notes:
            return []
        number = self.order.index(span.text) + 1
        if span.text in self.told:
            return list(again(number))
        self.told.add(span.text)
        return reference(number)


def _anchor(number: int) -> str:
    return f"_Section{number}"
