"""A worker tells the collector of circles that what it has loaded stays."""

import gc

import pytest
from celery.signals import worker_process_init, worker_ready

from config.celery import app
from config.worker import YOUNG, settle


@pytest.fixture(autouse=True)
def collector():
    """As it was: the suite is one process."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.parametrize("begun", [worker_ready, worker_process_init])
def test_it_is_told_when_a_worker_is_ready(begun):
    begun.send(sender=app)
    assert gc.get_threshold()[0] == YOUNG


def test_what_is_loaded_is_looked_at_no_more():
    loaded = len(gc.get_objects())
    settle()
    assert gc.get_freeze_count() >= loaded / 2
    assert len(gc.get_objects()) < loaded / 2
    assert gc.get_threshold()[0] == YOUNG


def test_circles_that_are_made_later_are_found():
    settle()

    class Here:
        pass

    one = Here()
    one.itself = one
    before = len([each for each in gc.get_objects() if type(each) is Here])
    del one
    gc.collect()
    assert (before, len([each for each in gc.get_objects() if type(each) is Here])) == (1, 0)
