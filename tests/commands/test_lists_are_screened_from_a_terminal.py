"""``manage.py screening``: import a file, say how the lists stand, screen, decide."""

from dataclasses import replace

import pytest

from entities.models import ScreeningHit
from entities.screening import lists, looking
from tests.entities.screening import samples
from tests.entities.screening.samples import written
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def imported(run, monkeypatch, tmp_path):
    looking._remembered.clear()
    looking._indexes.clear()
    for name, kind in lists.KINDS.items():
        monkeypatch.setitem(lists.KINDS, name, replace(kind, bytes=10, entries=1))
    EntityFactory(name="Northern Amber Trading", slug="amber", jurisdiction="RU")
    file = written(tmp_path, samples.ofac())
    return run("screening", "import", str(file), "--list", "ofac-sdn")


def test_it_says_which_lists_are_missing(run):
    outcome = run("screening", "status")
    assert outcome.code == 1
    assert "The UN Security Council list is not imported." in outcome.out


def test_an_import_tells_what_changed_and_screens_memory_again(imported, run):
    assert imported.code == 0
    assert "OFAC SDN list of 2026-09-23  3 held, 3 added, 0 changed, 0 removed" in imported.out
    assert "memory was screened again: 1 entities, 1 hits, 1 new" in imported.out
    [hit] = run("screening", "hits", "--json").documents
    assert (hit["entity"], hit["state"]) == ("amber", "open")


def test_a_file_of_another_kind_is_refused_with_a_sentence(run, tmp_path):
    outcome = run("screening", "import", str(written(tmp_path, "<html>")), "--list", "un")
    assert (outcome.code, "web page" in outcome.err) == (1, True)
    assert run("screening", "import", "nowhere.xml", "--list", "un").code == 2


@pytest.mark.usefixtures("imported")
def test_a_name_is_checked_and_the_lists_are_named(run):
    outcome = run("screening", "check", "Sergei", "Karelov", "--kind", "person", "--birth", "1972")
    assert outcome.code == 1
    assert "OFAC SDN list, published 2026-09-23" in outcome.out
    assert "birth +2: the same" in outcome.out
    assert run("screening", "check", "Nobody", "--birth", "soon").code == 2


@pytest.mark.usefixtures("imported", "admin")
def test_a_hit_is_decided(run):
    hit = ScreeningHit.objects.get()
    outcome = run("screening", "decide", str(hit.pk), "false-positive", "--reason", "another company")
    assert outcome.code == 0
    hit.refresh_from_db()
    assert hit.state == "false-positive"
    again = run("screening", "decide", str(hit.pk), "unsure", "--reason", "x", "--revision", "1")
    assert (again.code, "decided by somebody else" in again.err) == (1, True)


@pytest.mark.usefixtures("imported")
def test_one_entity_and_all_of_memory_are_screened(run):
    assert "hits" in run("screening", "entity", "amber").out
    assert run("screening", "entity", "nobody").code == 1
    assert run("screening", "run", "--json").documents[0]["counts"]["entities"] == 1
