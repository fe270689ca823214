import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from knox.models import AuthToken

from research.access_log import acting
from research.models import AuditEvent
from tests.cases import cases
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return UserFactory()


@pytest.fixture
def right():
    return Permission.objects.get(codename="decide_researchresult")


def last():
    return AuditEvent.objects.order_by("-id").first()


def test_it_records_who_is_new(person):
    event = last()
    assert (event.action, event.object_type, event.object_id) == ("person.created", "user", str(person.pk))
    assert event.detail["username"] == person.username


@pytest.mark.parametrize("field", ["is_active", "is_staff", "is_superuser"])
def test_it_records_a_changed_standing(person, field):
    value = not getattr(person, field)
    setattr(person, field, value)
    person.save()
    assert (last().action, last().detail) == ("person.changed", {field: value})


def test_it_records_that_a_password_was_set_and_never_which(person):
    person.set_password("correct horse")
    person.save(update_fields=["password"])
    assert (last().action, last().detail) == ("person.changed", {"password": "set"})


def test_it_asks_as_often_for_many_rights_as_for_two(person):
    other = UserFactory()
    with CaptureQueriesContext(connection) as for_two:
        other.user_permissions.add(*Permission.objects.all()[:2])
    with CaptureQueriesContext(connection) as for_many:
        person.user_permissions.add(*Permission.objects.all()[:30])
    assert len(last().detail["names"]) == 30
    assert len(for_many) <= len(for_two)


def test_it_records_no_log_in_as_a_change(person, client):
    before = AuditEvent.objects.count()
    client.force_login(person)
    person.save()
    assert AuditEvent.objects.count() == before


@cases(
    ("change", "action"),
    [
        (lambda person, right: person.user_permissions.add(right), "rights.added"),
        (lambda person, right: right.user_set.add(person), "rights.added"),
        (lambda person, right: person.groups.add(Group.objects.create(name="Reviewers")), "rights.added"),
        (lambda person, right: Group.objects.create(name="A").permissions.set([right]), "rights.added"),
        (lambda person, right: person.user_permissions.clear(), "rights.cleared"),
        (lambda person, right: Group.objects.create(name="A").delete(), "group.deleted"),
        (lambda person, right: person.delete(), "person.deleted"),
    ],
)
def test_it_records_every_change_of_rights(person, right, change, action):
    change(person, right)
    assert last().action == action


def test_it_names_what_was_taken_away(person, right):
    person.user_permissions.add(right)
    person.user_permissions.remove(right)
    assert (last().action, last().detail) == ("rights.removed", {"kind": "permission", "names": [str(right)]})


def test_it_records_tokens_however_they_are_made(person):
    row, _ = AuthToken.objects.create(person)
    assert (last().action, last().detail) == ("token.issued", {"token": row.token_key})
    row.delete()
    assert last().action == "token.revoked"


def test_it_knows_who_did_it_in_the_admin(admin_client, admin_user, person, right):
    page = reverse("admin:auth_user_change", args=[person.pk])
    form = {
        "username": person.username,
        "date_joined_0": "2026-01-01",
        "date_joined_1": "00:00",
        "user_permissions": [right.pk],
    }
    assert admin_client.post(page, form).status_code == 302
    events = AuditEvent.objects.filter(object_type="user", object_id=str(person.pk), actor=admin_user)
    assert set(events.values_list("action", flat=True)) == {"person.changed", "rights.added"}


def test_it_forgets_who_acted_when_they_are_done(person):
    with acting(lambda: person):
        User.objects.create(username="made by a person")
    User.objects.create(username="made by nobody")
    assert list(AuditEvent.objects.order_by("-id").values_list("actor", flat=True)[:2]) == [None, person.pk]
