import pytest

from entities.memory import ensure_entity
from entities.models import EntityPair
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(admin):
    EntityFactory(name="Allianz SE", slug="allianz-se")
    ensure_entity(name="Alianz SE")
    return EntityPair.objects.get()


def test_it_lists_and_shows_what_waits(run, pair):
    assert "allianz-se" in run("pairs", "list").out
    [document] = run("pairs", "list", "--json").documents
    assert (document["id"], document["state"]) == (str(pair.pk), "open")
    assert "into allianz-se" in run("pairs", "show", str(pair.pk)[:8]).out


def test_an_empty_queue_is_told(run, db):
    assert run("pairs", "list").out == "no pair waits\n"


def test_it_records_what_a_person_says(run, pair):
    outcome = run("pairs", "judge", str(pair.pk)[:8], "same", "--into", "allianz-se", "--reason", "a slip")
    assert outcome.code == 0
    pair.refresh_from_db()
    assert pair.state == "same"
    again = run("pairs", "judge", str(pair.pk)[:8], "different", "--reason", "two")
    assert again.code == 1


def test_it_needs_a_reason_and_a_known_judgement(run, pair):
    assert run("pairs", "judge", str(pair.pk)[:8], "different").code == 2
    assert run("pairs", "judge", str(pair.pk)[:8], "perhaps", "--reason", "x").code == 2


def test_it_looks_through_what_is_stored(run, admin):
    for name in ("Fuchs AG", "Fuchs GmbH"):
        EntityFactory(name=name)
    assert run("pairs", "find", "--json").documents == [{"found": 1}]
    assert EntityPair.objects.get().found_by == admin.username
