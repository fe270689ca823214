"""The bench of the import measures what it says: all records, the time of all its processes, and their memory."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

from bench.golden_file import columns, write_made_up
from bench.register import Memory


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "made-up.csv"
    write_made_up(path, 40)
    return path


def test_the_made_up_file_has_the_columns_of_the_golden_copy(file):
    header, *lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 40
    assert header.count('","') == 337 == len(columns()) - 1
    assert all(line.count('","') == 337 for line in lines)


@pytest.fixture(scope="module")
def var(tmp_path_factory):
    """Where the processes keep their database: the first makes it."""
    return tmp_path_factory.mktemp("var")


@pytest.mark.parametrize("kind", ["lei2", "rr", "repex"])
def test_an_import_counts_every_record_and_what_it_took(kind, var, tmp_path):
    file = tmp_path / "made-up.csv"
    write_made_up(file, 40, kind=kind)
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    env |= {"DOSSIER_VAR": str(var), "DOSSIER_REGISTER": "demo"}
    command = [sys.executable, "-m", "bench.register", "--only", "import", "--file", str(file)]
    done = subprocess.run(command, env=env, cwd=settings.BASE_DIR, check=True, capture_output=True)
    figures = json.loads(done.stdout)
    assert figures["records"] == 40
    assert figures["cpu"] > 0
    assert 0 < figures["seconds"] < 600
    assert 20 < figures["peak_mb"] < 300


def test_memory_is_that_of_this_process_and_its_children():
    with Memory() as alone:
        pass
    hog = [
        sys.executable,
        "-c",
        "held = bytearray(b'x') * 200_000_000; print(len(held), flush=True); input()",
    ]
    with Memory() as together:
        child = subprocess.Popen(hog, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert child.stdout.readline() == b"200000000\n"
        seen = together._done.wait(0.5)
        child.communicate(b"\n")
    assert not seen
    assert together.peak_mb > alone.peak_mb + 150
