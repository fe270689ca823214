"""No pattern is super-linear: sixteen times the text takes sixteen times the steps, not two hundred and fifty-six."""

import time

from bench.hostile_text import patterns, repeated
from citations.extract import extract
from tests.cases import cases

SHORT, TIMES = 2_000, 16
MOST = 5 * TIMES
"""Quadratic behaviour would be three times as much; what a machine does besides stays far below."""


def seconds(text: str) -> float:
    """Of this processor."""
    begin = time.process_time()
    extract(text)
    return time.process_time() - begin


@cases("pieces", tuple(patterns(100, seed=7)), ids="".join)
def test_it_reads_hostile_text_in_linear_time(pieces: tuple[str, ...]):
    short, long = repeated(pieces, SHORT), repeated(pieces, SHORT * TIMES)
    least = max(min(seconds(short) for _ in range(3)), 2e-4)
    assert any(
        seconds(long) / least < MOST for _ in range(3)
    )  # one measurement may be disturbed, three are not
