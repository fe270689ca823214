"""Without a script a page is posted by a browser whose log-in has expired: what was typed waits as a draft."""

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from research.admin.kept import SALT, seal
from research.models import Decision, Draft
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db
NAME = "leaf:/head/name"


@pytest.fixture
def post(page, result):
    """``post(**changed)`` presses Approve on the open page in a browser that is not logged in any more."""

    def post(client=None, result=result, **changed):
        fields = {**page.fields, "action": "approve", NAME: "Mine", "reason": "as filed", **changed}
        url = reverse("admin:research_researchresult_review", args=[result.pk])
        return (client or Client()).post(url, fields)

    return post


def test_what_was_typed_is_a_draft_of_whoever_opened_the_page_and_decides_nothing(post, page, reviewer):
    client = Client()
    answer = post(client)
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("admin:login"))
    assert "What you typed is kept" in client.get(answer.url).content.decode()
    (draft,) = Draft.objects.all()
    assert draft.person == reviewer
    assert (draft.typed[NAME], draft.typed["reason"]) == ("Mine", "as filed")
    assert not Decision.objects.exists()
    page.open()
    assert page.fields[NAME] == "Mine"


def test_another_who_logs_in_instead_sees_nothing_of_it(post, result):
    client = Client()
    post(client)
    client.force_login(UserFactory(username="carl", rights=ALL_RIGHTS))
    shown = client.get(reverse("admin:research_researchresult_review", args=[result.pk])).content.decode()
    assert "Mine" not in shown
    assert "as filed" not in shown


def test_the_same_post_twice_is_one_draft(post):
    post()
    post()
    assert Draft.objects.count() == 1


def test_nothing_is_kept_for_a_seal_that_is_not_good(post, page, reviewer, result, make_result):
    other = make_result()
    carl = UserFactory(username="carl")  # may decide nothing
    gone = UserFactory(username="gone", rights=ALL_RIGHTS, is_active=False)
    forged = signing.dumps([reviewer.pk, str(result.pk), "a guess"], salt=SALT)
    bare = signing.dumps("nonsense", salt=SALT)
    for bad in ("", "x", forged, bare, seal(reviewer, other), seal(carl, result), seal(gone, result)):
        assert post(seal=bad).status_code == 302
    assert post(result=other).status_code == 302
    assert post(digest="0" * 64).status_code == 302
    assert post(**{NAME: "x" * 12_000_000}).status_code in (302, 400)
    reviewer.set_password("another")
    reviewer.save()
    assert post().status_code == 302, "a new password ends every session, and every seal with it"
    assert not Draft.objects.exists()


def test_an_empty_form_throws_no_draft_away(post, page):
    page.press("preview", {"/head/name": "Mine"})
    page.open()
    untouched = {NAME: "Allianz SE", "reason": ""}
    post(**untouched)
    assert Draft.objects.get().typed[NAME] == "Mine"


def test_a_strange_site_cannot_post_it(page, result):
    client = Client(enforce_csrf_checks=True)
    url = reverse("admin:research_researchresult_review", args=[result.pk])
    answer = client.post(url, {**page.fields, NAME: "Mine", "csrfmiddlewaretoken": "x" * 64})
    assert answer.status_code == 403
    assert not Draft.objects.exists()
