"""Who it is, whom it belongs to, what happened, what was found out, and who did what; each for those who may see it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from entities import memory
from entities.gleif.intake import Intake, read_surroundings
from entities.gleif.register import open_register
from tests.factories import ALL_RIGHTS, EntityFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db
ALLIANZ = "529900K9B0N5BT694847"
HOSTILE = "<script>alert(1)</script>"
TWO = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]


def test_it_says_who_it_is(shown):
    entity = EntityFactory(
        name="Muster AG",
        slug="muster-ag",
        lei=ALLIANZ,
        symbol="MUS",
        jurisdiction="CH",
        aliases=[{"name": "Alt AG", "type": "PREVIOUS_LEGAL_NAME"}],
    )
    page = shown(entity)
    for text in ("Muster AG", ALLIANZ, "MUS", "CH", "muster-ag", "Alt AG", "previous", "unverified"):
        assert text in page
    assert "✓ verified" not in page


def test_an_empty_page_says_so_in_sentences(shown):
    page = shown(EntityFactory())
    for text in (
        "Nobody is known above or below it.",
        "No events yet.",
        "Nothing has been said of it yet, with a source.",
        "It has no key in any register",
        "No findings are stored.",
        "Nobody has verified or merged it yet.",
    ):
        assert text in page
    assert "graph.js" not in page


def test_it_shows_the_tree_and_lists_what_it_is_made_of(shown, children_of):
    entity = EntityFactory(name="Manager")
    children_of(entity, 40)
    page = shown(entity)
    assert page.count('class="box type-fund"') == 24
    assert "16 more" in page
    assert f"object__id__exact={entity.pk}" in page
    assert "All relationships <b>40</b>" in page


def test_thousands_of_children_are_a_page_like_any_other(shown, children_of, django_assert_max_num_queries):
    entity = EntityFactory()
    children_of(entity, 1_500)
    with django_assert_max_num_queries(60):
        page = shown(entity)
    assert "1,476 more" in page
    assert len(page) < 100_000


def test_the_timeline_is_shown_the_newest_first(shown):
    entity, now = EntityFactory(), timezone.now()
    for days in range(25):
        memory.add_event(
            entity=entity, type="note", summary=f"event-{days:02d}", at=now - timedelta(days=days)
        )
    page = shown(entity)
    assert page.index("event-00") < page.index("event-19")
    assert "event-20" not in page
    assert "5 more" in page


def test_research_is_shown_with_its_freshness(shown):
    entity = EntityFactory(type="crypto-token")
    memory.store_research_results(
        entity=entity, findings={"summary": "It trades.", "confidence": 80}, sources=TWO
    )
    assert "fresh</span> for another" in shown(entity)
    memory.invalidate_research(entity=entity, reason="It was a rug.")
    page = shown(entity)
    assert "not fresh" in page
    assert "invalidated: It was a rug." in page


def test_the_lei_is_checked_against_the_record_that_was_read(shown):
    log = memory.ChangeLog()
    register = open_register("demo")
    entity = Intake(register, log).surroundings(read_surroundings(register, ALLIANZ))
    page = shown(entity)
    assert "The LEI is in force" in page
    assert "demo register" in page


def test_an_lei_whose_record_was_not_read_is_said_to_be_unread(shown):
    assert "has not been read yet" in shown(EntityFactory(lei=ALLIANZ))


def test_one_that_waits_names_what_it_looks_like(shown):
    memory.create_entity(name="Seeker", type="crypto-token")
    fake = memory.create_entity(name="Seeker", type="crypto-token", key="Fake11")
    page = shown(fake)
    assert "pending verification" in page
    assert "(seeker)</a>" in page


def test_hostile_text_is_text(shown):
    entity = EntityFactory(
        name=HOSTILE,
        aliases=[{"name": HOSTILE, "type": HOSTILE}],
        metadata={HOSTILE: HOSTILE, "tags": [HOSTILE]},
    )
    memory.add_event(entity=entity, type=HOSTILE, summary=HOSTILE, source=HOSTILE)
    memory.add_representation(
        entity=entity, type="other", key=HOSTILE, authority=HOSTILE, context={HOSTILE: HOSTILE}
    )
    memory.store_research_results(entity=entity, findings={"summary": HOSTILE, "confidence": 1}, sources=TWO)
    memory.link(subject=entity, object=EntityFactory(name=HOSTILE), type="owned-by", source=HOSTILE)
    assert HOSTILE not in shown(entity)


def test_parts_are_for_those_who_may_see_them(client):
    entity = EntityFactory()
    memory.add_event(entity=entity, type="note", summary="a secret")
    client.force_login(UserFactory(rights=["view_entity"]))
    page = client.get(reverse("admin:entities_entity_change", args=[entity.pk])).content.decode()
    assert "a secret" not in page
    assert "Ownership and funds" not in page
    assert "Verify …" not in page
    assert "Merge another" not in page


def test_without_any_right_there_is_no_page(client):
    client.force_login(UserFactory())
    entity = EntityFactory()
    assert client.get(reverse("admin:entities_entity_change", args=[entity.pk])).status_code == 403


def test_an_entity_that_is_not_there_leads_back_to_the_list(client, petra):
    url = reverse("admin:entities_entity_change", args=["00000000-0000-0000-0000-000000000000"])
    assert client.get(url).status_code == 302


def test_runs_about_it_are_linked(client):
    entity = EntityFactory()
    run = RunFactory(subject=entity)
    client.force_login(UserFactory(rights=ALL_RIGHTS))
    page = client.get(reverse("admin:entities_entity_change", args=[entity.pk])).content.decode()
    assert reverse("admin:research_run_change", args=[run.pk]) in page


def test_runs_are_not_told_to_those_who_may_not_see_them(shown):
    entity = EntityFactory()
    run = RunFactory(subject=entity)
    page = shown(entity)
    assert str(run.pk) not in page
    assert "Runs and decisions" not in page
