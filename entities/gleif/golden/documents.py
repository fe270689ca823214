"""Reading the golden copy in JSON and in XML, record by record, into the columns that its CSV files have.

lxml reads XML. JSON is decoded record by record by Python's ``json``: ijson 3.6 replaces half a character by "?"
without a word, and 100,000 nested brackets exhaust the memory.
"""

import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import IO, Any, TypeAlias

from lxml import etree

from entities.gleif.golden.attributes import attributes_of
from entities.gleif.golden.files import KIND_WORDS, MAX_RECORD, BadFile, CopyFile, Faults
from entities.gleif.golden.rows import BadRecord, Lines, lines_of
from entities.gleif.records import JsonObject

Cell: TypeAlias = tuple[str, str]  # a column and its text
_JSON_SIGNS = {"Relationship": "rr", "ExceptionCategory": "repex", "Entity": "lei2"}
_ROOTS = {"LEIData": "lei2", "RelationshipData": "rr", "ReportingExceptionData": "repex"}
_RECORDS = ("LEIRecord", "RelationshipRecord", "Exception")
_HEADERS = ("LEIHeader", "Header")
_SCHEMA = re.compile(r"https?://www\.gleif\.org/data/schema/(?:leidata|rr|repex)/")
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_PEEK = 1 << 16  # bytes in which the root of an XML file must be
_PARSING: Any = {"resolve_entities": False, "load_dtd": False, "no_network": True, "huge_tree": False}
_PARSING |= {"remove_comments": True, "remove_pis": True}


def open_json(stream: "io.BufferedReader[Any]", file: IO[bytes], faults: Faults) -> CopyFile:
    source = _JsonRecords(io.TextIOWrapper(stream, encoding="utf-8-sig"))
    first = source.value()
    kind = _kind_of(first)
    if kind is None:
        raise BadFile(
            "The JSON is no golden copy: its first record is none of an LEI, a relationship or an exception."
        )

    def records() -> Iterator[tuple[str, Iterable[Cell]]]:
        for node in source.starting_with(first):
            if _kind_of(node) != kind:
                raise BadFile(f"Record {source.number:,} is none of {KIND_WORDS[kind]}.")
            yield f"Record {source.number:,}", _json_cells(_unwrapped(node), "")

    found = CopyFile(kind, iter(()), lambda: f"record {source.number:,}", file)
    found.rows = _rows(found, records(), faults)
    return _with_header(found, source.header)


def _kind_of(node: Any) -> str | None:
    node = _unwrapped(node)
    return next((kind for sign, kind in _JSON_SIGNS.items() if isinstance(node, dict) and sign in node), None)


def _unwrapped(node: Any) -> Any:
    """A record may stand in an object under its own name."""
    if isinstance(node, dict) and len(node) == 1:
        [(name, inner)] = node.items()
        return inner if name.rpartition(":")[2] in _RECORDS else node
    return node


def _json_cells(node: Any, name: str) -> Iterator[Cell]:
    """Text stands under ``$``, attributes under ``@type`` and ``@xml:lang``; what repeats is an object or a list."""
    if isinstance(node, str):
        yield name, node.strip()
    elif isinstance(node, list):
        for number, part in enumerate(node, start=1):
            yield from _json_cells(part, f"{name}.{number}")
    elif isinstance(node, dict):
        for key, part in node.items():
            step = key.removeprefix("@").replace("xml:lang", "xmllang")
            yield from _json_cells(part, name if key == "$" else f"{name}.{step}" if name else step)


class _JsonRecords:
    """The elements of the one array of a document, one by one; what stands before it is ``header``."""

    def __init__(self, text: io.TextIOBase) -> None:
        self._text, self._buffer, self._at = text, "", 0
        self._decode = json.JSONDecoder(parse_constant=_refuse_constant).raw_decode
        self.header: JsonObject = {}
        self.number = 0
        before = self._take()
        while before != "[" and self._sign() != "[":
            name = self.value()
            if not isinstance(name, str) or self._take() != ":":
                raise BadFile("The JSON is broken before its first record.")
            if self._sign() != "[":
                self.header[name] = self.value()
                if self._take() != ",":
                    raise BadFile("The JSON holds no list of records.")
        if before != "[":
            self._take()
        if self._sign() == "]":
            raise BadFile("The file holds no records.")

    def starting_with(self, value: Any) -> Iterator[Any]:
        """The records, of which the first has been read."""
        while True:
            self.number += 1
            yield value
            sign = self._take()
            if sign != ",":
                break
            value = self.value()
        if sign != "]":
            raise BadFile(f"The JSON is broken after record {self.number:,}.")
        if self._take() not in ("}", ""):
            raise BadFile(f"The JSON goes on after its records (record {self.number:,}).")

    def value(self) -> Any:
        """The next value."""
        self._sign()
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

    def _take(self) -> str:
        sign = self._sign()
        self._at += len(sign)
        return sign

    def _sign(self) -> str:
        """The next character that is no blank; "" at the end."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at].isspace():
                self._at += 1
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more():
                return ""

    def _more(self) -> bool:
        rest = self._buffer[self._at :]
        if len(rest) > MAX_RECORD:
            raise BadFile(f"Record {self.number + 1:,} is longer than {MAX_RECORD:,} characters, or broken.")
        try:
            added = self._text.read(max(1 << 18, len(rest)))
        except UnicodeDecodeError as error:
            raise BadFile(f"The text is not UTF-8 after record {self.number:,}.") from error
        self._buffer, self._at = rest + added, 0
        return bool(added)


def _refuse_constant(word: str) -> None:
    raise ValueError(word)  # NaN and Infinity are no JSON


def _refuse_no_text(value: Any, number: int) -> None:
    """JSON can write as ``\\u`` what no text may hold and no database takes."""
    text = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in text.replace("\\\\", ""):
        raise BadFile(f"Record {number:,} holds a NUL character, so it is no text.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadFile(f"Record {number:,} holds half of a character (a lone surrogate).") from error


def open_xml(stream: "io.BufferedReader[Any]", file: IO[bytes], faults: Faults) -> CopyFile:
    kind = _kind_of_xml(stream.peek(_PEEK)[:_PEEK])
    source = _XmlRecords(stream)
    found = CopyFile(kind, iter(()), lambda: f"line {source.line:,}", file)
    found.rows = _rows(found, source.records(), faults)
    return _with_header(found, source.header())


def _kind_of_xml(start: bytes) -> str:
    """What the root says; a document type is refused, so that there are no entities. Raises BadFile."""
    parser = etree.XMLPullParser(events=("start",), **_PARSING)
    with _xml_faults():
        parser.feed(start)
        root = next((element for _, element in parser.read_events()), None)
    if root is None:
        raise BadFile(f"The XML does not begin within {_PEEK:,} bytes.")
    if root.getroottree().docinfo.doctype:
        raise BadFile("The XML declares a document type; GLEIF's files have none.")
    name = etree.QName(root)
    if name.localname not in _ROOTS:
        raise BadFile(f"The XML is no golden copy: its root is <{name.localname[:60]}>.")
    if not _SCHEMA.match(name.namespace or ""):
        space = (name.namespace or "no namespace")[:100]
        raise BadFile(f"The XML is of a format that is not supported ({space}).")
    return _ROOTS[name.localname]


class _XmlRecords:
    """The records of an XML file, one by one; ``line`` is where the last one begins."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._read = stream, 0
        self._tags = [f"{{*}}{name}" for name in (*_HEADERS, *_RECORDS)]
        self._elements = self._parsed()
        self._first: Any = None
        self.line = 1

    def read(self, size: int) -> bytes:
        """Some bytes of the file, for the parser, which keeps in memory what belongs to one record."""
        self._read += size
        if self._read > MAX_RECORD + size:
            raise BadFile(f"A record or tag after line {self.line:,} is too long.")
        return self._stream.read(size)

    def header(self) -> JsonObject:
        """What stands before the records; {} if nothing does."""
        self._first = next(self._elements, None)
        if self._first is None or _local(self._first.tag) not in _HEADERS:
            return {}
        found = {_local(part.tag): part.text or "" for part in self._first}
        self._first = next(self._elements, None)
        return found

    def records(self) -> Iterator[tuple[str, Iterable[Cell]]]:
        while (element := self._first) is not None:
            self.line, self._read = element.sourceline, 0
            yield f"The record at line {self.line:,}", _xml_cells(element, "")
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
            self._first = next(self._elements, None)

    def _parsed(self) -> Iterator[Any]:
        with _xml_faults():
            for _, element in etree.iterparse(self, events=("end",), tag=self._tags, **_PARSING):
                if len(list(islice(element.iterancestors(), 3))) == (
                    2 if _local(element.tag) in _RECORDS else 1
                ):
                    yield element


@contextmanager
def _xml_faults() -> Iterator[None]:
    try:
        yield
    except etree.XMLSyntaxError as error:
        raise BadFile(f"The XML is broken or cut off at line {error.lineno or 1:,}: {error.msg}.") from error


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _xml_cells(element: Any, name: str) -> Iterator[Cell]:
    for key, text in element.items():
        yield f"{name}.{'xmllang' if key == _XML_LANG else _local(key)}", text.strip()
    yield name, (element.text or "").strip()
    seen: Counter[str] = Counter()
    for part in element:
        step = _local(part.tag)
        seen[step] += 1
        yield from _xml_cells(part, f"{name}.{step}.{seen[step]}".removeprefix("."))


def _rows(file: CopyFile, records: Iterable[tuple[str, Iterable[Cell]]], faults: Faults) -> Iterator[Lines]:
    """What is stored of records, each given as where it is and what it says."""
    for place, cells in records:
        try:
            lines = lines_of(file.kind, attributes_of(file.kind, cells), file.stamp)
        except BadRecord as error:
            faults.note(f"{place}: {error}.")
            continue
        yield lines


def _with_header(found: CopyFile, header: JsonObject) -> CopyFile:
    """What a header says: when the content is of, whether it is all of it, and how many records follow."""
    if len(header) == 1 and isinstance(inner := next(iter(header.values())), dict):
        header = inner
    texts = {name.partition(".")[0]: text for name, text in _json_cells(header, "")}
    date, content, count = (
        texts.get(name, "").strip() for name in ("ContentDate", "FileContent", "RecordCount")
    )
    try:
        moment = datetime.fromisoformat(date)
        found.publish_date = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except ValueError:
        found.publish_date = None
    found.full = content.endswith("_FULL_PUBLISHED") if "PUBLISHED" in content else None
    found.expected = int(count) if count.isascii() and count.isdigit() else None
    return found
