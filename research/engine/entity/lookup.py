"""What memory knows of an identifier before any request: its entity, and the age of its findings."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from entities import lei as iso17442
from entities.markets.mint import is_mint
from entities.memory import check_research_freshness, resolve, time_to_live
from entities.models import Entity, EntityResearch, Representation, ShippedType
from research.jsontext import JsonObject, storable_text

MAX_IDENTIFIER = 300
MAX_CANDIDATES = 10
LEGAL = (ShippedType.LEGAL_ENTITY, ShippedType.FUND, ShippedType.BRANCH)
_KEY = re.compile(r"\(mint:([^()]*)\)")


def distinct(identifiers: Iterable[str]) -> list[str]:
    """Trimmed, without empty entries and duplicates, in order."""
    return list(dict.fromkeys(text for one in identifiers if (text := storable_text(one).strip())))


def keys_of(summaries: Iterable[str]) -> list[str]:
    """Identifiers in summaries, written as ``(mint:...)``."""
    return distinct(key for summary in summaries for key in _KEY.findall(summary))


def look_up(identifier: str, max_age: int | None, now: datetime) -> JsonObject:
    """``{identifier, status, kind, entity, name, symbol, mint, lei, candidates, research}``. No requests outside.

    ``status`` is fresh, stale (known, but its findings are old or missing), new, or ambiguous. ``kind`` is token,
    legal, other, or unknown. ``max_age`` is seconds; without it findings may be as old as the type allows.
    """
    found = resolve(identifier)
    entity = found.entity
    if entity is None and found.candidates:
        return _entry(identifier, "ambiguous", candidates=[_brief(one) for one in found.candidates])
    mint, lei = _mint(identifier, entity), _lei(identifier, entity)
    known: JsonObject = {"mint": mint, "lei": lei, "kind": _kind(entity, mint, lei)}
    if entity is None:
        return _entry(identifier, "new", **known)
    limit = time_to_live(entity) if max_age is None else max_age
    fresh = check_research_freshness(entity=entity, max_age=timedelta(seconds=limit), now=now)
    return _entry(
        identifier,
        "fresh" if fresh.fresh else "stale",
        **known,
        entity=entity.slug,
        entity_id=str(entity.pk),
        name=entity.name[:MAX_IDENTIFIER],
        symbol=entity.symbol,
        jurisdiction=entity.jurisdiction,
        research=research_of(fresh.research) if fresh.research else None,
    )


def once_each(entries: Sequence[JsonObject]) -> list[JsonObject]:
    """Merge identifiers of one entity: all but the first become duplicates."""
    first: dict[str, str] = {}
    kept = []
    for entry in entries:
        key = entry["entity_id"] or entry["mint"] or entry["lei"] or entry["identifier"].casefold()
        known = first.setdefault(key, entry["identifier"])
        kept.append(entry if known == entry["identifier"] else {**entry, "status": "duplicate", "of": known})
    return kept


def research_of(found: EntityResearch) -> JsonObject:
    """Findings as stored in memory."""
    return {
        "findings": found.findings,
        "confidence": found.confidence,
        "completeness": found.completeness,
        "at": found.at.isoformat(timespec="seconds"),
        "expires_at": found.expires_at.isoformat(timespec="seconds"),
    }


def _entry(identifier: str, status: str, **known: object) -> JsonObject:
    empty: JsonObject = {
        "kind": "unknown",
        "entity": None,
        "entity_id": "",
        "name": "",
        "symbol": "",
        "jurisdiction": "",
        "mint": "",
        "lei": "",
        "candidates": [],
        "research": None,
    }
    return {"identifier": identifier, "status": status, **empty, **known}


def _brief(entity: Entity) -> JsonObject:
    return {"slug": entity.slug, "name": str(entity), "type": entity.type, "verified": entity.verified}


def _mint(identifier: str, entity: Entity | None) -> str:
    if is_mint(identifier):
        return identifier
    if entity is None or entity.type in LEGAL:
        return ""
    forms = Representation.objects.filter(entity=entity, type=Representation.Type.SPOT_TOKEN, active=True)
    mints = [key for key in forms.values_list("key", flat=True)[:MAX_CANDIDATES] if is_mint(key)]
    return mints[0] if len(set(mints)) == 1 else ""  # several entities match, and none was selected


def _lei(identifier: str, entity: Entity | None) -> str:
    if entity is not None:
        return entity.lei
    lei = iso17442.normalise(identifier)
    return lei if iso17442.is_valid(lei) else ""


def _kind(entity: Entity | None, mint: str, lei: str) -> str:
    if mint:
        return "token"
    if lei or (entity is not None and entity.type in LEGAL):
        return "legal"
    return "unknown" if entity is None else "other"
