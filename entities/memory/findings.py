"""What was found out about an entity, and for how long it may be believed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from common.text import storable_text
from entities.memory.base import ChangeLog, RefusedWrite, bounded_json
from entities.memory.types import time_to_live
from entities.memory.writes import add_event
from entities.models import Entity, EntityEvent, EntityResearch

SENTIMENTS = ("bullish", "bearish", "neutral", "unknown")
DEFAULT_AGE = timedelta(hours=1)
ENOUGH_SOURCES = 2
POOR_TTL, POOR_CONFIDENCE = 600, 20
MAX_SOURCES = 200
LISTS = ("risks", "opportunities")


@dataclass(frozen=True)
class Freshness:
    """Whether the newest findings may still be used; both their age and their expiry have a say."""

    research: EntityResearch | None
    fresh: bool
    age: timedelta
    expires_in: timedelta
    message: str = ""


def latest_research(entity: Entity) -> EntityResearch | None:
    """The newest findings, fresh or not; older ones are history."""
    return EntityResearch.objects.filter(entity=entity).order_by("-at", "-id").first()


def check_research_freshness(
    *, entity: Entity, max_age: timedelta = DEFAULT_AGE, now: datetime | None = None
) -> Freshness:
    """Fresh is what is younger than ``max_age``, has not expired, and was not invalidated."""
    now = now or timezone.now()
    found = latest_research(entity)
    if found is None:
        return Freshness(None, False, timedelta(0), timedelta(0), "No research is stored.")
    age, left = max(now - found.at, timedelta(0)), found.expires_at - now
    if found.invalidated_at:
        return Freshness(found, False, age, left, f"It was invalidated: {found.invalidated_why}")
    return Freshness(found, age < max_age and left > timedelta(0), age, left)


@transaction.atomic
def store_research_results(
    *,
    entity: Entity,
    findings: Mapping[str, Any],
    sources: Sequence[Mapping[str, Any]],
    ttl: int | None = None,
    reference: str = "",
    now: datetime | None = None,
    log: ChangeLog | None = None,
) -> EntityResearch:
    """Keep findings beside the earlier ones, and say so on the timeline.

    ``findings`` are ``{summary, confidence 0-100, sentiment?, risks?, opportunities?, metadata?}``, ``sources`` are
    ``[{tool, success, timestamp?, dataFreshness?, reference?, error?}]``. ``ttl`` is seconds, within the bounds of the
    entity's type, which also has the default. A source that failed is kept and lowers completeness.

    With fewer than two sources that answered, counted by tool and reference, the findings are not believed: a text
    that says so takes their place, with a confidence of 20 and a life of ten minutes.

    Raises RefusedWrite for findings and sources of another shape.
    """
    now = now or timezone.now()
    kept, asked = _sound_findings(findings), _sound_sources(sources)
    answered = len({_named(one) for one in asked if one["success"]})
    life = time_to_live(entity, ttl)
    if answered < ENOUGH_SOURCES:
        kept, life = _insufficient(answered, asked), POOR_TTL
    stored = EntityResearch.objects.create(
        entity=entity,
        at=now,
        ttl=life,
        expires_at=now + timedelta(seconds=life),
        findings=kept,
        sources=asked,
        confidence=kept["confidence"],
        reference=reference[:64],
    )
    _tell(stored, answered, log)
    return stored


@transaction.atomic
def invalidate_research(
    *,
    entity: Entity,
    reason: str,
    actor: AbstractUser | None = None,
    source: str = "",
    now: datetime | None = None,
) -> int:
    """Never again use what is stored about the entity; gives how many findings this was true of until now."""
    now, reason = now or timezone.now(), storable_text(reason).strip()[:300]
    if not reason:
        raise RefusedWrite("why the findings no longer hold has to be said")
    open_rows = EntityResearch.objects.filter(entity=entity, invalidated_at__isnull=True)
    count = open_rows.update(invalidated_at=now, invalidated_why=reason, invalidated_by=actor)
    if count:
        add_event(
            entity=entity,
            type="research-invalidated",
            summary=reason,
            importance=4,
            source=source or (actor.get_username() if actor else ""),
            source_type=EntityEvent.SourceType.MANUAL if actor else EntityEvent.SourceType.RESEARCH,
            at=now,
        )
    return count


def _named(source: Mapping[str, Any]) -> tuple[str, str]:
    """What makes two sources two; blanks and capitals do not."""
    return source["tool"].strip().casefold(), source.get("reference", "").strip()


def _tell(stored: EntityResearch, answered: int, log: ChangeLog | None) -> None:
    event = EntityEvent.objects.create(  # each time, even when it says the same again
        entity=stored.entity,
        at=stored.at,
        type="research-completed",
        summary=stored.findings["summary"][:500],
        data={"research": stored.pk, "sources": len(stored.sources), "answered": answered},
        source=f"research {stored.reference}".strip(),
        source_type=EntityEvent.SourceType.RESEARCH,
        confidence=stored.confidence,
        importance=3,
    )
    if log is not None:
        log.note(stored.entity, "research", None, {"id": stored.pk, "confidence": stored.confidence})
        log.rows.made(stored)
        log.rows.made(event)


def _insufficient(answered: int, asked: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    summary = f"Insufficient data: {answered} of {len(asked)} sources answered; at least {ENOUGH_SOURCES} are needed."
    return {
        "summary": summary,
        "confidence": POOR_CONFIDENCE,
        "sentiment": "unknown",
        "risks": [],
        "opportunities": [],
        "metadata": {"insufficient_sources": True},
    }


def _sound_findings(findings: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = bounded_json(dict(findings), "findings")
    confidence = kept.get("confidence")
    faults = [
        (not isinstance(kept.get("summary"), str) or not kept["summary"].strip(), "findings need a summary"),
        (
            isinstance(confidence, bool)
            or not isinstance(confidence, int | float)
            or not 0 <= confidence <= 100,
            "findings need a confidence from 0 to 100",
        ),
        (
            kept.get("sentiment", "unknown") not in SENTIMENTS,
            f"a sentiment is one of {', '.join(SENTIMENTS)}",
        ),
        *((not _is_texts(kept.get(name, [])), f"{name} are a list of texts") for name in LISTS),
        (not isinstance(kept.get("metadata", {}), dict), "metadata is an object"),
    ]
    _refuse(faults)
    return {**kept, "confidence": round(kept["confidence"])}


def _sound_sources(sources: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    kept: list[Any] = bounded_json(list(sources), "sources")
    whole = all(
        isinstance(one, dict)
        and isinstance(one.get("tool"), str)
        and one["tool"].strip()
        and isinstance(one.get("success"), bool)
        and isinstance(one.get("reference", ""), str)
        for one in kept
    )
    _refuse(
        [
            (len(kept) > MAX_SOURCES, f"at most {MAX_SOURCES} sources are kept, not {len(kept):,}"),
            (not whole, "each source needs its tool, a text, and success, true or false"),
        ]
    )
    return kept


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _refuse(faults: Iterable[tuple[object, str]]) -> None:
    for holds, message in faults:
        if holds:
            raise RefusedWrite(message)
