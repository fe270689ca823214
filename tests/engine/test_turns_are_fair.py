"""Who has queued hundreds of runs does not keep others waiting; the same statement on both databases."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.lane import has_room
from research.models import Run
from research.store.turns import Turn, next_turns
from tests.factories import RunFactory, UserFactory

NOW = timezone.now()


def turns(limit=100):
    return [turn.run_id for turn in next_turns(timezone.now(), limit)]


def queued(count, person, **fields):
    return [RunFactory(requested_by=person, **fields).pk for _ in range(count)]


@pytest.mark.django_db
def test_the_first_of_everybody_comes_before_the_second_of_anybody():
    many, few = UserFactory(), UserFactory()
    hers, his = queued(6, many), queued(2, few)
    assert turns() == [hers[0], his[0], hers[1], his[1], *hers[2:]]


@pytest.mark.django_db
def test_what_runs_for_somebody_counts_as_turns_had():
    many, few = UserFactory(), UserFactory()
    until = timezone.now() + timedelta(minutes=1)
    queued(3, many, state="running", lease_until=until)
    hers, his = queued(1, many), queued(3, few)
    assert turns() == [*his, hers[0]]


@pytest.mark.django_db
def test_a_question_does_not_wait_behind_a_batch_of_the_same_person():
    person = UserFactory()
    head = RunFactory(requested_by=person, state="awaiting_children")
    parts = [RunFactory(requested_by=person, parent=head, directive=str(number)).pk for number in range(4)]
    single = RunFactory(requested_by=person).pk
    assert turns() == [parts[0], single, *parts[1:]]


@pytest.mark.django_db
def test_what_was_begun_comes_before_what_is_new():
    person = UserFactory()
    new = RunFactory(requested_by=person).pk
    begun = RunFactory(requested_by=person, started_at=timezone.now()).pk
    assert turns() == [begun, new]


@pytest.mark.django_db
def test_short_runs_of_a_person_come_before_deep_ones():
    person = UserFactory()
    deep, short = RunFactory(requested_by=person, depth="deep").pk, RunFactory(requested_by=person).pk
    assert turns() == [short, deep]


@pytest.mark.django_db
def test_a_schedule_has_every_fourth_turn_and_never_starves():
    machine = queued(2, None, trigger="schedule")
    person = UserFactory()
    hers = queued(5, person)
    assert turns() == [*hers[:3], machine[0], *hers[3:], machine[1]]


@pytest.mark.django_db
def test_what_a_dead_worker_left_is_taken_up_and_what_lives_is_not():
    dead = RunFactory(state="running", lease_until=timezone.now() - timedelta(seconds=1)).pk
    RunFactory(state="running", lease_until=timezone.now() + timedelta(minutes=1))
    for state in (
        "waiting",
        "awaiting_confirmation",
        "awaiting_children",
        "succeeded",
        "failed",
        "cancelled",
    ):
        RunFactory(state=state)
    assert turns() == [dead]


@pytest.mark.django_db
def test_it_reads_no_more_than_it_is_asked_for():
    queued(5, UserFactory())
    assert len(turns(limit=3)) == 3


@pytest.mark.django_db
def test_it_chooses_among_thousands_in_one_statement(django_assert_num_queries):
    first = RunFactory(requested_by=UserFactory())
    fields = {field.name: getattr(first, field.name) for field in Run._meta.fields if field.name != "id"}
    Run.objects.bulk_create(Run(**fields) for _ in range(2_000))
    late = RunFactory(requested_by=UserFactory()).pk
    with django_assert_num_queries(1):
        assert late in turns(limit=2)


def held(count, *, person=1, long=False):
    return [Turn(NOW, person, long)] * count


def test_the_last_places_are_for_people_for_whom_little_runs():
    assert has_room(Turn(NOW, 1, False), held(27), 32)
    assert not has_room(Turn(NOW, 1, False), held(28), 32)
    assert has_room(Turn(NOW, 2, False), held(28) + held(3, person=2), 32)
    assert not has_room(Turn(NOW, 2, False), held(27) + held(4, person=2), 31)
    assert not has_room(Turn(NOW, 2, False), held(32), 32)


def test_deep_runs_leave_a_quarter_to_the_others():
    deep = held(12, long=True) + held(12, person=2, long=True)
    assert not has_room(Turn(NOW, 3, True), deep, 32)
    assert has_room(Turn(NOW, 3, False), deep, 32)


def test_a_worker_with_one_place_uses_it_for_anything():
    assert has_room(Turn(NOW, 1, True), [], 1)
    assert not has_room(Turn(NOW, 2, False), held(1), 1)
