"""Sources that are set up, with time that does not pass."""

import pytest

from citations.sources.arxiv import Arxiv
from citations.sources.crossref import Crossref
from citations.sources.entscheidsuche import Entscheidsuche
from tests.registry_server import RegistryServer


@pytest.fixture
def registry():
    with RegistryServer() as server:
        yield server


@pytest.fixture
def sources(courts, registry, traffic, settings, monkeypatch):
    """The court search of ``courts`` and the registries of ``registry``, asked by clients that keep nothing."""
    settings.ENTSCHEIDSUCHE_BASE_URL = courts.url
    settings.CROSSREF_BASE_URL = settings.ARXIV_BASE_URL = registry.url
    opened = {
        "open_entscheidsuche": lambda: Entscheidsuche(courts.url, traffic=traffic),
        "open_crossref": lambda: Crossref(registry.url, traffic=traffic),
        "open_arxiv": lambda: Arxiv(registry.url, traffic=traffic),
    }
    for name, make in opened.items():
        monkeypatch.setattr(f"citations.services.questions.{name}", make)
