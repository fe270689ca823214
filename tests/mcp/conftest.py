"""Agents, and the people whose tokens they carry."""

import pytest
from django.core.cache import cache

from research.jsontext import JsonObject
from research.mcp.catalogue import call
from tests.factories import ALL_RIGHTS, UserFactory


@pytest.fixture(autouse=True)
def fresh_rate():
    """Calls of one test do not use up those of the next."""
    cache.clear()


MEMORY = tuple(f"view_{part}" for part in ("entityevent", "entityresearch", "representation", "relationship"))


@pytest.fixture
def person(db):
    return UserFactory(username="agatha", rights=(*ALL_RIGHTS, *MEMORY))


@pytest.fixture
def ask(person):
    """``ask("research_list")`` calls a tool for a person with every right, or for ``by``."""

    def ask(name: str, by=None, **arguments) -> JsonObject:
        return call(name, arguments, by or person)

    return ask
