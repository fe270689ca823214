import json
import os
import sys

import pytest
from django.core.management import load_command_class
from django.db import OperationalError

pytestmark = pytest.mark.django_db

COMMANDS = ["macros", "research", "verbs", "lei", "entities", "registers", "audit"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("arguments", [[], ["dance"], ["--nonsense"]])
def test_it_exits_with_2_for_a_command_line_that_is_wrong(run, command, arguments):
    outcome = run(command, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["research", "run", "m", "a=b", "--autonomy", "reckless"], "balanced"),
        (["research", "run", "m", "--depth", "abyss"], "quick"),
        (["research", "run", "m", "--budget-usd", "lots"], "lots"),
        (["research", "run", "m", "--budget-usd", "-1"], "0 or more"),
        (["research", "run", "m", "--budget-usd", "nan"], "0 or more"),
        (["research", "memo", "1234", "--format", "papyrus"], "html"),
        (["research", "memo", "1234", "--language", "la"], "fr"),
        (["research", "reject", "1234"], "--reason"),
        (["lei", "search", "x", "--register", "phone book"], "demo"),
        (["lei", "check"], "LEI"),
        (["macros", "lint"], "PATH"),
    ],
)
def test_it_says_what_would_be_allowed(run, arguments, word):
    outcome = run(*arguments)
    assert outcome.code == 2
    assert word in outcome.err


def test_it_takes_json_before_and_after_the_action(run):
    assert run("audit", "--json", "verify").document == run("audit", "verify", "--json").document


def test_it_refuses_in_json_too(run):
    outcome = run("entities", "show", "nobody", "--json")
    assert outcome.code == 1
    assert outcome.document["error"]["code"] == "not-found"
    assert "nobody" in outcome.err


def test_it_shows_hostile_text_of_a_refusal_as_text(run):
    outcome = run("entities", "show", "\x1b[2J\u202eevil")
    assert "\x1b" not in outcome.err
    assert "\u202e" not in outcome.err


def test_it_prints_json_that_no_terminal_acts_on(run):
    outcome = run("entities", "resolve", "\x9b31m", "--json")
    assert outcome.out.isascii()
    assert json.loads(outcome.out)["entity"] is None


def test_it_says_how_to_set_up_a_database_that_is_empty(run, monkeypatch):
    def fail(*args):
        raise OperationalError("no such table: research_auditevent")

    monkeypatch.setattr("research.management.commands.audit.verify_trail", fail)
    outcome = run("audit", "verify")
    assert outcome.code == 1
    assert "manage.py migrate" in outcome.err


def test_it_ends_quietly_when_the_reader_goes_away(monkeypatch):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        command = load_command_class("research", "verbs")
        with pytest.raises(SystemExit) as caught:
            command.execute(**vars(command.create_parser("manage.py", "verbs").parse_args(["catalogue"])))
        sys.stdout.write("what Python still had to write at exit")
    assert caught.value.code == 1
