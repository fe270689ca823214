"""Where a trial runs: an empty Dossier on SQLite or on a PostgreSQL of its own, gone when the trial is over."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.servers import postgres


@dataclass
class Told:
    """What came of some trials: what was wrong in words, one a trial, and how long each waited in seconds."""

    trials: int
    wrong: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    note: str = ""


def prepare() -> None:
    """Django in this process, an empty database with tables, macros and the one person who does everything."""
    import django

    django.setup()
    from django.core.management import call_command

    from research.services.macros import sync_macros
    from research.services.people import ensure_admin

    call_command("migrate", verbosity=0)
    sync_macros()
    ensure_admin()


@contextmanager
def folder() -> Iterator[dict[str, str]]:
    """Variables of a Dossier with a folder of its own; SQLite is in it."""
    with tempfile.TemporaryDirectory(prefix="bench-faults-") as name:
        yield {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DOSSIER_VAR": name,
            "DOSSIER_REGISTER": "demo",
            "DOSSIER_MODEL": "register",
            "DOSSIER_LOG_LEVEL": "ERROR",
            "DATABASE_URL": "",
            "REDIS_URL": "",
        }


@contextmanager
def on_postgresql() -> Iterator[dict[str, str]]:
    with folder() as variables, postgres() as server:
        yield {**variables, "DATABASE_URL": server.url}


DATABASES = {"sqlite": folder, "postgresql": on_postgresql}


def use(variables: dict[str, str]) -> None:
    """This process, and whom it starts, are that Dossier from now on."""
    os.environ |= variables
    prepare()
