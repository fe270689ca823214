"""Reading a file of the golden copy record by record: CSV, JSON or XML, whatever its name.

Memory does not grow with the file. Every fault is a ``BadFile`` that says at which line (CSV, XML) or record (JSON).
"""

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeAlias

from entities.gleif.golden.attributes import column
from entities.gleif.golden.files import KIND_WORDS, MAX_RECORD, BadFile, CopyFile, Faults, open_file
from entities.gleif.golden.rows import BadRecord, CsvRows, Lines, Stamp

Block: TypeAlias = tuple[int, bytes]  # the number of the line before, and lines
BLOCK = 1 << 20  # bytes of CSV that are read at once
REQUIRED = {
    "lei2": ("Entity.LegalName", "LEI", "Entity.EntityStatus", "Registration.RegistrationStatus"),
    "rr": (
        "Relationship.StartNode.NodeID",
        "Relationship.EndNode.NodeID",
        "Relationship.RelationshipType",
        "Relationship.RelationshipStatus",
    ),
    "repex": ("ExceptionCategory", "LEI", "ExceptionReason"),
}


@contextmanager
def open_copy(path: Path, faults: Faults | None = None) -> Iterator[CopyFile]:
    """Open a file and read as far as its header. Raises BadFile, also while the rows are read.

    ``faults`` takes what is wrong with single records; any refuses the file unless it says otherwise.
    """
    with open_file(path) as (stream, file):
        start = stream.peek(64)[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
        open_format = _open_csv
        if start.startswith((b"<", b"{", b"[")):
            from entities.gleif.golden import documents  # with lxml, which the web process does not need

            open_format = documents.open_xml if start.startswith(b"<") else documents.open_json
        yield open_format(stream, file, faults or Faults())


def _open_csv(stream: "io.BufferedReader[Any]", file: IO[bytes], faults: Faults) -> CopyFile:
    try:
        header = next(csv.reader([stream.readline(MAX_RECORD).decode("utf-8-sig")], strict=True), [])
    except csv.Error as error:
        raise BadFile(f"The CSV cannot be read at line 1: {error}.") from error
    except UnicodeDecodeError as error:
        raise BadFile("The text is not UTF-8 in line 1.") from error
    known = {column(name).name for name in header}
    kind = next((kind for kind, (sign, *_) in REQUIRED.items() if sign.lower() in known), None)
    if kind is None:
        other = next((sign for sign in (";", "\t", "|") if len(header) == 1 and sign in header[0]), None)
        if other:
            raise BadFile(f"Line 1 separates its columns by {other!r}; GLEIF's files use commas.")
        raise BadFile(
            "Line 1 has no columns of a golden copy (LEI records, relationships or reporting exceptions)."
        )
    if missing := sorted(name for name in REQUIRED[kind] if name.lower() not in known):
        raise BadFile(f"Line 1 lacks columns of {KIND_WORDS[kind]}: {', '.join(missing)}.")
    if len(set(header)) < len(header):
        raise BadFile("Line 1 names a column twice.")
    coming = blocks(stream)

    def rows() -> Iterator[Lines]:
        source = CsvFile(kind, header, found.stamp, faults)
        found.place = lambda: f"line {source.line:,}"
        for before, block in coming:
            yield from source.rows(before, block)

    found = CopyFile(kind, rows(), lambda: "line 1", file, blocks=coming, header=header)
    return found


def blocks(stream: IO[bytes]) -> Iterator[Block]:
    """The lines behind the header, some hundred whole records at a time. Raises BadFile where a quote stays open.

    A line end inside quotes ends no record.
    """
    before, rest, is_open = 1, b"", False
    while data := stream.read(BLOCK):
        if b"\0" in data:
            raise BadFile("The file holds a NUL byte, so it is no text.")
        end = data.rfind(b"\n") + 1
        is_whole = end and data.count(b'"', 0, end) % 2 == is_open
        if is_whole:
            block = b"".join((rest, memoryview(data)[:end]))
            yield before, block
            before += block.count(b"\n")
            rest, is_open = data[end:], data.count(b'"', end) % 2 == 1
        else:
            rest, is_open = rest + data, is_open != (data.count(b'"') % 2 == 1)
        if len(rest) > MAX_RECORD:
            raise BadFile(
                f"The CSV cannot be read after line {before:,}: a quote is open for {len(rest):,} bytes."
            )
    if rest:
        yield before, rest


class CsvFile:
    """Reads the blocks of one CSV file; ``line`` is the last that was read."""

    def __init__(self, kind: str, header: Sequence[str], stamp: Stamp, faults: Faults) -> None:
        self._make, self._width, self._faults = CsvRows(kind, header, stamp), len(header), faults
        self.line = 1

    def rows(self, before: int, block: bytes) -> Iterator[Lines]:
        """Raises BadFile with the line where it happened."""
        reader = csv.reader(map(bytes.decode, io.BytesIO(block)), strict=True)
        try:
            for cells in reader:
                self.line = before + reader.line_num
                if len(cells) != self._width:
                    if not cells:  # some editors leave a blank line at the end
                        continue
                    raise BadFile(f"Line {self.line:,} has {len(cells)} columns instead of {self._width}.")
                try:
                    yield self._make(cells)
                except BadRecord as error:
                    self._faults.note(f"Line {self.line:,}: {error}.")
        except csv.Error as error:
            line = before + reader.line_num
            raise BadFile(f"The CSV cannot be read after line {line:,}: {error}.") from error
        except UnicodeDecodeError as error:
            raise BadFile(f"The text is not UTF-8 after line {before + reader.line_num:,}.") from error
