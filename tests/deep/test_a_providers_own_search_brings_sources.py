"""What the search of the model's provider cites counts as what a tool found: it has numbers, and reaches the report."""

import pytest

from research.llm.interface import Citation, Turn, Usage
from research.models import ResearchResult, Run, Source, Step
from research.models.states import RunState
from tests.deep.conftest import work
from tests.deep.newsroom import FOUND, PAGES, Sage, install_web, report, told, topic_of

pytestmark = pytest.mark.django_db


def searched(request):
    """The provider has searched by itself; its words name no number."""
    cited = tuple(Citation(url, *PAGES[url]) for url in FOUND[topic_of(request)])
    words = "240 people work at Mill AG, which belongs to Acme SE."
    return Turn(text=words, citations=cited, usage=Usage(1000, output_tokens=50, searches=1))


def summary(request):
    return f"## Findings\n\n{told(topic_of(request), request)} " + "All of it was read. " * 60


def test_a_round_that_only_the_provider_searched_in_is_not_empty(ask, settings, monkeypatch):
    settings.DOSSIER_SERVER_SEARCH = True
    install_web(monkeypatch, fault="No search provider is configured.")
    sage = Sage(research=searched, summary=summary, report=report)
    run = work(ask(sage, web=False, autonomy="autonomous"))
    assert run.state == RunState.SUCCEEDED, run.phase
    outputs = [step.answer for step in Step.objects.filter(run__parent=run, name="output")]
    assert sorted(number for output in outputs for number in output["sources"]) == [1, 2, 3, 4]
    result = ResearchResult.objects.get(run=run)
    assert not result.ungrounded
    assert {source["url"] for source in result.data["sources"]} == set(PAGES)


def test_its_quotes_are_in_the_notes_under_their_numbers(ask, settings, monkeypatch):
    settings.DOSSIER_SERVER_SEARCH = True
    install_web(monkeypatch, fault="No search provider is configured.")
    sage = Sage(research=searched, summary=summary, report=report)
    run = work(ask(sage, web=False, autonomy="autonomous"))
    asked = [one for one, part in zip(sage.requests, sage.asked, strict=True) if part == "summary"]
    notes = "\n".join(request.messages[0].text for request in asked)
    for number in range(1, 5):
        assert f"Cited in the report above as [{number}]:" in notes
    assert all(text in notes for _, text in PAGES.values())
    assert Run.objects.filter(parent=run, state=RunState.SUCCEEDED).count() == 2


def test_what_it_cites_is_read_before_the_claims_of_the_report_are_verified(ask, settings, monkeypatch):
    """A line that a provider gives of a page is nothing that was fetched."""
    settings.DOSSIER_SERVER_SEARCH = True
    asked = install_web(monkeypatch)
    sage = Sage(research=searched, summary=summary, report=report)
    run = work(ask(sage, web=False))
    assert asked == [f"extract {[url]}" for url in PAGES]
    assert not Source.objects.filter(run=run, document=None).exists()
    result = ResearchResult.objects.get(run=run)
    assert {check.verdict for check in result.checks.filter(kind__in=["quote", "claim"])} == {"pass"}
