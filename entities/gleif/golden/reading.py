"""Reading a file of the golden copy record by record: CSV, JSON or XML, whatever its name.

Memory does not grow with the file. Every fault is a ``BadFile`` that says at which line (CSV, XML) or record (JSON).
"""

import csv
import io
import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from xml.parsers import expat

from entities.gleif.golden.cdf import READ, TEXT
from entities.gleif.golden.columns import Header
from entities.gleif.golden.files import BadFile, Faults, open_file
from entities.gleif.golden.lines import Lines, blocks
from entities.gleif.golden.rows import ROWS, BadRecord, CsvRows
from entities.gleif.records import JsonObject

MAX_RECORD = 2_000_000  # characters of one record or cell; real ones have some thousands
KIND_WORDS = {"lei2": "LEI records", "rr": "relationships", "repex": "reporting exceptions"}
_CHUNK = 1 << 18
_SIGNS = {
    "Entity.LegalName": "lei2",
    "Relationship.StartNode.NodeID": "rr",
    "ExceptionCategory": "repex",
}
_ROOTS = {"LEIData": "lei2", "RelationshipData": "rr", "ReportingExceptionData": "repex"}
_RECORDS = {"LEIRecord", "RelationshipRecord", "Exception"}
_SCHEMA = re.compile(r"https?://www\.gleif\.org/data/schema/(?:leidata|rr|repex)/")
_XML_LANG = "http://www.w3.org/XML/1998/namespace lang"
_DEEPEST = 20
_HEADER = ("ContentDate", "FileContent", "RecordCount")


@dataclass
class CopyFile:
    """A file being read. ``kind`` is lei2, rr or repex; what the file does not say is None.

    ``rows`` are what is stored (``rows.py``). ``place`` is a line or record in words. A CSV file can be read by its
    ``blocks`` instead, by several processes, each of which knows its ``columns``.
    """

    kind: str
    rows: Iterator[Any]
    place: Callable[[], str]
    file: IO[bytes]
    publish_date: datetime | None = None
    full: bool | None = None
    expected: int | None = None
    blocks: Iterator[tuple[int, bytes]] | None = None
    columns: list[str] = field(default_factory=list)

    def bytes_read(self) -> int:
        return self.file.tell()


@contextmanager
def open_copy(path: Path, faults: Faults | None = None) -> Iterator[CopyFile]:
    """Open a file and read as far as its header. Raises BadFile, also while the rows are read.

    ``faults`` takes what is wrong with single records; any refuses the file unless it says otherwise.
    """
    faults = faults or Faults()
    with open_file(path) as (stream, file):
        start = stream.peek(64)[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
        if start.startswith(b"<"):
            yield _open_xml(stream, file, faults)
        elif start.startswith((b"{", b"[")):
            yield _open_json(stream, file, faults)
        else:
            yield _open_csv(stream, file, faults)


def _open_csv(stream: io.BufferedReader, file: IO[bytes], faults: Faults) -> CopyFile:
    names = _header(stream)
    header = Header(names)
    kind = next((kind for sign, kind in _SIGNS.items() if sign in header.found), None)
    if kind is None:
        raise BadFile(_no_columns(names))
    if missing := header.missing(kind):
        raise BadFile(f"Line 1 lacks columns of {KIND_WORDS[kind]}: {', '.join(missing)}.")
    if len(set(names)) < len(names):
        raise BadFile("Line 1 names a column twice.")
    lines, coming = Lines(CsvRows(kind, header), faults), blocks(stream, 1)
    rows = (row for line, block in coming for row in lines.rows(line, block))
    found = CopyFile(kind, rows, lambda: f"line {lines.line:,}", file)
    found.blocks, found.columns = coming, names
    return found


def _header(stream: io.BufferedReader) -> list[str]:
    """The names in the first line."""
    try:
        first = stream.readline(MAX_RECORD).decode("utf-8-sig")
        return next(csv.reader([first], strict=True), [])
    except csv.Error as error:
        raise BadFile(f"The CSV cannot be read at line 1: {error}.") from error
    except UnicodeDecodeError as error:
        raise BadFile("The text is not UTF-8 in line 1.") from error


def _no_columns(names: list[str]) -> str:
    first = names[0] if len(names) == 1 else ""
    other = next((sign for sign in (";", "\t", "|") if sign in first), None)
    if other:
        return f"Line 1 separates its columns by {other!r}; GLEIF's files use commas."
    return "Line 1 has no columns of a golden copy (LEI records, relationships or reporting exceptions)."


def _open_json(stream: io.BufferedReader, file: IO[bytes], faults: Faults) -> CopyFile:
    source = _JsonRecords(io.TextIOWrapper(stream, encoding="utf-8-sig"))
    first = source.first()
    kind = _kind_of(first)
    if kind is None:
        raise BadFile(
            "The JSON is no golden copy: its first record is none of an LEI, a relationship or an exception."
        )
    read, make = READ[kind], ROWS[kind]

    def rows() -> Iterator[Any]:
        for node in source:
            if _kind_of(node) != kind:
                raise BadFile(f"Record {source.number:,} is none of {KIND_WORDS[kind]}.")
            try:
                row = make(read(_unwrapped(node)))
            except BadRecord as error:
                faults.note(f"Record {source.number:,}: {error}.")
                continue
            yield row

    found = CopyFile(kind, rows(), lambda: f"record {source.number:,}", file)
    return _with_header(found, source.header)


def _kind_of(node: Any) -> str | None:
    node = _unwrapped(node)
    if not isinstance(node, dict):
        return None
    if "Relationship" in node:
        return "rr"
    if "ExceptionCategory" in node:
        return "repex"
    return "lei2" if "Entity" in node else None


def _unwrapped(node: Any) -> Any:
    """A record may stand in an object under its own name."""
    if isinstance(node, dict) and len(node) == 1:
        name = next(iter(node)).rpartition(":")[2]
        return next(iter(node.values())) if name in _RECORDS else node
    return node


class _JsonRecords:
    """The elements of the one array of a document, one by one; what stands before it is ``header``."""

    def __init__(self, text: io.TextIOBase) -> None:
        self._text, self._buffer, self._at = text, "", 0
        self._decode = json.JSONDecoder(parse_constant=_no_constant).raw_decode
        self._pending: deque[Any] = deque()
        self.header: JsonObject = {}
        self.number = 0

    def first(self) -> Any:
        """The first record, which is then read again; {} when there is none."""
        self._enter()
        if self._peek() == "]":
            raise BadFile("The file holds no records.")
        self._pending.append(self._value())
        return self._pending[0]

    def __iter__(self) -> Iterator[Any]:
        while True:
            value = self._pending.popleft() if self._pending else self._value()
            self.number += 1
            yield value
            sign = self._take()
            if sign == "]":
                break
            if sign != ",":
                raise BadFile(f"The JSON is broken after record {self.number:,}.")
        if self._take() not in ("}", ""):
            raise BadFile(f"The JSON goes on after its records (record {self.number:,}).")

    def _enter(self) -> None:
        if self._take() == "[":
            return
        while True:
            name = self._value()
            if not isinstance(name, str) or self._take() != ":":
                raise BadFile("The JSON is broken before its first record.")
            if self._peek() == "[":
                self._take()
                return
            self.header[name] = self._value()
            if self._take() != ",":
                raise BadFile("The JSON holds no list of records.")

    def _peek(self) -> str:
        """The next character that is no blank; "" at the end."""
        while True:
            while self._at < len(self._buffer):
                if not self._buffer[self._at].isspace():
                    return self._buffer[self._at]
                self._at += 1
            if not self._more():
                return ""

    def _take(self) -> str:
        char = self._peek()
        self._at += bool(char)
        return char

    def _value(self) -> Any:
        self._peek()
        while True:
            try:
                value, end = self._decode(self._buffer, self._at)
            except (ValueError, RecursionError) as error:
                if isinstance(error, RecursionError) or not self._more():
                    raise BadFile(f"The JSON is broken or cut off at record {self.number + 1:,}.") from error
            else:
                if "\\u" in self._buffer[self._at : end]:
                    _refuse_no_text(value, self.number + 1)
                self._at = end
                return value

    def _more(self) -> bool:
        rest = self._buffer[self._at :]
        if len(rest) > MAX_RECORD:
            raise BadFile(f"Record {self.number + 1:,} is longer than {MAX_RECORD:,} characters, or broken.")
        try:
            added = self._text.read(max(_CHUNK, len(rest)))
        except UnicodeDecodeError as error:
            raise BadFile(f"The text is not UTF-8 after record {self.number:,}.") from error
        self._buffer, self._at = rest + added, 0
        return bool(added)


def _no_constant(word: str) -> None:
    raise ValueError(word)


def _refuse_no_text(value: Any, number: int) -> None:
    """JSON can write as ``\\u`` what no text may hold and no database takes."""
    text = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in text.replace("\\\\", ""):
        raise BadFile(f"Record {number:,} holds a NUL character, so it is no text.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadFile(f"Record {number:,} holds half of a character (a lone surrogate).") from error


def _open_xml(stream: io.BufferedReader, file: IO[bytes], faults: Faults) -> CopyFile:
    source = _XmlRecords(stream)
    source.read_header()
    kind = source.kind
    if kind is None:
        raise BadFile("The XML is no golden copy.")
    read, make = READ[kind], ROWS[kind]

    def rows() -> Iterator[Any]:
        for line, node in source.records():
            try:
                row = make(read(node))
            except BadRecord as error:
                faults.note(f"The record that ends at line {line:,}: {error}.")
                continue
            yield row

    return _with_header(CopyFile(kind, rows(), lambda: f"line {source.line:,}", file), source.header)


class _XmlRecords:
    """Records of an XML file. A document type is refused before anything in it is read: there are no entities."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.ordered_attributes = False
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = self._characters, self._doctype
        self._names: dict[str, str] = {_XML_LANG: "@xml:lang"}
        self._path: list[str] = []
        self._nodes: list[JsonObject] = []
        self._ready: deque[tuple[int, JsonObject]] = deque()
        self._size = self._fed = 0
        self._going = True
        self.kind: str | None = None
        self.header: JsonObject = {}
        self.line = 1
        self._begun = False

    def read_header(self) -> None:
        """Read as far as the first record."""
        while not self._begun and self._feed():
            pass

    def records(self) -> Iterator[tuple[int, JsonObject]]:
        """(line of its end, record)"""
        while self._going or self._ready:
            while self._ready:
                self.line, node = self._ready.popleft()
                yield self.line, node
            self._feed()

    def _feed(self) -> bool:
        """Parse a little more; False at the end."""
        if not self._going:
            return False
        data = self._stream.read(1 << 16)
        self._going, self._fed = bool(data), self._fed + len(data)
        parser = self._parser
        try:
            parser.Parse(data, not data)
        except expat.ExpatError as error:
            reason = expat.errors.messages[error.code]
            raise BadFile(f"The XML is broken or cut off at line {error.lineno:,}: {reason}.") from error
        except (ValueError, LookupError) as error:  # an encoding that the parser does not know
            raise BadFile(f"The XML cannot be read: {error}.") from error
        if self._fed - parser.CurrentByteIndex > MAX_RECORD:  # the parser keeps a tag until it is whole
            raise BadFile(f"The XML has a tag at line {parser.CurrentLineNumber:,} that is too long.")
        return self._going

    def _doctype(self, *_: Any) -> None:
        raise BadFile(
            f"Line {self._parser.CurrentLineNumber:,} declares a document type; GLEIF's files have none."
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = self._local(name)
        if not self._path:
            self._check_root(name, local)
        self._path.append(local)
        if len(self._path) > _DEEPEST:
            raise BadFile(f"The XML is nested too deeply at line {self._parser.CurrentLineNumber:,}.")
        if self._nodes:
            self._grow(len(local) + sum(map(len, attributes.values())))
            self._nodes.append(self._attributes(attributes))
        elif (len(self._path) == 3 and local in _RECORDS) or (
            len(self._path) == 2 and local.endswith("Header")
        ):
            self._begun = self._begun or len(self._path) == 3
            self._nodes.append({})
            self._size = 0

    def _end(self, name: str) -> None:
        local = self._path.pop()
        if not self._nodes:
            return
        node = self._nodes.pop()
        if self._nodes:
            _add(self._nodes[-1], local, node)
        elif len(self._path) == 2:
            self._ready.append((self._parser.CurrentLineNumber, node))
        else:
            self.header = node

    def _characters(self, data: str) -> None:
        if self._nodes:
            self._grow(len(data))
            node = self._nodes[-1]
            node[TEXT] = node.get(TEXT, "") + data

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > MAX_RECORD:
            raise BadFile(f"The record at line {self._parser.CurrentLineNumber:,} is too long.")

    def _attributes(self, attributes: dict[str, str]) -> JsonObject:
        return {self._names.get(name) or "@" + self._local(name): value for name, value in attributes.items()}

    def _local(self, name: str) -> str:
        return name.rpartition(" ")[2]

    def _check_root(self, name: str, local: str) -> None:
        self.kind = _ROOTS.get(local)
        if self.kind is None:
            raise BadFile(f"The XML is no golden copy: its root is <{local[:60]}>.")
        if not _SCHEMA.match(name):
            space = name.rpartition(" ")[0][:100]
            raise BadFile(f"The XML is of a format that is not supported ({space or 'no namespace'}).")


def _add(parent: JsonObject, name: str, node: JsonObject) -> None:
    """What comes again becomes a list."""
    known = parent.get(name)
    if known is None:
        parent[name] = node
    elif isinstance(known, list):
        known.append(node)
    else:
        parent[name] = [known, node]


def _with_header(found: CopyFile, header: JsonObject) -> CopyFile:
    """What a header says: when the content is of, whether it is all of it, and how many records follow."""
    if len(header) == 1 and isinstance(next(iter(header.values())), dict) and not {*header} & {*_HEADER}:
        header = next(iter(header.values()))
    date, content, count = (_header_text(header, name) for name in _HEADER)
    try:
        moment = datetime.fromisoformat(date)
        found.publish_date = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except ValueError:
        found.publish_date = None
    found.full = content.endswith("_FULL_PUBLISHED") if "PUBLISHED" in content else None
    found.expected = int(count) if count.isascii() and count.isdigit() else None
    return found


def _header_text(header: JsonObject, name: str) -> str:
    value = header.get(name)
    value = value.get(TEXT, "") if isinstance(value, dict) else value
    return str(value).strip() if value is not None else ""
