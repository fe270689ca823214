"""The first administrator."""

import secrets

from django.contrib.auth import get_user_model
from django.db import transaction


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
