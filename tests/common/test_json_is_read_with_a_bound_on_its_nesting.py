"""Text from outside may hold any number of brackets; what reads it gives a value or says that it is too deep."""

import json
import threading
from pathlib import Path

import pytest

from common.bounded_json import MAX_DEPTH, TooDeep, load_json, refuse_deep
from entities.markets.values import parse
from entities.registers.errors import RegisterBadAnswer
from entities.registers.http import Answer
from research.jsontext import JsonTextError
from research.llm.answer_json import read_json
from research.llm.wire import read_call
from tests.cases import cases

SHAPES = {
    "lists": ("[", "1", "]"),
    "objects": ('{"a":', "1", "}"),
    "single quotes": ("{'a':", "1", "}"),
    "never closed": ("[", "", ""),
    "a fence": ("```json\n[", "1", "]\n```"),
    "words around": ("The answer: [", "1", "] as asked."),
    "a quote between": ('["a" b" [', "1", "]]"),
}


def deep(shape: str, depth: int) -> str:
    opens, inside, closes = SHAPES[shape]
    return opens * depth + inside + closes * depth


@cases("shape", SHAPES)
@cases("depth", [MAX_DEPTH + 1, 1_000, 100_000])
def test_what_a_model_wrote_is_a_bad_answer_however_deep_it_is(shape, depth):
    with pytest.raises(JsonTextError):
        read_json(deep(shape, depth))


def test_it_is_one_in_a_thread_and_at_the_end_of_the_stack_too():
    seen = []

    def down(levels):
        if levels:
            return down(levels - 1)
        with pytest.raises(JsonTextError) as caught:
            read_json(deep("lists", 100_000))
        return seen.append(caught.value)

    thread = threading.Thread(target=down, args=(700,))
    thread.start()
    thread.join()
    assert len(seen) == 1


def test_a_call_with_such_arguments_is_answered_with_that_fault():
    nested: object = 1
    for _ in range(MAX_DEPTH + 1):
        nested = {"a": nested}
    written = f'{{"query": {deep("lists", 100_000)}}}'
    for arguments in (nested, written):
        call = read_call("1", "web_search", arguments)
        assert "nested deeper" in call.fault
        assert call.arguments == {}


def test_sources_that_answer_so_have_given_a_bad_answer():
    body = deep("lists", 100_000).encode()
    with pytest.raises(RegisterBadAnswer):
        Answer(body).json()
    with pytest.raises(ValueError, match="nested deeper"):
        parse(body)


@cases(
    ("text", "fits"),
    [
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, True),
        ("[" * MAX_DEPTH + "[]" + "]" * MAX_DEPTH, False),
        (json.dumps("[" * 100_000), True),
        (json.dumps({'a"[': ["\\", "[[[" * 1_000, '\\"']}), True),
        (json.dumps([[1], {"b": [2]}] * 10_000), True),
        ('"' + "\\\\" * 10_000 + "[" * 10_000, True),  # a string that never ends is the parser's to refuse
    ],
)
def test_only_brackets_outside_of_strings_count(text, fits):
    if fits:
        refuse_deep(text)
    else:
        with pytest.raises(TooDeep) as caught:
            refuse_deep(text)
        assert caught.value.line == 1


@cases("body", ['{"ä": [1]}'.encode(), '{"ä": [1]}'.encode("utf-16"), b'\xef\xbb\xbf{"\xc3\xa4": [1]}'])
def test_bytes_are_read_as_the_standard_library_reads_them(body):
    assert load_json(body) == json.loads(body) == {"ä": [1]}


def test_nothing_else_reads_json_from_outside():
    """The linter refuses ``json.loads``; it must go on doing so."""
    rules = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert '"TID251"' in rules
    assert '"json.loads".msg' in rules
