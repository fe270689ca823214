"""Fetching a file of the publisher: what has arrived stays, a broken line goes on where it broke, sizes are checked."""

import shutil
from collections.abc import Callable
from pathlib import Path

import requests

from entities.gleif.golden.publishes import Offer, PublisherTrouble

ATTEMPTS = 5
TIMEOUT = (5, 60)
CHUNK = 1 << 17  # what a line that breaks may lose


def download(
    offer: Offer,
    folder: Path,
    session: requests.Session,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Path:
    """The file in ``folder``; ``report`` is told bytes done and in all. Raises PublisherTrouble."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / offer.name
    if target.exists() and target.stat().st_size == offer.size:
        return target
    part = target.with_name(target.name + ".part")
    _refuse_little_room(offer, folder)
    reason = ""
    for _ in range(ATTEMPTS):
        try:
            size = _fetch(offer, part, session, report)
        except (requests.RequestException, OSError) as error:
            reason = type(error).__name__
            continue
        if size == part.stat().st_size:
            part.replace(target)
            return target
        reason = f"{part.stat().st_size:,} of {size:,} bytes"
    raise PublisherTrouble(
        f"{offer.name} did not arrive whole ({reason}); the next attempt goes on from there."
    )


def _fetch(offer: Offer, part: Path, session: requests.Session, report: Callable[[int, int], None]) -> int:
    """Go on with what is there; the size that the file must have."""
    have = part.stat().st_size if part.exists() else 0
    if offer.size is not None and have > offer.size:
        part.unlink()
        have = 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    with session.get(offer.url, headers=headers, stream=True, timeout=TIMEOUT) as response:
        if response.status_code == 416:  # nothing is left to send, or another file lies there now
            return _whole_or_nothing(offer, part)
        if response.status_code not in (200, 206):
            raise PublisherTrouble(f"{offer.name} cannot be fetched (HTTP {response.status_code}).")
        have = have if response.status_code == 206 else 0
        total = have + int(response.headers.get("Content-Length") or 0)
        if offer.size is not None and total not in (have, offer.size):
            part.unlink(missing_ok=True)
            raise PublisherTrouble(f"{offer.name} has {total:,} bytes; {offer.size:,} are announced.")
        size = offer.size or total
        with part.open("ab" if have else "wb") as file:
            for chunk in response.iter_content(CHUNK):
                file.write(chunk)
                have += len(chunk)
                report(have, size)
    return size or have


def _whole_or_nothing(offer: Offer, part: Path) -> int:
    if part.stat().st_size == offer.size:
        return offer.size
    part.unlink()
    raise requests.ConnectionError("start again")


def _refuse_little_room(offer: Offer, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if offer.size is not None and free < offer.size:
        raise PublisherTrouble(f"{offer.name} needs {offer.size:,} bytes; {free:,} are free in {folder}.")
