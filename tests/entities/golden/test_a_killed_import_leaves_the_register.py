"""Imports in processes of their own, killed without warning or run side by side: the register is the old or the new."""

from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from django.db import connection

from tests.entities.golden.importer import FORKS, run
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
    """The register of the tests, a database that other processes see too."""

    def __init__(self, folder: Path) -> None:
        self.files = Folder(folder)

    def start(self, names: list[str], point: str = "") -> tuple[BaseProcess, Connection]:
        records = [attributes_of(number, name) for number, name in enumerate(names, start=1)]
        file = self.files.file(records, name=f"{names[0]}.csv")
        ours, theirs = FORKS.Pipe()
        process = FORKS.Process(target=run, args=(file, point, connection.settings_dict["NAME"], theirs))
        process.start()
        theirs.close()
        return process, ours

    def load(self, names: list[str], point: str = "") -> tuple[int | None, str]:
        """(exit code, what it said)"""
        process, hears = self.start(names, point)
        process.join(120)
        try:
            return process.exitcode, hears.recv()
        except EOFError:
            return process.exitcode, ""

    def ask(self, sql: str) -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return [row[0] for row in cursor.fetchall()]

    @property
    def names(self) -> list[str]:
        records = self.ask("SELECT legal_name FROM entities_leirecord ORDER BY lei")
        assert self.ask("SELECT name FROM entities_leiname ORDER BY lei") == records
        return records

    @property
    def states(self) -> list[str]:
        return self.ask("SELECT state FROM entities_goldencopyimport ORDER BY id")


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


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
    first, talk = house.start(NEW, "wait")
    assert talk.recv() == "ready"
    code, said = house.load(NEXT)
    assert code == 1
    assert "Another import is running (LEI records of" in said
    assert "one runs at a time" in said
    talk.send("go on")
    first.join(120)
    assert first.exitcode == 0
    assert (house.names, house.states) == (NEW, ["live"])
