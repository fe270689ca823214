"""``make demo COMPANY=…`` hands the name over as it was typed: neither make nor the shell reads it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROBE = 'include Makefile\nprobe:\n\t@printf "%s" "$$COMPANY"\n'

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")


def make(folder, *arguments, **environment):
    probe = folder / "probe.mk"
    probe.write_text(PROBE, encoding="utf-8")
    env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **environment}
    command = ["make", "-s", "-f", str(probe), "probe", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout


NAMES = [
    "Allianz SE",
    'O\'Neill "& Sons"',
    "$(shell touch pwned) `id` $HOME $$",
    "a;b|c>d #e %f \\",
    "--help",
    "株式会社 \u200f",
    "two\nlines",
]


@pytest.mark.parametrize("name", NAMES)
def test_it_takes_the_name_from_the_command_line(tmp_path, name):
    assert make(tmp_path, f"COMPANY={name}") == name


@pytest.mark.parametrize("name", NAMES)
def test_it_takes_the_name_from_the_environment(tmp_path, name):
    assert make(tmp_path, COMPANY=name) == name


def test_it_asks_about_allianz_when_no_name_is_given(tmp_path):
    assert make(tmp_path) == "Allianz SE"
