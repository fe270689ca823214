"""A document as the plain data that ``memo.typ`` sets: what is said and how it is meant, and no markup.

A span is a text, or an object where it is more than that. A word that would not fit its line gets places to break
here, because only here the widths of columns are known.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from research.jsontext import Json, JsonObject
from research.memo.blocks import Block, Document, Line, Section, plain_text

Clean: TypeAlias = Callable[[str], str]
CONTENTS_FROM = 5  # sections: with fewer there is no table of contents
# in letters: of a page, between two columns, of a text before it may wrap
PAGE_WIDTH, GUTTER, WIDEST = 104, 3, 45
# letters of a word that fits its line, were they all capitals; those of code are all of a width
TEXT_WIDTH, VALUE_WIDTH, NAME_WIDTH, CODE_WIDTH = 46, 32, 14, 80
HEAD_LINES, ROW_LINES = 6, 15  # a higher head is not repeated, a higher row may go on on the next page
WHOLE = 1_000  # maximum letters of a quotation or list of citations that is kept on one page
MAX_LEVEL = 4
MAX_ALTERNATIVE = 4_000  # letters of the text that stands for a picture
BREAK = "\u200b"  # an invisible place to break
_BACK = {"L": False, "R": True, "AL": True}  # whether letters run from right to left
_BLANKS = re.compile(r"[ \t\u2028\u2029]+")


def as_data(document: Document, clean: Clean, after: str = "", *, drawn: bool = True) -> JsonObject:
    """The document for the template.

    ``clean`` prepares every text, ``after`` follows the limitations. Pictures that are not
    ``drawn`` are lists of what they show.
    """
    writer = _Writer(document.notes, clean, drawn)
    year, month, day = map(int, document.date.split("-"))
    return {
        "language": document.language,
        "look": vars(document.look),
        "contents": document.look.contents and len(document.sections) >= CONTENTS_FROM,
        "words": {key: document.words[key] for key in ("page", "contents")},
        "name": clean(f"{document.words['title']}: {document.title}"),
        "title": clean(document.title),
        "kind": clean(document.kind),
        "state": document.state,
        "status": clean(document.status),
        "header": clean(document.header),
        "date": [year, month, day],
        "facts": writer.pairs(document.facts),
        "sections": [writer.section(section, after) for section in document.sections],
    }


@dataclass
class _Writer:
    notes: Mapping[str, Line]
    clean: Clean
    drawn: bool
    told: set[str] = field(default_factory=set)
    level: int = 1

    def section(self, section: Section, after: str) -> JsonObject:
        self.level = 1
        blocks = [told for block in section.blocks if (told := self.block(block))]
        if after and section.key == "limitations":
            blocks.append({"kind": "paragraph", "role": "", "spans": [self.clean(after)]})
        return {"title": self.clean(section.title), "blocks": blocks}

    def block(self, block: Block) -> JsonObject | None:
        if block.kind == "heading":
            return self.heading(block)
        if block.kind == "code":
            lines = self.clean(block.text).split("\n")
            return {"kind": "code", "text": "\n".join(breakable(line, CODE_WIDTH) for line in lines)}
        writers = {"table": self.table, "pairs": self.pairs, "picture": self.picture}
        if block.kind == "picture" and not self.drawn:
            block = replace(block, kind="list", role="items")
        if block.kind in writers:
            return writers[block.kind](block)
        if block.kind == "list":
            whole = block.role == "citations" and len(plain_text(block.lines)) <= WHOLE
            return {
                "kind": "list",
                "role": block.role,
                "whole": whole,
                "items": list(self.items(block.lines)),
            }
        spans = [span for line in block.lines for span in [*self.line(line), " "]][:-1]
        whole = len(plain_text(block.lines)) <= WHOLE
        return {"kind": block.kind, "role": block.role, "whole": whole, "spans": spans}

    def heading(self, block: Block) -> JsonObject | None:
        """A heading. Tagged PDF forbids empty headings and skipped levels."""
        if not any(each.isprintable() and not each.isspace() for each in plain_text(block.lines)):
            return None
        self.level = min(block.level - 1, self.level + 1, MAX_LEVEL)
        return {"kind": "heading", "level": self.level, "spans": self.line(block.lines[0])}

    def pairs(self, block: Block) -> JsonObject:
        rows = [
            [
                self.line(name, NAME_WIDTH),
                self.line(value, VALUE_WIDTH),
                [self.line(line, VALUE_WIDTH) for line in below],
            ]
            for name, value, *below in block.rows
        ]
        return {"kind": "pairs", "role": block.role, "rows": rows}

    def picture(self, block: Block) -> JsonObject:
        """Its words stand for it where it cannot be seen."""
        words = "; ".join(plain_text([line]) for line in block.lines)
        shown = f"{block.text}. {words}"[:MAX_ALTERNATIVE]
        pages: list[Json] = [self.clean(page) for page in block.pages]
        return {"kind": "picture", "title": self.clean(block.text), "alt": self.clean(shown), "pages": pages}

    def items(self, lines: Sequence[Line]) -> Iterator[JsonObject]:
        """A list nested by depth."""
        at = 0
        while at < len(lines):
            end = at + 1
            while end < len(lines) and lines[end].depth > lines[at].depth:
                end += 1
            spans = self.line(lines[at])
            yield {"spans": spans, "mark": lines[at].mark, "items": list(self.items(lines[at + 1 : end]))}
            at = end

    def table(self, block: Block) -> JsonObject:
        width = max(map(len, block.rows))
        rows = [(*row, *[Line(())] * (width - len(row))) for row in block.rows]
        shares = _shares(rows)
        room = [max(int(PAGE_WIDTH * share / sum(shares)) - GUTTER, 1) for share in shares]
        told = [[self.line(cell, most) for cell, most in zip(row, room, strict=True)] for row in rows]
        return {
            "kind": "table",
            "role": block.role,
            "shares": shares,
            "rows": told,
            "long": [_height(row, room) > ROW_LINES for row in rows],
            # repeated parts cannot have footnotes
            "repeat": _height(rows[0], room) <= HEAD_LINES
            and not any(span.style == "note" for cell in rows[0] for span in cell.spans),
        }

    def line(self, line: Line, room: int = TEXT_WIDTH) -> list[Json]:
        return [told for span in line.spans if (told := self._span(span.text, span.style, room))]

    def _span(self, text: str, style: str, room: int) -> Json:
        if style == "note":
            # A footnote at its first place, a reference everywhere else.
            if text not in self.notes:
                return ""
            if text in self.told:
                return {"style": "note", "key": text}
            self.told.add(text)
            return {"style": "note", "key": text, "note": self.line(self.notes[text])}
        told = breakable(_BLANKS.sub(" ", self.clean(text)), room)
        back = _runs_back(told)
        return told if style == "plain" and not back else {"text": told, "style": style, "back": back}


def _runs_back(text: str) -> bool:
    """Whether the first directional letter runs from right to left."""
    ways = (_BACK.get(unicodedata.bidirectional(each)) for each in text)
    return next((way for way in ways if way is not None), False)


def breakable(text: str, room: int) -> str:
    """Text with break opportunities in words longer than a line: after punctuation, else anywhere."""
    return re.sub(rf"\S{{{room + 1},}}", partial(_broken, room=room), text)


def _broken(word: re.Match[str], room: int) -> str:
    pieces = re.sub(r"(?<=[/?&=.,;:_-])(?=\w)", BREAK, word[0]).split(BREAK)
    return BREAK.join(re.sub(rf"(.{{{max(room // 3, 1)}}})(?=.)", rf"\1{BREAK}", piece) for piece in pieces)


def _shares(rows: Sequence[Sequence[Line]]) -> list[float]:
    """Column widths in letters.

    First the longest word of each, so that no identifier breaks, then what is left to those with longer texts.
    """
    columns = [[plain_text([cell]) for cell in column] for column in zip(*rows, strict=True)]
    words = [max(map(_length, " ".join(texts).split()), default=1) + GUTTER for texts in columns]
    lines = [
        max(min(max(map(_length, texts)), WIDEST) + GUTTER, word)
        for texts, word in zip(columns, words, strict=True)
    ]
    longer = sum(lines) - sum(words)
    rest = max(PAGE_WIDTH - sum(words), 0) / longer if longer else 0
    return [round(word + (line - word) * min(rest, 1), 1) for word, line in zip(words, lines, strict=True)]


def _height(row: Sequence[Line], room: Sequence[int]) -> float:
    """Approximate height in lines: that of the highest cell."""
    texts = [plain_text([cell]) for cell in row]
    return max(len(text) / most + text.count("\n") for text, most in zip(texts, room, strict=True))


def _length(text: str) -> float:
    """Length in average letters. Capitals and digits are wider; very long words may break."""
    return min(len(text) + sum(char.isupper() or char.isdigit() for char in text) / 4, WIDEST)
