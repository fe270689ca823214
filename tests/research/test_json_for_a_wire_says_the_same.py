"""The quick text of a value, for a wire, says what the value says."""

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.jsontext import compact_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_it_is_read_as_the_same_value(value):
    assert json.loads(compact_json(value)) == value


@given(st.dictionaries(st.text(), st.integers()))
def test_it_has_its_keys_in_their_order_or_in_the_one_of_the_alphabet(value):
    assert list(json.loads(compact_json(value))) == list(value)
    assert list(json.loads(compact_json(value, sort_keys=True))) == sorted(value)


def test_it_has_no_blanks_and_no_escapes():
    assert compact_json({"a": ["ü", 1]}) == '{"a":["ü",1]}'.encode()


@pytest.mark.parametrize("number", [2**64, -(2**70), 10**400])
def test_it_writes_an_integer_of_any_size(number):
    assert compact_json([number]) == f"[{number}]".encode()


def test_it_writes_moments_and_keys_and_what_it_is_told_to_write():
    value = [datetime(2026, 1, 2, 3, 4, 5, 600, UTC), UUID(int=1), {1, 2}]
    written = '["2026-01-02T03:04:05.000600+00:00","00000000-0000-0000-0000-000000000001",[1,2]]'
    assert compact_json(value, sorted) == written.encode()


def test_it_refuses_half_of_a_surrogate_pair():
    with pytest.raises(UnicodeEncodeError):
        compact_json({"a": "\ud800"})


def test_it_refuses_what_it_cannot_write():
    with pytest.raises(TypeError):
        compact_json([object()])
