"""What REST writes to entity memory goes through memory's own functions, with its rights and its refusals."""

import pytest

from entities.models import Entity, EntityResearch, Representation, Statement
from tests.factories import EntityFactory, RunFactory, StepFactory, UserFactory

pytestmark = pytest.mark.django_db
MINT = "So11111111111111111111111111111111111111112"
SOURCES = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]
FINDINGS = {"summary": "It is listed.", "confidence": 70}


@pytest.fixture
def writer(client_of):
    """Somebody who may see and write entities."""
    rights = ["view_entity", "add_entity", "add_representation", "add_entityresearch"]
    return client_of(UserFactory(username="wanda", rights=rights))


@pytest.fixture
def seeker():
    return EntityFactory(name="Seeker", slug="seeker", type="crypto-token")


@pytest.fixture
def run():
    """A run whose journal shows two sources that answered about Seeker."""
    run = RunFactory()
    for seq, tool in enumerate(("get_token_metadata", "get_price_history")):
        intent, answer = {"arguments": {"q": "Seeker"}}, {"success": True, "data": {"name": "Seeker"}}
        StepFactory(run=run, seq=seq, kind="tool", name=tool, intent=intent, answer=answer)
    return run


def test_it_enters_an_entity_that_nobody_vouches_for(writer, url):
    answer = writer.post(url("entities"), {"name": "Seeker", "type": "crypto-token", "symbol": "SKR"})
    assert answer.status_code == 201, answer.json()
    assert answer["Location"] == url("entity", "seeker")
    assert (answer.json()["verified"], answer.json()["symbol"]) == (False, "SKR")


def test_what_a_person_enters_is_said_by_them(writer, url):
    writer.post(url("entities"), {"name": "Seeker", "type": "crypto-token", "symbol": "SKR"})
    said = Statement.objects.values_list("property", "value", "source_kind", "signed_by")
    assert ("name", "Seeker", "person", "wanda") in said


def test_one_that_looks_like_another_is_kept_apart(writer, url, seeker):
    answer = writer.post(url("entities"), {"name": "Ѕeeker", "type": "crypto-token", "key": MINT})
    assert answer.json()["tags"] == ["pending-verification"]


def test_it_adds_a_form_and_ends_it(writer, url, seeker):
    body = {"type": "spot-token", "authority": "spl", "chain": "solana", "context": {"mint": MINT}}
    added = writer.post(url("entity-forms", "seeker"), body)
    assert (added.status_code, added.json()["key"]) == (201, MINT)
    ended = writer.post(url("form-end", added.json()["id"]), {"reason": "delisted"})
    assert (ended.status_code, ended.json()["active"]) == (200, False)


def test_it_keeps_findings_and_ends_them(writer, url, seeker, run):
    body = {"findings": FINDINGS, "sources": [], "run": str(run.pk)}
    kept = writer.post(url("entity-research", "seeker"), body)
    assert (kept.status_code, kept.json()["confidence"]) == (201, 70)
    assert EntityResearch.objects.get().reference == "by wanda"
    ended = writer.post(url("entity-research-end", "seeker"), {"reason": "it was hacked"})
    assert ended.json() == {"invalidated": 1}
    assert EntityResearch.objects.get().invalidated_by.username == "wanda"


def test_findings_whose_sources_no_journal_shows_are_not_believed(writer, url, seeker):
    kept = writer.post(url("entity-research", "seeker"), {"findings": FINDINGS, "sources": SOURCES})
    assert (kept.status_code, kept.json()["confidence"], kept.json()["completeness"]) == (201, 20, 0)


@pytest.mark.parametrize(
    ("path", "body", "status", "word"),
    [
        (("entities",), {"name": "x", "type": "no-such-type"}, 409, "no-such-type"),
        (("entities",), {"name": "x"}, 400, "type"),
        (("entities",), {"name": "x", "type": "concept", "verified": True}, 400, "verified"),
        (("entity-forms", "seeker"), {"type": "spot-token", "context": {}}, 409, "mint"),
        (("entity-forms", "seeker"), {"type": "former-slug", "context": {}}, 400, "former-slug"),
        (("entity-research", "seeker"), {"findings": {}, "sources": []}, 409, "summary"),
        (("entity-research-end", "seeker"), {"reason": " "}, 400, "blank"),
    ],
)
@pytest.mark.usefixtures("seeker")
def test_what_memory_refuses_is_a_problem_in_its_words(writer, url, path, body, status, word):
    answer = writer.post(url(*path), body)
    assert answer.status_code == status, answer.json()
    assert word in str(answer.json())


@pytest.mark.parametrize(
    ("view", "slug", "body"),
    [
        ("entities", (), {"name": "x", "type": "concept"}),
        ("entity-forms", ("seeker",), {"type": "spot-token", "context": {"mint": MINT}}),
        ("entity-research", ("seeker",), {"findings": FINDINGS, "sources": SOURCES}),
        ("entity-research-end", ("seeker",), {"reason": "x"}),
    ],
)
def test_it_takes_a_right_of_its_own(client, url, seeker, view, slug, body):
    answer = client.post(url(view, *slug), body)
    assert answer.status_code == 403
    assert not Representation.objects.exists()
    assert not EntityResearch.objects.exists()
    assert Entity.objects.count() == 1


def test_nobody_writes_about_what_is_not_there(writer, url):
    body = {"findings": FINDINGS, "sources": SOURCES}
    assert writer.post(url("entity-research", "nobody"), body).status_code == 404
