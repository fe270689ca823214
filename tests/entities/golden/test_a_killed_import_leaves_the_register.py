"""Imports in processes of their own, killed without warning or run side by side: the register is the old or the new."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from tests.register_files import Folder, attributes_of

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW, NEXT = ["Alt 1 AG", "Alt 2 AG"], [f"Neu {number} AG" for number in range(1, 7)], ["Danach AG"]
BEFORE = [
    "tables made",
    "half staged",
    "all staged",
    "indexes made",
    "tables exchanged, not committed",
]
POSTGRESQL = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="only PostgreSQL's import has processes that read"
)


class House:
    """A register that several processes have to themselves."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.files, self.env = Folder(folder), {**os.environ, **env}

    def start(self, names: list[str], point: str = "") -> "subprocess.Popen[str]":
        records = [attributes_of(number, name) for number, name in enumerate(names, start=1)]
        file = self.files.file(records, name=f"{names[0]}.csv")
        command = [sys.executable, "-m", "tests.entities.golden.importer", str(file), point]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, env=self.env, cwd=settings.BASE_DIR, text=True, stdin=pipe, stdout=pipe, stderr=pipe
        )

    def load(self, names: list[str], point: str = "") -> tuple[int, str]:
        """(exit code, what it said)"""
        process = self.start(names, point)
        _, said = process.communicate(timeout=120)
        return process.returncode, said

    def ask(self, sql: str) -> list[str]:
        if "DATABASE_URL" in self.env:
            with connection.cursor() as cursor:
                cursor.execute(sql)
                return [row[0] for row in cursor.fetchall()]
        [path] = Path(self.env["DOSSIER_VAR"]).glob("*.sqlite3")
        with sqlite3.connect(path) as database:
            return [row[0] for row in database.execute(sql)]

    @property
    def names(self) -> list[str]:
        records = self.ask("SELECT legal_name FROM entities_leirecord ORDER BY lei")
        assert self.ask("SELECT name FROM entities_leiname ORDER BY lei") == records
        return records

    @property
    def states(self) -> list[str]:
        return self.ask("SELECT state FROM entities_goldencopyimport ORDER BY id")


@pytest.fixture(scope="module")
def empty_sqlite(tmp_path_factory):
    """A migrated database in a file: that of the tests is in memory, where no other process sees it."""
    folder = tmp_path_factory.mktemp("empty")
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=settings.BASE_DIR, env={**env, "DOSSIER_VAR": str(folder)}, check=True)
    return folder


@pytest.fixture
def house(tmp_path, request):
    var, files = tmp_path / "var", tmp_path / "files"
    files.mkdir()
    if connection.vendor == "postgresql":
        var.mkdir()
        there = connection.get_connection_params()
        url = f"postgresql://{there['user']}:{there.get('password') or ''}@{there['host']}/{there['dbname']}"
        return House(files, {"DATABASE_URL": url, "DOSSIER_VAR": str(var)})
    shutil.copytree(request.getfixturevalue("empty_sqlite"), var)
    house = House(files, {"DOSSIER_VAR": str(var)})
    house.env.pop("DATABASE_URL", None)
    return house


@pytest.mark.parametrize("point", [*BEFORE, pytest.param("half staged, by processes", marks=POSTGRESQL)])
def test_killed_before_it_is_live_the_old_register_stays_and_the_next_import_works(house, point):
    assert house.load(OLD) == (0, "")
    assert house.load(NEW, point)[0] == -9
    assert house.names == OLD
    assert house.states == ["live", "running"]
    assert house.load(NEXT) == (0, "")
    assert house.names == NEXT
    assert house.states == ["live", "failed", "live"]


def test_killed_right_after_it_is_live_the_new_register_stays(house):
    assert house.load(OLD) == (0, "")
    assert house.load(NEW, "live")[0] == -9
    assert house.names == NEW
    assert house.load(NEXT) == (0, "")
    assert (house.names, house.states) == (NEXT, ["live", "live", "live"])


def test_of_two_imports_at_once_one_is_refused_with_a_sentence(house):
    first = house.start(NEW, "wait")
    assert first.stdout.readline() == "ready\n"
    code, said = house.load(NEXT)
    assert code == 1
    assert "Another import is running (LEI records of" in said
    assert "one runs at a time" in said
    first.communicate("go on\n", timeout=120)
    assert first.returncode == 0
    assert (house.names, house.states) == (NEW, ["live"])
