"""The page that shows what a roll back would do, and does it for a reason."""

import pytest
from django.urls import reverse

from entities import memory
from entities.models import Entity
from research.models import Rollback
from research.services.execution import execute_verbs
from research.services.reviews import approve_result
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def result(make_result, reviewer):
    result = make_result()
    decision = approve_result(result=result, reviewer=reviewer, digest=result.digest, reason="because")
    execute_verbs(decision=decision, actor=reviewer)
    return result


@pytest.fixture
def page(result):
    return reverse("admin:research_researchresult_take_back", args=[result.pk])


@pytest.fixture
def review(result):
    return reverse("admin:research_researchresult_review", args=[result.pk])


@pytest.fixture
def logged_in(client, reviewer):
    reviewer.is_staff = True
    reviewer.save()
    client.force_login(reviewer)
    return client


def seen(client, page):
    """The page, and the digest of the plan on it."""
    answer = client.get(page)
    return answer.content.decode(), answer.context["plan"].digest


def test_the_page_of_the_result_leads_to_it_only_who_may(logged_in, client, result, page, review):
    assert page in logged_in.get(review).content.decode()
    reader = UserFactory(is_staff=True, rights=["view_researchresult"])
    client.force_login(reader)
    assert page not in client.get(review).content.decode()
    assert client.get(page).status_code == 403
    assert client.post(page, {"reason": "r"}).status_code == 403
    assert Entity.objects.exists()


def test_a_result_that_waits_has_nothing_to_take_back(logged_in, make_result):
    waiting = make_result()
    page = reverse("admin:research_researchresult_take_back", args=[waiting.pk])
    review = reverse("admin:research_researchresult_review", args=[waiting.pk])
    assert page not in logged_in.get(review).content.decode()
    assert "nothing to take back" in logged_in.get(page, follow=True).content.decode()


def test_it_shows_first_what_would_be_done_and_changes_nothing(logged_in, page):
    entity = Entity.objects.get(slug="allianz-se")
    memory.add_event(entity=entity, type="news", summary="Something else.")
    shown, _ = seen(logged_in, page)
    assert "What stays, and why" in shown
    assert "in use by now: 1 × entity event" in shown
    assert "What goes back" in shown
    assert Entity.objects.filter(pk=entity.pk).exists()
    assert not Rollback.objects.exists()


def test_it_takes_back_and_the_page_of_the_result_says_so(logged_in, page, review, reviewer):
    _, digest = seen(logged_in, page)
    answer = logged_in.post(page, {"digest": digest, "reason": "The <b>wrong</b> Allianz."}, follow=True)
    assert answer.redirect_chain == [(review, 302)]
    shown = answer.content.decode()
    assert "facts were taken back." in shown
    assert "Taken back</strong> by rita" in shown
    assert "The &lt;b&gt;wrong&lt;/b&gt; Allianz." in shown
    assert "rita</strong> took back" in shown
    assert "executed 1 of 1 verbs" in shown
    assert page not in shown
    assert 'id="execute"' not in shown
    assert not Entity.objects.exists()


def test_it_wants_a_reason(logged_in, page):
    _, digest = seen(logged_in, page)
    answer = logged_in.post(page, {"digest": digest, "reason": " "})
    assert answer.status_code == 422
    assert "needs a reason" in answer.content.decode()
    assert Entity.objects.exists()


@pytest.mark.parametrize("digest", ["", "0" * 64])
def test_it_does_nothing_that_was_not_shown(logged_in, page, digest):
    answer = logged_in.post(page, {"digest": digest, "reason": "r"})
    assert answer.status_code == 409
    assert Entity.objects.exists()


def test_a_page_that_is_out_of_date_shows_the_plan_anew_and_keeps_the_reason(logged_in, page):
    _, digest = seen(logged_in, page)
    Entity.objects.update(jurisdiction="FR")
    answer = logged_in.post(page, {"digest": digest, "reason": "The wrong Allianz."})
    shown = answer.content.decode()
    assert answer.status_code == 409
    assert "has changed since you looked" in shown
    assert "jurisdiction changed since" in shown
    assert "The wrong Allianz." in shown
    assert Entity.objects.exists()


def test_the_second_person_is_told_who_was_first(logged_in, client, page, result):
    _, digest = seen(logged_in, page)
    logged_in.post(page, {"digest": digest, "reason": "r"})
    client.force_login(UserFactory(is_staff=True, rights=ALL_RIGHTS))
    answer = client.post(page, {"digest": digest, "reason": "r"}, follow=True)
    assert "Rita took this back already" in answer.content.decode()
    assert Rollback.objects.count() == 1
