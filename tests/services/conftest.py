import pytest

from research.services.runs import start_run
from tests.factories import ALL_RIGHTS, MacroFactory, ResultFactory, UserFactory

ALLIANZ = "529900K9B0N5BT694847"


@pytest.fixture
def reviewer():
    """A person who may start, decide and execute."""
    return UserFactory(rights=ALL_RIGHTS)


@pytest.fixture
def result():
    """A pending result about Allianz SE, all of whose checks pass."""
    return ResultFactory()


@pytest.fixture
def started():
    """``started(client_name="…")`` starts a run of a small macro."""

    def start(macro=None, **options):
        params = options.pop("params", {"client_name": "Allianz SE"})
        return start_run(macro=(macro or MacroFactory()).name, params=params, trigger="cli", **options)

    return start
