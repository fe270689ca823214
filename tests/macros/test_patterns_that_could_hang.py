"""Patterns of macro files are run by a backtracking engine; those that could hang it are refused."""

import re
import time

from research.macros.patterns import pattern_fault
from tests.cases import cases


@cases(
    "pattern",
    [
        r"^[A-Z0-9]{20}$",
        r"^[A-Z]{2}(-[A-Z0-9]{1,3})?$",
        r"^[A-Z]+(-[A-Z]+)*$",
        r"^(?:[a-z]+\.)+$",
        r"^([A-Z]{2})+$",
        r"^(a|b)*$",
        r"^\d{4}-\d\d-\d\d$",
        r"^(yes|no|maybe)$",
        r"^(a+)?b(c+){2}$",
        r"[(+)+]+",
        r"\(a+\)+",
        r"a{,5}{",
        r"",
    ],
)
def test_it_takes_ordinary_patterns(pattern):
    assert pattern_fault(pattern) == ""


EXPLOSIVE = [
    r"^(a+)+$",
    r"^(a*)*$",
    r"^((a+))*$",
    r"^(a|a)*$",
    r"^(a|aa)+$",
    r"^(a|A)+$",
    r"^(\w|\d)+$",
    r"^(a?a?)*$",
    r"^(a{1,2})*$",
    r"^([a-z]{1,9}){12}$",
    r"^(a+){10,}$",
    r"^(?:a+)+$",
    r"^(?P<x>a+)+$",
    r"^(.*,?)*$",
    r"^(-[a-z-]+)*$",
    r"^([a-z]+(-[a-z]+)*)*$",
    r"^(a|)*$",
    r"^(a*)\1$",
]


@cases("pattern", EXPLOSIVE)
def test_it_refuses_what_can_take_exponential_time(pattern):
    assert "exponential time" in pattern_fault(pattern)


@cases("pattern", ["(", "[a", "*a", "(?P<x", "a{2,1}", "x" * 501])
def test_it_refuses_what_is_no_pattern_or_too_long(pattern):
    assert pattern_fault(pattern)


def test_what_it_takes_is_quick_on_hostile_text():
    pattern = re.compile(r"^[A-Z]+(-[A-Z]+)*$")
    assert pattern_fault(pattern.pattern) == ""
    started = time.perf_counter()
    assert not pattern.search("A" * 5_000 + "-" * 5_000 + "!")
    assert time.perf_counter() - started < 2
