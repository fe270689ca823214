"""The same through the admin, REST and the command line."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from rest_framework.test import APIClient

from research.models import Run, Watch
from research.services.execution import execute_verbs
from research.services.watches import refresh, settle
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def said(*args):
    out = StringIO()
    call_command("research", "refresh", *args, stdout=out)
    return out.getvalue()


@pytest.fixture
def api(person):
    client = APIClient()
    client.default_format = "json"
    client.force_authenticate(person)
    return client


@pytest.fixture
def admin(client, person):
    client.force_login(person)
    return client


def test_the_command_lists_what_is_kept_fresh(watch):
    assert "Allianz SE" in said()
    document = json.loads(said("--json"))
    assert (document["title"], document["state"], document["every_days"]) == ("Allianz SE", "resting", 90)


def test_the_command_says_when_there_is_nothing(db):
    assert "Nothing is kept fresh yet" in said()
    assert "Nothing is due" in said("--due")


def test_the_command_looks_again_at_what_is_due(watch):
    Watch.objects.update(due_at=watch.decision.created_at)
    assert "1/1 Allianz SE" in said("--due", "--detach")
    assert Run.objects.get(trigger="schedule").state == "queued"
    assert "Nothing is due" in said("--due")


def test_the_command_finds_what_was_approved_about_an_entity(watch, approved, person):
    execute_verbs(decision=approved, actor=person)
    assert "1/1 Allianz SE" in said("--entity", "allianz-se", "--detach")


def test_the_command_does_not_guess_an_entity(watch):
    with pytest.raises(CommandError, match="no entity in memory"):
        said("--entity", "nobody")


def test_the_command_only_checks(watch):
    said("--checks")
    assert not Run.objects.filter(trigger="schedule").exists()
    assert Watch.objects.get().checked_at > watch.checked_at


def test_the_command_goes_on_after_one_that_refuses(watch, approved):
    Watch.objects.update(due_at=approved.created_at, macro_name="gone")
    with pytest.raises(SystemExit):
        said("--due", "--detach")


def test_rest_lists_one_and_steers_it(api, watch):
    assert [row["id"] for row in api.get(reverse("api-watches")).json()["results"]] == [watch.pk]
    place = reverse("api-watch", args=[watch.pk])
    assert api.get(place).json()["approved"] == str(watch.decision.result_id)
    answer = api.patch(place, {"every_days": 7, "paused": True})
    assert (answer.json()["every_days"], answer.json()["state"]) == (7, "paused")


@pytest.mark.parametrize("wrong", [{"every_days": 0}, {"importance": 99}, {"colour": "red"}])
def test_rest_refuses_what_is_wrong(api, watch, wrong):
    answer = api.patch(reverse("api-watch", args=[watch.pk]), wrong)
    assert answer.status_code == 400
    assert next(iter(wrong)) in answer.content.decode()


def test_rest_needs_the_rights(watch):
    client = APIClient()
    client.force_authenticate(UserFactory(rights=["view_watch"]))
    place = reverse("api-watch", args=[watch.pk])
    assert client.get(place).status_code == 200
    assert client.patch(place, {"paused": True}, format="json").status_code == 403
    assert client.post(reverse("api-watch-refresh", args=[watch.pk]), {}, format="json").status_code == 403


def test_rest_looks_again_and_says_where_to_follow(api, watch):
    place = reverse("api-watch-refresh", args=[watch.pk])
    answer = api.post(place, {})
    assert answer.status_code == 202
    assert answer["Location"] == reverse("api-run", args=[answer.json()["id"]])
    assert api.post(place, {}).status_code == 409


def test_rest_names_what_waits_for_review(api, watch, look_again, later):
    result = look_again({**watch.decision.data, "confidence": "low"})
    settle(watch, now=later)
    assert api.get(reverse("api-watch", args=[watch.pk])).json()["pending"] == str(result.pk)


def test_the_admin_says_what_this_is_when_it_is_empty(admin):
    assert b"Nothing is kept fresh yet" in admin.get(reverse("admin:research_watch_changelist")).content


def test_the_admin_shows_freshness_and_what_waits(admin, watch, look_again, later):
    look_again({**watch.decision.data, "confidence": "low"})
    settle(watch, now=later)
    html = admin.get(reverse("admin:research_watch_changelist")).content.decode()
    assert "89 days left" in html
    assert "Review what changed" in html


def test_the_admin_changes_the_interval_through_the_service(admin, watch):
    place = reverse("admin:research_watch_change", args=[watch.pk])
    admin.post(place, {"every_days": 30, "importance": 8, "budget_usd": ""})
    watch.refresh_from_db()
    assert (watch.every_days, watch.importance) == (30, 8)
    assert (watch.fresh_until - watch.decision.created_at).days == 30


@pytest.mark.parametrize(
    ("action", "state"), [("look_again", "refreshing"), ("pause", "paused"), ("check_again", "resting")]
)
def test_the_admin_acts_on_many(admin, watch, action, state):
    admin.post(reverse("admin:research_watch_changelist"), {"action": action, "_selected_action": [watch.pk]})
    watch.refresh_from_db()
    assert watch.state == state


def test_the_admin_says_why_it_does_not(admin, watch):
    refresh(watch=watch, actor=None)
    answer = admin.post(
        reverse("admin:research_watch_changelist"),
        {"action": "pause", "_selected_action": [watch.pk]},
        follow=True,
    )
    assert b"this question is refreshing" in answer.content
