import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.jsontext import JsonTextError, canonical_json, check_json, digest, parse_json, storable_json
from tests.cases import cases
from tests.factories import ResultFactory

REFUSED = {
    "NUL": '{"a": "x\\u0000y"}',
    "lone surrogate": '{"a": "\\ud800"}',
    "lone surrogate in a key": '{"\\udfff": 1}',
    "NaN": '{"a": NaN}',
    "Infinity": '{"a": -Infinity}',
    "overflow to infinity": '{"a": 1e400}',
    "float that jsonb would rewrite": '{"a": 1e22}',
    "integer beyond 64 bits": '{"a": 9223372036854775808}',
    "integer of 5000 digits": '{"a": ' + "9" * 5000 + "}",
    "nested 100 000 deep": "[" * 100_000 + "]" * 100_000,
    "unclosed and deep": '{"a":' * 100_000,
    "key twice": '{"a": 1, "a": 2}',
    "cut off": '{"a": [1, 2',
    "two documents": "{} {}",
    "nothing": "",
}


@cases("text", REFUSED.values())
def test_it_refuses_with_a_sentence(text):
    with pytest.raises(JsonTextError) as caught:
        parse_json(text)
    assert caught.value.message


def test_it_says_where_the_text_is_at_fault():
    with pytest.raises(JsonTextError) as caught:
        parse_json('{"a": 1,\n  oops}')
    assert (caught.value.line, caught.value.column) == (2, 3)


@cases("text", ['"[[[[{{{{"', '{"a": "\\"[[[["}', "[[1, 2], {}]", "9007199254740993", "-0.0"])
def test_it_takes_what_only_looks_dangerous(text):
    assert parse_json(text, max_depth=3) == json.loads(text)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(-1e15, 1e15)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_it_takes_or_refuses_a_value_as_it_does_its_text(value):
    def verdict(call, argument):
        try:
            call(argument)
        except JsonTextError:
            return "refused"
        return "taken"

    assert verdict(check_json, value) == verdict(parse_json, json.dumps(value))


@given(values)
def test_it_gives_equal_values_one_text(value):
    assert canonical_json(json.loads(canonical_json(value))) == canonical_json(value)


def test_it_cleans_text_from_outside():
    assert storable_json({"a\0": ["x\ud800"]}) == {"a": ["x?"]}


@cases("number", [float("nan"), float("inf"), -float("inf"), 1e300, 2**64, -(2**70)])
def test_it_writes_a_number_from_outside_that_no_database_keeps_as_text(number):
    assert storable_json([number, True, 1.5]) == [str(number), True, 1.5]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "data",
    [
        {"n": 9007199254740993, "f": 1.0, "t": 0.1, "small": 1e-7, "neg": -0.0, "big": 123456789012345.6},
        {"b": 1, "aa": 2, "a": {"ü": "\u2028\U0001f600", "": None}},
    ],
)
def test_the_digest_survives_the_database(data):
    result = ResultFactory(data=data)
    stored = type(result).objects.get(pk=result.pk)
    assert digest(stored.data) == result.digest
