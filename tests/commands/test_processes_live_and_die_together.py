import os
import select
import subprocess
import sys
from itertools import pairwise
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
    assert group.dead() == "dies"


class Looks:
    """An event that is set after so many looks; ``clock`` goes forward by a second with each."""

    def __init__(self, looks):
        self.left, self.now = looks, 0.0

    def wait(self, seconds):
        self.left -= 1
        self.now += 1.0
        return self.left < 0

    def clock(self):
        return self.now


def test_what_ends_is_started_again_after_pauses_that_double(group):
    service, told, looks = Service("dies", python("-c", "raise SystemExit(3)")), [], Looks(200)
    group.clock = looks.clock
    start, ended = group.start, []

    def started(one):
        start(one)
        group.children[one.name].wait()
        ended.append(looks.now)

    group.start = started
    group.start(service)
    group.keep([service], looks, lambda *words: told.append(words))
    assert [words[:2] for words in told] == [("dies", 3)] * len(told)
    assert [seconds for *_, seconds in told][:8] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert [round(later - earlier) for earlier, later in pairwise(ended)][:4] == [2, 3, 5, 9]


def test_what_lived_long_is_started_again_at_once(group):
    service, told, looks = Service("dies", python("-c", "")), [], Looks(2)
    group.clock = looks.clock
    group.start(service)
    group.children["dies"].wait()
    first, looks.now = group.children["dies"], 100.0
    group.keep([service], looks, lambda *words: told.append(words))
    assert told[0] == ("dies", 0, 0.0)
    assert group.children["dies"] is not first


def test_it_leaves_alone_what_lives_until_it_is_told_to_stop(group):
    service = Service("lives", python("-c", WAIT))
    group.start(service)
    child = group.children["lives"]
    group.keep([service], Looks(3), lambda *words: pytest.fail("nothing has ended"))
    assert group.children["lives"] is child


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent has died")
def test_nothing_outlives_whoever_started_it(tmp_path):
    told = tmp_path / "told"
    os.mkfifo(told)
    child = f"import os, signal; open({str(told)!r}, 'w').write(str(os.getpid())); signal.pause()"
    parent = f"""
from pathlib import Path
import signal
from research.management.processes import Group, Service, python
Group(Path.cwd()).start(Service("child", python("-c", {child!r})))
signal.pause()
"""
    with subprocess.Popen(python("-c", parent)) as process:
        pid = int(told.read_text())
        waiting = os.pidfd_open(pid)
        process.kill()
        assert select.select([waiting], [], [], 30)[0]
        os.close(waiting)


def test_somebody_who_does_not_want_to_wait_ends_it_at_once(group, tmp_path):
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    group.start(Service("deaf", ["/bin/sh", "-c", f"exec \"{sys.executable}\" -c '{STUBBORN}' > {ready}"]))
    with ready.open() as line:
        assert line.readline() == "deaf\n"
    group.hurry.set()
    assert group.stop(grace=300) == ["deaf"]


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
