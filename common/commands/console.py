"""Text for a terminal: nothing that a model or a register wrote may move the cursor, change colours or turn text."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

Part: TypeAlias = "str | tuple[str, str]"
"""A text, or a text with the name of a style of Django's palette."""

_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROL = frozenset({"Cc", "Cs", "Zl", "Zp"})


def plain(text: str) -> str:
    """``text`` on one line, with control and bidirectional characters shown as escapes such as ``\\x1b``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(char) if _acts(char) else char for char in text)


def plain_lines(text: str) -> list[str]:
    """The same for a text of several lines."""
    return [plain(line) for line in text.replace("\r\n", "\n").replace("\t", "    ").split("\n")]


def width(text: str) -> int:
    """How many columns a text takes."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def paint(parts: Sequence[Part], styles: object) -> str:
    """Neutralised parts, each in its style."""
    return "".join(_painted(part, styles) for part in parts)


def align(rows: Iterable[Sequence[Part]], styles: object, indent: str = "") -> list[str]:
    """Rows of cells as lines of aligned columns; the last column is not padded."""
    table = [list(row) for row in rows]
    if not table:
        return []
    last = max(map(len, table)) - 1
    widths = [max((width(_text(row[i])) for row in table if i < len(row)), default=0) for i in range(last)]
    return [indent + "  ".join(_cells(row, widths, styles)).rstrip() for row in table]


def _cells(row: Sequence[Part], widths: Sequence[int], styles: object) -> list[str]:
    cells = [paint([part], styles) for part in row]
    for index, space in enumerate(widths[: len(row)]):
        cells[index] += " " * (space - width(_text(row[index])))
    return cells


def _text(part: Part) -> str:
    return plain(part if isinstance(part, str) else part[0])


def _painted(part: Part, styles: object) -> str:
    if isinstance(part, str):
        return plain(part)
    style: Callable[[str], str] = getattr(styles, part[1])
    return style(plain(part[0]))


def _acts(char: str) -> bool:
    return char in _TURNING or unicodedata.category(char) in _CONTROL


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
