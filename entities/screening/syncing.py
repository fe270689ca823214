"""Fetching the lists from their publishers and importing what is new."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from common.connection import give_connection_back
from common.outside.client import TRAFFIC, Client, Patience, Traffic
from common.outside.download import download
from common.outside.faults import SourceFault
from entities.models import ListVersion
from entities.screening.errors import REFUSALS
from entities.screening.importing import import_list, live_version
from entities.screening.lists import KINDS, LARGEST, QUERIES, ListKind

PATIENCE = Patience(seconds=1_800.0, attempt=900.0)


@dataclass(frozen=True)
class Synced:
    """What came of one list: its version, whether it is new, or the sentence that says why there is none."""

    list: str
    version: ListVersion | None
    new: bool = False
    trouble: str = ""


def wanted_lists() -> list[str]:
    """The lists of DOSSIER_LISTS; all whose settings are there when it names none."""
    named = [name for name in settings.DOSSIER_LISTS if name in KINDS]
    return named or [name for name, kind in KINDS.items() if not kind.missing]


def sync_lists(
    lists: list[str] | None = None,
    *,
    now: datetime | None = None,
    traffic: Traffic = TRAFFIC,
    report: Callable[[str, int, int], None] = lambda list, done, total: None,
) -> Iterator[Synced]:
    """Fetch each list and import it; the trouble of one does not keep back the others."""
    for name in wanted_lists() if lists is None else lists:
        yield _sync(KINDS[name], now, traffic, report)


def folder() -> Path:
    """Where files lie between their arrival and their import."""
    return Path(settings.VAR_DIR) / "lists"


def _sync(
    kind: ListKind, now: datetime | None, traffic: Traffic, report: Callable[[str, int, int], None]
) -> Synced:
    name = kind.list.value
    before = live_version(name)
    path = folder() / f"{name}{Path(kind.path).suffix or '.xml'}"
    try:
        give_connection_back()
        download(
            client_of(kind, traffic),
            kind.path,
            path,
            params=QUERIES.get(name),
            report=lambda done, total: report(name, done, total),
        )
        version = import_list(path, list_name=name, source=f"{kind.base_url}/{kind.path}", now=now)
    except SourceFault as fault:
        return Synced(name, before, trouble=fault.message)
    except REFUSALS as error:
        return Synced(name, before, trouble=str(error))
    finally:
        path.unlink(missing_ok=True)
    return Synced(name, version, new=before is None or before.pk != version.pk)


def client_of(kind: ListKind, traffic: Traffic = TRAFFIC) -> Client:
    """How a publisher is asked. The EU's token goes into the address, as the publisher wants it."""
    query = {"token": str(getattr(settings, kind.key))} if kind.key else {}
    return Client(
        kind.label,
        kind.base_url,
        headers={"User-Agent": settings.DOSSIER_USER_AGENT},
        query=query,
        missing=kind.missing,
        patience=PATIENCE,
        max_body=LARGEST,
        traffic=traffic,
    )
