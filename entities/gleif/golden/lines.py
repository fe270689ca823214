"""The rows of a CSV file, block by block. Where every cell stands in quotes only the filled ones are looked at.

GLEIF's files have 338 columns and every cell in quotes, most of them empty. So the empty cells of a block are first
replaced by single signs; what is then between the quotes of a line are its filled cells, and what is between those
says in which columns they stand. A record for which that does not hold to the last quote is read by Python's csv.
"""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import IO, Any, Protocol, TypeAlias

from entities.gleif.golden.files import BadFile, Faults
from entities.gleif.golden.rows import BadRecord, Fill

BLOCK = 1 << 20  # bytes
LONGEST = 2_000_000  # bytes of one record; real ones have some thousands
LAYOUTS = 4_096  # kept at a time
Columns: TypeAlias = tuple[int, ...]
_EMPTY, _LAST = "\x01", "\x02"  # signs for an empty cell with its comma, and for one at the end of a line
_ROW = re.compile('(?:",|\x01)*["\x02]\r?')
_ODD = (
    bytes({*range(0x20)} - set(b"\x01\x02\n\r")) + b"\\"
)  # what JSON writes otherwise, as it does \r in a line


class Rows(Protocol):
    """What makes rows: of all cells, or by ``filling`` what is filled of certain columns."""

    width: int

    def __call__(self, row: list[str]) -> Any: ...
    def filling(self, columns: Columns) -> Fill[Any]: ...


def blocks(stream: IO[bytes], line: int) -> Iterator[tuple[int, bytes]]:
    """Whole records some hundred at a time, each with the number of the line before; ``line`` is that of the first.

    Raises BadFile where a quote stays open.
    """
    rest: list[bytes] = []
    size = quotes = 0
    while data := stream.read(BLOCK):
        end = data.rfind(b"\n") + 1
        if end and (quotes + data.count(b'"', 0, end)) % 2 == 0:
            block = b"".join((*rest, data[:end]))
            yield line, block
            line += block.count(b"\n")
            rest, size, quotes = [data[end:]], len(data) - end, data.count(b'"', end)
            continue
        rest.append(data)
        size, quotes = size + len(data), quotes + data.count(b'"')
        if size > LONGEST:
            raise BadFile(f"The CSV cannot be read after line {line:,}: a quote is open for {size:,} bytes.")
    if last := b"".join(rest):
        yield line, last


class Lines:
    """Makes what is stored of the lines behind the header; ``line`` is the last one read."""

    def __init__(self, make: Rows, faults: Faults) -> None:
        self._make, self._faults = make, faults
        self.line, self._short = 1, True
        self._layout = lru_cache(maxsize=LAYOUTS)(self._new_layout)

    def rows(self, line: int, block: bytes) -> Iterator[Any]:
        """Raises BadFile with the line where it happened."""
        self.line = line
        self._short = (
            b"\x01" not in block and b"\x02" not in block
        )  # else those signs would be taken for ours
        short = _shortened(block) if self._short else block
        plain = len(short.translate(None, _ODD)) == len(short) and short.count(b"\r") == short.count(b"\r\n")
        lines = iter(self._decoded(short.removesuffix(b"\n")).split("\n"))
        for text in lines:
            self.line += 1
            try:
                if quick := self._quick(text):
                    row = quick[0](quick[1], plain)
                elif cells := self._by_csv(chain((text,), lines)):
                    row = self._make(cells)
                else:
                    continue
            except BadRecord as error:
                self._faults.note(f"Line {self.line:,}: {error}.")
                continue
            yield row

    def _decoded(self, block: bytes) -> str:
        try:
            return block.decode()
        except UnicodeDecodeError as error:
            line = self.line + block.count(b"\n", 0, error.start)
            raise BadFile(f"The text is not UTF-8 after line {line:,}.") from error

    def _quick(self, text: str) -> tuple[Fill[Any], list[str]] | None:
        """How the row of a line is made and its filled cells; None for what is no whole record without odd quotes."""
        if not self._short:
            return None
        parts = text.split('"')
        fill, cells = self._layout('"'.join(parts[::2])), parts[1::2]
        if fill is None or len(parts) % 2 == 0 or _EMPTY in "".join(cells):
            return None
        return fill, cells

    def _new_layout(self, signs: str) -> Fill[Any] | None:
        columns = _columns(signs, self._make.width)
        return None if columns is None else self._make.filling(columns)

    def _by_csv(self, lines: Iterator[str]) -> list[str]:
        """The next record as Python reads it, which also knows what is wrong with it; [] for a blank line.

        Some editors leave one at the end.
        """
        whole = _whole if self._short else "{}\n".format
        reader = csv.reader(map(whole, lines), strict=True)
        before = self.line - 1
        try:
            row = next(reader, [])
        except csv.Error as error:
            line = before + reader.line_num
            raise BadFile(f"The CSV cannot be read after line {line:,}: {error}.") from error
        self.line = before + reader.line_num
        if row and len(row) != self._make.width:
            raise BadFile(f"Line {self.line:,} has {len(row)} columns instead of {self._make.width}.")
        return row


def _shortened(block: bytes) -> bytes:
    """With signs for empty cells."""
    short = block.replace(b'"",', b"\x01").replace(b'""\n', b"\x02\n")
    return short.replace(b'""\r\n', b"\x02\r\n") if b"\r" in short else short


def _whole(line: str) -> str:
    """A line as it stood in the file."""
    return line.replace(_EMPTY, '"",').replace(_LAST, '""') + "\n"


def _columns(signs: str, width: int) -> Columns | None:
    """Which columns are filled, by what a line is but for its filled cells; None where that is no row of this width."""
    if not _ROW.fullmatch(signs):
        return None
    columns: list[int] = []
    column = 0
    for sign in signs:
        if sign == '"':
            columns.append(column)
        column += sign not in ",\r"
    return tuple(columns) if column == width else None
