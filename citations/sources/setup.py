"""The one client that a process has of each source, as the settings say."""

import threading
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import caches

from citations.sources.arxiv import Arxiv
from citations.sources.crossref import Crossref
from citations.sources.entscheidsuche import NAME, RATE, Entscheidsuche
from citations.sources.fedlex import Fedlex
from citations.sources.onlinekommentar import Onlinekommentar
from common.outside.limits import Bucket, Rate

_lock = threading.Lock()
_opened: dict[tuple[str, str], Any] = {}


def open_entscheidsuche() -> Entscheidsuche:
    """At ``ENTSCHEIDSUCHE_BASE_URL``, at a pace that all processes keep together where they share a cache.

    An empty address makes every question ``not_set_up``.
    """
    client: Entscheidsuche = _opened_once(
        "entscheidsuche",
        settings.ENTSCHEIDSUCHE_BASE_URL,
        lambda address: Entscheidsuche(address, bucket=_together(NAME, RATE)),
    )
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


def _together(name: str, rate: Rate) -> Bucket | None:
    """A bucket in the cache ``shared``, where there is one (Redis); a process alone has a bucket of its own."""
    if "shared" not in settings.CACHES:
        return None
    from citations.sources.shared_pace import SharedBucket  # 20 MB of Redis's client, for nothing without it

    return SharedBucket(name, rate, time.monotonic, caches["shared"])


def _opened_once(name: str, address: str, make: Callable[[str], Any]) -> Any:
    with _lock:
        key = (name, address)
        if key not in _opened:
            _opened[key] = make(address)
        return _opened[key]
