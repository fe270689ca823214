"""Dates of birth: prefixes and ranges, never a day that nobody stated."""

from hypothesis import given
from hypothesis import strategies as st

from entities.screening.dates import compare_dates, join_date, read_date, span_of
from tests.cases import cases


@cases(
    ("text", "read"),
    [
        ("03 Mar 1972", "1972-03-03"),
        ("Mar 1972", "1972-03"),
        ("1972", "1972"),
        ("circa 1971", "1971~"),
        ("1970 to 1975", "1970/1975"),
        ("01 Jan 1961 to 31 Dec 1963", "1961-01-01/1963-12-31"),
        ("dd/mm/1965", "1965"),
        ("00/00/1975", "1975"),
        ("dd/04/1965", "1965-04"),
        ("07/10/1952", "1952-10-07"),
        ("1961-02-03Z", "1961-02-03"),
        ("1961-02-03-05:00", "1961-02-03"),
        ("1937-04-28T00:00:00", "1937-04-28"),
        ("31/02/1970", "1970"),
        ("in his fifties", ""),
        ("", ""),
    ],
)
def test_it_reads_what_lists_write(text, read):
    assert read_date(text) == read


@cases(
    ("ours", "theirs", "relation"),
    [
        (["1972-03-03"], ["1972"], "the same"),
        (["1972-03-03"], ["1970/1975"], "the same"),
        (["1973"], ["1971~"], "the same"),
        (["1972-03-03"], ["1972-03-04"], "one day apart"),
        (["1972-03-08"], ["1972-08-03"], "day and month swapped"),
        (["1972-01-01"], ["1972-08-03"], "the same"),
        (["1972-05-05"], ["1972-08-03"], "another day of the same year"),
        (["1980"], ["1972-08-03"], "another year"),
        (["1980"], ["1972", "1980-01"], "the same"),
        ([], ["1972"], "not known on both sides"),
    ],
)
def test_it_compares_at_the_coarser_precision(ours, theirs, relation):
    assert compare_dates(ours, theirs)[0] == relation


@given(st.text(max_size=30))
def test_whatever_is_written_gives_a_date_or_none(text):
    read = read_date(text)
    assert read == "" or span_of(read) is not None or "/" in read


@given(st.integers(1000, 2999), st.integers(0, 13), st.integers(0, 32))
def test_parts_never_become_a_day_that_was_not_stated(year, month, day):
    joined = join_date(year, month, day)
    assert joined.startswith(str(year))
    assert len(joined) <= (4 if not 1 <= month <= 12 else 7 if not day else 10)
