"""A version of the policy is entered in the admin and never changed there."""

import pytest
from django.urls import reverse

from entities.gleif.checking import current_policy
from entities.gleif.policy import Policy
from entities.models import LeiPolicy
from entities.services.policy import set_lei_policy
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
ADD, LIST = reverse("admin:entities_leipolicy_add"), reverse("admin:entities_leipolicy_changelist")


@pytest.fixture
def person(client):
    person = UserFactory(rights=["view_leipolicy", "add_leipolicy"])
    client.force_login(person)
    return person


def entered(**changes):
    return {**Policy().as_values(), "note": "Our regulator asks for it.", **changes}


def test_the_form_begins_with_what_is_in_force(client, person):
    set_lei_policy(values={"name_passes": "97"}, note="Closer.")
    page = client.get(ADD)
    assert page.context["adminform"].form.initial["name_passes"] == "97"
    assert "Another LEI in force has the name as well." in page.content.decode()


def test_each_field_stands_in_the_form_once(client, person):
    page = client.get(ADD).content.decode()
    assert {name: page.count(f'name="{name}"') for name in entered()} == dict.fromkeys(entered(), 1)


def test_a_new_version_is_in_force_at_once_and_names_who_entered_it(client, person):
    answer = client.post(ADD, entered(LAPSED="fail", name_passes="98"))
    assert answer.status_code == 302
    assert current_policy().registration["LAPSED"] == "fail"
    policy = LeiPolicy.objects.get()
    assert (policy.values, policy.created_by) == ({"LAPSED": "fail", "name_passes": "98"}, person)
    assert "LAPSED=fail, name_passes=98" in client.get(LIST).content.decode()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name_passes": "high"}, "is a number"),
        ({"LAPSED": "maybe"}, "valid choice"),
        ({"note": ""}, "required"),
    ],
)
def test_a_faulty_version_is_refused_by_name(client, person, changes, says):
    page = client.post(ADD, entered(**changes))
    assert page.status_code == 200
    assert says in page.content.decode()
    assert not LeiPolicy.objects.exists()


def test_a_version_can_be_read_but_not_changed_or_deleted(client, person):
    policy = set_lei_policy(values={"LAPSED": "fail"}, note="<b>Strict</b>")
    page = client.get(reverse("admin:entities_leipolicy_change", args=[policy.pk])).content.decode()
    assert "LAPSED=fail" in page
    assert "<b>Strict</b>" not in page
    client.post(reverse("admin:entities_leipolicy_change", args=[policy.pk]), entered(LAPSED="pass"))
    assert client.post(reverse("admin:entities_leipolicy_delete", args=[policy.pk])).status_code == 403
    assert current_policy().registration["LAPSED"] == "fail"


def test_only_who_may_enters_one(client):
    client.force_login(UserFactory(rights=["view_leipolicy"]))
    assert client.get(LIST).status_code == 200
    assert client.post(ADD, entered()).status_code == 403
