"""A person says that they have seen that a run failed; it is recorded, and can be taken back."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from research.errors import InvalidTransition
from research.models import AuditEvent, Run
from research.services.dismissals import dismiss_failure, dismiss_failures, show_failure_again
from research.services.overview import overview
from research.services.runs import resume_run
from tests.factories import ALL_RIGHTS, RunFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(client):
    person = UserFactory(username="petra", rights=ALL_RIGHTS)
    client.force_login(person)
    return person


def failed(name="Failed AG", ago=0, **more):
    ended = timezone.now() - timedelta(minutes=ago)
    error = {"code": "not_found", "message": "nobody"}
    return RunFactory(state="failed", params={"client_name": name}, finished_at=ended, error=error, **more)


def shown(person):
    return [told.run.title for told in overview(person, timezone.now()).failures.rows]


def acts(run):
    return list(
        AuditEvent.objects.filter(object_id=str(run.pk))
        .order_by("id")
        .values_list("action", "actor__username")
    )


def test_a_dismissed_failure_waits_for_nobody_and_says_who_has_seen_it(person):
    run = dismiss_failure(run=failed(), actor=person)
    assert (run.state, run.seen_by) == ("failed", person)
    assert shown(person) == []
    assert shown(UserFactory(rights=ALL_RIGHTS)) == []
    assert acts(run) == [("run.dismissed", "petra")]


def test_it_can_be_shown_again_and_both_acts_stay_on_record(person):
    run = dismiss_failure(run=failed(), actor=person)
    show_failure_again(run=run, actor=person)
    assert shown(person) == ["Failed AG"]
    assert acts(run) == [("run.dismissed", "petra"), ("run.shown_again", "petra")]


@pytest.mark.parametrize("state", ["queued", "running", "succeeded", "cancelled", "awaiting_confirmation"])
def test_only_a_failure_can_be_dismissed(person, state):
    run = RunFactory(state=state)
    with pytest.raises(InvalidTransition, match=f"is {state}, not failed"):
        dismiss_failure(run=run, actor=person)
    assert acts(run) == []


def test_it_is_dismissed_once_and_shown_again_once(person):
    run = dismiss_failure(run=failed(), actor=person)
    with pytest.raises(InvalidTransition, match="dismissed already"):
        dismiss_failure(run=run, actor=person)
    show_failure_again(run=run, actor=person)
    with pytest.raises(InvalidTransition, match="has not been dismissed"):
        show_failure_again(run=run, actor=person)
    assert len(acts(run)) == 2


def test_a_part_of_a_run_is_dismissed_with_the_run_it_works_for(person):
    head = failed()
    part = failed(parent=head, directive="one")
    with pytest.raises(InvalidTransition, match=f"works for the run {head.pk}"):
        dismiss_failure(run=part, actor=person)


def test_all_that_were_seen_are_dismissed_and_what_failed_since_is_not(person):
    runs = [failed("One AG", ago=5), failed("Two AG", ago=4)]
    seen = timezone.now() - timedelta(minutes=2)
    failed("Later AG")
    already = dismiss_failure(run=failed("Before AG", ago=9), actor=UserFactory(rights=ALL_RIGHTS))
    assert dismiss_failures(actor=person, until=seen) == 2
    assert shown(person) == ["Later AG"]
    assert [acts(run) for run in runs] == [[("run.dismissed", "petra")]] * 2
    already.refresh_from_db()
    assert already.seen_by != person
    assert len(acts(already)) == 1


def test_what_failed_too_long_ago_to_be_on_the_page_has_not_been_seen(person):
    old = failed("Old AG", ago=8 * 24 * 60)
    failed("New AG")
    assert dismiss_failures(actor=person, until=timezone.now()) == 1
    old.refresh_from_db()
    assert (old.seen_at, acts(old)) == (None, [])


def test_a_run_that_fails_again_after_it_was_resumed_is_shown_again(person):
    run = dismiss_failure(run=failed(), actor=person)
    resume_run(run=run, actor=person, enqueue=False)
    Run.objects.filter(pk=run.pk).update(state="failed", finished_at=timezone.now())
    assert shown(person) == ["Failed AG"]


def test_the_start_page_has_a_button_for_each_and_one_for_all(client, person):
    run = failed("First AG", ago=3)
    failed("Second AG", ago=2)
    page = client.get(reverse("admin:index")).content.decode()
    assert "Dismiss all 2" in page
    answer = client.post(reverse("admin:research_run_dismiss", args=[run.pk]), {"from": "start"}, follow=True)
    assert answer.redirect_chain == [(reverse("admin:index"), 302)]
    assert "First AG" not in answer.content.decode()
    assert "Second AG" in answer.content.decode()
    assert "Dismiss all" not in answer.content.decode()


def test_the_button_for_all_spares_what_failed_after_the_page_was_made(client, person):
    failed("Old AG", ago=5)
    until = (timezone.now() - timedelta(minutes=1)).isoformat()
    failed("New AG")
    answer = client.post(reverse("admin:research_run_dismiss_all"), {"until": until}, follow=True)
    assert "1 failed run dismissed." in answer.content.decode()
    assert shown(person) == ["New AG"]


def test_the_page_of_the_run_says_who_dismissed_it_and_takes_it_back(client, person):
    run = dismiss_failure(run=failed(), actor=person)
    page = reverse("admin:research_run_change", args=[run.pk])
    assert "petra has seen it" in client.get(page).content.decode()
    client.post(reverse("admin:research_run_show-again", args=[run.pk]))
    told = client.get(page).content.decode()
    assert "has seen it" not in told
    assert "Seen: dismiss" in told


def test_who_may_only_look_has_no_button_and_dismisses_nothing(client, person):
    run = failed()
    failed("Other AG")
    client.force_login(UserFactory(rights=["view_run"]))
    assert "ismiss" not in client.get(reverse("admin:index")).content.decode()
    client.post(reverse("admin:research_run_dismiss", args=[run.pk]))
    client.post(reverse("admin:research_run_dismiss_all"))
    assert len(shown(person)) == 2


def test_nothing_is_dismissed_by_get(client, person):
    run = failed()
    client.get(reverse("admin:research_run_dismiss", args=[run.pk]))
    client.get(reverse("admin:research_run_dismiss_all"))
    assert shown(person) == ["Failed AG"]
