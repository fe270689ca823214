"""The folder of data and SQLite's files are for their owner alone, also those of an older installation."""

import sqlite3
import stat
from types import SimpleNamespace

import pytest

from common.private import close_database, open_to_others
from config import env
from research.doctor.machine import private_files


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def var(tmp_path, monkeypatch):
    """The folder of an installation that was made with the rights of its time."""
    folder = tmp_path / "var"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    (folder / "queue").mkdir()
    monkeypatch.setenv("DOSSIER_VAR", str(folder))
    return folder


def test_a_folder_of_ours_is_closed(var):
    assert env.folder("DOSSIER_VAR", lambda: var) == var
    assert mode(var) == 0o700


def test_a_new_folder_is_closed(tmp_path, monkeypatch):
    monkeypatch.delenv("DOSSIER_VAR", raising=False)
    assert mode(env.folder("DOSSIER_VAR", lambda: tmp_path / "new")) == 0o700


def test_a_folder_that_holds_other_things_is_left_as_it_is(tmp_path, monkeypatch):
    tmp_path.chmod(0o755)
    (tmp_path / "letters").mkdir()
    monkeypatch.setenv("DOSSIER_VAR", str(tmp_path))
    env.folder("DOSSIER_VAR", lambda: tmp_path)
    assert mode(tmp_path) == 0o755


def test_the_files_of_sqlite_are_closed_when_it_is_opened(tmp_path):
    file = tmp_path / "dossier.sqlite3"
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE a (b)")
        beside = [tmp_path / f"dossier.sqlite3{suffix}" for suffix in ("", "-wal", "-shm")]
        for path in beside:
            path.chmod(0o644)
        close_database(SimpleNamespace(vendor="sqlite", settings_dict={"NAME": str(file)}))
        assert [mode(path) for path in beside] == [0o600] * 3
    database.close()


def test_the_doctor_names_what_others_may_read(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    tmp_path.chmod(0o750)
    finding = private_files()
    assert (finding.state, f"chmod go= {tmp_path}" in finding.todo) == ("broken", True)
    tmp_path.chmod(0o700)
    assert not open_to_others(tmp_path)
