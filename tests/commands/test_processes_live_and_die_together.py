import os
import sys
import threading
from pathlib import Path

import pytest

from research.management.processes import Group, Service, python

WAIT = "import signal; signal.pause()"
STUBBORN = """
import signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
while True:
    signal.pause()
"""


@pytest.fixture
def group():
    group = Group(Path.cwd())
    yield group
    group.stop(grace=0.0)


def alive(process):
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_stops_what_it_started(group):
    for name in ("one", "two"):
        group.start(Service(name, python("-c", WAIT)))
    assert group.dead() == ""
    assert group.stop() == []
    assert not any(alive(child) for child in group.children.values())


def test_it_kills_what_does_not_stop(group, tmp_path):
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    group.start(Service("deaf", ["/bin/sh", "-c", f"exec \"{sys.executable}\" -c '{STUBBORN}' > {ready}"]))
    assert ready.read_text is not None
    with ready.open() as line:
        assert line.readline() == "deaf\n"
    assert group.stop(grace=0.2) == ["deaf"]
    assert not alive(group.children["deaf"])


def test_it_names_the_one_that_died(group):
    group.start(Service("lives", python("-c", WAIT)))
    group.start(Service("dies", python("-c", "")))
    group.children["dies"].wait()
    assert group.watch(threading.Event(), pause=0.0) == "dies"


def test_it_watches_until_it_is_told_to_stop(group):
    group.start(Service("lives", python("-c", WAIT)))
    stop = threading.Event()
    stop.set()
    assert group.watch(stop) == ""


def test_it_keeps_children_out_of_its_own_terminal_session(group):
    group.start(Service("child", python("-c", WAIT)))
    assert os.getsid(group.children["child"].pid) == group.children["child"].pid


def test_it_says_that_a_program_is_not_there(group):
    with pytest.raises(FileNotFoundError):
        group.start(Service("nothing", ["/nonexistent/program"]))
    assert group.stop() == []


def test_what_a_child_says_does_not_stand_among_our_answers(tmp_path, capfd):
    group = Group(tmp_path)
    group.start(Service("talker", python("-c", "print('\\nhello')")))
    group.children["talker"].wait(timeout=30)
    said = capfd.readouterr()
    assert said.out == ""
    assert "hello" in said.err


def test_a_child_finds_what_was_named_from_the_folder_of_its_parent(tmp_path, monkeypatch, capfd):
    (tmp_path / "key.txt").write_text("found")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY_FILE", "key.txt")
    group = Group(tmp_path / "elsewhere")
    group.start(
        Service("child", python("-c", "import os; print(open(os.environ['OPENAI_API_KEY_FILE']).read())"))
    )
    group.children["child"].wait(timeout=30)
    assert "found" in capfd.readouterr().err
