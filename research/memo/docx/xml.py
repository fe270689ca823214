"""Elements of WordprocessingML (ECMA-376 part 1), built from names and attributes: text never becomes markup."""

import re
from collections.abc import Iterable, Iterator

from docx.oxml.parser import OxmlElement
from docx.oxml.xmlchemy import BaseOxmlElement

from research.memo.markdown import shown

_BREAKS = re.compile(r"\r\n?|[\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def element(tag: str, children: Iterable[BaseOxmlElement] = (), **attributes: str) -> BaseOxmlElement:
    """``element("pStyle", val="Quote")`` is ``<w:pStyle w:val="Quote"/>``."""
    made: BaseOxmlElement = OxmlElement(f"w:{tag}")
    for name, value in attributes.items():
        made.set(_qualified(name), value)
    made.extend(list(children))
    return made


def clean(text: str) -> str:
    """Text without characters that XML cannot hold or that change the direction of other text."""
    return shown(_BREAKS.sub("\n", text))


def run(text: str, style: str = "", *properties: BaseOxmlElement) -> BaseOxmlElement:
    """A run of text in a character style, with its line breaks."""
    inner = [element("rStyle", val=style)] if style else []
    inner += properties
    head = [element("rPr", inner)] if inner else []
    return element("r", [*head, *_pieces(clean(text))])


def field(
    instruction: str, result: str, *, style: str = "", dirty: bool = False
) -> Iterator[BaseOxmlElement]:
    """A field as runs, with the text shown until a word processor updates it."""
    begin = element("fldChar", fldCharType="begin")
    if dirty:
        begin.set(_qualified("dirty"), "true")
    code = element("instrText")
    code.text = f" {instruction} "
    code.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    for piece in (begin, code, element("fldChar", fldCharType="separate")):
        yield element("r", [piece])
    yield run(result, style)
    yield element("r", [element("fldChar", fldCharType="end")])


def paragraph(style: str, runs: Iterable[BaseOxmlElement], *properties: BaseOxmlElement) -> BaseOxmlElement:
    """A paragraph in a style, given by id."""
    return element("p", [element("pPr", [element("pStyle", val=style), *properties]), *runs])


def _pieces(text: str) -> Iterator[BaseOxmlElement]:
    for place, line in enumerate(text.split("\n")):
        if place:
            yield element("br")
        for inner, part in enumerate(line.split("\t")):
            if inner:
                yield element("tab")
            if part:
                piece = element("t")
                piece.text = part
                piece.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
                yield piece


def _qualified(name: str) -> str:
    return f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}"
