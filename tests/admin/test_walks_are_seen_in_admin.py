"""A walk is a path of views with pictures; so is the page of its run and of a text that was seen."""

import pytest
from django.urls import reverse

from research.models import Walk, WalkView
from tests.factories import DocumentFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"
JPEG = b"\xff\xd8\xff picture"


@pytest.fixture
def walk():
    document = DocumentFactory(text=f"Alpenblick AG {HOSTILE}")
    walk = Walk.objects.create(run=RunFactory(), number=2, history=["https://example.org/"], position=0)
    kept = {
        "walk": walk,
        "url": "https://example.org/",
        "engine": "browser",
        "title": HOSTILE,
        "notes": [HOSTILE],
    }
    WalkView.objects.create(number=1, act="open", **kept)
    WalkView.objects.create(
        number=2, act="choose", chosen=HOSTILE, document=document, screenshot=JPEG, **kept
    )
    return walk


@pytest.fixture
def person(client):
    person = UserFactory(rights=["view_walk", "view_run", "view_document"])
    client.force_login(person)
    return person


def test_the_page_of_a_walk_shows_what_was_chosen_and_how_it_looked(client, person, walk):
    page = client.get(reverse("admin:research_walk_change", args=[walk.pk])).content.decode()
    picture = reverse("admin:research_walk_picture", args=[walk.pk, 2])
    assert page.index("Opened") < page.index("Chose “&lt;script&gt;") < page.index(picture)
    assert HOSTILE not in page
    assert page.count("<img src=") >= 1
    shown = client.get(picture)
    assert (shown["Content-Type"], shown.content) == ("image/jpeg", JPEG)
    assert client.get(reverse("admin:research_walk_picture", args=[walk.pk, 1])).status_code == 404


def test_the_run_and_the_text_lead_to_the_walk(client, person, walk):
    url = reverse("admin:research_walk_change", args=[walk.pk])
    assert url in client.get(reverse("admin:research_run_change", args=[walk.run_id])).content.decode()
    document = walk.views.last().document
    page = client.get(reverse("admin:research_document_change", args=[document.pk]), {"from": 0, "to": 10})
    assert reverse("admin:research_walk_picture", args=[walk.pk, 2]) in page.content.decode()
    assert f"{url}#v2" in page.content.decode()


def test_nobody_looks_at_the_walk_of_somebody_else(client, person, walk):
    Walk.objects.update(run=None, person=UserFactory())
    assert client.get(reverse("admin:research_walk_picture", args=[walk.pk, 2])).status_code == 404
    assert (
        "Chose"
        not in client.get(reverse("admin:research_walk_change", args=[walk.pk]), follow=True).content.decode()
    )
    Walk.objects.update(person=person)
    assert client.get(reverse("admin:research_walk_picture", args=[walk.pk, 2])).status_code == 200


def test_the_list_of_walks_is_searched(client, person, walk):
    page = client.get(reverse("admin:research_walk_changelist"), {"q": "example"}).content.decode()
    assert "https://example.org/" in page
