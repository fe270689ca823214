"""Numbered lists: each restarts at its own first number (ECMA-376 part 1, 17.9)."""

from collections.abc import Sequence

from docx.document import Document as Docx
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from research.memo.blocks import Line
from research.memo.docx.xml import element


class Numbering:
    """Creates numbering instances for the style of numbered lists."""

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
        """The numbering id of a list with consecutive numbers. Empty for any other list."""
        marks = [int(line.mark) for line in lines if line.mark.isdecimal() and not line.depth]
        if not marks or len(marks) != len(lines) or marks != list(range(marks[0], marks[0] + len(marks))):
            return ""
        self.last += 1
        override = element("lvlOverride", [element("startOverride", val=str(marks[0]))], ilvl="0")
        made = element("num", [element("abstractNumId", val=self.abstract), override], numId=str(self.last))
        self.part.append(made)
        return str(self.last)


def numbered(number: str) -> BaseOxmlElement:
    """The numbering properties of a paragraph."""
    return element("numPr", [element("ilvl", val="0"), element("numId", val=number)])
