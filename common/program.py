"""How Dossier's commands are typed where it runs: in a checkout with make and manage.py, elsewhere as ``dossier``."""

import sys
from pathlib import Path

from django.conf import settings
from django.template import Library

VERSION = "0.1.0"  # of Dossier; pyproject.toml takes it from here
TARGETS = {"demo": "demo", "seed": "seed", "shell": "shell", "up": "serve"}  # of make

register = Library()  # a builtin of all templates: {% typed "macros sync" %}


def installed() -> bool:
    """Whether Dossier runs as the program ``dossier``, and not in a checkout with make and manage.py."""
    return not settings.CHECKOUT or Path(sys.argv[0]).name == "dossier"


@register.simple_tag
def typed(command: str) -> str:
    """``command`` as a person types it here: ``dossier up``, or ``make serve`` in a checkout."""
    if installed():
        return f"dossier {command}"
    name, _, arguments = command.partition(" ")
    return f"make {TARGETS[name]} {arguments}".rstrip() if name in TARGETS else f"./manage.py {command}"


@register.simple_tag
def program_version() -> str:
    return VERSION
