"""Bringing the imported register up to GLEIF's newest publish: a delta where one suffices, else the full file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import requests
from django.conf import settings

from entities.gleif.golden.downloads import download
from entities.gleif.golden.files import BadFile
from entities.gleif.golden.importing import Given, Report, import_file, newest
from entities.gleif.golden.publishes import Offer, Publish, latest
from entities.models import GoldenCopyImport

KINDS = ("lei2", "rr", "repex")


@dataclass(frozen=True)
class Step:
    """What sync does about one kind: ``offer`` is the file to fetch, None when the register is up to date."""

    kind: str
    publish: Publish
    offer: Offer | None


def plan(session: requests.Session | None = None) -> list[Step]:
    """What sync would do now. Raises PublisherTrouble."""
    published = latest(settings.GOLDEN_COPY_BASE_URL, session or new_session())
    return [_step(published[kind]) for kind in KINDS]


def sync_register(
    *,
    begin: Callable[[Step], None] = lambda step: None,
    fetching: Callable[[int, int], None] = lambda done, total: None,
    importing: Report = lambda progress: None,
) -> Iterator[GoldenCopyImport]:
    """Do it, kind by kind, and tell of each: the account of every import, as soon as it is live.

    Raises PublisherTrouble, and BadFile or Refused of ``import_file``; what went live before stays.
    """
    with new_session() as session:
        for step in plan(session):
            begin(step)
            if step.offer is not None:
                yield _bring(step.offer, session, fetching, importing)


def sync_all() -> int:
    """The same without anybody watching; the number of files that went live."""
    return sum(1 for _ in sync_register())


def new_session() -> requests.Session:
    session = requests.Session()
    session.headers["User-Agent"] = settings.DOSSIER_USER_AGENT
    return session


def folder() -> Path:
    """Where files lie between their arrival and their import."""
    return Path(settings.VAR_DIR) / "golden-copy"


def _step(publish: Publish) -> Step:
    held = newest(publish.kind)
    return Step(publish.kind, publish, publish.best_from(held.publish_date if held else None))


def _bring(
    offer: Offer, session: requests.Session, fetching: Callable[[int, int], None], importing: Report
) -> GoldenCopyImport:
    path = download(offer, folder(), session, fetching)
    given = Given(kind=offer.kind, scope=offer.scope, publish_date=offer.publish_date, expected=offer.records)
    try:
        done = import_file(path, given=given, report=importing)
    except BadFile:
        path.unlink(missing_ok=True)  # the next attempt fetches it anew
        raise
    path.unlink(missing_ok=True)
    return done
