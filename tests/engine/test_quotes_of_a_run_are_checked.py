"""From the page that a run read to the verdict on what its model quotes from it."""

import pytest

from research.engine.runner import perform_run
from research.models import ResearchResult, Source
from tests.engine.conftest import ALLIANZ, FINAL, answers, asks
from tests.factories import MACRO_TEXT, MacroFactory, RunFactory
from tests.web.fetch import site as sites

pytestmark = pytest.mark.django_db
ARTICLE = (
    "<html lang=en><head><title>Report</title></head><body><h1>Report</h1><p>Allianz&nbsp;SE is the head of the "
    "group.</p><p>It is registered in Ger&shy;many – and “nowhere else”.</p></body></html>"
).encode()


@pytest.fixture
def site(settings):
    site = sites.Site({"/a": sites.Page(ARTICLE)})
    settings.DOSSIER_FETCH_ALLOW = [f"127.0.0.1:{site.port}"]
    settings.DOSSIER_FETCH_PER_MINUTE = 0
    yield site
    site.close()


@pytest.fixture
def run(db):
    text = MACRO_TEXT.format(name="reader", schema_name="reader")
    text = text.replace("[lei_search, lei_record]", "[lei_record, extract_content]" + "\n  reach: open")
    return RunFactory(macro=MacroFactory(name="reader", text=text), model="script")


def result_of(run, play, *calls, **quotes):
    evidence = [
        {"pointer": f"/{place}", "source": source, "quote": quote}
        for place, (source, quote) in quotes.items()
    ]
    play(asks(*calls), answers({**FINAL, "evidence": evidence}))
    perform_run(run.pk)
    return ResearchResult.objects.get(run=run)


def test_a_quote_of_a_page_is_found_in_what_was_archived_of_it(play, run, site):
    result = result_of(
        run,
        play,
        ("extract_content", {"urls": [site.url("/a")]}),
        name=(1, "Allianz SE is the head of the group."),
        jurisdiction=(1, 'It is registered in Germany - and "nowhere else".'),
        lei=(1, f"Its LEI is {ALLIANZ}, as everybody knows."),
    )
    document = Source.objects.get(run=run, number=1).document
    verdicts = {check.pointer: check for check in result.checks.filter(kind="quote")}
    assert {place: check.verdict for place, check in verdicts.items()} == {
        "/name": "pass",
        "/jurisdiction": "pass",
        "/lei": "fail",
    }
    where = verdicts["/jurisdiction"].evidence
    assert where["document"] == document.pk
    assert document.text[where["start"] : where["end"]] == where["passage"]
    assert result.coverage == {"claims": 3, "quoted": 3, "found": 2}


def test_a_value_of_a_register_record_can_be_quoted(play, run):
    result = result_of(run, play, ("lei_record", {"lei": ALLIANZ}), name=(1, "Allianz SE"), lei=(1, ALLIANZ))
    assert list(result.checks.filter(kind="quote").values_list("verdict", flat=True)) == ["pass", "pass"]


def test_a_run_without_quotes_has_no_checks_of_quotes(play, run):
    result = result_of(run, play, ("lei_record", {"lei": ALLIANZ}))
    assert not result.checks.filter(kind="quote").exists()
    assert result.coverage == {"claims": 3, "quoted": 0, "found": 0}
