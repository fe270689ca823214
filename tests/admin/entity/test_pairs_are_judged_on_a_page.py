import pytest
from django.urls import reverse

from entities.memory import ensure_entity, judge_pair
from entities.models import EntityAct, EntityPair
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script> SE"


@pytest.fixture
def person():
    views = ("view_entitypair", "view_entity", "view_representation", "view_relationship")
    return UserFactory(is_staff=True, rights=(*views, "merge_entity"))


@pytest.fixture
def page(client, person):
    """What a person sees of a pair, or of the queue."""
    client.force_login(person)

    def shown(pair=None, **query):
        name, args = ("change", [pair.pk]) if pair else ("changelist", [])
        return client.get(reverse(f"admin:entities_entitypair_{name}", args=args), query).content.decode()

    return shown


@pytest.fixture
def say(client, page):
    def said(pair, **fields):
        answer = client.post(reverse("admin:entities_entitypair_judge", args=[pair.pk]), fields, follow=True)
        return [str(message) for message in answer.context["messages"]], answer

    return said


@pytest.fixture
def pair():
    EntityFactory(name="Allianz SE", slug="allianz-se", jurisdiction="DE")
    ensure_entity(name="Alianz SE")
    return EntityPair.objects.select_related("entity", "other").get()


def _seen(html, stays):
    return html.split(f'name="digest {stays.pk}" value="')[1].split('"')[0]


def test_the_queue_links_to_both_side_by_side(page, pair):
    assert reverse("admin:entities_entitypair_change", args=[pair.pk]) in page()
    html = page(pair)
    for text in ("Allianz SE", "Alianz SE", "Jurisdiction", "not known", "spelled otherwise", "1 pair waits"):
        assert text in html


def test_an_empty_queue_says_what_would_come(page):
    assert "No pair waits here" in page()


def test_the_same_merges_what_was_seen(page, say, pair):
    digest = _seen(page(pair), pair.other)
    told, answer = say(
        pair,
        judgement=f"same {pair.other.pk}",
        reason="a slip",
        **{f"digest {pair.other.pk}": digest},
    )
    assert told == ["Alianz SE and Allianz SE: same."]
    assert answer.redirect_chain[-1][0] == reverse("admin:entities_entitypair_changelist")
    assert EntityAct.objects.get().entity == pair.other


def test_different_goes_on_to_the_next_pair(page, say, pair):
    EntityFactory(name="Fuchs AG")
    ensure_entity(name="Fuchs GmbH")
    following = EntityPair.objects.exclude(pk=pair.pk).get()
    _, answer = say(pair, judgement="different", reason="two")
    assert answer.redirect_chain[-1][0] == reverse("admin:entities_entitypair_change", args=[following.pk])


def test_later_needs_no_reason(say, pair):
    assert say(pair, judgement="later")[0] == ["Alianz SE and Allianz SE: later."]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"judgement": "different"}, "a reason is needed"),
        ({"judgement": "same", "reason": "x"}, "which of the two stays"),
        ({}, "a pair is same, different or later"),
    ],
)
def test_a_refusal_is_a_sentence_on_the_page(say, pair, fields, message):
    fields = fields or {"reason": "x"}
    assert message in say(pair, **fields)[0][0]
    assert not EntityAct.objects.exists()


def test_who_comes_second_sees_what_the_first_has_said(page, say, pair):
    first = UserFactory(username="first", rights=("merge_entity",))
    judge_pair(pair=pair, judgement="different", actor=first, reason="another country")
    assert (
        "first has judged this pair already: different" in say(pair, judgement="different", reason="x")[0][0]
    )
    html = page(pair)
    assert "another country" in html
    assert "What are they?" not in html


def test_who_may_only_look_sees_no_buttons(client, pair):
    client.force_login(UserFactory(is_staff=True, rights=("view_entitypair",)))
    html = client.get(reverse("admin:entities_entitypair_change", args=[pair.pk])).content.decode()
    assert "Who may merge entities may judge them" in html
    assert "<form" not in html.split('id="content"')[1]


def test_nothing_is_changed_by_looking(client, person, pair):
    client.force_login(person)
    assert client.get(reverse("admin:entities_entitypair_judge", args=[pair.pk])).status_code == 405
    assert client.post(reverse("admin:entities_entitypair_change", args=[pair.pk])).status_code == 403


def test_hostile_text_is_text(page):
    EntityFactory(name=HOSTILE, aliases=[{"name": HOSTILE, "type": HOSTILE, "language": ""}])
    ensure_entity(name=HOSTILE.replace("alert", "allert"))
    assert "<script>alert(1)" not in page(EntityPair.objects.get())


def test_other_judgements_are_a_filter(page, pair, person):
    judge_pair(pair=pair, judgement="different", actor=person, reason="two")
    assert "No pair waits here" in page()
    assert "Alianz SE and Allianz SE" in page(state="different")
    assert "Alianz SE and Allianz SE" in page(state="all")
