"""The command line: what ``manage.py`` runs in a checkout and ``dossier`` where Dossier is installed."""

import os
import sys
from importlib import import_module
from platform import python_version

from django import get_version
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command; a setting that is wrong ends with one sentence and exit code 1, whatever the command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        import_module(os.environ["DJANGO_SETTINGS_MODULE"])
    except ImproperlyConfigured as error:
        sys.exit(f"dossier: {error}")
    if sys.argv[1:] in (["version"], ["--version"]):  # Django would tell its own
        from common.program import VERSION

        sys.stdout.write(f"Dossier {VERSION} (Django {get_version()}, Python {python_version()})\n")
        return
    execute_from_command_line(sys.argv)
