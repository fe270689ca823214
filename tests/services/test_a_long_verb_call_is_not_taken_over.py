"""However long a register takes, a call belongs to whoever gives signs of life."""

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from entities.models import Entity
from research.errors import InvalidTransition
from research.models import VerbCall
from research.services import execution
from research.services.execution import Heartbeat, execute_verbs, sweep_executions
from research.services.reviews import approve_result
from research.verbs.handlers import HANDLERS
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
HOURS = timedelta(hours=3)


@pytest.fixture
def approved():
    person = UserFactory(rights=ALL_RIGHTS)
    result = ResultFactory()
    return approve_result(result=result, reviewer=person, digest=result.digest)


def test_nobody_takes_over_a_call_that_lives(approved, monkeypatch):
    beaten, swept, enrich, renew = threading.Event(), [], HANDLERS["gleif.enrich"], Heartbeat.renew

    def beat(heart):
        renew(heart)
        beaten.set()

    def slow(arguments, context):
        """Three hours in, after the next beat, somebody else tries."""
        VerbCall.objects.update(started_at=timezone.now() - HOURS, alive_at=timezone.now() - HOURS)
        beaten.clear()
        assert beaten.wait(timeout=30)
        with pytest.raises(InvalidTransition, match="someone else is executing it"):
            execute_verbs(decision=approved, actor=approved.reviewer)
        swept.append(sweep_executions())
        return enrich(arguments, context)

    monkeypatch.setattr(execution, "BEAT_SECONDS", 0.01)
    monkeypatch.setattr(Heartbeat, "renew", beat)
    monkeypatch.setitem(HANDLERS, "gleif.enrich", slow)
    (call,) = execute_verbs(decision=approved, actor=approved.reviewer)
    assert swept == [0]
    assert (call.state, call.attempts, call.error) == ("succeeded", 1, None)
    assert Entity.objects.filter(lei=call.arguments["lei"]).count() == 1


def test_a_call_without_a_sign_of_life_is_taken_over(approved):
    silent = timezone.now() - execution.ABANDONED_AFTER - timedelta(seconds=1)
    VerbCall.objects.update(state="running", attempts=1, started_at=silent, alive_at=silent)
    (call,) = execute_verbs(decision=approved, actor=approved.reviewer)
    assert (call.state, call.attempts) == ("succeeded", 2)
