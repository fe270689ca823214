"""Runs say what they spent and may spend; ``spending`` has the sums."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from research.models import Run, Step
from tests.factories import MacroFactory, RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def paid():
    run = RunFactory(
        macro=MacroFactory(name="dear-question"),
        budget_usd=Decimal(2),
        spent_usd=Decimal("0.5"),
        lost_usd=Decimal("0.25"),
    )
    book(run, "0.5", "0.25")
    return run


def book(run, cost="0", lost="0", usage=None):
    Step.objects.create(
        run=run,
        seq=run.steps.count() + 1,
        kind="model",
        name="turn",
        answer={"model": "some-model"},
        usage=usage,
        cost_usd=Decimal(cost),
        lost_usd=Decimal(lost),
        fence=1,
    )


def test_a_run_says_what_it_spent_and_may_spend(client, url, paid):
    shown = client.get(url("run", paid.pk)).json()
    assert shown["spend"] == {
        "spent": "0.500000",
        "reserved": "0.000000",
        "possibly_paid": "0.250000",
        "unknown_calls": 0,
        "budget": "2.000000",
    }
    assert shown["used"] == {"turns": 1, "max_turns": 20, "tool_calls": 0, "max_tool_calls": 50}


def test_a_list_says_the_same_of_each(client, url, paid):
    book(RunFactory(parent=paid, macro=paid.macro, directive="one"), usage={"cost": "unknown"})
    told = {run["id"]: run["spend"] for run in client.get(url("runs")).json()["results"]}
    assert told[str(paid.pk)] == client.get(url("run", paid.pk)).json()["spend"]
    assert told[str(paid.pk)]["unknown_calls"] == 1


def test_what_nobody_knows_is_null_and_not_zero(client, url):
    run = RunFactory()
    book(run, usage={"cost": "unknown"})
    assert client.get(url("run", run.pk)).json()["spend"]["spent"] is None


def test_a_run_says_why_it_waits_or_ended_and_what_to_do(client, url):
    failed = RunFactory(state="failed", error={"code": "quota", "message": "HTTP 402", "retryable": False})
    told = client.get(url("run", failed.pk)).json()["trouble"]
    assert "used up" in told["sentence"]
    assert "resume" in told["advice"]
    assert told["detail"] == "HTTP 402"
    parked = RunFactory(state="waiting", wake_at=timezone.now() + timedelta(hours=1))
    shown = client.get(url("run", parked.pk)).json()
    assert "goes on by itself" in shown["trouble"]["sentence"]
    assert shown["wake_at"]
    assert client.get(url("run", RunFactory(state="running").pk)).json()["trouble"] is None


@pytest.mark.parametrize(("by", "key"), [("macro", "dear-question"), ("model", "some-model")])
def test_spending_is_summed(client, url, paid, by, key):
    answer = client.get(url("spending"), {"by": by}).json()
    sums = {"calls": 1, "spent": "0.500000", "possibly_paid": "0.250000", "unknown_calls": 0}
    assert answer["rows"] == [{by: key, **sums}]
    assert answer["total"] == sums
    assert answer["by"] == by


def test_spending_is_of_the_last_thirty_days_unless_asked(client, url, paid):
    today = timezone.localdate()
    answer = client.get(url("spending")).json()
    assert (answer["from"], answer["to"]) == (str(today - timedelta(days=29)), str(today))
    assert [row["day"] for row in answer["rows"]] == [str(today)]
    before = {"from": "2020-01-01", "to": "2020-12-31"}
    assert client.get(url("spending"), before).json()["rows"] == []


@pytest.mark.parametrize(
    "query",
    [{"by": "week"}, {"from": "soon"}, {"from": "2026-11-02", "to": "2026-11-01"}, {"since": "2026-01-01"}],
)
def test_a_question_that_is_none_is_refused_by_name(client, url, query):
    answer = client.get(url("spending"), query)
    assert (answer.status_code, bool(answer.json()["errors"])) == (400, True)


def test_spending_is_for_those_who_may_see_runs(stranger, nobody, url):
    assert stranger.get(url("spending")).status_code == 403
    assert nobody.get(url("spending")).status_code == 401


def test_a_budget_is_given_at_the_start_and_raised_when_it_is_spent(client, url):
    body = {"macro": MacroFactory().name, "params": {"client_name": "Allianz SE"}, "budget_usd": "1.5"}
    started = client.post(url("runs"), body).json()
    assert started["spend"]["budget"] == "1.500000"
    Run.objects.update(state="awaiting_confirmation", phase="budget", spent_usd=Decimal("1.5"))
    confirm = url("run-confirm", started["id"])
    refused = client.post(confirm, {})
    assert (refused.status_code, refused.json()["errors"][0]["name"]) == (400, "budget_usd")
    assert "1.5" in refused.json()["errors"][0]["message"]
    assert client.post(confirm, {"budget_usd": "1.5"}).status_code == 400
    goes_on = client.post(confirm, {"budget_usd": "4"})
    assert (goes_on.status_code, goes_on.json()["state"]) == (202, "queued")
    assert goes_on.json()["spend"]["budget"] == "4.000000"
