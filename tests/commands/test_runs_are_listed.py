import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from research.models import Run
from tests.factories import MacroFactory, ResultFactory, RunFactory

pytestmark = pytest.mark.django_db


def listed(*options):
    out = StringIO()
    call_command("research", "list", *options, stdout=out)
    return out.getvalue()


@pytest.fixture
def runs():
    """An old failed run, a new succeeded one with its result, and one that works for it."""
    old = RunFactory(state="failed", macro=MacroFactory(name="ubo"))
    Run.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=3))
    new = ResultFactory(run__state="succeeded").run
    return old, new, RunFactory(parent=new, state="succeeded")


def test_it_shows_the_newest_first_with_the_result(runs):
    old, new, child = runs
    lines = listed().splitlines()
    assert [line.split()[0] for line in lines] == [str(new.pk)[:8], str(old.pk)[:8]]
    assert str(new.result.pk)[:8] in lines[0]
    assert str(child.pk)[:8] not in listed()
    assert str(child.pk)[:8] in listed("--all")


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--state", "failed"], [0]),
        (["--state", "failed", "--state", "succeeded"], [1, 0]),
        (["--macro", "ubo"], [0]),
        (["--since", "2 days"], [1]),
        (["--since", "2020-01-01"], [1, 0]),
        (["--since", "2020-01-01T10:00:00+01:00"], [1, 0]),
        (["--limit", "1"], [1]),
    ],
)
def test_it_narrows(runs, options, found):
    documents = [json.loads(line) for line in listed("--json", *options).splitlines()]
    assert [document["id"] for document in documents] == [str(runs[at].pk) for at in found]


@pytest.mark.parametrize(
    "options",
    [
        ["--state", "done"],
        ["--since", "yesterday-ish"],
        ["--since", "2026-13-40"],
        ["--limit", "0"],
        ["--limit", "x"],
    ],
)
def test_it_refuses_what_it_does_not_know(run, options):
    assert run("research", "list", *options).code == 2


def test_an_empty_list_says_what_to_do(db):
    assert "manage.py research run" in listed()
    RunFactory()
    assert "leave out" in listed("--state", "failed")
    assert "manage.py macros list" in listed("--macro", "nosuch")


def test_an_empty_list_is_no_line_for_programs(db):
    assert listed("--json") == ""
