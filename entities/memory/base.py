"""What the rooms of entity memory share: refusals, limits, and the account of what was written."""

import json
import uuid
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone

from common.text import storable
from entities.memory.written import Ledger
from entities.models import Entity, SourceKind

MAX_NAME = 20_000
MAX_KEY = 200
MAX_SOURCE = 300
MAX_JSON = 200_000


class RefusedWrite(ValueError):
    """A write that entity memory refuses; the message is for people."""


class NotAllowed(RefusedWrite):
    """The person lacks the permission for this."""


class OutOfDate(RefusedWrite):
    """What is stored is no longer what the person saw, or somebody else was first."""


@dataclass(frozen=True)
class Origin:
    """Where what is written is from: it stands on every statement.

    ``as_of`` is the day for which the source speaks, ``document`` an address or a number; the verb call and the
    decision are given by number.
    """

    kind: str = ""
    source: str = ""
    as_of: date | None = None
    document: str = ""
    call: int | None = None
    decision: int | None = None
    signed_by: str = ""
    confidence: int = 100

    def citing(self, source: str, as_of: date | None = None) -> "Origin":
        """The same work, which names a source of its own: what a decision then rests on is a document."""
        other = bool(source) and source != self.source
        kind = SourceKind.DOCUMENT if other and self.kind in ("", SourceKind.DECISION) else self.kind
        return replace(self, kind=kind, source=source or self.source, as_of=as_of or self.as_of)


@dataclass
class ChangeLog:
    """What was written: ``[{entity, field, old, new}]``, the entity by its slug; and ``rows``, to take it back.

    ``origin`` and ``at`` are the source and the recorded time of all statements that one piece of work makes.
    """

    changes: list[dict[str, Any]] = field(default_factory=list)
    rows: Ledger = field(default_factory=Ledger)
    origin: Origin = Origin()
    at: datetime = field(default_factory=timezone.now)

    def note(self, entity: Entity, name: str, old: object, new: object) -> None:
        """Record one changed field; values are kept as JSON."""
        self.changes.append({"entity": entity.slug, "field": name, "old": plain(old), "new": plain(new)})


def plain(value: object) -> object:
    """A value as JSON can keep it."""
    if isinstance(value, Decimal | date | datetime | uuid.UUID):
        return str(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def bounded_json(value: Any, what: str) -> Any:
    """A value as the database can keep it. Raises RefusedWrite for one that is too large, or no JSON."""
    kept = storable(value)
    try:
        size = len(json.dumps(kept, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise RefusedWrite(f"{what} is not JSON: {error}") from None
    if size > MAX_JSON:
        raise RefusedWrite(f"{what} has {size:,} characters; at most {MAX_JSON:,} are kept")
    return kept
