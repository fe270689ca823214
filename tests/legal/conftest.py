"""Questions of law against courts, acts and commentaries on loopback; every worker is a call by the test."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import timedelta

import pytest
from django.utils import timezone

from citations.sources import setup
from citations.sources.entscheidsuche import Entscheidsuche
from citations.sources.fedlex import Fedlex
from citations.sources.onlinekommentar import Onlinekommentar
from common.outside.client import Traffic
from common.outside.pace import Rate
from research.engine.runner import perform_run
from research.jsontext import digest
from research.macros.loader import LIBRARY, load_macro
from research.macros.parameters import check_parameters
from research.models import Run
from research.models.states import RunState
from tests.court_server import CourtServer
from tests.factories import MacroFactory, RunFactory
from tests.law_servers import ActServer, CommentaryServer
from tests.legal.library import DECISIONS

MACRO = (LIBRARY / "legal-research.yaml").read_text(encoding="utf-8")
QUESTION = "Was sind die Voraussetzungen für Mängelhaftung im Werkvertrag?"
FAST = Rate(0, 0)


@pytest.fixture
def legal_macro(db):
    return MacroFactory(
        name="legal-research", text=MACRO, digest=digest(MACRO), schema_name="legal-research-result"
    )


@pytest.fixture
def traffic():
    now = [1_000.0]
    return Traffic(
        clock=lambda: now[0],
        sleep=lambda seconds: now.__setitem__(0, now[0] + seconds),
        uniform=lambda low, high: 1.0,
    )


@pytest.fixture
def courts(settings, monkeypatch, traffic) -> Iterator[CourtServer]:
    """entscheidsuche.ch, without waiting between questions."""
    with CourtServer(*deepcopy(DECISIONS)) as server:
        settings.ENTSCHEIDSUCHE_BASE_URL = server.url
        client = Entscheidsuche(server.url, traffic=traffic, rate=FAST)
        for room in ("research.tools.decisions", "citations.services.questions"):
            monkeypatch.setattr(f"{room}.open_entscheidsuche", lambda: client)
        yield server
    setup.forget()


@pytest.fixture
def acts(settings, monkeypatch, traffic) -> Iterator[ActServer]:
    with ActServer() as server:
        settings.FEDLEX_BASE_URL = server.url
        client = Fedlex(server.url, traffic=traffic, rate=FAST)
        monkeypatch.setattr("research.tools.acts.open_fedlex", lambda: client)
        yield server


@pytest.fixture
def commentaries(settings, monkeypatch, traffic) -> Iterator[CommentaryServer]:
    with CommentaryServer() as server:
        settings.ONLINEKOMMENTAR_BASE_URL = server.url
        client = Onlinekommentar(server.url, traffic=traffic, rate=FAST)
        monkeypatch.setattr("research.tools.commentaries.open_onlinekommentar", lambda: client)
        yield server


@pytest.fixture
def ask(legal_macro) -> Callable[..., Run]:
    """``ask(question, autonomy=..., cantons=...)`` makes a queued legal run; what is no field of it is a parameter."""

    def make(question: str = QUESTION, *, autonomy: str = "balanced", model: str = "register", **params):
        checked = check_parameters(load_macro(MACRO), {"question": question, **params})
        return RunFactory(
            macro=legal_macro, params=checked, workflow="legal", autonomy=autonomy, model=model, max_turns=60
        )

    return make


def work(run: Run) -> Run:
    """A worker takes the run up as often as it is queued."""
    while Run.objects.filter(pk=run.pk, state=RunState.QUEUED).exists():
        perform_run(run.pk)
    run.refresh_from_db()
    return run


def revive(run: Run) -> None:
    """The lease of a worker that was killed runs out, and the sweep finds its run."""
    late = timezone.now() - timedelta(seconds=1)
    Run.objects.filter(pk=run.pk, state=RunState.RUNNING).update(lease_until=late, state=RunState.QUEUED)
