"""A quote is held against a page that was read; what only a search has seen of it is read before it is checked."""

import pytest

from research.engine.runner import perform_run
from research.llm.interface import Citation, Turn
from research.models import ResearchResult, Run, Source
from tests.engine.conftest import FINAL, answers, asks
from tests.factories import MACRO_TEXT, MacroFactory, RunFactory
from tests.web.fetch import site as sites

pytestmark = pytest.mark.django_db
QUOTE = "Allianz SE is the head of the group."
PAGE = sites.Page(f"<html lang=en><title>Report</title><h1>Report</h1><p>{QUOTE}</p></html>".encode())


@pytest.fixture
def site(settings):
    site = sites.Site({"/a": PAGE, "/b": PAGE})
    settings.DOSSIER_FETCH_ALLOW = [f"127.0.0.1:{site.port}"]
    settings.DOSSIER_FETCH_PER_MINUTE = 0
    yield site
    site.close()


@pytest.fixture
def reader(db):
    """``reader(tools)`` is a run of a macro with these tools."""

    def make(tools="lei_record, extract_content"):
        text = MACRO_TEXT.format(name="reader", schema_name="reader")
        text = text.replace("[lei_search, lei_record]", f"[{tools}]" + "\n  reach: open")
        return RunFactory(macro=MacroFactory(name="reader", text=text), model="script")

    return make


def searched(*urls):
    """The provider has searched by itself, and gives an address and a line of each page."""
    return Turn(
        stop="paused", text="I look.", citations=tuple(Citation(url, "Report", "A line.") for url in urls)
    )


def quoting(*numbers):
    return answers(
        {**FINAL, "evidence": [{"pointer": "/name", "source": one, "quote": QUOTE} for one in numbers]}
    )


def verdicts(run):
    return [check.verdict for check in ResearchResult.objects.get(run=run).checks.filter(kind="quote")]


def pages_asked_of(site):
    return [path for path in site.paths if path != "/robots.txt"]


def test_a_page_that_only_a_search_has_seen_is_read(play, reader, site):
    run = reader()
    play(searched(site.url("/a"), site.url("/gone")), quoting(1, 2))
    perform_run(run.pk)
    assert verdicts(run) == ["pass", "unknown"]
    assert Source.objects.get(run=run, number=1).document.text.endswith(QUOTE)
    assert [text for text in ResearchResult.objects.get(run=run).limitations if "/gone" in text]
    assert Source.objects.filter(run=run).count() == 2


def test_what_was_read_is_not_read_again_and_what_nobody_quotes_not_at_all(play, reader, site):
    run = reader()
    reads = asks(("extract_content", {"urls": [site.url("/a")]}))
    play(reads, searched(site.url("/b")), quoting(1))
    perform_run(run.pk)
    assert verdicts(run) == ["pass"]
    assert pages_asked_of(site) == ["/a"]


def test_a_number_that_no_source_can_have_is_no_reason_to_fail(play, reader, site):
    run = reader()
    play(searched(site.url("/a")), quoting(1, 0, -1, 2**62))
    perform_run(run.pk)
    assert verdicts(run) == ["pass", "fail", "fail", "fail"]


def test_a_macro_that_reads_no_pages_has_none_read(play, reader, site):
    run = reader("lei_record")
    play(searched(site.url("/a")), quoting(1))
    perform_run(run.pk)
    assert (verdicts(run), site.paths) == (["unknown"], [])


def test_only_so_many_pages_are_read(play, reader, site, monkeypatch):
    monkeypatch.setattr("research.engine.worker.MAX_READ", 1)
    run = reader()
    play(searched(site.url("/a"), site.url("/b?2")), quoting(1, 2))
    perform_run(run.pk)
    assert pages_asked_of(site) == ["/a"]


def test_a_worker_that_dies_meanwhile_costs_no_second_answer(play, reader, site, monkeypatch):
    run = reader()
    script = play(searched(site.url("/a")), quoting(1))

    def killed(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as killing:
        killing.setattr("research.engine.tool_calls.call", killed)
        with pytest.raises(KeyboardInterrupt):
            perform_run(run.pk)
    Run.objects.filter(pk=run.pk).update(state="queued", finished_at=None)
    perform_run(run.pk)
    assert (verdicts(run), len(script.requests)) == (["pass"], 2)


def test_when_the_time_is_over_nothing_more_is_read(play, reader, site, end_the_time):
    def late(request):
        end_the_time()
        return quoting(1)

    run = reader()
    play(searched(site.url("/a")), late)
    perform_run(run.pk)
    assert (verdicts(run), site.paths) == (["unknown"], [])
