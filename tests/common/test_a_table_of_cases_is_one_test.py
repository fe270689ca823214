import os

import pytest

from entities.models import Entity
from tests.cases import cases
from tests.factories import EntityFactory


def failure(test, **fixtures) -> list[str]:
    with pytest.raises(AssertionError) as failed:
        test(**fixtures)
    return str(failed.value).splitlines()


def test_it_tries_every_row_and_tells_those_that_fail():
    seen = []

    @cases(("number", "half"), [(2, 1), (3, 1), pytest.param(5, 2, id="five"), (6, 3), (0, 0)])
    def divides(number, half):
        seen.append(number)
        assert half * 2 == number
        assert 6 / number

    assert failure(divides) == [
        "3 of 5 rows failed",
        "[1] 3, 1: AssertionError: assert (1 * 2) == 3",
        "[2] five: AssertionError: assert (2 * 2) == 5",
        "[4] 0, 0: ZeroDivisionError: division by zero",
    ]
    assert seen == [2, 3, 5, 6, 0]


def test_it_tells_twenty_rows_at_most():
    @cases("number", range(100))
    def never(number):
        assert not number + 1

    first, *rows = failure(never)
    assert first == "100 of 100 rows failed"
    assert [row.split(":")[0] for row in rows] == [f"[{n}] {n}" for n in range(20)]


def test_an_error_that_does_not_come_is_a_failure_of_its_row():
    @cases("text", ["x", "1"], ids=str)
    def refuses(text):
        with pytest.raises(ValueError, match="invalid literal"):
            int(text)

    assert failure(refuses)[1].startswith("[1] 1: Failed: DID NOT RAISE")


def test_tables_on_top_of_each_other_are_one():
    @cases("digit", "12")
    @cases(("small", "large"), [("a", "A"), pytest.param("b", "C", id="the second letter")])
    def matches(digit, small, large):
        assert (small.upper(), digit) == (large, digit)

    first, *rows = failure(matches)
    assert first == "2 of 4 rows failed"
    named = [row.split(":")[0] for row in rows if row.startswith("[")]
    assert named == ["[0] '1' [1] the second letter", "[1] '2' [1] the second letter"]


@pytest.mark.parametrize("rows", [[], [pytest.param(1, marks=pytest.mark.skip)]])
def test_a_table_that_would_try_nothing_is_refused(rows):
    with pytest.raises(AssertionError):
        cases("number", rows)


@pytest.mark.django_db
def test_a_row_finds_what_fixtures_wrote_and_nothing_of_other_rows():
    EntityFactory(name="of a fixture")

    @cases("name", ["first", "second"])
    def writes(name):
        EntityFactory(name=name)
        assert {entity.name for entity in Entity.objects.all()} == {"of a fixture", name}

    writes()
    assert Entity.objects.count() == 1


@pytest.fixture(params=["a", "b"])
def letter(request):
    return request.param


@cases("digit", "12")
@cases(("small", "large"), [("a", "A"), pytest.param("b", "B", id="the second letter")])
def test_tables_and_fixtures_go_together(letter, digit, small, large, tmp_path):
    assert small.upper() == large
    assert letter + digit in {"a1", "a2", "b1", "b2"}
    assert tmp_path.is_dir()


def test_a_row_finds_no_setting_and_no_patch_of_other_rows(settings, monkeypatch):
    monkeypatch.setenv("ROW", "of a fixture")

    @cases("name", ["first", "second"])
    def sets(name, settings, monkeypatch):
        assert (os.environ["ROW"], hasattr(settings, "ROW")) == ("of a fixture", False)
        settings.ROW = name
        monkeypatch.setenv("ROW", name)

    sets(settings=settings, monkeypatch=monkeypatch)
    assert (os.environ["ROW"], hasattr(settings, "ROW")) == ("of a fixture", False)
