"""Does the case in docs/owners.md happen as it is told? Each command runs on its day and says what stands there."""

import re
import shlex
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from entities.screening import looking
from tests.factories import UserFactory

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "owners.md"
STEP = re.compile(r"<!-- on (\d{4}-\d{2}-\d{2}) -->\n```console\n\$ manage\.py (.*?)\n(.*?)```", re.DOTALL)
UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b")
NUMBER = re.compile(r"#\d+")
pytestmark = pytest.mark.django_db


def stopped_at(moment):
    """The class that django.utils.timezone asks for the time."""
    return type("Stopped", (datetime,), {"now": classmethod(lambda cls, tz=None: moment.astimezone(tz))})


def whole_list(folder):
    """The example's list with as many other people on it as a list of the Security Council has at least."""
    text = (ROOT / "docs" / "examples" / "un-list.xml").read_text()
    one = text[text.index("<INDIVIDUAL>\n") : text.index("</INDIVIDUAL>") + len("</INDIVIDUAL>")]
    others = ""
    for number in range(2, 1_000):
        name = "".join(chr(65 + number // 26**place % 26) for place in range(3))
        other = one.replace("<DATAID>1<", f"<DATAID>{number}<").replace("EXi.001", f"EXi.{number:04d}")
        other = other.replace("BARYS", "PERSON").replace("TESTAU", f"NUMBER {name}")
        others += other.replace("Борис Тестов", "").replace("Boris Testow", f"Nobody {name}")
    path = folder / "un-list.xml"
    path.write_text(text.replace(one, one + others))
    return str(path)


def plain(line):
    """Without the width of columns and the numbers of statements, which are those of one database."""
    return NUMBER.sub("#", " ".join(line.split()))


def test_each_command_says_what_the_page_says(capsys, monkeypatch, tmp_path, settings):
    looking._indexes.clear()  # of another test's lists, whose rows had the same keys
    looking._remembered.clear()
    UserFactory(username="rita", is_superuser=True)
    listed, hit, missing = whole_list(tmp_path), "", []
    steps = STEP.findall(PAGE.read_text())
    assert len(steps) > 8
    for day, command, told in steps:
        monkeypatch.setattr(timezone, "datetime", stopped_at(datetime.fromisoformat(f"{day}T09:00:00+00:00")))
        words = shlex.split(command.replace("un-list.xml", listed).replace("HIT", hit))
        words = [str(ROOT / "docs" / "examples" / word) if word.endswith(".json") else word for word in words]
        with suppress(SystemExit):  # a command that finds nothing says so by its exit code as well
            call_command(*words)
        said = capsys.readouterr().out
        found = UUID.search(said)
        hit = found[0] if found else hit
        lines = [plain(UUID.sub("HIT", line)) for line in said.splitlines()]
        wanted = [plain(line) for line in told.splitlines() if line.strip() not in ("", "…")]
        missing += [f"{command}: {line!r} is not in {lines}" for line in wanted if line not in lines]
    assert "\n".join(missing) == ""
