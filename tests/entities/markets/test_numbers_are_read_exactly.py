"""Numbers of sources: exact, bounded, and None when they are none."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.markets.values import amount, count, number, parse, percent, plain, shifted, whole
from tests.cases import cases

NO_NUMBER = [None, True, False, "", "abc", "1,5", "0x10", "NaN", "Infinity", "1e999", "9" * 61, [], {}, "１"]


@cases("value", NO_NUMBER)
def test_what_is_no_number_is_none(value):
    assert number(value) is None


@cases("body", [b"NaN", b"Infinity", b"1e999999999999", b"9" * 5_000, b"-1e400"])
def test_a_body_with_an_absurd_number_is_read_without_it(body):
    assert parse(b'{"a": ' + body + b', "b": 1}') == {"a": None, "b": 1}


@cases(("value", "read"), [("12.50", "12.5"), (" 7 ", "7"), (1, "1"), ("1e3", "1000"), ("-2", "-2")])
def test_a_number_may_be_written_as_text(value, read):
    assert plain(number(value)) == read


@pytest.mark.parametrize("value", [-1, "-0.1", Decimal(-5)])
def test_an_amount_is_never_negative(value):
    assert amount(value) is None


@pytest.mark.parametrize("value", ["1.5", Decimal("0.1"), -1])
def test_a_count_is_whole(value):
    assert count(value) is None


@given(st.integers(min_value=0, max_value=10**59), st.integers(min_value=0, max_value=255))
def test_raw_amounts_keep_every_digit(raw, decimals):
    found = whole(raw, decimals)
    assert found is not None
    assert int(shifted(found, decimals)) == raw
    assert "e" not in (plain(found) or "").lower()


@pytest.mark.parametrize(("part", "of"), [("1", "0"), ("1e59", "1e-59")])
def test_a_share_that_says_nothing_is_none(part, of):
    assert percent(Decimal(part), Decimal(of)) is None


@cases("body", [b"", b"<html>", b'{"a": ', b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_refused(body):
    with pytest.raises(ValueError, match=r"Expecting|nested|decode"):
        parse(body)
