"""A list says what stands in it, and why it is empty; a row leads to what happened to it."""

import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils.html import escape
from knox.crypto import hash_token
from knox.models import AuthToken

from config.urls import admin
from research.services.reviews import reject_result
from tests.cases import cases
from tests.factories import ALL_RIGHTS, MacroFactory, ResultFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db
OWN_PAGES = ("goldencopyimport",)  # the page on the register


def list_of(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.fixture
def house(admin_client):
    return admin_client


@cases(
    "model",
    [model for model in admin.site._registry if model._meta.model_name not in OWN_PAGES],
    ids=lambda model: model._meta.model_name,
)
def test_every_list_has_a_heading_of_its_own_and_a_lead(house, model):
    told = house.get(list_of(model)).content.decode()
    assert "Select " not in told.partition("<h1>")[2].partition("</h1>")[0]
    assert 'class="dossier-lead"' in told


def test_an_empty_list_says_so_and_a_search_without_hits_leads_back(house):
    runs = reverse("admin:research_run_changelist")
    assert "Nothing is here yet." in house.get(runs).content.decode()
    RunFactory()
    assert "Nothing is here yet." not in house.get(runs).content.decode()
    for narrowed in ({"q": "no such thing"}, {"state__exact": "failed"}):
        told = house.get(runs, narrowed).content.decode()
        assert "Nothing here fits the search and the filters." in told
        assert f'href="{runs}">Show everything' in told


def test_a_row_leads_to_what_happened_to_it(client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))
    run = RunFactory()
    told = client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()
    address = f"{reverse('admin:research_auditevent_changelist')}?object_type__exact=run&amp;object_id__exact={run.pk}"
    assert address in told
    assert client.get(address.replace("&amp;", "&")).status_code == 200


def test_nobody_is_led_to_a_record_that_they_may_not_see(client):
    client.force_login(UserFactory(rights=["view_run"]))
    told = client.get(reverse("admin:research_run_change", args=[RunFactory().pk])).content.decode()
    assert "historylink" not in told


def test_dates_are_written_so_that_nobody_guesses_which_is_the_month(client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))
    run = RunFactory()
    type(run).objects.update(created_at=datetime(2026, 3, 4, 17, 5, tzinfo=UTC))
    assert "2026-03-04 17:05" in client.get(reverse("admin:research_run_changelist")).content.decode()


def test_a_macro_is_shown_as_it_was_written(client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))
    macro = MacroFactory()
    told = client.get(reverse("admin:research_macro_change", args=[macro.pk])).content.decode()
    assert f'<pre class="dossier-json">{escape(macro.text)}</pre>' in told


def test_a_decision_that_approved_nothing_shows_no_null(client):
    person = UserFactory(rights=ALL_RIGHTS)
    client.force_login(person)
    result = ResultFactory(suggested_verbs="(entity.ensure)")
    decision = reject_result(result=result, reviewer=person, digest=result.digest, reason="not this one")
    told = client.get(reverse("admin:research_decision_change", args=[decision.pk])).content.decode()
    assert ">null<" not in told
    assert told.count("Result:") == 1
    review = client.get(reverse("admin:research_researchresult_review", args=[result.pk])).content.decode()
    assert "nothing was approved, so there is nothing to execute" in review
    assert "This macro suggests no verbs." not in review


def test_a_token_is_made_for_a_person_who_is_found_by_name_and_is_shown_once(admin_client):
    add = reverse("admin:knox_authtoken_add")
    assert "autocomplete" in admin_client.get(add).content.decode()
    person = UserFactory()
    made = {"user": person.pk, "expiry_0": "2099-01-31", "expiry_1": "12:00"}
    told = admin_client.post(add, made, follow=True).content.decode()
    token = re.search(r"The token, shown this once: (\w{64})", told)
    assert AuthToken.objects.get().digest == hash_token(token[1])
    assert "Authorization: Bearer" in told
    assert token[1] not in admin_client.get(reverse("admin:knox_authtoken_changelist")).content.decode()
