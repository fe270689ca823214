"""How often, how eagerly, not at all, or right now: with the right permission, within bounds, and on record."""

from datetime import timedelta

import pytest

from research.errors import InvalidParameters, InvalidTransition, NotPermitted
from research.models import AuditEvent
from research.services.watches import refresh, steer, sweep_watches
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_it_needs_the_permission(watch):
    with pytest.raises(NotPermitted):
        steer(watch=watch, actor=UserFactory(), every_days=10)
    with pytest.raises(NotPermitted):
        refresh(watch=watch, actor=UserFactory())


def test_it_moves_what_is_due_with_the_interval(watch, person, approved):
    steer(watch=watch, actor=person, every_days=10)
    assert watch.fresh_until == approved.created_at + timedelta(days=10)
    assert watch.due_at <= watch.fresh_until
    assert AuditEvent.objects.get(action="watch.steered").detail == {"every_days": 10}


@pytest.mark.parametrize(
    "wrong", [{"every_days": 0}, {"every_days": 3651}, {"importance": 11}, {"importance": -1}]
)
def test_it_refuses_what_is_out_of_bounds(watch, person, wrong):
    with pytest.raises(InvalidParameters):
        steer(watch=watch, actor=person, **wrong)
    assert not AuditEvent.objects.filter(action="watch.steered").exists()


def test_it_pauses_and_goes_on(watch, person, later):
    steer(watch=watch, actor=person, paused=True)
    assert sweep_watches(now=later).begun == 0
    steer(watch=watch, actor=person, paused=False)
    assert sweep_watches(now=later).begun == 1


def test_it_does_not_pause_what_is_being_looked_at(watch, person):
    refresh(watch=watch, actor=person)
    with pytest.raises(InvalidTransition, match="refreshing"):
        steer(watch=watch, actor=person, paused=True)


def test_it_looks_again_right_now(watch, person):
    run = refresh(watch=watch, actor=person)
    assert (run.trigger, run.requested_by) == ("schedule", person)
    with pytest.raises(InvalidTransition):
        refresh(watch=watch, actor=person)
