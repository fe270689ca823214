"""A page that one run has read is remembered with its ETag; what gave nothing is named in the result."""

import pytest

from research.engine.runner import perform_run
from research.models import Document, Page, ResearchResult, Source
from tests.engine.conftest import answers, asks
from tests.factories import MACRO_TEXT, MacroFactory, RunFactory
from tests.web.fetch import site as sites

pytestmark = pytest.mark.django_db

ARTICLE = (
    b"<html lang=en><head><title>Report</title></head><body><h1>Report</h1>"
    b"<p>Example Holding was founded in Zurich in 1890 and has been listed since 1923.</p></body></html>"
)


@pytest.fixture
def site(settings):
    site = sites.Site({"/a": sites.Page(ARTICLE, headers={"ETag": '"v1"'})})
    settings.DOSSIER_FETCH_ALLOW = [f"127.0.0.1:{site.port}"]
    settings.DOSSIER_FETCH_PER_MINUTE = 0
    yield site
    site.close()


@pytest.fixture
def reader():
    text = MACRO_TEXT.format(name="reader", schema_name="reader").replace(
        "[lei_search, lei_record]", "[web_search, extract_content]\n  reach: open"
    )
    return MacroFactory(name="reader", text=text)


def test_it_remembers_how_the_site_answered(play, site, reader):
    play(asks(("extract_content", {"urls": [site.url("/a"), site.url("/missing")]})), answers())
    run = RunFactory(macro=reader)
    perform_run(run.pk)
    page, source = Page.objects.get(), Source.objects.get(run=run)
    assert (page.url, page.status, page.etag) == (site.url("/a"), 200, '"v1"')
    assert page.document == source.document == Document.objects.get()
    result = ResearchResult.objects.get(run=run)
    (lacking,) = [said for said in result.limitations if said.startswith("extract_content")]
    assert site.url("/missing") in lacking


def test_it_says_in_the_result_that_nobody_could_be_asked_to_search(play, reader):
    play(asks(("web_search", {"query": "Example Holding"})), answers())
    run = RunFactory(macro=reader)
    perform_run(run.pk)
    result = ResearchResult.objects.get(run=run)
    assert any("DOSSIER_SEARCH" in said or "search provider" in said for said in result.limitations)
    assert result.ungrounded
