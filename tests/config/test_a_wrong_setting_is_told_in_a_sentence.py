"""Each case starts the command line as a person does: settings are read once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env

ROOT = Path(__file__).resolve().parents[2]


def test_the_command_line_says_what_is_wrong_and_no_more(tmp_path):
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "macros", "list"],
        cwd=tmp_path,
        env={**kept, "DOSSIER_VAR": str(tmp_path / "var"), "DOSSIER_FETCH_SECONDS": "soon"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "dossier: DOSSIER_FETCH_SECONDS must be a whole number, not 'soon'\n"


def test_a_folder_is_made_for_its_owner_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("DOSSIER_VAR", str(tmp_path / "a b" / "var"))
    made = env.folder("DOSSIER_VAR", Path.cwd)
    assert made == tmp_path / "a b" / "var"
    assert made.stat().st_mode & 0o777 == 0o700


def test_a_relative_folder_stays_where_it_was_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOSSIER_VAR", "data")
    assert env.folder("DOSSIER_VAR", Path.cwd) == tmp_path / "data"


@pytest.mark.parametrize("name", ["in the way/var", "in the way"])
def test_a_folder_that_cannot_be_made_is_named_with_what_to_do(tmp_path, monkeypatch, name):
    (tmp_path / "in the way").touch()
    monkeypatch.setenv("DOSSIER_VAR", str(tmp_path / name))
    with pytest.raises(
        ImproperlyConfigured, match=r"cannot make the folder .*in the way.*Name another with DOSSIER_VAR"
    ):
        env.folder("DOSSIER_VAR", Path.cwd)


def test_who_has_no_home_is_told_to_name_a_folder(monkeypatch):
    monkeypatch.delenv("DOSSIER_VAR", raising=False)
    with pytest.raises(ImproperlyConfigured, match=r"home.*Name another with DOSSIER_VAR"):
        env.folder("DOSSIER_VAR", lambda: Path("~nobody-of-that-name/var"))


def test_a_folder_that_is_named_spares_looking_for_another(tmp_path, monkeypatch):
    monkeypatch.setenv("DOSSIER_VAR", str(tmp_path))
    assert env.folder("DOSSIER_VAR", lambda: pytest.fail("looked for a home")) == tmp_path


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    with pytest.raises(ImproperlyConfigured, match=r"cannot write to the folder .*Name another with NO_SUCH"):
        env.folder("NO_SUCH", lambda: tmp_path)


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_secret_that_cannot_be_read_names_its_variable_and_never_its_content(
    tmp_path, monkeypatch, content
):
    if content:
        (tmp_path / "key").write_bytes(content)
    monkeypatch.setenv("OPENAI_API_KEY_FILE", str(tmp_path / "key"))
    with pytest.raises(ImproperlyConfigured, match="OPENAI_API_KEY_FILE: cannot be read"):
        env.secret("OPENAI_API_KEY")


@pytest.mark.parametrize(
    ("said", "read"), [("", "off"), ("Required", "required"), (" optional ", "optional")]
)
def test_a_word_is_one_of_those_there_are(monkeypatch, said, read):
    monkeypatch.setenv("DOSSIER_SECOND_FACTOR", said)
    assert env.one_of("DOSSIER_SECOND_FACTOR", "off", "optional", "required") == read


def test_another_word_is_told_with_those_there_are(monkeypatch):
    monkeypatch.setenv("DOSSIER_SECOND_FACTOR", "yes")
    with pytest.raises(ImproperlyConfigured, match="must be one of off, optional, required, not 'yes'"):
        env.one_of("DOSSIER_SECOND_FACTOR", "off", "optional", "required")


def test_pairs_are_read_and_what_is_none_is_told(monkeypatch):
    monkeypatch.setenv("DOSSIER_OIDC_GROUPS", "dossier-review=Reviewers, cn=look=Readers ,")
    assert env.pairs("DOSSIER_OIDC_GROUPS") == {"dossier-review": "Reviewers", "cn=look": "Readers"}
    monkeypatch.setenv("DOSSIER_OIDC_GROUPS", "reviewers,a=b")
    with pytest.raises(ImproperlyConfigured, match="no pair in 'reviewers'"):
        env.pairs("DOSSIER_OIDC_GROUPS")
