"""Numbered lists: each begins anew at its own first number (ECMA-376 part 1, 17.9)."""

from collections.abc import Sequence

from docx.document import Document as Docx
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from research.memo.blocks import Line
from research.memo.docx.xml import element


class Numbering:
    """Hands out numbering instances of the style for numbered lists."""

    def __init__(self, docx: Docx) -> None:
        self.part = docx.part.numbering_part.element
        style = docx.styles["List Number"].element
        number = style.find(f".//{qn('w:numId')}").get(qn("w:val"))
        (self.abstract,) = (
            each.find(qn("w:abstractNumId")).get(qn("w:val"))
            for each in self.part.findall(qn("w:num"))
            if each.get(qn("w:numId")) == number
        )
        self.last = max(int(each.get(qn("w:numId"))) for each in self.part.findall(qn("w:num")))

    def start(self, lines: Sequence[Line]) -> str:
        """The numbering (its id) of a list whose numbers follow each other; empty for any other list."""
        marks = [int(line.mark) for line in lines if line.mark.isdecimal() and not line.depth]
        if not marks or len(marks) != len(lines) or marks != list(range(marks[0], marks[0] + len(marks))):
            return ""
        self.last += 1
        override = element("lvlOverride", [element("startOverride", val=str(marks[0]))], ilvl="0")
        made = element("num", [element("abstractNumId", val=self.abstract), override], numId=str(self.last))
        self.part.append(made)
        return str(self.last)


def numbered(number: str) -> BaseOxmlElement:
    """What a paragraph of such a list says of itself."""
    return element("numPr", [element("ilvl", val="0"), element("numId", val=number)])
