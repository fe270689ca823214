import sys
import tomllib
from pathlib import Path

import pytest

from common.program import program_version
from config.command_line import main

PROJECT = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("word", ["version", "--version"])
def test_the_command_line_tells_the_version_of_dossier(monkeypatch, capsys, word):
    monkeypatch.setattr(sys, "argv", ["manage.py", word])
    main()
    assert capsys.readouterr().out.startswith(f"Dossier {PROJECT['version']} (Django ")


def test_where_dossier_is_installed_the_package_tells_it(settings, monkeypatch):
    settings.CHECKOUT = False
    monkeypatch.setattr("common.program.version", lambda name: {"dossier": "7.8.9"}[name])
    assert program_version.__wrapped__() == "7.8.9"


def test_a_page_tells_it_to_who_is_logged_in(client, admin_client):
    words = f"Dossier {PROJECT['version']}"
    assert words in admin_client.get("/admin/").content.decode()
    assert words not in client.get("/admin/login/").content.decode()
