"""A list says what stands in it, and why it is empty; a row leads to what happened to it."""

import pytest
from django.urls import reverse

from config.urls import admin
from tests.factories import ALL_RIGHTS, RunFactory, UserFactory

pytestmark = pytest.mark.django_db
OWN_PAGES = ("goldencopyimport",)  # the page on the register


def list_of(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.fixture
def house(admin_client):
    return admin_client


@pytest.mark.parametrize(
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
