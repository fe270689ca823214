"""However people and groups get and lose rights, the trail knows what they have, as long as Dossier does it."""

import pytest
from django.contrib.auth.models import Group, Permission, User

from research.audit.verification import verify_trail
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_every_ordinary_change_is_vouched_for(client):
    one, other = UserFactory(), UserFactory()
    team, empty = Group.objects.create(name="team"), Group.objects.create(name="empty")
    first, second = Permission.objects.order_by("pk")[:2]
    steps = {
        "a person gets groups": lambda: one.groups.add(team, empty),
        "a group gets people": lambda: team.user_set.add(other),
        "a person gets rights": lambda: one.user_permissions.add(first, second),
        "a group gets rights": lambda: team.permissions.set([first]),
        "a right gets people": lambda: second.user_set.add(other),
        "a group loses people": lambda: team.user_set.remove(one),
        "a group loses all people": team.user_set.clear,
        "a group loses all rights": team.permissions.clear,
        "a person leaves all groups": one.groups.clear,
        "a person comes back": lambda: one.groups.add(team),
        "a group is renamed": lambda: (setattr(team, "name", "crew"), team.save()),
        "a group goes": team.delete,
        "a person loses all rights": one.user_permissions.clear,
        "a password is set": lambda: (one.set_password("something long"), one.save()),
        "a person logs in": lambda: client.force_login(one),
        "a person is raised": lambda: (setattr(one, "is_superuser", True), one.save()),
        "a person goes": other.delete,
    }
    wrong = {}
    for name, step in steps.items():
        step()
        if faults := verify_trail().faults:
            wrong[name] = faults
    assert wrong == {}


def test_what_bypasses_dossier_is_not():
    person = UserFactory()
    User.objects.filter(pk=person.pk).update(is_superuser=True)
    (fault,) = verify_trail().faults
    assert fault.startswith(f"User {person.pk} is not as event ")
