"""The pages on screening: lists, the queue, both sides of a hit, deciding, trying a name, the panel of an entity."""

import re
from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils import timezone

from entities.models import ScreeningDecision, ScreeningHit, ScreeningPolicy
from entities.screening import lists
from entities.services.screening import decide_hit, screen_entity
from tests.entities.screening import samples
from tests.entities.screening.imported import import_text
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
QUEUE, LISTS = "admin:entities_screeninghit_changelist", "admin:entities_listversion_changelist"
VIEWS = [
    "view_screeninghit",
    "view_listversion",
    "view_screeningdecision",
    "view_entity",
    "view_screeningpolicy",
]


@pytest.fixture
def person(client):
    person = UserFactory(rights=[*VIEWS, "decide_screeninghit", "run_screening", "add_screeningpolicy"])
    client.force_login(person)
    return person


@pytest.fixture
def hit(monkeypatch, tmp_path):
    for name, kind in lists.KINDS.items():
        monkeypatch.setitem(lists.KINDS, name, replace(kind, bytes=10, entries=1))
    import_text(tmp_path, timezone.now(), "ofac-sdn", samples.ofac())
    told = {"name": "Northern Amber Trading", "aliases": [{"name": "<b>Amber</b>"}], "jurisdiction": "DE"}
    screen_entity(entity=EntityFactory(slug="amber", **told))
    return ScreeningHit.objects.get()


def page(client, name, *args, **asked):
    return client.get(reverse(name, args=args), asked).content.decode()


def decide(client, hit, **posted):
    path = reverse("admin:entities_screeninghit_decide", args=[hit.pk])
    told = {"verdict": "false-positive", "reason": "other country", "revision": hit.revision, **posted}
    return client.post(path, told, follow=True)


@pytest.mark.usefixtures("person")
def test_without_a_list_the_pages_say_how_to_import_one(client):
    assert "screening sync" in page(client, QUEUE)
    assert "screening sync" in page(client, LISTS)


@pytest.mark.usefixtures("person")
def test_the_queue_leads_to_both_sides_of_a_hit(client, hit):
    queue = page(client, QUEUE)
    assert "NORTHERN AMBER TRADING LLC" in queue
    assert reverse("admin:entities_screeninghit_change", args=[hit.pk]) in queue
    shown = page(client, "admin:entities_screeninghit_change", hit.pk)
    assert "&lt;b&gt;Amber&lt;/b&gt;" in shown
    assert "none in common" in shown
    assert len(re.findall(r'type="radio"', shown)) == 3


@pytest.mark.usefixtures("person")
def test_a_decision_is_put_on_record_and_the_count_stays(client, hit):
    done = decide(client, hit)
    assert "is decided" in done.content.decode()
    assert ScreeningDecision.objects.get().reason == "other country"
    assert "false positive</a> 1" in page(client, QUEUE)
    assert "NORTHERN AMBER" in page(client, QUEUE, state="false-positive")


def test_who_is_second_is_told_and_keeps_what_they_wrote(client, hit, person):
    decide_hit(hit=hit, revision=hit.revision, verdict="unsure", reason="first", by=person)
    answer = decide(client, hit, revision=1, reason="my long reason")
    assert answer.status_code == 400
    assert "decided by somebody else" in answer.content.decode()
    assert "my long reason" in answer.content.decode()
    assert ScreeningDecision.objects.count() == 1


@pytest.mark.usefixtures("person")
def test_a_reason_is_needed(client, hit):
    assert decide(client, hit, reason="").status_code == 400


@pytest.mark.usefixtures("hit")
def test_a_name_is_tried_without_being_recorded(client, person):
    shown = page(client, LISTS, q="Sergei Karelov", kind="person")
    assert "7001" in shown
    assert "is not imported" in shown
    assert ScreeningHit.objects.count() == 1


@pytest.mark.usefixtures("person")
def test_an_entity_shows_its_hits_and_is_screened_from_its_page(client, hit):
    shown = page(client, "admin:entities_entity_change", hit.entity_id)
    assert "NORTHERN AMBER TRADING LLC" in shown
    answer = client.post(reverse("admin:entities_entity_screen", args=[hit.entity_id]), follow=True)
    assert "Screened: Northern Amber Trading: hits." in answer.content.decode()


@pytest.mark.usefixtures("person")
def test_the_policy_is_entered_as_a_version(client):
    path = reverse("admin:entities_screeningpolicy_add")
    values = {"person_threshold": "85", "company_threshold": "80", "max_age_days": "3", "lists": "un,eu"}
    assert client.post(path, {"note": "less noise", **values}).status_code == 302
    assert ScreeningPolicy.objects.get().values == {"person_threshold": "85", "lists": "un,eu"}
    assert "There is no list" in client.post(path, {"note": "x", **values, "lists": "mars"}).content.decode()


@pytest.mark.usefixtures("person")
def test_hits_of_natural_persons_need_a_right_of_their_own(client, hit):
    karelov = EntityFactory(name="Sergei Karelov", slug="karelov", type="person")
    screen_entity(entity=karelov)
    own = ScreeningHit.objects.get(entity=karelov)
    assert "Karelov" not in page(client, QUEUE)
    assert (
        "Karelov"
        not in client.get(
            reverse("admin:entities_screeninghit_change", args=[own.pk]), follow=True
        ).content.decode()
    )
    client.force_login(UserFactory(rights=[*VIEWS, "view_person"]))
    assert "Karelov" in page(client, QUEUE)
