"""``manage.py doctor``: progress, a table, what to do, and an exit code."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from tests.entities.registers.fake import Reply

pytestmark = pytest.mark.django_db


def doctor(*arguments):
    """What it prints, and whether it ends with exit 1."""
    out = StringIO()
    try:
        call_command("doctor", *arguments, stdout=out, stderr=StringIO())
    except SystemExit as end:
        return out.getvalue(), end.code
    return out.getvalue(), 0


def test_it_asks_nobody_outside_when_it_is_told_so(house):
    text, code = doctor("--offline")
    assert (code, house.questions) == (0, [])
    assert "Not asked." in text


def test_what_is_broken_comes_first_and_is_exit_1(house):
    house.change = lambda path, body: Reply({}, 401) if path.startswith("/tavily") else body
    text, code = doctor()
    assert code == 1
    assert text.index("tavily") < text.index("What to do, the most urgent first")
    assert "  1. tavily: Look at TAVILY_API_KEY and the account behind it." in text


def test_it_speaks_json(house):
    text, code = doctor("--json", "--offline")
    document = json.loads(text)
    assert code == 0
    assert document["state"] == "warning"  # nobody can sign in here
    assert set(document["findings"][0]) == {"group", "name", "state", "seen", "todo", "seconds"}
    assert [one["group"] for one in document["findings"]].count("Registers") == 10
