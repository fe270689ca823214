from collections.abc import Iterator

import pytest

from tests.doctor.sources import Sources, set_up


@pytest.fixture
def house() -> Iterator[Sources]:
    """Every source is set up, and answers as it should."""
    with Sources() as server, set_up(server.url):
        yield server
