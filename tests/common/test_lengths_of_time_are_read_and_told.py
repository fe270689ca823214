import pytest
from hypothesis import given
from hypothesis.strategies import integers

from common.durations import NotADuration, in_words, roughly, seconds_in
from tests.cases import cases


@cases(
    ("text", "seconds"),
    [
        ("7 days", 604_800),
        ("1 day", 86_400),
        ("12 h", 43_200),
        ("12h", 43_200),
        ("1 hour 30 minutes", 5_400),
        ("1d12h", 129_600),
        ("2 weeks", 1_209_600),
        ("1.5 hours", 5_400),
        ("1,5 h", 5_400),
        (" 30  MIN. ", 1_800),
        ("1 day, 2 hrs and 3 mins", 93_780),
        ("90 secs", 90),
    ],
)
def test_it_reads_what_people_write(text, seconds):
    assert seconds_in(text) == seconds


@cases(
    ("text", "words"),
    [
        ("600", "600 days, 600 h or 600 min"),
        ("", "is no length of time"),
        ("soon", "is no length of time"),
        ("-1 day", "is no length of time"),
        ("3 moons", "“moons” is no unit of time"),
        ("1 month", "“month” is no unit of time"),
        ("0.1 s", "whole seconds"),
        ("1 day and then some", "is no length of time"),
        ("500 ms", "“ms” is no unit of time"),
        ("7,000 days", "is no length of time"),
        ("1.000 hours", "is no length of time"),
    ],
)
def test_it_refuses_the_rest_with_a_sentence(text, words):
    with pytest.raises(NotADuration, match=words):
        seconds_in(text)


@given(integers(min_value=0, max_value=10**9))
def test_what_it_tells_it_reads_again(seconds):
    assert seconds_in(in_words(seconds)) == seconds


@cases(
    ("seconds", "exactly", "rough"),
    [
        (604_800, "7 days", "7 days"),
        (5_400, "1 hour 30 minutes", "1.5 hours"),
        (60, "1 minute", "1 minute"),
        (45, "45 seconds", "45 seconds"),
        (0, "0 seconds", "0 seconds"),
    ],
)
def test_it_tells_all_of_it_or_about_how_long(seconds, exactly, rough):
    assert (in_words(seconds), roughly(seconds)) == (exactly, rough)
