from dataclasses import replace

import pytest

from common.outside.client import Traffic
from entities.gleif import register as registers
from entities.gleif.client import PATIENCE, GleifClient
from entities.gleif.demo.server import DemoServer
from research.engine.runner import perform_run
from research.models import ResearchResult, Run, Step
from research.services.macros import sync_macros
from research.services.reviews import preview_edits
from research.services.runs import resume_run, start_run

pytestmark = pytest.mark.django_db
FAULTS = ["down", "slow", "throttled", "broken", "html", "truncated"]
HURRIED = replace(PATIENCE, attempt=0.05)


@pytest.fixture
def client():
    """A client that does not wait between its attempts."""
    with DemoServer() as server:
        client = GleifClient(server.url, per_minute=0, traffic=Traffic(sleep=lambda seconds: None))
        client.server = server
        yield client


@pytest.fixture
def server(settings, monkeypatch, client):
    """A stand-in for GLEIF's API that can be broken."""
    url = client.server.url
    settings.GLEIF_BASE_URL, settings.DOSSIER_REGISTER = url, "gleif"
    monkeypatch.setitem(registers._opened, ("gleif", url), registers.Register(client))
    return client.server


@pytest.fixture
def fail(server, client):
    """``fail(fault)`` breaks the server. For one that is slow the client has little time; that costs the test less."""

    def fail(fault):
        client._client = replace(client._client, patience=HURRIED if fault == "slow" else PATIENCE)
        server.fail(fault, seconds=1.2)

    return fail


@pytest.fixture
def recover(server, client):
    def recover():
        client._client = replace(client._client, patience=PATIENCE)
        client._client.traffic.forget()
        server.recover()

    return recover


@pytest.fixture
def discover(server):
    """Starts and performs a client discovery; gives the run as it stands afterwards."""
    sync_macros()

    def run(name="Allianz SE"):
        started = start_run(
            macro="client-discovery", params={"client_name": name}, trigger="cli", enqueue=False
        )
        perform_run(started.pk)
        return Run.objects.get(pk=started.pk)

    return run


def test_it_works_over_http_as_over_the_table(discover):
    run = discover()
    assert run.state == "succeeded"
    assert run.register == "live"
    assert run.result.limitations == []


@pytest.mark.parametrize("fault", FAULTS)
def test_it_fails_with_the_reason_when_the_register_is_in_trouble_from_the_start(discover, fail, fault):
    fail(fault)
    run = discover()
    assert run.state == "failed"
    assert run.error["code"] == "register_unavailable"
    assert run.error["retryable"]
    assert not ResearchResult.objects.exists()


@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_never_not_found_because_of_trouble(discover, fail, fault):
    fail(fault)
    assert discover("No Such Company At All").error["code"] != "not_found"


@pytest.mark.parametrize("fault", FAULTS)
def test_it_goes_on_where_it_stood_when_the_register_is_back(discover, fail, recover, fault):
    fail(fault)
    run = discover()
    recover()
    resume_run(run=run, actor=None, enqueue=False)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == "succeeded"
    assert run.result.schema_valid


@pytest.mark.parametrize("fault", ["down", "broken", "html"])
def test_it_names_the_gap_when_the_trouble_begins_half_way(discover, server, fault, monkeypatch):
    from research.engine import tool_calls

    call = tool_calls.call
    seen = []

    def break_after_the_parents(tool, arguments, context):
        answer = call(tool, arguments, context)
        seen.append(tool.name)
        if tool.name == "lei_parents":
            server.fail(fault)
        return answer

    monkeypatch.setattr(tool_calls, "call", break_after_the_parents)
    run = discover()
    assert "lei_parents" in seen
    assert run.state == "succeeded"
    result = run.result
    assert any("lei_children" in sentence for sentence in result.limitations)
    assert result.data["research_summary"]["data_gaps"]
    assert result.search_quality in {"MEDIUM", "LOW"}
    verdicts = set(result.checks.filter(code="existence").values_list("verdict", flat=True))
    assert "fail" not in verdicts


def test_it_says_unknown_when_checks_cannot_ask_the_register(discover, server):
    result = discover().result
    lei = result.data["apex_entity"]["lei"]
    registers._opened[("gleif", server.url)]._cache.clear()
    server.fail("broken")
    checks = [c for c in preview_edits(result=result).checks if c.subject == lei]
    assert {c.verdict for c in checks if c.code == "existence"} == {"unknown"}
    assert not [c for c in checks if c.verdict == "fail"]


def test_it_does_not_ask_again_what_was_answered_before_the_trouble(discover, no_pauses, monkeypatch):
    from research.engine import tool_calls
    from research.llm.interface import ModelFault
    from research.register_researcher.model import RegisterModel

    complete = RegisterModel.complete

    def lost(self, request):
        if sum(message.role == "assistant" for message in request.messages) == 2:
            raise ModelFault("network", "connection lost", billed=True)
        return complete(self, request)

    monkeypatch.setattr(RegisterModel, "complete", lost)
    run = discover()
    assert (run.state, run.error["code"]) == ("failed", "model_unavailable")
    before = list(Step.objects.filter(run=run, kind="tool").values_list("seq", flat=True))
    monkeypatch.setattr(RegisterModel, "complete", complete)
    calls = []
    call = tool_calls.call
    monkeypatch.setattr(tool_calls, "call", lambda tool, *rest: calls.append(tool.name) or call(tool, *rest))
    resume_run(run=run, actor=None, enqueue=False)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == "succeeded"
    assert Step.objects.filter(run=run, kind="tool").count() == len(before) + len(calls)
    assert "lei_search" not in calls
