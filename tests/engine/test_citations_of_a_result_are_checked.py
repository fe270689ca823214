"""What a result cites is checked before a person sees it, remembered, and checked again when it is edited."""

import pytest

from citations.models import CitationUse
from research.engine.runner import perform_run
from research.models import Step
from research.services.reviews import preview_edits
from tests.court_server import CourtServer
from tests.engine.conftest import FINAL, answers
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
CITING = {**FINAL, "name": "Allianz SE, BGE 147 VII 1 E. 3"}


@pytest.fixture
def perform(play, django_capture_on_commit_callbacks):
    def perform(data):
        play(answers(data))
        run = RunFactory()
        with django_capture_on_commit_callbacks(execute=True):
            perform_run(run.pk)
        run.refresh_from_db()
        return run

    return perform


def cited(checks):
    return [(one.pointer, one.code, one.verdict, one.subject) for one in checks if one.kind == "citation"]


def test_a_citation_that_does_not_exist_fails_where_it_stands(perform):
    run = perform(CITING)
    assert cited(run.result.checks.all()) == [("/name", "existence", "fail", "BGE 147 VII 1")]
    use = CitationUse.objects.get()
    assert (use.label, use.reference, use.pointer, use.pinpoints) == (
        "result", str(run.result.pk), "/name", ["E. 3"],
    )  # fmt: skip


def test_a_result_that_cites_nothing_has_no_such_check_and_no_such_step(perform):
    run = perform(FINAL)
    assert cited(run.result.checks.all()) == []
    assert not Step.objects.filter(name="citations").exists()
    assert not CitationUse.objects.exists()


def test_an_edited_value_is_checked_again(perform):
    run = perform(CITING)
    edits = [{"op": "replace", "path": "/name", "value": "Allianz SE, BGE 999 I 1"}]
    assert cited(preview_edits(result=run.result, edits=edits).checks) == [
        ("/name", "existence", "fail", "BGE 999 I 1")
    ]
    edits = [{"op": "replace", "path": "/name", "value": "Allianz SE"}]
    assert cited(preview_edits(result=run.result, edits=edits).checks) == []


def test_a_check_asks_nobody_unless_it_may(perform, settings):
    with CourtServer() as courts:
        settings.ENTSCHEIDSUCHE_BASE_URL = courts.url
        perform({**FINAL, "name": "BGer 4A_1/2020"})
        assert courts.asked == []
        settings.CITATION_CHECK_LOOKUPS = 1
        run = perform({**FINAL, "name": "BGer 4A_2/2020 und 4A_3/2020"})
        assert len(courts.asked) == 1
        found = {one.subject: one.evidence["verdict"] for one in run.result.checks.filter(kind="citation")}
        assert found == {"BGer 4A_2/2020": "not_found_here", "BGer 4A_3/2020": "unknown"}


def test_a_court_in_trouble_makes_it_unknown(perform, settings):
    with CourtServer() as courts:
        courts.trouble = "bot"
        settings.ENTSCHEIDSUCHE_BASE_URL, settings.CITATION_CHECK_LOOKUPS = courts.url, 3
        run = perform({**FINAL, "name": "BGer 4A_1/2020"})
    assert cited(run.result.checks.all()) == [("/name", "existence", "unknown", "BGer 4A_1/2020")]


def test_where_looking_for_citations_breaks_the_check_says_so(perform, monkeypatch):
    def broken(data, **more):
        raise ZeroDivisionError

    monkeypatch.setattr("research.engine.check_steps.cites_anything", broken)
    monkeypatch.setattr("research.engine.check_steps.check_cited", broken)
    run = perform(FINAL)
    check = run.result.checks.get(kind="citation")
    assert (check.code, check.verdict) == ("check-failed", "unknown")
