"""A spreadsheet file becomes rows of text, or a sentence that says why not."""

from datetime import date
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from common import tables
from common.tables import NOT_COMPUTED, BadTable, Table, header_row, numbered, parse_csv, read_table
from tests.cases import cases


def workbook(*rows, formats=None, merged=()):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    for place, number_format in (formats or {}).items():
        book.active[place].number_format = number_format
    for cells in merged:
        book.active.merge_cells(cells)
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def changed(content, name, change):
    """The package with one part changed."""
    written = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(written, "w", ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, change(old.read(part)) if part == name else old.read(part))
    return written.getvalue()


def test_a_cell_is_read_as_the_sheet_shows_it():
    content = workbook(
        ["Owner", "Share", "Since", "Note"],
        ["Anna", 0.255, date(2025, 1, 31), "a\nb"],
        ["Boris", 0.1 + 0.2, 25, True],
        formats={"B2": "0.0%"},
    )
    assert read_table(content).rows == (
        ("Owner", "Share", "Since", "Note"),
        ("Anna", "25.5 %", "2025-01-31", "a b"),
        ("Boris", "0.3", "25", "True"),
    )


def test_a_formula_without_a_stored_value_is_marked_and_none_is_computed():
    assert read_table(workbook(["Owner", "Share"], ["Anna", "=1/0"])).rows[1] == ("Anna", NOT_COMPUTED)


def test_merged_cells_hold_their_text_once():
    content = workbook(["Company", "Owner"], ["T", "Anna"], [None, "Boris"], merged=["A2:A3"])
    assert read_table(content).rows[1:] == (("T", "Anna"), ("", "Boris"))


@cases(
    "content",
    [
        "Größe;Anteil\nMüller;25,5 %\n".encode(),
        "Größe;Anteil\nMüller;25,5 %\n".encode("utf-8-sig"),
        "Größe;Anteil\r\nMüller;25,5 %\r\n".encode("cp1252"),
        "Größe\tAnteil\nMüller\t25,5 %\n".encode("utf-16"),
        'Größe,Anteil\n"Müller","25,5 %"\n\n\n'.encode(),
        "Größe|Anteil|\nMüller|25,5 %|\n".encode(),
    ],
)
def test_csv_of_any_usual_encoding_and_separator_is_one_table(content):
    assert read_table(content).rows == (("Größe", "Anteil"), ("Müller", "25,5 %"))


@cases(
    "content, words",
    [
        (b"", "empty"),
        (b"\n\n;;\n", "empty"),
        (b"\0\1\2\3", "neither CSV nor XLSX"),
        (b"PK\x03\x04 and no more", "broken"),
        (workbook(["a"])[:-200], "broken"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"0" * 600, "password or in the old XLS format"),
        (b"x" * (tables.MAX_BYTES + 1), "larger than 10 MB"),
        (b"a\n" * (tables.MAX_ROWS + 1), "more than 20,000 rows"),
        (b"a," * 200 + b"a\n", "more than 100 columns"),
        (
            changed(workbook(["a"]), "xl/worksheets/sheet1.xml", lambda xml: b"<worksheet><broken>"),
            "cannot be read",
        ),
        (
            changed(
                workbook(["a"]),
                "xl/worksheets/sheet1.xml",
                lambda xml: xml.replace(b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "b">]><worksheet', 1),
            ),
            "declares entities",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused_in_a_sentence(content, words):
    with pytest.raises(BadTable, match=words):
        read_table(content)


def test_a_file_that_unpacks_to_too_much_is_not_unpacked(monkeypatch):
    monkeypatch.setattr(tables, "MAX_UNPACKED", 100)
    with pytest.raises(BadTable, match="unpacks to more"):
        read_table(workbook(["a"]))


def test_a_zip_of_something_else_is_no_workbook():
    content = BytesIO()
    with ZipFile(content, "w") as package:
        package.writestr("notes.txt", "x")
    with pytest.raises(BadTable, match="no XLSX workbook"):
        read_table(content.getvalue())


def test_the_header_is_below_a_title_and_rows_keep_their_numbers():
    table = read_table(b"Register of shareholders 2026;\nCompany;Owner\n;\nT;Anna 2\n")
    assert header_row(table) == 2
    assert list(numbered(table, after=2)) == [(4, ("T", "Anna 2"))]


@given(st.lists(st.lists(st.text(max_size=8), min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_kept_table_is_read_as_it_was(rows):
    try:
        table = read_table(Table(tuple(map(tuple, rows))).as_csv().encode("utf-8", "replace"))
    except BadTable:
        return
    assert parse_csv(table.as_csv()) == table
