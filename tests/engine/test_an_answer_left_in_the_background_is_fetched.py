"""A provider that keeps its answers is asked once per turn, whichever worker lives to fetch the answer."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import OperationalError
from django.utils import timezone

from research.engine.journal import Journal
from research.engine.lease_renewal import HEART
from research.engine.runner import perform_run
from research.llm.interface import Abilities, LookFailed, ModelFault, Usage
from research.models import ModelPrice, Run, Step
from research.models.states import RunState
from research.services.runs import cancel_run
from research.store import run_store
from tests.engine.conftest import ALLIANZ, Script, answers, asks
from tests.factories import RunFactory

STORE = type(run_store())

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """kill -9: no handler of ours sees it."""


class Background(Script):
    """Every request is answered at once and kept under its ticket."""

    abilities = Abilities(background=True)

    def __init__(self, *turns):
        super().__init__(*turns)
        self.kept = {}

    def start(self, request):
        ticket = f"resp_{len(self.requests)}"
        self.kept[ticket] = self.complete(request)
        return ticket

    def collect(self, ticket):
        return self.kept[ticket]

    def cancel(self, ticket):
        raise AssertionError("nobody wants it to stop")


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_it_is_not_asked_for_again(monkeypatch, turn):
    model = Background(
        asks(("lei_record", {"lei": ALLIANZ})), asks(("lei_search", {"name": "Allianz SE"})), answers()
    )
    monkeypatch.setattr("research.engine.model_calls.open_model", lambda name: model)
    run = RunFactory()
    ticket, stored = Journal.ticket, []

    def die_with(self, step, name):
        ticket(self, step, name)
        stored.append(name)
        if len(stored) == turn:
            raise Killed

    monkeypatch.setattr(Journal, "ticket", die_with)
    with pytest.raises(Killed):
        perform_run(run.pk)
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert len(model.requests) == 3
    assert Step.objects.filter(run=run, kind="model").count() == 3
    assert Step.objects.filter(run=run, kind="tool").count() == 2


@pytest.fixture
def priced(monkeypatch):
    """A run with a budget, and a model whose looks for the answer fail with ``faults`` first."""
    ModelPrice.objects.create(
        model="x", valid_from="2020-01-01", input_usd=10, cached_usd=1, cache_write_usd=10, output_usd=10
    )

    def install(*faults):
        model = Background(replace(answers(), usage=Usage(1000, 0, 0, 1000)))
        model.name, model.looks, collect = "openai:x", list(faults), model.collect

        def look(ticket):
            if model.looks:
                raise model.looks.pop(0)
            return collect(ticket)

        model.collect = look
        monkeypatch.setattr("research.engine.model_calls.open_model", lambda name: model)
        return model, RunFactory(model="openai:x", budget_usd=Decimal(1))

    return install


@pytest.mark.parametrize(
    "fault",
    [
        LookFailed("rate_limit", "429", status=429),
        LookFailed("server", "500", status=500),
        LookFailed("network", "hung up"),
        LookFailed("timeout", "slow"),
        LookFailed("truncated", "broke the answer off"),
    ],
    ids=lambda fault: fault.kind,
)
def test_it_is_looked_for_again_when_a_look_fails(priced, no_pauses, fault):
    model, run = priced(fault, fault)
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, len(model.requests)) == (RunState.SUCCEEDED, 1)
    assert (run.spent_usd, run.lost_usd, run.reserved_usd) == (Decimal("0.02"), 0, 0)
    assert no_pauses == [1, 2]


def test_a_look_leaves_the_provider_alone_for_as_long_as_it_asks(priced, no_pauses, settings):
    settings.DOSSIER_MODEL_TIMEOUT = 100
    busy = [LookFailed("rate_limit", "429", status=429, retry_after=wait) for wait in (7.5, 0.1, 3_000)]
    _, run = priced(*busy)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert no_pauses[:2] == [7.5, 2]
    assert 90 < no_pauses[2] <= 100  # its time is over then: one last look


def test_it_is_looked_for_only_until_its_time_is_over(priced, no_pauses, settings):
    settings.DOSSIER_MODEL_TIMEOUT, settings.DOSSIER_MODEL_ATTEMPTS = -1, 1
    model, run = priced(LookFailed("server", "500", status=500))
    model.cancel = no_pauses.append
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "model_unavailable")
    assert run.lost_usd > 0
    assert no_pauses == ["resp_0"]


def test_what_fails_for_good_after_the_start_may_have_been_paid(priced, settings):
    settings.DOSSIER_MODEL_ATTEMPTS = 1
    _, run = priced(ModelFault("auth", "the key was withdrawn", status=401))
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert run.lost_usd > 0


def test_it_stops_although_the_provider_cannot_be_told(priced):
    model, run = priced()

    def none_yet(ticket):
        cancel_run(run=Run.objects.get(pk=run.pk), actor=None)
        HEART.beat()

    def refuse(ticket):
        raise ModelFault("rate_limit", "429", status=429)

    model.collect, model.cancel = none_yet, refuse
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.reserved_usd) == (RunState.CANCELLED, 0)
    assert run.lost_usd > 0


@pytest.mark.django_db(transaction=True)
def test_its_ticket_is_stored_although_the_database_gives_way(priced, monkeypatch):
    monkeypatch.setattr("research.engine.journal.RETRIES", (0, 0))
    model, run = priced()
    hold, failed = STORE.keep_intent, []

    def gives_way(self, *args):
        if not failed:
            failed.append(1)
            raise OperationalError("the connection broke")
        return hold(self, *args)

    monkeypatch.setattr(STORE, "keep_intent", gives_way)
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, len(model.requests)) == (RunState.SUCCEEDED, 1)
    assert Step.objects.get(run=run, kind="model").intent["ticket"] == "resp_0"
