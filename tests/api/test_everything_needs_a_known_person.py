import uuid

import pytest

pytestmark = pytest.mark.django_db

ANY = uuid.UUID(int=7)
READ = [
    ("macros",),
    ("macro", "x"),
    ("runs",),
    ("run", ANY),
    ("run-steps", ANY),
    ("run-events", ANY),
    ("results",),
    ("result", ANY),
    ("result-verbs", ANY),
    ("result-memo", ANY),
    ("sessions",),
    ("session", ANY),
    ("spending",),
    ("entities",),
    ("entity", "x"),
    ("entity-timeline", "x"),
    ("entity-forms", "x"),
    ("entity-research", "x"),
    ("entity-resolve",),
    ("entity-selections", "x"),
    ("selections",),
    ("selection", ANY),
    ("selection-correction", ANY),
]
ACT = [
    ("runs",),
    ("run-confirm", ANY),
    ("run-cancel", ANY),
    ("run-resume", ANY),
    ("result-approve", ANY),
    ("result-reject", ANY),
    ("result-rerun", ANY),
    ("result-execute", ANY),
    ("result-memo", ANY),
    ("sessions",),
    ("entity-resolve",),
    ("lei-check",),
    ("entity-selections", "x"),
    ("selection-correction", ANY),
    ("tokens",),
]


@pytest.mark.parametrize("name", [*READ, ("lei", "529900K9B0N5BT694847")], ids=lambda name: name[0])
def test_it_does_not_show_anything_to_a_stranger_from_the_street(nobody, url, name):
    answer = nobody.get(url(*name))
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == 401


@pytest.mark.parametrize("name", ACT, ids=lambda name: name[0])
def test_it_does_not_do_anything_for_a_stranger_from_the_street(nobody, url, name):
    answer = nobody.post(url(*name), {})
    assert answer.status_code == 401
    assert answer.json()["type"] == "urn:dossier:not-authenticated"


@pytest.mark.parametrize("name", READ, ids=lambda name: name[0])
def test_it_shows_only_what_a_person_may_view(stranger, url, name):
    answer = stranger.get(url(*name))
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:dossier:permission-denied"


def test_it_lets_nobody_in_whose_account_is_closed(client, person, url):
    person.is_active = False
    person.save()
    assert client.get(url("runs")).status_code == 403


@pytest.mark.parametrize("name", ["schema", "docs"])
def test_it_tells_anybody_how_to_ask(nobody, url, name):
    assert nobody.get(url(name)).status_code == 200
