"""Deep runs against a model that knows its lines; every worker is a call of ``perform_run`` by the test."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.runner import perform_run
from research.jsontext import digest
from research.macros.loader import LIBRARY
from research.models import Run
from research.models.states import RunState
from tests.deep.newsroom import Sage, install_web
from tests.factories import MacroFactory, RunFactory

MACRO = (LIBRARY / "deep-research.yaml").read_text(encoding="utf-8")
QUESTION = "Who owns Mill AG in Bern, and how many people work there?"


@pytest.fixture
def deep_macro(db):
    return MacroFactory(
        name="deep-research", text=MACRO, digest=digest(MACRO), schema_name="deep-research-result"
    )


@pytest.fixture
def ask(deep_macro, monkeypatch) -> Callable[..., Run]:
    """``ask(sage, autonomy=..., depth=...)`` makes a queued deep run that the sage will answer."""

    def make(sage: Sage, *, web: bool = True, **fields):
        monkeypatch.setattr("research.engine.model_calls.open_model", lambda name: sage)
        if web:
            install_web(monkeypatch)
        fields = {
            "autonomy": "balanced",
            "depth": "standard",
            "max_turns": 60,
            "max_tool_calls": 120,
            "model": "sage",
            **fields,
        }
        params = {"question": QUESTION, "language": "en", "scope": None, "audience": None}
        return RunFactory(macro=deep_macro, params=params, workflow="deep", **fields)

    return make


def work(run: Run, *, rounds: int = 30) -> Run:
    """Let workers take up whatever is queued in the family, each run by itself, until nothing is."""
    for _ in range(rounds):
        queued = Run.objects.filter(state=RunState.QUEUED)
        ids = [
            *queued.filter(parent=run).order_by("directive").values_list("pk", flat=True),
            *queued.filter(pk=run.pk).values_list("pk", flat=True),
        ]
        if not ids:
            break
        for run_id in ids:
            perform_run(run_id)
    run.refresh_from_db()
    return run


def revive(run: Run) -> None:
    """The lease of a worker that was killed runs out, and the sweep finds its run."""
    late = timezone.now() - timedelta(seconds=1)
    Run.objects.filter(state=RunState.RUNNING).update(lease_until=late)
    Run.objects.filter(state=RunState.RUNNING, lease_until__lt=timezone.now()).update(state=RunState.QUEUED)
