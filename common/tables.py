"""Tables out of spreadsheet files, CSV and XLSX (ECMA-376), as text a person would see in the cells. Bounded.

A file is hostile: its size is looked at before it is unpacked, no formula is computed, nothing it refers to is opened.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO, StringIO
from itertools import islice
from typing import Any
from zipfile import BadZipFile, ZipFile

from charset_normalizer import from_bytes

MAX_BYTES = 10_000_000
MAX_UNPACKED = 200_000_000
MAX_ROWS, MAX_COLUMNS, MAX_CELL = 20_000, 100, 2_000
CSV = "text/csv"
SEPARATORS = ",;\t|"
NOT_COMPUTED = "#NOT-COMPUTED"
"""Stands in a cell whose formula has no stored value."""


class BadTable(ValueError):
    """The file cannot be read as a table; the message is one sentence for a person."""


@dataclass(frozen=True)
class Table:
    """Rows of cells; empty rows at the end and empty columns at the right are cut. Row 1 is the first of the file."""

    rows: tuple[tuple[str, ...], ...]

    def as_csv(self) -> str:
        """The table with commas and quotes as RFC 4180 has them; the same table gives the same text."""
        text = StringIO()
        csv.writer(text, lineterminator="\n").writerows(self.rows)
        return text.getvalue()


def read_table(content: bytes) -> Table:
    """The first sheet of a workbook, or a CSV file of any usual encoding and separator.

    Numbers that the sheet shows as percentages become "25 %", days 2026-03-01, whatever the format of the cell.

    Raises BadTable for a file that is too large, broken, locked by a password, or of another kind.
    """
    if len(content) > MAX_BYTES:
        raise BadTable(f"The file is larger than {MAX_BYTES // 1_000_000} MB; split it.")
    if content[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        raise BadTable("The file is locked by a password or in the old XLS format; save it as XLSX or CSV.")
    rows = _xlsx_rows(content) if content[:4] == b"PK\x03\x04" else _csv_rows(content)
    kept = [tuple(map(_plain, islice(row, MAX_COLUMNS + 1))) for row in islice(rows, MAX_ROWS + 1)]
    if len(kept) > MAX_ROWS:
        raise BadTable(f"The table has more than {MAX_ROWS:,} rows; split it.")
    while kept and not any(kept[-1]):
        kept.pop()
    if not kept:
        raise BadTable("The table is empty.")
    width = max((place for row in kept for place, cell in enumerate(row, 1) if cell), default=0)
    if width > MAX_COLUMNS:
        raise BadTable(f"The table has more than {MAX_COLUMNS} columns.")
    return Table(tuple(row[:width] + ("",) * (width - len(row)) for row in kept))


def parse_csv(text: str) -> Table:
    """The table of a text that ``as_csv`` wrote."""
    return Table(tuple(tuple(row) for row in csv.reader(StringIO(text))))


def _csv_rows(content: bytes) -> Iterator[Sequence[str]]:
    text = _decoded(content)
    if "\0" in text:
        raise BadTable("The file is neither CSV nor XLSX.")
    start = text[:20_000]
    separator = max(SEPARATORS, key=lambda each: (start.count(each), -SEPARATORS.index(each)))
    try:
        yield from csv.reader(StringIO(text, newline=""), delimiter=separator)
    except csv.Error as error:
        raise BadTable(f"The CSV file cannot be read: {error}.") from None


def _decoded(content: bytes) -> str:
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    try:
        return content.decode()
    except UnicodeDecodeError:
        guess = from_bytes(content[:100_000], cp_isolation=["cp1252", "cp1250", "cp1251", "mac_roman"]).best()
        return content.decode(guess.encoding if guess else "cp1252", errors="replace")


def _xlsx_rows(content: bytes) -> Iterator[list[str]]:
    """Each row with the values that the file stores; a formula without one is marked."""
    from openpyxl import load_workbook  # it loads lxml, which web processes do without until somebody uploads

    _require_harmless(content)
    try:
        stored = load_workbook(BytesIO(content), read_only=True, data_only=True)
        written = load_workbook(BytesIO(content), read_only=True)
        sheets = [book.worksheets[0] for book in (stored, written)]
        for sheet in sheets:
            sheet.reset_dimensions()  # files state them wrongly
        for cells, formulas in zip(*(sheet.iter_rows() for sheet in sheets), strict=True):
            yield [_shown(cell, formula) for cell, formula in zip(cells, formulas, strict=True)]
    except BadTable:
        raise
    except Exception as error:  # noqa: BLE001  # openpyxl raises whatever a broken part leads to
        raise BadTable(f"The XLSX file cannot be read: {str(error)[:100] or type(error).__name__}.") from None


def _require_harmless(content: bytes) -> None:
    try:
        with ZipFile(BytesIO(content)) as package:
            if sum(part.file_size for part in package.infolist()) > MAX_UNPACKED:
                raise BadTable(f"The file unpacks to more than {MAX_UNPACKED // 1_000_000} MB; split it.")
            for part in package.infolist():
                if part.filename.endswith((".xml", ".rels")) and b"<!DOCTYPE" in package.open(part).read(
                    2_000
                ):
                    raise BadTable("The file declares entities, which no spreadsheet program does.")
            if "xl/workbook.xml" not in package.namelist():
                raise BadTable("The file is no XLSX workbook.")
    except (BadZipFile, NotImplementedError, RuntimeError, OSError):
        raise BadTable("The XLSX file is broken.") from None


def _shown(cell: Any, formula: Any) -> str:
    value = cell.value
    if value is None:
        is_formula = isinstance(formula.value, str) and formula.value.startswith("=")
        return NOT_COMPUTED if is_formula else ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = Decimal(repr(value))
        if "%" in str(cell.number_format or ""):
            return f"{_number(number * 100)} %"
        return _number(number)
    return str(value)


def _number(number: Decimal) -> str:
    if not number.is_finite():
        return str(number)
    text = f"{round(number, 10):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _plain(cell: str) -> str:
    """One line without control characters, at most MAX_CELL characters."""
    return re.sub(r"[\s\x00-\x1f\x7f]+", " ", cell[: MAX_CELL * 2]).strip()[:MAX_CELL]


def header_row(table: Table) -> int:
    """The number of the row that looks like the header: the first with two words and no number, else 1."""
    for number, row in enumerate(islice(table.rows, 20), 1):
        filled = [cell for cell in row if cell]
        if len(filled) >= 2 and not any(re.search(r"\d", cell) for cell in filled):
            return number
    return 1


def numbered(table: Table, after: int) -> Iterable[tuple[int, tuple[str, ...]]]:
    """The rows below a row with their numbers, without those that are empty."""
    return ((number, row) for number, row in enumerate(table.rows, 1) if number > after and any(row))
