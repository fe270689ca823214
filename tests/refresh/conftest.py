"""An approved answer, and looking at its question again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.models import Run, Watch
from research.models.states import RunState
from research.services.reviews import approve_result
from research.services.watches import refresh
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory


@pytest.fixture
def person(db):
    return UserFactory(rights=[*ALL_RIGHTS, "view_watch", "change_watch"])


@pytest.fixture
def approved(person):
    """The decision about a first answer; its watch is there."""
    result = ResultFactory()
    return approve_result(result=result, reviewer=person, digest=result.digest)


@pytest.fixture
def watch(approved):
    return Watch.objects.get(decision=approved)


@pytest.fixture
def later(watch):
    """A time at which the watch is due."""
    return watch.fresh_until + timedelta(minutes=1)


@pytest.fixture
def look_again(watch):
    """Begin a refresh and let it end with ``data`` (None: without a result); returns the result."""

    def end(data=None, state=RunState.SUCCEEDED, error=None, **fields):
        run = refresh(watch=watch, actor=None)
        Run.objects.filter(pk=run.pk).update(state=state, error=error, finished_at=timezone.now())
        run.refresh_from_db()
        watch.refresh_from_db()
        return None if data is None else ResultFactory(run=run, data=data, **fields)

    return end
