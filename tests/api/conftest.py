"""Clients of the REST API."""

import pytest
from django.core.cache import cache
from django.urls import reverse
from rest_framework.test import APIClient

from tests.factories import ALL_RIGHTS, UserFactory

ENTITY_RIGHTS = ("view_entityevent", "view_representation", "view_entityresearch")


@pytest.fixture(autouse=True)
def fresh_throttles():
    """Requests of one test do not slow down the next."""
    cache.clear()


@pytest.fixture
def url():
    """``url("run", pk)`` is the path of an API view."""
    return lambda name, *args: reverse(f"api-{name}", args=args)


@pytest.fixture
def client_of():
    """A client that acts for a person, with JSON bodies."""

    def client_of(person=None) -> APIClient:
        client = APIClient()
        client.default_format = "json"
        client.force_authenticate(person)
        return client

    return client_of


@pytest.fixture
def person(db):
    """Somebody with every right."""
    return UserFactory(rights=(*ALL_RIGHTS, *ENTITY_RIGHTS))


@pytest.fixture
def client(client_of, person):
    """A client with every right."""
    return client_of(person)


@pytest.fixture
def stranger(client_of, db):
    """A client of a known person without any right."""
    return client_of(UserFactory())


@pytest.fixture
def nobody(client_of, db):
    """A client of nobody."""
    return client_of()
