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
        "ttl": "10 min",
        "longest_ttl": "1 hour",
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
    [
        {"ttl": "299 s"},
        {"ttl": "2 hours"},
        {"ttl": "soon"},
        {"ttl": "600"},
        {"ttl": ""},
        {"longest_ttl": "90 days 1 second"},
        {"longest_ttl": "999999999 weeks"},
        {"word": ""},
        {"word": "two words"},
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(client, wrong):
    page = client.post(reverse("admin:entities_entitytype_add"), fields(**wrong))
    assert page.context["errors"]
    assert not EntityType.objects.filter(label="Exchange").exists()


def test_how_long_findings_live_is_changed(client):
    url = reverse("admin:entities_entitytype_change", args=["meme"])
    client.post(url, {"label": "Meme", "ttl": "15 m", "longest_ttl": "15 minutes", "offered": "on"})
    assert time_to_live(EntityFactory(type="meme")) == 900


def test_its_times_are_shown_as_people_write_them_and_may_be_sent_back(client):
    url = reverse("admin:entities_entitytype_change", args=["legal-entity"])
    page = client.get(url).content.decode()
    for text in ('value="7 days"', 'value="90 days"', "For example 7 days, 12 h or 30 min."):
        assert text in page
    client.post(url, {"label": "Legal entity", "ttl": "7 days", "longest_ttl": "90 days", "offered": "on"})
    assert time_to_live(EntityFactory(type="legal-entity")) == 7 * 86_400


def test_a_number_without_a_unit_is_asked_back(client):
    page = client.post(reverse("admin:entities_entitytype_add"), fields(ttl="600"))
    assert "Say in what: 600 days, 600 h or 600 min." in page.content.decode()
    assert 'value="600"' in page.content.decode()


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
