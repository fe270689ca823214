import pytest
from django.urls import reverse

from entities import memory
from entities.models import EntityAct
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_an_entity_is_verified_and_the_page_says_by_whom(post, shown):
    entity = EntityFactory(name="Acme")
    assert post("verify", entity, reason="Seen in the register.") == ["Acme: verified."]
    page = shown(entity)
    assert "✓ verified by team" in page
    assert "Seen in the register." in page


def test_it_is_taken_back(post, shown):
    entity = EntityFactory()
    post("verify", entity, reason="x")
    post("unverify", entity, reason="A mistake.", keep_apart="on")
    assert "pending verification" in shown(entity)


@pytest.mark.parametrize("action", ["verify", "unverify"])
def test_a_refusal_is_a_sentence_on_the_page(post, action):
    entity = EntityFactory()
    [message] = post(action, entity, reason=" ")
    assert "a reason is needed" in message
    assert not EntityAct.objects.exists()


@pytest.mark.parametrize("action", ["verify", "unverify"])
def test_nothing_is_changed_by_looking(client, petra, action):
    entity = EntityFactory()
    assert client.get(reverse(f"admin:entities_entity_{action}", args=[entity.pk])).status_code == 405


def test_it_needs_the_right(client):
    client.force_login(UserFactory(rights=["view_entity"]))
    entity = EntityFactory()
    client.post(reverse("admin:entities_entity_verify", args=[entity.pk]), {"reason": "x"})
    assert client.get(reverse("admin:entities_entity_merge", args=[entity.pk])).status_code == 403
    assert not EntityAct.objects.exists()


@pytest.fixture
def pair():
    into, other = (
        EntityFactory(name="Acme AG"),
        EntityFactory(name="Acme Ltd", slug="acme-ltd", jurisdiction="GB"),
    )
    memory.add_representation(entity=other, type="bic", key="ACMEGB2L")
    return into, other


def merge_page(client, into, text):
    return client.get(reverse("admin:entities_entity_merge", args=[into.pk]), {"with": text})


@pytest.mark.parametrize("text", ["acme-ltd", "Acme Ltd", "ACMEGB2L"])
def test_a_merge_is_shown_before_it_happens(client, petra, pair, text):
    page = merge_page(client, pair[0], text)
    assert page.context["plan"].counts["representations"] == 1
    assert "Merge them" in page.content.decode()


def test_what_could_be_several_is_asked_back(client, petra, pair):
    EntityFactory(name="Acme Ltd", slug="acme-2")
    page = merge_page(client, pair[0], "Acme Ltd")
    assert page.context["plan"] is None
    assert {one.slug for one in page.context["candidates"]} == {"acme-ltd", "acme-2"}


@pytest.mark.parametrize("text", ["nobody at all", "", "\0"])
def test_what_is_nobody_is_said_to_be_nobody(client, petra, pair, text):
    assert merge_page(client, pair[0], text).context["candidates"] == []


def test_an_entity_is_never_offered_to_itself(client, petra, pair):
    page = merge_page(client, pair[0], pair[0].slug)
    assert page.context["plan"] is None


def test_it_happens_as_it_was_shown_and_is_undone(client, petra, post, shown, pair):
    into, other = pair
    digest = merge_page(client, into, "acme-ltd").context["plan"].digest
    given = {"with": str(other.pk), "digest": digest, "reason": "The same company."}
    assert post("merge", into, **given) == ["Acme AG: merged."]
    assert "ACMEGB2L" in shown(into)
    assert "It was merged into" in shown(other)
    act = EntityAct.objects.get()
    assert post("undo", into, act.pk, reason="They are two.") == ["Acme AG: merge undone."]
    assert "ACMEGB2L" in shown(other)


def test_what_changed_since_it_was_shown_stops_it(client, petra, post, pair):
    into, other = pair
    digest = merge_page(client, into, "acme-ltd").context["plan"].digest
    memory.add_event(entity=other, type="note", summary="news")
    [message] = post(
        "merge", into, **{"with": str(other.pk), "digest": digest, "reason": "The same company."}
    )
    assert "changed since you looked" in message
    other.refresh_from_db()
    assert other.merged_into is None


def test_what_forbids_it_is_shown_instead_of_the_button(client, petra):
    into = EntityFactory(lei="529900K9B0N5BT694847")
    other = EntityFactory(lei="OJ2TIQSVQND4IZYYK658")
    page = merge_page(client, into, other.slug).content.decode()
    assert "They have two LEIs" in page
    assert "Merge them" not in page
