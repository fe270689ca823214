import re
import sys
from pathlib import Path

import pytest

from common.program import VERSION
from config.command_line import main


@pytest.mark.parametrize("word", ["version", "--version"])
def test_the_command_line_tells_the_version_of_dossier(monkeypatch, capsys, word):
    monkeypatch.setattr(sys, "argv", ["manage.py", word])
    main()
    assert capsys.readouterr().out.startswith(f"Dossier {VERSION} (Django ")


def test_the_changelog_has_it():
    changelog = (Path(__file__).resolve().parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\d\S*)", changelog, re.MULTILINE)[0] == VERSION


def test_a_page_tells_it_to_who_is_logged_in(client, admin_client):
    words = f"Dossier {VERSION}"
    assert words in admin_client.get("/admin/").content.decode()
    assert words not in client.get("/admin/login/").content.decode()
