"""Bringing what memory knows of entities up to date: what is fresh is told, what is not is researched."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils import timezone

from research.engine.entity.lookup import MAX_IDENTIFIER, distinct, look_up, once_each
from research.errors import InvalidParameters, ParamError
from research.jsontext import JsonObject
from research.models import Run
from research.models.states import Autonomy, Depth
from research.services.access import START, Person, require
from research.services.runs import start_run

MACRO = "entity-research"
MAX_IDENTIFIERS = 500
MAX_SUMMARY = 2_000
LONGEST = 90 * 86_400
SHOWN = ("identifier", "status", "entity", "kind", "candidates", "research", "of")


@dataclass(frozen=True)
class Enrichment:
    """What was found in memory for each identifier, and the run that researches the rest; None when there is none.

    An entry is ``{identifier, status, entity, kind, candidates, research, of?}``; ``status`` is fresh, ambiguous,
    duplicate, or queued.
    """

    entries: list[JsonObject]
    run: Run | None


def enrich(
    *,
    trigger: str,
    identifiers: Iterable[str] = (),
    summaries: Iterable[str] = (),
    max_age: int | None = None,
    requested_by: Person | None = None,
    depth: str = Depth.STANDARD,
    budget_usd: Decimal | None = None,
    register: str | None = None,
    enqueue: bool = True,
) -> Enrichment:
    """Look every identifier up, and start one run for those that are new or not fresh. Looking up asks nobody outside.

    ``summaries`` are sorted by a language model first, so they always need a run. ``max_age`` is in seconds; without
    it findings may be as old as the entity's type allows.

    Raises:
        NotPermitted, UnknownMacro, InvalidParameters: nothing was stored.
    """
    if requested_by is not None:
        require(requested_by, START)
    wanted, told = distinct(identifiers), distinct(summaries)
    _refuse_unsound(wanted, told, max_age)
    now = timezone.now()
    entries = once_each([look_up(identifier, max_age, now) for identifier in wanted])
    open_ones = [entry["identifier"] for entry in entries if entry["status"] in ("new", "stale")]
    run = None
    if open_ones or told:
        run = start_run(
            macro=MACRO,
            params={"identifiers": open_ones, "summaries": told, "max_age": max_age},
            trigger=trigger,
            requested_by=requested_by,
            autonomy=Autonomy.BALANCED,
            depth=depth,
            budget_usd=budget_usd,
            register=register,
            enqueue=enqueue,
        )
    return Enrichment([_shown(entry) for entry in entries], run)


def _refuse_unsound(identifiers: Sequence[str], summaries: Sequence[str], max_age: int | None) -> None:
    faults = [
        (not identifiers and not summaries, "identifiers", "name at least one"),
        (
            len(identifiers) + len(summaries) > MAX_IDENTIFIERS,
            "identifiers",
            f"at most {MAX_IDENTIFIERS} at a time",
        ),
        (
            any(len(one) > MAX_IDENTIFIER for one in identifiers),
            "identifiers",
            f"one has at most {MAX_IDENTIFIER} characters",
        ),
        (
            any(len(one) > MAX_SUMMARY for one in summaries),
            "summaries",
            f"one has at most {MAX_SUMMARY:,} characters",
        ),
        (max_age is not None and not 0 <= max_age <= LONGEST, "max_age", f"must be 0 to {LONGEST:,} seconds"),
    ]
    errors = [ParamError(name, message) for holds, name, message in faults if holds]
    if errors:
        raise InvalidParameters(errors)


def _shown(entry: JsonObject) -> JsonObject:
    status = "queued" if entry["status"] in ("new", "stale") else entry["status"]
    return {name: entry[name] for name in SHOWN if name in entry} | {"status": status}
