"""An entity, two people, and Companies House over its fake."""

import pytest

from tests.factories import EntityFactory, UserFactory
from tests.tools.registers import set_up


@pytest.fixture
def fakes(settings):
    with set_up(settings, "companies_house", "fca") as fakes:
        yield fakes


@pytest.fixture
def house(fakes):
    return fakes["companies_house"]


@pytest.fixture
def decider(db):
    return UserFactory(rights=["decide_register"])


@pytest.fixture
def nobody(db):
    return UserFactory()


@pytest.fixture
def lamps(db):
    return EntityFactory(name="London Lamps Limited", slug="london-lamps")


@pytest.fixture
def choose(house, decider, lamps):
    """``choose(number=...)`` for the entity, by the decider; without a number the rule chooses."""
    from entities.services.selection import select_company

    def work(entity=lamps, register="companies_house", by=decider, **known):
        return select_company(entity=entity, register=register, by=by, **known)

    return work
