"""The time of a run is that of its work; what it waited for a person, a provider or a resume is told beside it."""

from datetime import UTC, datetime, timedelta

import pytest

from research import audit
from research.models import AuditEvent, Run
from research.services.memos import compose_memo
from research.waits import in_a_sentence, shortly, spent
from tests.cases import cases
from tests.factories import ResultFactory, RunFactory

pytestmark = pytest.mark.django_db
BEGAN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def took():
    """``took((action, minute), ...)``: of a run that was begun at minute 0 and is over with the last of them."""

    def tell(*events):
        run = RunFactory(started_at=BEGAN, finished_at=BEGAN + timedelta(minutes=events[-1][1]))
        for action, minute in [("claimed", 0), *events]:
            event = audit.about(f"run.{action}", run)
            event.at = BEGAN + timedelta(minutes=minute)
            event.save()
        return spent(run)

    return tell


@cases(
    ("events", "told"),
    [
        ([("succeeded", 4)], "4 min"),
        (
            [("awaits_confirmation", 2), ("confirmed", 122), ("claimed", 122), ("succeeded", 124)],
            "4 min, and 2 h waiting for a person",
        ),
        ([("waits", 1), ("claimed", 11), ("succeeded", 12)], "2 min, and 10 min waiting for a provider"),
        (
            [("failed", 3), ("resumed", 63), ("claimed", 64), ("succeeded", 65)],
            "5 min, and 1 h stopped",
        ),
        (
            [
                *(("awaits_confirmation", 1), ("confirmed", 6), ("claimed", 6), ("waits", 7), ("claimed", 9)),
                *(("awaits_confirmation", 10), ("confirmed", 75), ("claimed", 75), ("succeeded", 76)),
            ],
            "4 min, and 1 h 10 min waiting for a person, and 2 min waiting for a provider",
        ),
        ([("awaits_confirmation", 1), ("cancelled", 9)], "1 min, and 8 min waiting for a person"),
        ([("failed", 3)], "3 min"),
    ],
)
def test_the_parts_are_told_apart(took, events, told):
    assert in_a_sentence(took(*events)) == told


def test_a_run_that_is_not_over_has_no_time_yet():
    assert spent(RunFactory(started_at=BEGAN)) is None
    assert in_a_sentence(None) == ""


def test_a_trail_that_tells_of_no_wait_leaves_it_all_to_work():
    run = RunFactory(started_at=BEGAN, finished_at=BEGAN + timedelta(hours=1))
    assert not AuditEvent.objects.filter(object_id=str(run.pk), action="run.claimed").exists()
    assert in_a_sentence(spent(run)) == "1 h"


@cases(
    ("seconds", "told"),
    [(0, "0.0 s"), (3.44, "3.4 s"), (59.9, "59.9 s"), (60, "1 min"), (7_500, "2 h 5 min")],
)
def test_a_length_is_told_shortly(seconds, told):
    assert shortly(timedelta(seconds=seconds)) == told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "4 min, dazu 2 h Warten auf eine Person"),
        ("fr", "4 min, plus 2 h d'attente d'une personne"),
        ("it", "4 min, più 2 h di attesa di una persona"),
        ("en", "4 min, and 2 h waiting for a person"),
    ],
)
def test_a_memo_tells_them_in_its_language(took, language, told):
    took(("awaits_confirmation", 2), ("confirmed", 122), ("claimed", 122), ("succeeded", 124))
    result = ResultFactory(run=Run.objects.get(), data={"name": "Allianz SE"})
    assert told in bytes(compose_memo(result=result, language=language).body).decode()
