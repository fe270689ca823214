"""The one client that a process has of each source, as the settings say."""

import threading
from collections.abc import Callable
from typing import Any

from django.conf import settings

from citations.sources.arxiv import Arxiv
from citations.sources.crossref import Crossref
from citations.sources.entscheidsuche import Entscheidsuche
from citations.sources.fedlex import Fedlex
from citations.sources.onlinekommentar import Onlinekommentar

_lock = threading.Lock()
_opened: dict[tuple[str, str], Any] = {}


def open_entscheidsuche() -> Entscheidsuche:
    """At ``ENTSCHEIDSUCHE_BASE_URL``; an empty address makes every question ``not_set_up``."""
    client: Entscheidsuche = _opened_once("entscheidsuche", settings.ENTSCHEIDSUCHE_BASE_URL, Entscheidsuche)
    return client


def open_crossref() -> Crossref:
    """At ``CROSSREF_BASE_URL``, with the operator's address of ``CROSSREF_MAILTO``."""
    mailto = settings.CROSSREF_MAILTO
    client: Crossref = _opened_once(
        "crossref", settings.CROSSREF_BASE_URL, lambda address: Crossref(address, mailto)
    )
    return client


def open_arxiv() -> Arxiv:
    """At ``ARXIV_BASE_URL``."""
    client: Arxiv = _opened_once("arxiv", settings.ARXIV_BASE_URL, Arxiv)
    return client


def open_fedlex() -> Fedlex:
    """At ``FEDLEX_BASE_URL``."""
    client: Fedlex = _opened_once("fedlex", settings.FEDLEX_BASE_URL, Fedlex)
    return client


def open_onlinekommentar() -> Onlinekommentar:
    """At ``ONLINEKOMMENTAR_BASE_URL``."""
    client: Onlinekommentar = _opened_once(
        "onlinekommentar", settings.ONLINEKOMMENTAR_BASE_URL, Onlinekommentar
    )
    return client


def forget() -> None:
    """Clients, and with them what they keep and whom they leave alone; for tests."""
    with _lock:
        _opened.clear()


def _opened_once(name: str, address: str, make: Callable[[str], Any]) -> Any:
    with _lock:
        key = (name, address)
        if key not in _opened:
            _opened[key] = make(address)
        return _opened[key]
