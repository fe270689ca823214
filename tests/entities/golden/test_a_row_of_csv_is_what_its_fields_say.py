"""A row of CSV by its shape is the row that its fields give, and the text for COPY says the same."""

import json
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.golden_file import columns, exception_columns, made_up_cells, made_up_relationship
from entities.gleif.golden.attributes import attributes_of
from entities.gleif.golden.rows import BadRecord, CsvRows, lines_of
from entities.names.keys import search_key
from tests.cases import cases

STAMP = ("local", "2026-02-10T08:00:00Z", "2026-02-10T09:00:00+00:00")
WIDE = columns()
ROWS = CsvRows("lei2", WIDE, STAMP)
NAME, EVENTS = "Entity.LegalName", "Entity.LegalEntityEvents.LegalEntityEvent.1"
ODD = {
    "percent": {NAME: "100 % Muster %s GmbH"},
    "private character": {NAME: "\ue0000 \ue0001"},
    "backslash": {NAME: "C:\\new\\table"},
    "tab": {NAME: "Muster\tGmbH"},
    "quotes and lines": {NAME: 'Muster "M"\nGmbH'},
    "no name": {NAME: ""},
    "no renewal": {"Registration.NextRenewalDate": ""},
    "date with an offset": {"Registration.NextRenewalDate": "2027-01-05T01:00:00+02:00"},
    "twenty characters that are no date": {"Registration.NextRenewalDate": "on the fifth of May!"},
    "too long for their columns": {"Entity.LegalJurisdiction": "D" * 99, "Entity.EntityStatus": "A" * 99},
    "type too long": {"Entity.OtherEntityNames.OtherEntityName.1": "B", f"{NAME}.xmllang": "x" * 99}
    | {"Entity.OtherEntityNames.OtherEntityName.1.type": "T" * 99},
    "events in groups": {f"{EVENTS}.group_id": "1", f"{EVENTS}.LegalEntityEventType": "CHANGE_LEGAL_NAME"},
}


def by_fields(cells):
    return lines_of("lei2", attributes_of("lei2", ((name, cells.get(name, "")) for name in WIDE)), STAMP)


def by_shape(cells):
    return ROWS([cells.get(name, "") for name in WIDE])


def read_as_copy(text):
    """Lines of COPY's text format as PostgreSQL's documentation describes it."""
    signs = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}

    def cell(text):
        return None if text == "\\N" else re.sub(r"\\(.)", lambda found: signs[found[1]], text)

    return [[*map(cell, line.split("\t"))] for line in text.removesuffix("\n").split("\n")]


@cases("odd", ODD.values())
def test_a_row_is_the_same_by_its_shape_and_by_its_fields(odd):
    cells = made_up_cells(20, Random(7)) | odd
    assert by_shape(cells) == by_fields(cells)


@given(st.dictionaries(st.sampled_from(WIDE[1:]), st.text(max_size=24), max_size=30), st.integers(0, 99))
def test_cells_of_any_kind_give_the_same_row(cells, number):
    cells = cells | {"LEI": made_up_cells(number, Random(number))["LEI"]}
    assert by_shape(cells) == by_fields(cells)


@cases("odd", ODD.values())
def test_the_lines_are_what_copy_reads(odd):
    cells = made_up_cells(20, Random(7)) | odd
    [record], names = map(read_as_copy, by_shape(cells))
    assert len(record) == 12
    assert record[:3] == [cells["LEI"], cells[NAME], cells["Entity.LegalJurisdiction"][:10]]
    assert json.loads(record[8]) == attributes_of("lei2", cells.items())
    assert record[9:] == [*STAMP]
    for lei, name, _, _, key in names:
        assert (lei, key) == (cells["LEI"], search_key(name))
        assert name in cells.values()


@pytest.mark.parametrize("lei", ["", "ABC", "00000000000000000000"])
def test_a_record_without_a_right_lei_is_none(lei):
    cells = made_up_cells(1, Random(1)) | {"LEI": lei}
    for make in (by_shape, by_fields):
        with pytest.raises(BadRecord):
            make(cells)


def test_relationships_and_exceptions_have_shapes_too():
    cells = made_up_relationship(3, Random(3))
    expected = lines_of("rr", attributes_of("rr", cells.items()), STAMP)
    assert CsvRows("rr", [*cells], STAMP)([*cells.values()]) == expected
    lei = made_up_cells(1, Random(1))["LEI"]
    cells = dict.fromkeys(exception_columns(), "") | {"LEI": lei, "Exception.Category": "DIRECT"}
    [line] = CsvRows("repex", [*cells], STAMP)([*cells.values()])
    assert read_as_copy(line) == [[lei, "DIRECT", "", "", *STAMP]]


def test_a_reporting_exception_that_is_gone_is_marked():
    header = ["LEI", "ExceptionCategory", "ExceptionReason", "Extension.DeletedAt"]
    lei = made_up_cells(1, Random(1))["LEI"]
    [line] = CsvRows("repex", header, STAMP)([lei, "DIRECT", "NON_PUBLIC", "2026-02-01T00:00:00Z"])
    assert read_as_copy(line) == [[lei, "DIRECT", "NON_PUBLIC", "", "gone", *STAMP[1:]]]
