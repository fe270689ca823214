"""While one works on Dossier, what runs is what was written last."""

import pytest

from research.management.commands.up import Command
from research.management.processes import Code, Group, Service, python


@pytest.fixture
def folder(tmp_path):
    code = tmp_path / "research"
    code.mkdir()
    (code / "one.py").write_text("1")
    (code / "page.html").write_text("1")
    return tmp_path


def test_it_sees_what_was_changed_added_or_removed(folder):
    code = Code(folder)
    assert code.changed() == ""
    (folder / "research" / "page.html").write_text("22")
    assert code.changed() == "research/page.html"
    (folder / "research" / "two.py").write_text("2")
    assert code.changed() == "research/two.py"
    (folder / "research" / "one.py").unlink()
    assert code.changed() == "research/one.py"
    assert code.changed() == ""


def test_it_leaves_data_alone(folder):
    code = Code(folder)
    (folder / "var").mkdir()
    (folder / "var" / "left.py").write_text("3")
    (folder / "research" / "notes.txt").write_text("3")
    assert code.changed() == ""


class Looks:
    """An event that is set after so many looks; before each of them something is done."""

    def __init__(self, *acts):
        self.acts = list(acts)

    def wait(self, seconds):
        if not self.acts:
            return True
        self.acts.pop(0)()
        return False


@pytest.mark.django_db
def test_everything_starts_anew_and_a_mistake_ends_nothing(folder, settings, capsys):
    settings.BASE_DIR = folder
    command, group = Command(), Group(folder)
    command.as_json = False
    wanted = [
        Service("web", python("-c", "import signal; signal.pause()")),
        Service("beat", python("-c", "")),
    ]
    for service in wanted:
        group.start(service)
    first = group.children["web"]
    try:
        looks = Looks(
            group.children["beat"].wait,
            lambda: (folder / "research" / "one.py").write_text("a mistake"),
        )
        command._reload(group, wanted, looks)
        said = capsys.readouterr().out
        assert "beat has ended; it starts again with the next change" in said
        assert "research/one.py has changed: starting anew" in said
        assert first.poll() is not None
        assert group.children["web"].poll() is None
    finally:
        group.stop(grace=0.0)


@pytest.mark.parametrize("debug", [True, False])
def test_it_is_the_way_of_development_alone(settings, debug):
    settings.DEBUG = debug
    assert Command().create_parser("manage.py", "up").parse_args([]).reload is debug
    assert Command().create_parser("manage.py", "up").parse_args(["--reload"]).reload is True
