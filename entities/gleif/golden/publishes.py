"""What GLEIF has published last, and which of its files brings the register up to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3

from common.bounded_json import load_json
from common.outside.exchange import Reply, seen
from entities.gleif.golden.importing import SPANS

LATEST = "golden-copies/publishes/latest"
MAX_BODY = 5_000_000
TIMEOUT = (5, 30)


class PublisherTrouble(Exception):
    """The publisher cannot be asked, or its answer or file is not as announced; the message is one sentence."""


class PublisherAway(PublisherTrouble):
    """It gives no answer, or one that says that it is in trouble."""

    code = "network"


@dataclass(frozen=True)
class Offer:
    """One file: ``scope`` is full or the span of a delta; ``size`` in bytes; None where the publisher is silent."""

    kind: str
    scope: str
    publish_date: datetime
    url: str
    size: int | None
    records: int | None

    @property
    def name(self) -> str:
        """The file's own name."""
        return urlsplit(self.url).path.rpartition("/")[2] or f"{self.kind}-{self.scope}.csv"


@dataclass(frozen=True)
class Publish:
    """The newest publish of one kind: its full file and its deltas."""

    kind: str
    publish_date: datetime
    full: Offer
    deltas: Mapping[str, Offer]

    def best_from(self, held: datetime | None) -> Offer | None:
        """The smallest file that leads from what is held to this publish; None when that is it already."""
        if held is None:
            return self.full
        if held >= self.publish_date:
            return None
        spans = (scope for scope, span in SPANS.items() if held >= self.publish_date - span)
        return next((self.deltas[scope] for scope in spans if scope in self.deltas), self.full)


def latest(base_url: str, session: requests.Session) -> dict[str, Publish]:
    """The newest publish of each kind. Raises PublisherTrouble."""
    url = f"{base_url.rstrip('/')}/{LATEST}"
    try:
        with session.get(
            url, timeout=TIMEOUT, stream=True, headers={"Accept": "application/json"}
        ) as response:
            body = response.raw.read(MAX_BODY + 1, decode_content=True)
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
        raise PublisherAway(f"GLEIF's publisher cannot be reached ({type(error).__name__}).") from error
    seen(Reply(response.status_code, response.headers, body))
    if response.status_code != 200:
        raise PublisherAway(f"GLEIF's publisher answers with HTTP {response.status_code}.")
    try:
        data = load_json(body)["data"]
        data = data[0] if isinstance(data, list) else data
        return {kind: _publish(kind, data[kind]) for kind in ("lei2", "rr", "repex")}
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise PublisherTrouble(
            "GLEIF's publisher answers with something that is not its list of files."
        ) from error


def _publish(kind: str, facts: dict[str, Any]) -> Publish:
    date = _moment(facts["publish_date"])
    offered = facts.get("delta_files") or {}
    deltas = {scope: forms["csv"] for scope, forms in offered.items() if forms and forms.get("csv")}
    return Publish(
        kind,
        date,
        _offer(kind, "full", date, facts["full_file"]["csv"]),
        {scope: _offer(kind, scope, date, deltas[scope]) for scope in SPANS if scope in deltas},
    )


def _offer(kind: str, scope: str, date: datetime, facts: dict[str, Any]) -> Offer:
    url = facts["url"]
    if urlsplit(url).scheme not in ("http", "https"):
        raise ValueError("a file that is nowhere on the web")
    return Offer(kind, scope, date, url, _count(facts.get("size")), _count(facts.get("record_count")))


def _count(value: Any) -> int | None:
    return int(value) if str(value or "").isdigit() else None


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
