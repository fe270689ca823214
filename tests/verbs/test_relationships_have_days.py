"""From when, until when, and for which day a source speaks: stated, kept with their precision, or refused."""

from datetime import date

import pytest

from entities.memory import RefusedWrite, last_day, read_day
from entities.models import Relationship, Statement
from tests.cases import cases

pytestmark = pytest.mark.django_db
OWN = '(ownership.record :owner-name "A" :owner-type "company" :owned-name "B" :percentage 70 {})'


@cases(
    "text, first, precision, last",
    [
        ("2025", "2025-01-01", "year", "2025-12-31"),
        ("2024-02", "2024-02-01", "month", "2024-02-29"),
        (" 2025-03-31 ", "2025-03-31", "day", "2025-03-31"),
        ("2026", "2026-01-01", "year", "2026-03-01"),
    ],
)
def test_a_day_is_read_as_exactly_as_it_is_stated(text, first, precision, last):
    assert read_day(text) == (date.fromisoformat(first), precision)
    assert last_day(text, date(2026, 3, 1)) == date.fromisoformat(last)


def test_days_are_kept_with_their_precision(do):
    do(OWN.format(':valid-from "2023-05" :valid-to "2025" :as-of "2024" :source "Annual report 2024"'))
    row = Statement.objects.get(property="owned-by")
    assert (row.valid_from, row.valid_from_precision) == (date(2023, 5, 1), "month")
    assert (row.valid_to, row.valid_to_precision) == (date(2025, 1, 1), "year")
    assert (row.as_of, row.source) == (date(2024, 12, 31), "Annual report 2024")
    assert Relationship.objects.get().valid_to == date(2025, 1, 1)


def test_other_relationships_have_days_too(do):
    do('(entity.ensure :entity-type "company" :name "A")(entity.ensure :entity-type "company" :name "B")')
    do('(entity.link :subject "a" :type "succeeded-by" :object "b" :valid-from "2025-06-30")')
    assert Relationship.objects.get().valid_from == date(2025, 6, 30)


@cases(
    "stated, why",
    [
        (
            ':valid-from "2025-02-01" :valid-to "2025-01-31"',
            "it cannot end on 2025-01-31, before it begins on 2025-02-01",
        ),
        (':valid-from "2999"', "it cannot hold from 2999-01-01 on: that day is in the future"),
        (':as-of "2999-01"', "2999-01 is in the future"),
    ],
)
def test_days_that_cannot_be_are_refused_and_nothing_is_written(do, stated, why):
    with pytest.raises(RefusedWrite, match=why):
        do(OWN.format(stated))
    assert not Relationship.objects.exists()
