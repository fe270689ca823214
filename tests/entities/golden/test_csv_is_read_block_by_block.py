"""A CSV file is cut into blocks between records, so that each block gives what csv reads of the whole file."""

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from entities.gleif.golden import formats
from entities.gleif.golden.files import BadFile

SIGNS = st.text(st.sampled_from('ab"\n\r,\\té '), max_size=6)
ROWS = st.lists(st.lists(SIGNS, min_size=3, max_size=3), max_size=6)


def as_csv(data):
    return [row for row in csv.reader(io.StringIO(data.decode(), newline=""), strict=True) if row]


@given(ROWS, st.sampled_from(["\n", "\r\n"]), st.integers(1, 40))
@example([['b",cd', "y", ""]], "\n", 3)
def test_no_record_is_cut_wherever_the_file_is(rows, end, size):
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator=end).writerows(rows)
    data = text.getvalue().encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formats, "BLOCK", size)
        found = [*formats.blocks(io.BytesIO(data))]
    assert b"".join(block for _, block in found) == data
    assert [row for _, block in found for row in as_csv(block)] == as_csv(data)
    lines = 1
    for before, block in found:
        assert before == lines
        lines += block.count(b"\n")


def test_a_quote_that_stays_open_is_no_reason_to_read_all_of_a_file(monkeypatch):
    monkeypatch.setattr(formats, "MAX_RECORD", 1_000)
    monkeypatch.setattr(formats, "BLOCK", 100)
    stream = io.BytesIO(b'"a","b","c"\n"' + b"x\n" * 10_000)
    with pytest.raises(BadFile, match="a quote is open for 1,"):
        list(formats.blocks(stream))
    assert stream.tell() < 2_000
