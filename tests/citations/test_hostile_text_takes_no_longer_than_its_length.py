"""No pattern is super-linear: sixteen times the text takes sixteen times the steps, not two hundred and fifty-six."""

import time

from bench.hostile_text import patterns, repeated
from citations.extract import extract
from tests.cases import cases

SHORT, TIMES = 2_000, 16
MOST = 5 * TIMES
"""Quadratic behaviour would be three times as much; what a machine does besides stays far below."""


def seconds(text: str) -> float:
    """Of this processor, the best of three."""
    best = 1e9
    for _ in range(3):
        begin = time.process_time()
        extract(text)
        best = min(best, time.process_time() - begin)
    return best


@cases("pieces", tuple(patterns(100, seed=7)), ids=lambda pieces: "".join(pieces)[:40])
def test_it_reads_hostile_text_in_linear_time(pieces: tuple[str, ...]):
    short = max(seconds(repeated(pieces, SHORT)), 2e-4)
    assert seconds(repeated(pieces, SHORT * TIMES)) / short < MOST
