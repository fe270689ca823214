import pytest

from config import env

HARD = "p@ss/w:rd#%20?"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in ("POSTGRES_PASSWORD", "POSTGRES_PASSWORD_FILE"):
        monkeypatch.delenv(name, raising=False)


def password(tmp_path, url):
    return env.database(url, tmp_path)["PASSWORD"]


def test_the_password_in_the_address_wins(tmp_path, monkeypatch):
    monkeypatch.setenv("POSTGRES_PASSWORD", "other")
    assert password(tmp_path, "postgresql://dossier:p%40ss@postgres/dossier") == "p@ss"


def test_a_password_of_its_own_holds_any_character(tmp_path, monkeypatch):
    monkeypatch.setenv("POSTGRES_PASSWORD", HARD)
    assert password(tmp_path, "postgresql://dossier@postgres/dossier") == HARD


def test_it_comes_from_a_file_too(tmp_path, monkeypatch):
    (tmp_path / "password").write_text(f"{HARD}\n")
    monkeypatch.setenv("POSTGRES_PASSWORD_FILE", str(tmp_path / "password"))
    assert password(tmp_path, "postgresql://dossier@postgres/dossier") == HARD


def test_without_one_the_server_may_trust(tmp_path):
    assert password(tmp_path, "postgresql://dossier@postgres/dossier") == ""


def test_a_folder_may_have_any_name(tmp_path):
    odd = tmp_path / "50% a#b?c"
    assert env.database("", odd)["NAME"] == str(odd / "dossier.sqlite3")
