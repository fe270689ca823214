"""A memo as a tree of blocks, independent of any format.

Text in it is as it was found; whoever writes it escapes it. Formats write blocks their own way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["heading", "paragraph", "quote", "list", "table", "code", "pairs", "picture"]
Style: TypeAlias = Literal[
    "plain", "strong", "em", "code", "quiet", "old", "new", "pass", "warn", "fail", "unknown", "note"
]

MARKS = {"pass": "✓", "warn": "!", "fail": "✗", "unknown": "?"}
VERB_MARKS = {"succeeded": "✓", "failed": "✗", "rolled_back": "↩"}


@dataclass(frozen=True)
class Span:
    """Text in one style. For style ``note`` the text is the key of a note."""

    text: str
    style: Style = "plain"


@dataclass(frozen=True)
class Line:
    """A line of spans. In a list ``depth`` is its indentation and ``mark`` its number, if any."""

    spans: tuple[Span, ...]
    depth: int = 0
    mark: str = ""


@dataclass(frozen=True)
class Block:
    """``level`` of a heading (3 to 5 in a memo); ``text`` of code; ``lines`` of the rest.

    ``rows`` of a table are lines by cell, the first row its head. Those of pairs are a name, a value, and lines that
    belong to the value. A picture has its title as ``text``, its pages as SVG, and what it shows as the ``lines``
    of a list. ``role`` says what it is for, where a format shows that.
    """

    kind: Kind
    lines: tuple[Line, ...] = ()
    rows: tuple[tuple[Line, ...], ...] = ()
    text: str = ""
    level: int = 0
    role: str = ""
    pages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """A part of a memo with a heading."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Look:
    """The look of a memo on paper, in words that every format supports."""

    typeface: str = "serif"
    size: str = "normal"
    accent: str = "ink"
    contents: bool = True


@dataclass(frozen=True)
class Document:
    """A whole memo. ``header`` is above the title, ``notes`` are footnotes by key."""

    language: str
    kind: str
    title: str
    state: str
    status: str
    header: str
    facts: Block
    sections: tuple[Section, ...]
    notes: dict[str, Line]
    words: dict[str, str]
    look: Look
    date: str


def text_line(text: str, style: Style = "plain", *, depth: int = 0, mark: str = "") -> Line:
    """A line with one span."""
    return Line((Span(text, style),), depth, mark)


def plain_text(lines: Sequence[Line]) -> str:
    """The text of lines, without styles."""
    return " ".join("".join(span.text for span in line.spans) for line in lines).strip()


def lines_of(block: Block) -> Iterator[Line]:
    """Every line of a block, in reading order."""
    yield from block.lines
    for row in block.rows:
        yield from row


def noted(document: Document) -> list[str]:
    """The keys of the notes in use, in the order of their first reference."""
    blocks = [document.facts, *(block for section in document.sections for block in section.blocks)]
    spans = (span for block in blocks for line in lines_of(block) for span in line.spans)
    keys = (span.text for span in spans if span.style == "note" and span.text in document.notes)
    return list(dict.fromkeys(keys))
