"""How Dossier's commands are typed where it runs: in a checkout with make and manage.py, elsewhere as ``dossier``."""

import sys
from pathlib import Path

from django.conf import settings
from django.template import Library

register = Library()  # a builtin of all templates: {% typed "macros sync" %}


@register.simple_tag
def typed(command: str) -> str:
    """``command`` as a person types it here: ``dossier up``, or ``make serve`` in a checkout."""
    if not settings.CHECKOUT or Path(sys.argv[0]).name == "dossier":
        return f"dossier {command}"
    return "make serve" if command == "up" else f"./manage.py {command}"
