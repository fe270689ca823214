import pytest
from django.urls import reverse

from entities.memory import RefusedWrite, create_entity, remove_type, time_to_live
from entities.models import EntityType
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
LIST = "admin:entities_entitytype_changelist"


@pytest.fixture(autouse=True)
def keeper(client):
    rights = [f"{verb}_entitytype" for verb in ("view", "add", "change", "delete")]
    client.force_login(UserFactory(rights=rights))


def fields(**changes):
    return {
        "word": "exchange",
        "label": "Exchange",
        "ttl": 600,
        "longest_ttl": 3600,
        "offered": "on",
        **changes,
    }


def test_the_shipped_ones_are_there_in_words(client):
    page = client.get(reverse(LIST)).content.decode()
    for text in ("legal-entity", "meme", "7 days", "10 minutes", "1 hour", "90 days"):
        assert text in page


def test_a_new_one_can_be_used_at_once(client):
    client.post(reverse("admin:entities_entitytype_add"), fields())
    entity = create_entity(name="X", type="exchange")
    assert time_to_live(entity) == 600


@pytest.mark.parametrize(
    "wrong",
    [{"ttl": 299}, {"ttl": 7200}, {"longest_ttl": 90 * 86_400 + 1}, {"word": ""}, {"word": "two words"}],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(client, wrong):
    page = client.post(reverse("admin:entities_entitytype_add"), fields(**wrong))
    assert page.context["errors"]
    assert not EntityType.objects.filter(label="Exchange").exists()


def test_how_long_findings_live_is_changed(client):
    url = reverse("admin:entities_entitytype_change", args=["meme"])
    client.post(url, {"label": "Meme", "ttl": 900, "longest_ttl": 900, "offered": "on"})
    assert time_to_live(EntityFactory(type="meme")) == 900


def test_the_word_stays_as_it_is(client):
    url = reverse("admin:entities_entitytype_change", args=["meme"])
    client.post(url, fields(word="joke", label="Meme"))
    assert EntityType.objects.filter(word="meme").exists()
    assert not EntityType.objects.filter(word="joke").exists()


def test_one_that_is_no_longer_offered_stays_with_those_who_have_it():
    entity = EntityFactory(type="meme")
    EntityType.objects.filter(word="meme").update(offered=False)
    with pytest.raises(RefusedWrite):
        create_entity(name="New", type="meme")
    assert time_to_live(entity) == 600


@pytest.mark.parametrize("word", ["meme", "used"])
def test_one_that_is_shipped_or_in_use_is_not_removed(client, word):
    EntityType.objects.create(word="used", label="Used")
    EntityFactory(type="used")
    url = reverse("admin:entities_entitytype_delete", args=[word])
    assert client.post(url, {"post": "yes"}).status_code == 403
    with pytest.raises(RefusedWrite):
        remove_type(word=word)


def test_one_that_nobody_has_is_removed(client):
    EntityType.objects.create(word="unused", label="Unused")
    client.post(reverse("admin:entities_entitytype_delete", args=["unused"]), {"post": "yes"})
    assert not EntityType.objects.filter(word="unused").exists()
