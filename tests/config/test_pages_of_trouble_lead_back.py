"""A page that is not there, not permitted or broken says what happened and what to do, and leads back."""

import pytest
from django.test import Client
from django.urls import reverse

from research.services import overview
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
BACK = "To the start page"


def test_an_address_that_is_wrong_says_so(client):
    answer = client.get("/no/such/<page>")
    assert answer.status_code == 404
    told = answer.content.decode()
    assert "There is nothing at this address" in told
    assert BACK in told
    assert "<page>" not in told


def test_a_page_that_is_not_permitted_says_who_can_help(client):
    client.force_login(UserFactory())
    answer = client.get(reverse("admin:research_run_changelist"))
    assert answer.status_code == 403
    told = answer.content.decode()
    assert "under Users" in told
    assert BACK in told


def test_a_form_without_its_token_changes_nothing_and_says_so():
    answer = Client(enforce_csrf_checks=True).post(reverse("admin:login"), {"username": "petra"})
    assert answer.status_code == 403
    assert "nothing was changed" in answer.content.decode()


def test_a_fault_is_told_without_what_broke(client, monkeypatch):
    def breaks(*args):
        raise RuntimeError("secret detail")

    monkeypatch.setitem(overview._PARTS, "research.view_run", breaks)
    client.raise_request_exception = False
    client.force_login(UserFactory(rights=["view_run"]))
    answer = client.get(reverse("admin:index"))
    assert answer.status_code == 500
    told = answer.content.decode()
    assert "A fault of Dossier" in told
    assert BACK in told
    assert "secret detail" not in told
