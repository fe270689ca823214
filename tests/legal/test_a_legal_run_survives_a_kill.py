"""A worker is killed at every commit in turn; another takes over and asks nothing twice but the call in flight."""

from collections import Counter

import pytest

from research.engine.runner import perform_run
from research.models import ResearchResult, Step
from research.models.states import RunState
from research.store import run_store
from tests.legal.conftest import revive, work

STORE = type(run_store())

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """kill -9: no handler of ours sees it."""


@pytest.fixture(autouse=True)
def law(courts, acts, commentaries):
    return courts


def commits_of(monkeypatch, number: int) -> list[int]:
    original, used = STORE.write, []

    def killing(self, *args, **kwargs):
        used.append(1)
        outcome = original(self, *args, **kwargs)
        if len(used) == number:
            raise Killed
        return outcome

    monkeypatch.setattr(STORE, "write", killing)
    return used


def test_it_goes_on_from_every_commit(ask, monkeypatch):
    whole = ask(autonomy="autonomous")
    with monkeypatch.context() as patch:
        used = commits_of(patch, 10**6)
        work(whole)
    assert whole.state == RunState.SUCCEEDED
    calls = Counter(Step.objects.filter(run=whole, kind="tool").values_list("name", flat=True))
    for number in range(1, len(used) + 1, 3):
        run = ask(autonomy="autonomous")
        with monkeypatch.context() as patch:
            commits_of(patch, number)
            with pytest.raises(Killed):
                perform_run(run.pk)
        revive(run)
        work(run)
        assert run.state == RunState.SUCCEEDED, (number, run.error)
        assert ResearchResult.objects.filter(run=run).count() == 1
        again = Step.objects.filter(run=run, kind="tool")
        assert Counter(again.values_list("name", flat=True)) == calls
        memo, other = run.result.data["memo"], whole.result.data["memo"]
        assert memo["findings"] == other["findings"]
        assert memo["citations"] == other["citations"]
