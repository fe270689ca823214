import sys

import pytest
from django.template import Context, Template

from common.program import typed


@pytest.mark.parametrize(
    ("checkout", "program", "commands"),
    [
        (True, "./manage.py", ["make serve", "./manage.py macros sync"]),
        (True, "/venv/bin/gunicorn", ["make serve", "./manage.py macros sync"]),
        (True, "/venv/bin/dossier", ["dossier up", "dossier macros sync"]),
        (False, "/venv/bin/dossier", ["dossier up", "dossier macros sync"]),
        (False, "/venv/bin/celery", ["dossier up", "dossier macros sync"]),
    ],
)
def test_it_names_the_program_that_is_there(settings, monkeypatch, checkout, program, commands):
    settings.CHECKOUT = checkout
    monkeypatch.setattr(sys, "argv", [program])
    assert [typed(command) for command in ("up", "macros sync")] == commands


def test_pages_name_it_too(settings):
    settings.CHECKOUT = False
    assert Template('{% typed "lei sync" %}').render(Context()) == "dossier lei sync"
