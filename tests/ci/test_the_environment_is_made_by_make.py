"""``.ci/environment.py`` makes .venv: once, from nothing when it was interrupted, and one process at a time."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """The module in a folder of its own, where commands are kept in ``asked`` and do nothing but make the folder."""
    spec = importlib.util.spec_from_file_location("environment", ROOT / ".ci" / "environment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("Makefile", "requirements.lock", "requirements-dev.lock"):
        (tmp_path / name).write_text(f"{name}\n")
    monkeypatch.chdir(tmp_path)
    module.asked = []
    monkeypatch.setattr(module, "run", lambda command: module.asked.append(command[-1]))
    monkeypatch.setattr(module, "works", lambda: ".venv" in module.asked)
    return module


def test_it_makes_the_venv_and_installs_each_lock_once(environment):
    environment.main(["requirements.lock"])
    environment.main(["requirements.lock", "requirements-dev.lock"])
    environment.main(["requirements.lock", "requirements-dev.lock"])
    assert environment.asked == [".venv", "requirements.lock", "requirements-dev.lock"]


def test_it_installs_a_lock_that_has_changed(environment):
    environment.main(["requirements.lock"])
    Path("requirements.lock").write_text("another release\n")
    environment.main(["requirements.lock"])
    assert environment.asked == [".venv", "requirements.lock", "requirements.lock"]


@pytest.mark.parametrize("last", [".venv", "requirements.lock"])
def test_what_was_interrupted_begins_anew(environment, monkeypatch, last):
    whole = environment.run

    def interrupted(command):
        whole(command)
        if command[-1] == last:
            raise KeyboardInterrupt

    with monkeypatch.context() as once:
        once.setattr(environment, "run", interrupted)
        with pytest.raises(SystemExit, match="begins anew"):
            environment.main(["requirements.lock"])
    leftover = environment.VENV / "half of a package"
    leftover.touch()
    environment.asked.clear()
    environment.main(["requirements.lock"])
    assert environment.asked == [".venv", "requirements.lock"]
    assert not leftover.exists()


def test_it_ends_as_pip_does(environment, monkeypatch):
    def failed(command):
        raise subprocess.CalledProcessError(2, command)

    monkeypatch.setattr(environment, "run", failed)
    with pytest.raises(SystemExit) as ended:
        environment.main(["requirements.lock"])
    assert ended.value.code == 2


def test_the_second_of_two_waits_for_the_first(environment, monkeypatch, capsys):
    flags = []

    def taken(descriptor, flag):
        flags.append(flag)
        if flag & environment.fcntl.LOCK_NB:
            raise BlockingIOError

    monkeypatch.setattr(environment.fcntl, "flock", taken)
    environment.main([])
    assert flags[-1] == environment.fcntl.LOCK_EX
    assert "waiting for another make" in capsys.readouterr().out


def test_a_python_without_ensurepip_says_what_to_install(environment, monkeypatch):
    monkeypatch.setattr(
        environment.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else name
    )
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    with pytest.raises(SystemExit, match=f"apt install {version}"):
        environment.main(["requirements.lock"])
    assert not environment.VENV.exists()


def test_a_python_that_is_too_old_says_so(environment, monkeypatch):
    monkeypatch.setattr(environment.sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit, match=r"this is 3\.9; try: make PYTHON="):
        environment.main(["requirements.lock"])
