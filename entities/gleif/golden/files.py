"""A file of the golden copy: plain or zipped, with bounds, and what its name says.

Nothing is unpacked to disk, and a file is read once, from front to back.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from entities.gleif.golden.rows import Lines, Stamp

KIND_WORDS = {"lei2": "LEI records", "rr": "relationships", "repex": "reporting exceptions"}
MAX_RECORD = 2_000_000  # bytes or characters of one record; real ones have some thousands
BUFFER = 1 << 18  # bytes
MAX_RATIO = 100  # GLEIF's own archives shrink to a tenth or so
FREE_BYTES = 10_000_000  # below it no ratio is too large
_SIGNATURE = b"PK\x03\x04"
_EMPTY_SIGNATURE = b"PK\x05\x06"
_NAME = re.compile(
    r"(?P<day>\d{8})-(?P<time>\d{4})-gleif-.*?(?P<kind>lei2|rr|repex)-"
    r"(?P<scope>golden-copy|intra-day|last-day|last-week|last-month)"
)
_SCOPES = {
    "golden-copy": "full",
    "intra-day": "IntraDay",
    "last-day": "LastDay",
    "last-week": "LastWeek",
    "last-month": "LastMonth",
}


class BadFile(Exception):
    """A file that cannot be imported; the message is one sentence and says where and why."""


class Faults:
    """What is wrong with single records: each refuses the file, unless up to ``most`` may be left out.

    ``told`` are those that are left out, a sentence each.
    """

    def __init__(self, most: int = 0) -> None:
        self.most = most
        self.told: list[str] = []

    def note(self, sentence: str) -> None:
        """Raises BadFile when that is one too many."""
        if not self.most:
            raise BadFile(sentence)
        if len(self.told) == self.most:
            raise BadFile(f"More than {self.most:,} records are wrong; the next: {sentence}")
        self.told.append(sentence)


@dataclass(frozen=True)
class NameFacts:
    """What GLEIF's own name of a file says; None where it says nothing."""

    kind: str | None = None
    scope: str | None = None
    publish_date: datetime | None = None


def name_facts(name: str) -> NameFacts:
    """``20260210-0800-gleif-goldencopy-lei2-last-day.csv.zip`` and the like."""
    found = _NAME.search(name)
    if not found:
        return NameFacts()
    try:
        moment = datetime.strptime(found["day"] + found["time"], "%Y%m%d%H%M").replace(tzinfo=UTC)
    except ValueError:
        moment = None
    return NameFacts(found["kind"], _SCOPES[found["scope"]], moment)


@dataclass
class CopyFile:
    """A file being read. ``kind`` is lei2, rr or repex; what the file does not say is None.

    ``place`` is the last line or record that was read, in words. A CSV file can be read by its ``blocks`` instead of
    its ``rows``, by several processes, each of which knows its ``header``. Set ``stamp`` before reading.
    """

    kind: str
    rows: Iterator[Lines]
    place: Callable[[], str]
    file: IO[bytes]
    publish_date: datetime | None = None
    full: bool | None = None
    expected: int | None = None
    blocks: Iterator[tuple[int, bytes]] | None = None
    header: Sequence[str] = field(default_factory=list)
    stamp: Stamp = ("", "", "")

    def bytes_read(self) -> int:
        return self.file.tell()


@contextmanager
def open_file(path: Path) -> Iterator[tuple["io.BufferedReader[Any]", IO[bytes]]]:
    """The text's bytes, and the file itself, whose position tells how much is read. Raises BadFile."""
    try:
        file = io.BufferedReader(io.FileIO(path), BUFFER)
    except OSError as error:
        raise BadFile(f"The file cannot be opened: {error.strerror or error}.") from error
    with file:
        start = file.peek(4)[:4]
        if start in (_SIGNATURE, _EMPTY_SIGNATURE):
            try:
                with _open_archive(file) as entry:
                    yield io.BufferedReader(entry, BUFFER), file
            except (zipfile.BadZipFile, zlib.error, EOFError) as error:
                raise BadFile(f"The archive is damaged or cut off ({error}).") from error
        elif not start:
            raise BadFile("The file is empty.")
        elif path.suffix.lower() == ".zip":
            raise BadFile("The file is called .zip but is no zip archive.")
        else:
            yield file, file


def _open_archive(file: IO[bytes]) -> Any:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise BadFile("The archive is damaged or cut off: its table of contents is missing.") from error
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) != 1:
        raise BadFile(f"The archive holds {len(entries)} files; one of the golden copy holds exactly one.")
    entry = entries[0]
    if entry.flag_bits & 1:
        raise BadFile("The archive is encrypted.")
    if entry.file_size > max(FREE_BYTES, MAX_RATIO * entry.compress_size):
        raise BadFile(
            f"The archive claims to unpack to {entry.file_size:,} bytes from {entry.compress_size:,}: "
            f"more than {MAX_RATIO} times its size."
        )
    try:
        return archive.open(entry)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise BadFile(f"The archive cannot be unpacked ({error}).") from error
