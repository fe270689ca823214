"""Report, sources, quotes and evidence name a source by one number, over REST and at the terminal as on the page."""

import json
import re

import pytest
from django.core.management import call_command

from research.models import ResearchResult
from tests.api.conftest import *  # noqa: F403 - fixtures
from tests.deep.conftest import work
from tests.deep.newsroom import PAGES, Sage

pytestmark = pytest.mark.django_db


@pytest.fixture
def result(ask):
    return ResearchResult.objects.get(run=work(ask(Sage())))


def by_rest(result, client, url, capsys):
    return client.get(url("result", result.pk)).json()


def at_the_terminal(result, client, url, capsys):
    call_command("research", "result", str(result.pk), "--json")
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("look", [by_rest, at_the_terminal])
def test_every_number_means_the_source_that_the_report_lists_under_it(result, client, url, capsys, look):
    told = look(result, client, url, capsys)
    listed = {source["number"]: source["url"] for source in told["data"]["sources"]}
    assert {source["number"]: source["url"] for source in told["sources"]} == listed
    assert [source["number"] for source in told["sources"]] == sorted(listed)
    found = {source.number: source.url for source in result.run.sources.all()}
    assert found != listed  # the run found them in another order
    assert {source["run_number"]: source["url"] for source in told["sources"]} == found
    for item in told["evidence"]:
        assert item["quote"] in PAGES[listed[item["source"]]][1]
    quotes = [check for check in told["checks"] if check["kind"] == "quote"]
    assert quotes
    for check in quotes:
        assert check["evidence"]["quote"] in PAGES[listed[check["evidence"]["source"]]][1]
        assert re.findall(r"source (\d+)", check["message"]) == [str(check["evidence"]["source"])]


def test_what_the_run_stored_keeps_its_numbers(result, client, url, capsys):
    stored = [item["source"] for item in result.evidence]
    assert [item["source"] for item in by_rest(result, client, url, capsys)["evidence"]] != stored
    result.refresh_from_db()
    assert [item["source"] for item in result.evidence] == stored
