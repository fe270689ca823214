"""People who may log in: the first administrator, and members of staff with some rights."""

import secrets
from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.db import transaction

from common.transactions import retried

LOOKED_AT = ("citations", "entities", "research")  # the apps whose tables a reader may look at


@retried
def ensure_admin(*, username: str = "admin") -> tuple[str, str] | None:
    """Create a superuser if there is none: its name and its password, which is stored nowhere in the clear."""
    people = get_user_model()
    with transaction.atomic():
        if people.objects.filter(is_superuser=True, is_active=True).exists():
            return None
        while people.objects.filter(username=username).exists():
            username += "-1"
        password = secrets.token_urlsafe(12)
        people.objects.create_superuser(username=username, password=password)
    return username, password


@retried
def add_colleague(*, username: str, rights: Iterable[str]) -> str | None:
    """Create a member of staff who may look at everything and besides holds ``rights`` such as ``research.start_run``.

    Returns the password, which is stored nowhere in the clear; None where there is somebody of that name.
    """
    people = get_user_model()
    with transaction.atomic():
        if people.objects.filter(username=username).exists():
            return None
        password = secrets.token_urlsafe(12)
        person = people.objects.create_user(username=username, password=password, is_staff=True)
        known = Permission.objects.filter(content_type__app_label__in=LOOKED_AT)
        names = {right.partition(".")[2] for right in rights}
        person.user_permissions.set(
            known.filter(codename__startswith="view_") | known.filter(codename__in=names)
        )
    return password
