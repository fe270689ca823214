"""Running a command as the shell would, without leaving the process."""

import io
import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.base import CommandError


@dataclass
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)

    @property
    def documents(self) -> list[Any]:
        """One JSON document a line."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(capsys, monkeypatch):
    """``run("lei", "check", LEI)`` gives the exit code and what was printed, as into a pipe."""
    monkeypatch.setenv("COLUMNS", "10000")

    def run(name: str, *arguments: str) -> Outcome:
        command = load_command_class(get_commands()[name], name)
        command._called_from_command_line = True
        out, err = io.StringIO(), io.StringIO()
        code = 0
        try:
            options = vars(command.create_parser("manage.py", name).parse_args(list(arguments)))
            command.stdout._out, command.stderr._out = out, err
            command.execute(*options.pop("args", ()), **options)
        except CommandError as error:
            code = error.returncode
            err.write(str(error))
        except SystemExit as error:
            code = int(error.code or 0)
        printed = capsys.readouterr()
        return Outcome(code, out.getvalue() + printed.out, err.getvalue() + printed.err)

    return run


@pytest.fixture
def admin(django_user_model):
    """The only superuser: who decides when nobody is named."""
    return django_user_model.objects.create_superuser("boss")
