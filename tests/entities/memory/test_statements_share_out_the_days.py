"""Whatever is said in whatever order: the current statements of one source never overlap, and the last is told."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from entities.memory.validity import meet
from entities.models import Statement
from tests.cases import cases

FIRST = date(2020, 1, 1)
SAID = datetime(2026, 3, 1, tzinfo=UTC)

days = st.integers(0, 20).map(lambda number: FIRST + timedelta(days=30 * number))
periods = st.tuples(st.none() | days, st.none() | days).filter(
    lambda period: None in period or period[0] < period[1]
)


def said(share, start=None, end=None, source="a", as_of=None, at=SAID):
    exact = Decimal(share)
    return Statement(
        property="owned-by",
        share_low=exact,
        share_high=exact,
        valid_from=start,
        valid_to=end,
        source_kind="document",
        source=source,
        as_of=as_of,
        recorded_from=at,
    )


def after(statements):
    """What is current when all of this was said, one after the other."""
    current = []
    for new in statements:
        meeting = meet(new, current, SAID.date())
        if meeting.known:
            continue
        ended = [old for old, _ in meeting.ends]
        current = [old for old in current if not any(old is gone for gone in ended)]
        current += [rest for _, remains in meeting.ends for rest in remains] + [new]
    return current


def holds(statement, day):
    begins = statement.valid_from is None or statement.valid_from <= day
    return begins and (statement.valid_to is None or statement.valid_to > day)


@given(st.lists(st.tuples(st.integers(1, 4), periods), max_size=8))
def test_one_source_says_one_thing_for_a_day(rows):
    current = after([said(10 * share, *period) for share, period in rows])
    for number in range(-1, 22):
        day = FIRST + timedelta(days=30 * number + 1)
        assert len([one for one in current if holds(one, day)]) <= 1


@given(st.lists(st.tuples(st.integers(1, 4), periods), min_size=1, max_size=8))
def test_what_was_said_last_is_told(rows):
    statements = [said(10 * share, *period) for share, period in rows]
    current = after(statements)
    share = 10 * rows[-1][0]
    assert any(one.share_low == share for one in current)
    for one in current:
        assert one.valid_from is None or one.valid_to is None or one.valid_from < one.valid_to


@given(
    st.lists(days, min_size=1, max_size=6, unique=True).flatmap(
        lambda d: st.tuples(st.just(d), st.permutations(d))
    )
)
def test_reports_of_several_sources_make_one_sequence_in_any_order(both):
    def sequence(order):
        current = after([said((day - FIRST).days % 97 + 1, day, source=str(day)) for day in order])
        assert not any(one.contradicts for one in current)
        return sorted((one.valid_from, one.valid_to or date.max, one.share_low) for one in current)

    given_order, another = both
    ends = [*sorted(given_order)[1:], date.max]
    told = sequence(given_order)
    assert told == sequence(another)
    assert [(start, end) for start, end, _ in told] == list(zip(sorted(given_order), ends, strict=True))


MARCH, MAY = date(2026, 3, 1), date(2026, 5, 1)


@cases(
    "first, then, told",
    [
        # a report that still speaks for a later day is not closed by an earlier beginning
        (
            {"start": FIRST, "as_of": MAY, "source": "a"},
            {"start": MARCH, "source": "b"},
            [(70, FIRST, None), (40, MARCH, None)],
        ),
        # one report after another
        (
            {"as_of": MARCH, "source": "a"},
            {"as_of": MAY, "source": "b", "at": datetime(2026, 6, 1, tzinfo=UTC)},
            [(70, None, MAY), (40, MAY, None)],
        ),
        # what came late is history, and the later one begins on the day for which it speaks
        (
            {"as_of": MAY, "source": "a"},
            {"as_of": MARCH, "source": "b", "at": datetime(2026, 6, 1, tzinfo=UTC)},
            [(40, None, MAY), (70, MAY, None)],
        ),
        # two that nobody dated
        ({"source": "a"}, {"source": "b"}, [(40, None, None), (70, None, None)]),
        # the same source on the same day corrects itself
        ({"source": "a"}, {"source": "a"}, [(40, None, None)]),
    ],
)
def test_two_that_cannot_both_be_true(first, then, told):
    current = after([said(70, **first), said(40, **then)])
    found = [(int(one.share_low), one.valid_from, one.valid_to) for one in current]
    assert sorted(found, key=str) == sorted(told, key=str)


def test_a_contradiction_names_the_other():
    current = after([said(70, source="a"), said(40, source="b")])
    [newer] = [one for one in current if one.share_low == 40]
    assert newer.contradicts is current[0]


@cases(
    "low, high, exact, fits",
    [(25, 50, 40, True), (25, 50, 50, True), (70, 100, 70, True), (71, 100, 70, False), (0, 69, 70, False)],
)
def test_a_band_fits_what_it_holds(low, high, exact, fits):
    band = said(low, source="b")
    band.share_high = Decimal(high)
    [*_, newest] = after([said(exact, source="a"), band])
    assert (newest.contradicts is None) is fits
