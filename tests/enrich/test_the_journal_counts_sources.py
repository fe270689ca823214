"""A caller who stores findings only says which sources were asked. The journal of the run shows which really were."""

import pytest

from entities.memory.findings import NOT_IN_JOURNAL
from entities.models import EntityResearch
from research.tools.tool import REGISTRY, ToolContext, run_tool
from tests.factories import EntityFactory, RunFactory, StepFactory

pytestmark = pytest.mark.django_db
FINDINGS = {"summary": "It is listed.", "confidence": 99}
CLAIMED = [{"tool": "banana", "success": True}, {"tool": "apple", "success": True}]
LEI = "529900K9B0N5BT694847"


@pytest.fixture
def allianz():
    return EntityFactory(name="Allianz SE", slug="allianz-se", lei=LEI)


@pytest.fixture
def run():
    return RunFactory()


def answered(run, name, query, data=None, *, seq=1, success=True):
    answer = (
        {"success": True, "data": data or {}} if success else {"success": False, "error": {"code": "down"}}
    )
    return StepFactory(run=run, seq=seq, kind="tool", name=name, intent={"arguments": query}, answer=answer)


@pytest.fixture
def store(allianz, tool_context):
    def call(run=None, sources=CLAIMED, **more):
        context = tool_context(run.pk if run else None)
        arguments = {"entityId": "allianz-se", "findings": FINDINGS, "sources": sources, **more}
        told = run_tool(REGISTRY["store_research_results"], arguments, context)
        assert told["success"], told
        return EntityResearch.objects.get()

    return call


@pytest.fixture
def tool_context():
    return lambda root_id: ToolContext(register=None, root_id=root_id)


def test_sources_that_nobody_asked_do_not_count(store, run):
    kept = store(run)
    assert (kept.confidence, kept.completeness) == (20, 0)
    assert kept.findings["summary"].startswith("Insufficient data: 0 of 2")
    assert [(one["tool"], one["success"], one["error"]) for one in kept.sources] == [
        ("banana", False, NOT_IN_JOURNAL),
        ("apple", False, NOT_IN_JOURNAL),
    ]


def test_without_a_run_no_source_counts(store):
    assert store().confidence == 20


def test_sources_that_answered_about_the_entity_count_whatever_the_caller_lists(store, run):
    answered(run, "lei_record", {"lei": LEI})
    answered(run, "register_search", {"name": "Allianz"}, {"hits": [{"name": "ALLIANZ SE"}]}, seq=2)
    kept = store(run, sources=[])
    assert (kept.confidence, kept.completeness) == (99, 100)
    assert [one["tool"] for one in kept.sources] == ["lei_record", "register_search"]


def test_a_run_that_an_agent_names_shows_what_it_asked(store, run):
    answered(run, "lei_record", {"lei": LEI})
    answered(run, "register_search", {"name": "Allianz SE"}, seq=2)
    assert store(runId=str(run.pk)).confidence == 99


def test_calls_about_others_and_calls_that_failed_do_not_count(store, run):
    answered(run, "lei_record", {"lei": LEI}, success=False)
    answered(run, "register_search", {"name": "Zurich"}, {"hits": [{"name": "Zurich AG"}]}, seq=2)
    answered(run, "resolve_entity", {"identifier": LEI}, seq=3)  # memory itself is no source
    kept = store(run)
    assert kept.confidence == 20
    assert [one["tool"] for one in kept.sources] == ["lei_record", "banana", "apple"]


def test_calls_of_the_parts_of_a_run_count(store, run):
    part = RunFactory(parent=run)
    answered(part, "lei_record", {"lei": LEI})
    answered(part, "register_search", {"name": "allianz se"}, seq=2)
    assert store(run).confidence == 99
