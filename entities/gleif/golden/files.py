"""Opening a file of the golden copy: plain or zipped, with bounds, and what its name says.

Nothing is unpacked to disk, and a file is read once, from front to back.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

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


class Stream(io.RawIOBase):
    """The bytes of a file, with a look at each for what no text may hold; trouble of an archive is a BadFile."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        try:
            data = self._source.read(len(buffer))
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise BadFile(f"The archive is damaged or cut off ({error}).") from error
        if b"\0" in data:
            raise BadFile("The file holds a NUL byte, so it is no text.")
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def open_file(path: Path) -> Iterator[tuple[io.BufferedReader, IO[bytes]]]:
    """The text's bytes, and the file itself, whose position tells how much is read. Raises BadFile."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadFile(f"The file cannot be opened: {error.strerror or error}.") from error
    with file:
        start = file.read(4)
        file.seek(0)
        if start in (_SIGNATURE, _EMPTY_SIGNATURE):
            with _open_archive(file) as entry:
                yield io.BufferedReader(Stream(entry), 1 << 18), file
        elif not start:
            raise BadFile("The file is empty.")
        elif path.suffix.lower() == ".zip":
            raise BadFile("The file is called .zip but is no zip archive.")
        else:
            yield io.BufferedReader(Stream(file), 1 << 18), file


def _open_archive(file: IO[bytes]) -> IO[bytes]:
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
