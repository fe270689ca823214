"""A memo as CommonMark. Found text is escaped: no formatting, links or HTML."""

import re
from collections.abc import Iterable, Iterator

from research.memo.blocks import Block, Document, Line, noted

# "_" between letters and a "&" before a blank mean nothing; "@" and "#" are links on some hosts, "~" and "$" formats.
_SPECIAL = re.compile(r"[\\`*\[\]<>~|$@#]|&(?=[#\w]|$)|(?<![^\W_])_|_(?![^\W_])")
_LEADING = re.compile(r"^([-+=]|\d{1,9}(?=[.)](?:\s|$)))")
_ADDRESS = re.compile(r":(?=//)|(?<=www)\.|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_BREAKS = re.compile(r"[\s\x1c-\x1f\x85\u2028\u2029]+")
# control characters, invisible characters (tags), and characters that XML or UTF-8 cannot hold
_ACTING = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufdd0-\ufdef\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
    + "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_STRONG = {"strong": "**", "new": "**", "em": "*"}
MAX_HEADING = 6


def as_markdown(document: Document) -> str:
    """The whole document as text."""
    parts = [f"# {escape(document.title)}", escape(document.kind), f"**{escape(document.status)}**"]
    if document.header:
        parts.insert(0, escape(document.header))
    parts.append(_block(document.facts))
    for section in document.sections:
        parts += [f"## {escape(section.title)}", *filter(None, map(_block, section.blocks))]
    keys = noted(document)
    if keys:
        notes = (f"- {_key(key)} {_spans(document.notes[key])}" for key in keys)
        parts += [f"## {escape(document.words['notes'])}", "\n".join(notes)]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """One line of literal text in CommonMark. Directional and control characters are shown by number."""
    line = _SPECIAL.sub(lambda found: f"\\{found[0]}", _visible(text))
    line = _ADDRESS.sub(lambda found: f"\\{found[0]}", line)
    return _LEADING.sub(lambda found: _escaped_start(found[0]), line)


def shown(text: str) -> str:
    """Text with directional and control characters shown by number, line by line."""
    return _ACTING.sub(lambda found: found[0] if found[0] in "\n\t" else f"U+{ord(found[0]):04X}", text)


def _visible(text: str) -> str:
    return _ACTING.sub(lambda found: f"U+{ord(found[0]):04X}", _BREAKS.sub(" ", text).strip())


def _escaped_start(start: str) -> str:
    """A number starts a list only with its full stop, so escape that."""
    return f"{start}\\" if start.isdigit() else f"\\{start}"


def _key(key: str) -> str:
    return f"\\[{key}\\]"


def _block(block: Block) -> str:
    if block.kind == "heading":
        return f"{'#' * min(block.level, MAX_HEADING)} {_spans(block.lines[0])}"
    if block.kind == "code":
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
        return "\n".join([fence, *map(_visible_line, block.text.splitlines()), fence])
    if block.kind == "table":
        return _table(block)
    if block.kind == "pairs":
        return "\n".join(_pair(*row) for row in block.rows)
    if block.kind in ("list", "picture"):
        return "\n".join(map(_item, block.lines))
    text = " ".join(map(_spans, block.lines))
    return f"> {text}" if block.kind == "quote" else text


def _pair(name: Line, value: Line, *below: Line) -> str:
    told = f"**{name_of}:** " if (name_of := _spans(name)) else ""
    return "\n".join([f"- {told}{_spans(value)}", *(f"  - {_spans(line)}" for line in below)])


def _item(line: Line) -> str:
    """A list item. Items under a number are indented further."""
    return f"{'   ' * line.depth}{f'{line.mark}.' if line.mark else '-'} {_spans(line)}"


def _table(block: Block) -> str:
    width = max(map(len, block.rows))
    head, *rows = [_row(row, width) for row in block.rows]
    return "\n".join([head, "|" + " --- |" * width, *rows])


def _row(cells: Iterable[Line], width: int) -> str:
    told = [_spans(cell) for cell in cells]
    return "| " + " | ".join([*told, *[""] * (width - len(told))]) + " |"


def _spans(line: Line) -> str:
    return "".join(_pieces(line)).strip()


def _pieces(line: Line) -> Iterator[str]:
    for place, span in enumerate(line.spans):
        if span.style == "note":
            yield f" {_key(span.text)}"
        elif span.style == "code":
            yield _code(span.text)
        else:
            inner = escape(span.text)
            mark = _STRONG.get(span.style, "") if inner else ""
            lead = " " * (span.text[:1].isspace() and place > 0)
            tail = " " * (bool(inner) and span.text[-1:].isspace())
            yield f"{lead}{mark}{inner}{mark}{tail}"


def _visible_line(text: str) -> str:
    return _ACTING.sub(lambda found: f"U+{ord(found[0]):04X}", text.replace("\t", "    "))


def _code(text: str) -> str:
    """A code span that no backticks in the text can close."""
    line = _visible(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"
