"""The three formats, plain or zipped, give the same rows."""

from itertools import product

import pytest

from bench.golden_file import columns, flat
from entities.gleif.golden.attributes import attributes_of as attributes_in
from entities.gleif.golden.files import name_facts
from entities.gleif.golden.formats import open_copy
from tests import cdf
from tests.cases import cases
from tests.register_files import (
    MORNING,
    attributes_of,
    exception_of,
    lei_of,
    relationship_of,
    rich_attributes,
)

RECORDS = {
    "lei2": [attributes_of(1), rich_attributes(2), attributes_of(3, "Tab\tund “Zitat”\\n")],
    "rr": [relationship_of(1, 2), relationship_of(3, 2, "IS_FUND-MANAGED_BY", deleted=True)],
    "repex": [exception_of(1), exception_of(2, deleted=True)],
}
HEADER = columns()


def read(path):
    with open_copy(path) as copy:
        return copy.kind, list(copy.rows)


@cases(("kind", "form"), [*product(RECORDS, ["csv", "json", "xml"])])
def test_every_format_gives_the_records(folder, kind, form):
    path = folder.file(RECORDS[kind], kind=kind, form=form)
    found, rows = read(path)
    assert found == kind
    assert [_without_order(row) for row in rows] == [_without_order(row) for row in read_json(folder, kind)]
    assert read(folder.zipped(path)) == (kind, rows)


def read_json(folder, kind):
    return read(folder.file(RECORDS[kind], kind=kind, form="json"))[1]


def _without_order(lines):
    """Keys of a document may come in another order."""
    return ["".join(sorted(line)) for line in lines]


def test_a_header_says_date_count_and_extent(folder):
    path = folder.file(RECORDS["lei2"], form="xml")
    with open_copy(path) as copy:
        assert (copy.publish_date, copy.full, copy.expected) == (MORNING, True, 3)


@pytest.mark.parametrize("change", [lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n")])
def test_a_mark_at_the_start_and_either_line_end_are_taken(folder, change):
    path = folder.file(RECORDS["lei2"])
    expected = read(path)
    text = path.read_text("utf-8")
    assert read(folder.text(change(text))) == expected


def test_line_ends_may_be_mixed_and_blank_lines_stand_anywhere(folder):
    lines = folder.file(RECORDS["lei2"][:2]).read_text("utf-8").splitlines()
    assert len(read(folder.text(f"{lines[0]}\r\n{lines[1]}\n\n{lines[2]}\r\n\r\n"))[1]) == 2


def test_columns_may_stand_in_any_order_and_unknown_ones_are_left_out(folder):
    path = folder.file(RECORDS["rr"], kind="rr")
    lines = [line.split(",") for line in path.read_text("utf-8").splitlines()]
    turned = "\n".join(
        ",".join(["New" if number == 0 else "1", *reversed(line)]) for number, line in enumerate(lines)
    )
    found, expected = read(folder.text(turned, "rr.csv"))[1], read(path)[1]
    assert [_without_order(row) for row in found] == [_without_order(row) for row in expected]


def test_the_older_format_names_one_successor_without_a_number(folder):
    row = {"LEI": lei_of(1), "Entity.LegalName": "A", "Entity.EntityStatus": "INACTIVE"}
    row |= {"Registration.RegistrationStatus": "RETIRED", "Entity.SuccessorEntity.SuccessorLEI": lei_of(2)}
    text = "\n".join(",".join(cells) for cells in (row.keys(), row.values()))
    assert read(folder.text(text))[1][0][0].split("\t")[7] == lei_of(2)


def test_a_row_of_csv_is_what_the_api_has():
    cells = flat(cdf.write_lei(rich_attributes(5)))
    assert attributes_in("lei2", ((name, cells.get(name, "")) for name in HEADER)) == rich_attributes(5)


@pytest.mark.parametrize(
    ("name", "kind", "scope"),
    [
        ("20260210-0800-gleif-goldencopy-lei2-golden-copy.csv.zip", "lei2", "full"),
        ("20260210-0800-gleif-goldencopy-rr-last-day.json", "rr", "LastDay"),
        ("20260210-0800-gleif-goldencopy-repex-intra-day.xml.zip", "repex", "IntraDay"),
        ("20260210-0800-gleif-goldencopy-lei2-last-month.xml", "lei2", "LastMonth"),
    ],
)
def test_the_publishers_name_says_what_a_file_is(name, kind, scope):
    facts = name_facts(name)
    assert (facts.kind, facts.scope, facts.publish_date) == (kind, scope, MORNING)


@pytest.mark.parametrize("name", ["lei.csv", "20269999-0800-gleif-goldencopy-lei2-golden-copy.csv"])
def test_a_name_that_gives_no_date_is_not_guessed_at(name):
    assert name_facts(name).publish_date is None
