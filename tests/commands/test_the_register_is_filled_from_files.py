"""``manage.py lei import`` from a terminal."""

import io

import pytest

from common.commands.progress import Bar, duration, size
from entities.models import LeiRecord
from tests.publisher import Publisher
from tests.register_files import MORNING, Folder, attributes_of, exception_of, lei_of, relationship_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path) -> Folder:
    return Folder(tmp_path)


def test_it_imports_files_and_says_what_is_live(folder, run):
    done = run("lei", "import", str(folder.file([attributes_of(1), attributes_of(2)])))
    assert done.code == 0
    assert "LEI records of 2026-02-10 08:00 UTC are live: 2 read, 2 held, in " in done.out
    assert LeiRecord.objects.count() == 2


def test_it_prints_a_document_a_file(folder, run):
    first = folder.file([attributes_of(1)])
    second = folder.file([attributes_of(2)], name="20260210-1600-gleif-goldencopy-lei2-intra-day.csv")
    done = run("lei", "import", str(first), str(second), "--json")
    assert [(one["scope"], one["state"], one["counts"]["held"]) for one in done.documents] == [
        ("full", "live", 1),
        ("IntraDay", "live", 2),
    ]


def test_it_refuses_with_a_sentence_and_changes_nothing(folder, run):
    refusal = run("lei", "import", str(folder.text("LEI;Name\n")))
    assert refusal.code == 1
    assert "Line 1 separates its columns by ';'" in refusal.err
    assert LeiRecord.objects.count() == 0


def test_it_takes_from_the_command_line_what_the_name_does_not_say(folder, run):
    path = str(folder.file([attributes_of(1)], name="mine.csv"))
    assert "whether it is all of the register" in run("lei", "import", path).err
    assert run("lei", "import", path, "--scope", "full", "--publish-date", "2026-02-10T08:00Z").code == 0
    assert LeiRecord.objects.get().lei == lei_of(1)


def test_a_date_that_is_none_is_a_mistake(folder, run):
    path = folder.file([attributes_of(1)], name="mine.csv")
    done = run("lei", "import", str(path), "--publish-date", "soon")
    assert (done.code, "is no date" in done.err) == (2, True)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_that_is_drawn_over_itself():
    stream, seconds = Terminal(), iter([0.0, 0.05, 1.0, 2.0])
    bar = Bar(stream, clock=lambda: next(seconds))
    bar.show(0, 100, "a long beginning")
    bar.show(10, 100, "too soon")
    bar.show(50, 100, "half")
    bar.show(100, 100, "all", always=True)
    bar.close()
    first, half, full = stream.getvalue().removesuffix("\n").split("\r")[1:]
    assert "too soon" not in stream.getvalue()
    assert half.startswith("█" * 12 + "░" * 12 + "  50%  half")
    assert full.startswith("█" * 24 + " 100%  all")
    assert len(half) == len(first)


def test_a_file_gets_a_line_now_and_then():
    stream, seconds = io.StringIO(), iter([0.0, 3.0, 12.0])
    bar = Bar(stream, clock=lambda: next(seconds))
    for done in (0, 30, 60):
        bar.show(done, 100, f"{done} done")
    bar.close()
    assert stream.getvalue() == "  0%  0 done\n 60%  60 done\n"


@pytest.mark.parametrize(
    ("seconds", "words"), [(None, ""), (4.4, "4 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")]
)
def test_durations_are_told_in_words(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("count", "words"), [(900, "900 B"), (12_500_000, "12.5 MB"), (5_060_000_000, "5.1 GB")]
)
def test_sizes_are_told_in_words(count, words):
    assert size(count) == words


class TestSync:
    @pytest.fixture
    def publisher(self, settings, folder, tmp_path):
        settings.VAR_DIR = tmp_path / "var"
        with Publisher() as server:
            settings.GOLDEN_COPY_BASE_URL = server.url
            server.offer("lei2", MORNING, folder.zipped(folder.file([attributes_of(1)])), records=1)
            server.offer("rr", MORNING, folder.file([relationship_of(1, 2)], kind="rr"))
            server.offer("repex", MORNING, folder.file([exception_of(1)], kind="repex"))
            yield server

    def test_it_tells_what_it_fetches_and_what_is_live(self, publisher, run):
        done = run("lei", "sync")
        assert done.code == 0
        lines = done.out.splitlines()
        assert lines[0].startswith("LEI records, published 2026-02-10 08:00 UTC: full file, ")
        assert "LEI records of 2026-02-10 08:00 UTC are live: 1 read, 1 held" in lines[1]
        assert run("lei", "sync").out.splitlines() == [
            "LEI records, published 2026-02-10 08:00 UTC: up to date",
            "relationships, published 2026-02-10 08:00 UTC: up to date",
            "reporting exceptions, published 2026-02-10 08:00 UTC: up to date",
        ]

    def test_it_can_only_look(self, publisher, run):
        documents = run("lei", "sync", "--check", "--json").documents
        assert [(one["kind"], one["fetch"]) for one in documents] == [
            ("lei2", "full"),
            ("rr", "full"),
            ("repex", "full"),
        ]
        assert not LeiRecord.objects.exists()

    def test_it_prints_a_document_an_import(self, publisher, run):
        assert [one["kind"] for one in run("lei", "sync", "--json").documents] == ["lei2", "rr", "repex"]

    def test_a_publisher_in_trouble_is_a_failure(self, publisher, run):
        publisher.status = 503
        done = run("lei", "sync")
        assert (done.code, "HTTP 503" in done.err) == (1, True)
