"""What processes make of CSV for PostgreSQL's COPY is what the rows hold, by the short way as by the long one."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.golden_file import columns, made_up_cells
from entities.gleif.golden.columns import Header
from entities.gleif.golden.rows import BadRecord, CsvRows
from entities.gleif.golden.texts import CsvTexts
from entities.gleif.golden.values import lines, values
from tests.cases import cases

STAMP = ("local", "2026-02-10T08:00:00Z", "2026-02-10T09:00:00+00:00")
WIDE = columns()
ROWS, TEXTS = CsvRows("lei2", Header(WIDE)), CsvTexts("lei2", Header(WIDE), STAMP)
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


def short(row):
    """As a row whose cells are looked at alone is read."""
    filled = [place for place, cell in enumerate(row) if cell]
    cells = [row[place] for place in filled]
    plain = not any(sign < " " or sign == "\\" for cell in cells for sign in cell)
    return TEXTS.filling(tuple(filled))([cell.replace('"', "”") for cell in cells], plain)


def long(row):
    return tuple(lines(table) for table in values("lei2", [ROWS(row)], STAMP))


def row_of(cells):
    return [cells.get(name, "") for name in WIDE]


@cases("odd", ODD.values())
def test_a_row_gives_the_same_text_either_way(odd):
    row = row_of(made_up_cells(20, Random(7)) | odd)
    assert TEXTS(row) == long(row)
    assert short(row) == long([cell.replace('"', "”") for cell in row])


@given(st.dictionaries(st.sampled_from(WIDE[1:]), st.text(max_size=24), max_size=30), st.integers(0, 99))
def test_cells_of_any_kind_give_the_same_text_either_way(cells, number):
    lei = made_up_cells(number, Random(number))["LEI"]
    row = row_of(cells | {"LEI": lei})
    assert TEXTS(row) == long(row)
    assert short(row) == long([cell.replace('"', "”") for cell in row])


@pytest.mark.parametrize("lei", ["", "ABC", "00000000000000000000"])
def test_a_record_without_a_right_lei_is_none(lei):
    row = row_of(made_up_cells(1, Random(1)) | {"LEI": lei})
    with pytest.raises(BadRecord):
        TEXTS(row)
    with pytest.raises(BadRecord):
        short(row)


def test_a_reporting_exception_that_is_gone_is_marked():
    header = Header(["LEI", "ExceptionCategory", "ExceptionReason", "Extension.DeletedAt"])
    lei = made_up_cells(1, Random(1))["LEI"]
    texts = CsvTexts("repex", header, STAMP)([lei, "DIRECT", "NON_PUBLIC", "2026-02-01T00:00:00Z"])
    assert [text.rstrip("\n").split("\t") for text in texts] == [
        [lei, "DIRECT", "NON_PUBLIC", "", "gone", *STAMP[1:]]
    ]
