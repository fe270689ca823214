"""Entities to research: five market sources on loopback, the demo register, and models that play a script."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from common.outside.client import Traffic
from common.outside.pace import Rate
from entities.markets.markets import Markets
from entities.markets.sources import open_sources
from research.engine.runner import perform_run
from research.jsontext import digest
from research.llm.interface import Abilities, ModelRequest, ToolCall, Turn
from research.macros.loader import LIBRARY
from research.models import Run
from research.models.states import RunState
from research.services.enrichment import Enrichment, enrich
from tests.api.conftest import client, client_of, fresh_throttles, person, stranger  # noqa: F401 - fixtures
from tests.commands.conftest import run  # noqa: F401 - a fixture
from tests.entities.markets.market import KEYS, NOW, Market
from tests.factories import MacroFactory
from tests.web.search.doubles import Clock

MACRO = (LIBRARY / "entity-research.yaml").read_text(encoding="utf-8")


@pytest.fixture
def macro(db):
    return MacroFactory(
        name="entity-research", text=MACRO, digest=digest(MACRO), schema_name="entity-research-result"
    )


@pytest.fixture
def market(settings, monkeypatch) -> Iterator[Market]:
    """All five sources, asked without waiting."""
    clock, now = Clock(), datetime.fromtimestamp(NOW, UTC)
    rates = dict.fromkeys(("helius", "birdeye", "rugcheck", "x", "jupiter"), Rate(0, 0))
    traffic = Traffic(clock=clock, sleep=clock.sleep, rates=rates)
    monkeypatch.setattr(
        "research.tools.markets.open_markets", lambda: Markets(open_sources(traffic), lambda: now)
    )
    with Market() as market:
        for name, value in {**KEYS, **market.urls()}.items():
            setattr(settings, name, value)
        yield market


@pytest.fixture
def research(macro) -> Callable[..., Run]:
    """``research(identifier, ..., summaries=[...])`` enriches and works to the end; the head, with its result."""

    def enriched(*identifiers: str, **options: object) -> Run:
        done: Enrichment = enrich(identifiers=identifiers, trigger="cli", enqueue=False, **options)
        assert done.run is not None
        return work(done.run)

    return enriched


def work(head: Run) -> Run:
    """Every queued run of the family is taken up, until none is."""
    while True:
        children = Run.objects.filter(parent=head, state=RunState.QUEUED).order_by("directive")
        ids = [*children.values_list("pk", flat=True)] or [
            *Run.objects.filter(pk=head.pk, state=RunState.QUEUED).values_list("pk", flat=True)
        ]
        if not ids:
            break
        for run_id in ids:
            perform_run(run_id)
    return Run.objects.get(pk=head.pk)


def told(head: Run) -> dict:
    """What the document of a batch says, by identifier."""
    return {entry["identifier"]: entry for entry in head.result.data["entities"]}


class Model:
    """Answers by what it is asked: ``lines`` are turns by how many answers of tools it has seen, the last one again."""

    name = "model"
    abilities = Abilities()

    def __init__(self, *lines: Turn | Exception) -> None:
        self.lines = lines
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> Turn:
        self.requests.append(request)
        place = sum(message.role == "tool" for message in request.messages)
        line = self.lines[min(place, len(self.lines) - 1)]
        if isinstance(line, Exception):
            raise line
        return line


@pytest.fixture
def play(monkeypatch) -> Callable[..., Model]:
    """``play(turn, ...)``: a model that says these."""

    def install(*lines: Turn | Exception) -> Model:
        model = Model(*lines)
        monkeypatch.setattr("research.engine.model_calls.open_model", lambda name: model)
        monkeypatch.setattr(
            "research.engine.model_calls.ModelCalls.pause", staticmethod(lambda seconds: None)
        )
        return model

    return install


def calls(*wanted: tuple[str, dict]) -> Turn:
    return Turn(
        tool_calls=tuple(ToolCall(f"{name}-{n}", name, args) for n, (name, args) in enumerate(wanted)),
        stop="tools",
    )


def says(document: object) -> Turn:
    return Turn(text=document if isinstance(document, str) else json.dumps(document))
