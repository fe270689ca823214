"""What was found out about an entity, and for how long it may be believed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from common.text import storable_text
from common.transactions import atomic
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
MAX_COMPARED = 100  # earlier findings of an entity that a later one is compared with
NOT_IN_JOURNAL = "The journal of the run shows no such call about this entity."

Source: TypeAlias = Mapping[str, Any]
Journal: TypeAlias = Callable[[str, Entity], Sequence[Source]]


@dataclass(frozen=True)
class Freshness:
    """Whether the current findings may still be used; both their age and their expiry have a say."""

    research: EntityResearch | None
    fresh: bool
    age: timedelta
    expires_in: timedelta
    message: str = ""


_JOURNALS: list[Journal] = []


def read_sources_from(journal: Journal) -> None:
    """Set the function that gives the sources which a run asked about an entity. Entities do not know runs."""
    _JOURNALS[:] = [journal]


def current_research(entity: Entity) -> EntityResearch | None:
    """The findings to use: the newest ones, unless they are thinner than earlier ones.

    Findings are thinner if fewer than two sources answered and earlier ones had two, or if both fewer sources answered
    and their confidence is lower. Findings that were invalidated count only if there are no others.
    """
    kept = EntityResearch.objects.filter(entity=entity)
    rows = list(kept.filter(invalidated_at=None).order_by("-at", "-id")[:MAX_COMPARED])
    best: EntityResearch | None = None
    for row in reversed(rows):
        if best is None or not _is_thinner(row, best):
            best = row
    return best or kept.order_by("-at", "-id").first()


def _is_thinner(later: EntityResearch, earlier: EntityResearch) -> bool:
    new, old = answered_sources(later.sources), answered_sources(earlier.sources)
    if new < ENOUGH_SOURCES <= old:
        return True
    return new < old and later.confidence < earlier.confidence


def check_research_freshness(
    *, entity: Entity, max_age: timedelta = DEFAULT_AGE, now: datetime | None = None
) -> Freshness:
    """Fresh is what is younger than ``max_age``, has not expired, and was not invalidated."""
    now = now or timezone.now()
    found = current_research(entity)
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
    answered = answered_sources(asked)
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


def store_claimed_results(
    *,
    entity: Entity,
    findings: Mapping[str, Any],
    sources: Sequence[Source],
    run: str = "",
    ttl: int | None = None,
    reference: str = "",
) -> EntityResearch:
    """Like ``store_research_results``, for a caller who only says which sources were asked.

    A source counts if the journal of ``run`` (its UUID) shows a call about this entity. What the journal does not show
    is kept as a source that failed.

    Raises RefusedWrite for findings and sources of another shape.
    """
    asked = [dict(one) for journal in _JOURNALS if run for one in journal(run, entity)]
    shown = {_named(one)[0] for one in asked}
    claimed = [one for one in _sound_sources(sources) if _named(one)[0] not in shown]
    asked += [{**one, "success": False, "error": NOT_IN_JOURNAL} for one in claimed]
    return store_research_results(
        entity=entity, findings=findings, sources=asked, ttl=ttl, reference=reference or run
    )


@atomic
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


def answered_sources(sources: Iterable[Source]) -> int:
    """How many different sources answered, counted by tool and reference."""
    return len({_named(one) for one in sources if one["success"]})


def _named(source: Source) -> tuple[str, str]:
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
            isinstance(confidence, float) and 0 < confidence < 1,
            f"a confidence is from 0 to 100, and {confidence} looks like a share of 1",
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
