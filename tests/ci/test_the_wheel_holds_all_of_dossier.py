"""The wheel is built and held against what git tracks. ``.ci/wheel`` installs it and puts it to work."""

import os
import subprocess
import sys
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from common.program import VERSION

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("citations", "common", "config", "entities", "research")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    [path] = WheelBuilder(str(ROOT)).build(
        directory=str(tmp_path_factory.mktemp("dist")), versions=["standard"]
    )
    with ZipFile(path) as wheel:
        yield wheel


def packed(wheel):
    """Names of files, without what describes the wheel itself."""
    return {name for name in wheel.namelist() if ".dist-info/" not in name}


def test_it_holds_every_file_that_git_tracks_and_nothing_else(wheel):
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *ROOMS]
    listed = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    ours = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    assert sorted(ours - packed(wheel))[:20] == []
    assert sorted(packed(wheel) - ours)[:20] == []
    assert {".html", ".css", ".js", ".svg", ".yaml", ".csv"} <= {PurePosixPath(name).suffix for name in ours}


def test_it_puts_only_its_rooms_among_other_packages(wheel):
    assert {name.split("/")[0] for name in packed(wheel)} == set(ROOMS)


def test_it_has_the_version_that_every_page_tells(wheel):
    assert f"dossier-{VERSION}.dist-info/METADATA" in wheel.namelist()


def test_it_brings_the_command(wheel):
    [scripts] = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert "dossier = config.command_line:main" in wheel.read(scripts).decode()


def test_where_it_is_installed_data_has_a_folder_of_its_own(wheel, tmp_path):
    wheel.extractall(
        tmp_path / "packages", [name for name in packed(wheel) if name.startswith(("config/", "common/"))]
    )
    done = subprocess.run(
        [sys.executable, "-c", "from config import settings as s; print(s.CHECKOUT, s.VAR_DIR)"],
        cwd=tmp_path / "packages",
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == f"False {tmp_path / 'data' / 'dossier'}", done.stderr
