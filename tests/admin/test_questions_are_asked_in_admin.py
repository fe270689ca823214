import pytest
from django.urls import reverse

from research.models import Macro, Run
from research.services.macros import sync_macros
from tests.factories import ALL_RIGHTS, RunFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(client):
    person = UserFactory(rights=ALL_RIGHTS)
    client.force_login(person)
    return person


@pytest.fixture
def page():
    sync_macros()
    return reverse("admin:research_macro_ask", args=[Macro.objects.get(name="client-discovery").pk])


def post(client, page, **params):
    fields = {f"param:{name}": value for name, value in params.items()}
    return client.post(page, {"autonomy": "balanced", "depth": "quick", **fields})


def test_it_makes_a_form_of_the_parameters_with_their_defaults(client, person, page):
    text = client.get(page).content.decode()
    for name in ("client_name", "jurisdiction_hint", "focus_area", "max_entities"):
        assert f'name="param:{name}"' in text
    assert 'value="20"' in text


def test_it_starts_a_run_in_the_name_of_the_person(client, person, page):
    answer = post(client, page, client_name="Allianz SE", max_entities="5")
    run = Run.objects.get()
    assert answer.url == reverse("admin:research_run_change", args=[run.pk])
    assert (run.requested_by, run.trigger, run.depth) == (person, "admin", "quick")
    assert run.params["max_entities"] == 5


@pytest.mark.parametrize(
    ("params", "word"),
    [
        ({}, "required"),
        ({"client_name": "x", "max_entities": "many"}, "whole number"),
        ({"client_name": "x", "focus_area": "everything"}, "valid choice"),
    ],
)
def test_it_shows_what_is_wrong_beside_the_field_and_starts_nothing(client, person, page, params, word):
    answer = post(client, page, **params)
    assert answer.status_code == 400
    assert word in answer.content.decode()
    assert not Run.objects.exists()


def test_it_is_closed_to_those_who_may_not_start_research(client, page):
    client.force_login(UserFactory(rights=["view_macro"]))
    post(client, page, client_name="Allianz SE")
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("action", "before", "after"),
    [
        ("resume", "failed", "queued"),
        ("cancel", "queued", "cancelled"),
        ("confirm", "awaiting_confirmation", "queued"),
        ("resume", "succeeded", "succeeded"),
        ("cancel", "succeeded", "succeeded"),
    ],
)
def test_it_steers_a_run_by_buttons(client, person, action, before, after):
    run = RunFactory(state=before)
    client.post(reverse(f"admin:research_run_{action}", args=[run.pk]))
    run.refresh_from_db()
    assert run.state == after


def test_it_changes_nothing_by_get(client, person):
    run = RunFactory()
    client.get(reverse("admin:research_run_cancel", args=[run.pk]))
    run.refresh_from_db()
    assert run.state == "queued"


def test_it_offers_only_the_buttons_that_fit_the_state(client, person):
    text = client.get(
        reverse("admin:research_run_change", args=[RunFactory(state="failed").pk])
    ).content.decode()
    assert ">Resume<" in text
    assert ">Cancel<" not in text


@pytest.mark.parametrize(("state", "follows"), [("queued", True), ("running", True), ("failed", False)])
def test_it_follows_a_run_while_it_works(client, person, state, follows):
    text = client.get(
        reverse("admin:research_run_change", args=[RunFactory(state=state).pk])
    ).content.decode()
    assert ('http-equiv="refresh"' in text) is follows
