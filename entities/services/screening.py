"""What screening writes: hits that are found, what people decide about them, runs over all of memory, the policy."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from common.transactions import atomic, retried
from entities.memory import NotAllowed, OutOfDate, RefusedWrite
from entities.memory.access import given_reason
from entities.memory.interests import read_structure
from entities.memory.locks import one_at_a_time
from entities.memory.vouching import together, written
from entities.memory.writes import add_event
from entities.models import (
    Entity,
    EntityEvent,
    HitState,
    HitVerdict,
    ListVersion,
    ScreeningDecision,
    ScreeningHit,
    ScreeningPolicy,
    ScreeningRun,
)
from entities.screening.coverage import MISSING, UNREACHABLE, Looked, coverage, gaps
from entities.screening.found import Hit
from entities.screening.index import ListIndex
from entities.screening.looking import Screened, current_policy, index_of, screen, screen_with
from entities.screening.policy import Policy
from entities.screening.records import digest_of
from entities.screening.scoring import ALGORITHM
from entities.screening.subjects import NEVER, subject_of, subjects_of
from entities.screening.syncing import Synced, sync_lists

Person: TypeAlias = User
DECIDE, RUN = "entities.decide_screeninghit", "entities.run_screening"
BATCH = 500
MAX_OWNERS = 200


def require(person: Person | None, permission: str) -> Person:
    """Raises NotAllowed unless the person is active and holds the permission."""
    if person is None or not person.is_active or not person.has_perm(permission):
        who = person.get_username() if person else "an anonymous caller"
        raise NotAllowed(f"{who} may not do this: the permission {permission} is missing")
    return person


def set_screening_policy(
    *, values: Mapping[str, str], note: str, actor: Person | None = None
) -> ScreeningPolicy:
    """Put a new version of the policy in force; only what differs from the defaults is kept.

    Raises:
        BadScreeningPolicy: a name or a value that the policy does not have.
    """
    usual = Policy().as_values()
    changed = Policy().with_values(values).as_values()
    different = {name: value for name, value in changed.items() if usual[name] != value}
    return ScreeningPolicy.objects.create(values=different, note=note[:500], created_by=actor)


def screen_entity(
    *, entity: Entity, by: Person | None = None, now: datetime | None = None
) -> tuple[ScreeningRun, Screened]:
    """Screen one entity now, put down what was found, and which lists were looked at."""
    now = now or timezone.now()
    screened = screen(subject_of(entity), now=now)
    with together():
        counts = record_hits(entity=entity, screened=screened, now=now)
        run = ScreeningRun.objects.create(
            entity=entity,
            state=ScreeningRun.State.DONE,
            coverage=[one.as_json() for one in screened.looked],
            algorithm=ALGORITHM,
            policy=screened.policy.as_values(),
            counts={"entities": 1, **counts},
            outcome=screened.outcome,
            by=by,
            started_at=now,
            finished_at=timezone.now(),
        )
    return run, screened


def screen_with_owners(
    *, entity: Entity, by: Person | None = None, now: datetime | None = None
) -> list[tuple[Entity, Screened]]:
    """Screen an entity and all who stand above it by the interests that memory has; the entity comes first."""
    now = now or timezone.now()
    group = [entity, *owners_of(entity, now)]
    return [(one, screen_entity(entity=one, by=by, now=now)[1]) for one in group]


def owners_of(entity: Entity, now: datetime) -> list[Entity]:
    """Entities and persons above an entity, at any level, by name; at most ``MAX_OWNERS``."""
    ids = {
        party
        for party in read_structure(entity, now.date()).parties
        if party != str(entity.pk) and _is_key(party)
    }
    return list(Entity.objects.filter(pk__in=ids).exclude(type__in=NEVER).order_by("name")[:MAX_OWNERS])


@retried
@together()
def record_hits(*, entity: Entity, screened: Screened, now: datetime) -> dict[str, int]:
    """Put down the hits of an entity; how many there are, and how many are new, reopened or no longer stand.

    A hit that was decided is reopened when the entity or the entry has changed since.
    """
    one_at_a_time(f"screening {entity.pk}")
    known = {(hit.source, hit.key): hit for hit in ScreeningHit.objects.filter(entity=entity)}
    counts = {"hits": len(screened.hits), "new": 0, "reopened": 0, "ended": 0}
    for found in screened.hits:
        hit = known.pop((found.source, found.entry.key), None)
        if hit is None:
            ScreeningHit.objects.create(
                entity=entity, found_at=now, changed_at=now, **_facts(screened, found)
            )
            counts["new"] += 1
        else:
            counts["reopened"] += _renew(hit, screened, found, now)
    answered = {one.source for one in screened.looked if one.state not in (MISSING, UNREACHABLE)}
    gone = [hit for hit in known.values() if hit.standing and hit.source in answered]
    if not screened.more:
        for hit in gone:
            _change(hit, now, standing=False, note="It is delisted, or no longer like the entity.")
        counts["ended"] = len(gone)
    return counts


def screen_memory(
    *,
    by: Person | None = None,
    now: datetime | None = None,
    report: Callable[[int, int], None] = lambda *_: None,
) -> ScreeningRun:
    """Screen all of memory against the lists as they are. A run that broke off goes on where it was.

    Entities are taken in batches, each in a transaction of its own; ``report`` is told entities done and in all.
    """
    now = now or timezone.now()
    policy = current_policy()
    looked = coverage(policy, now)
    run = _begun(policy, looked, by, now)
    index = index_of(looked)
    wanted = Entity.objects.filter(merged_into__isnull=True).exclude(type__in=NEVER)
    total = wanted.count()
    while batch := _next_batch(wanted, run.position):
        with transaction.atomic():
            found = _screen_batch(batch, policy, looked, index, now)
            run.counts = {key: run.counts.get(key, 0) + value for key, value in found.items()}
            run.position = str(batch[-1].pk)
            ScreeningRun.objects.filter(pk=run.pk).update(counts=run.counts, position=run.position)
        report(run.counts["entities"], total)
    run.outcome = "hits" if run.counts.get("hits") else "unknown" if gaps(looked) else "none"
    run.state, run.finished_at = ScreeningRun.State.DONE, timezone.now()
    ScreeningRun.objects.filter(pk=run.pk).update(
        state=run.state, finished_at=run.finished_at, outcome=run.outcome
    )
    return run


def update_lists(*, now: datetime | None = None) -> list[Synced]:
    """Fetch the lists, import what is new, and screen all of memory again when a list has changed since it last was."""
    synced = list(sync_lists(now=now))
    rescreen_if_changed(now=now)
    return synced


def rescreen_if_changed(*, now: datetime | None = None) -> ScreeningRun | None:
    """Screen all of memory unless the last run over it has looked at the same versions by the same policy."""
    last = ScreeningRun.objects.filter(entity=None).first()
    policy, now = current_policy(), now or timezone.now()
    told = [one.as_json() for one in coverage(policy, now)]
    if last and last.state == ScreeningRun.State.DONE and _is_same(last, policy, told):
        return None
    return screen_memory(now=now)


@atomic
def decide_hit(
    *,
    hit: ScreeningHit,
    revision: int,
    verdict: str,
    reason: str,
    by: Person | None,
    now: datetime | None = None,
) -> ScreeningDecision:
    """Say what a hit is. It is remembered for these two versions of entity and entry, and counts as a hit all the same.

    Raises:
        NotAllowed: the person may not decide hits.
        RefusedWrite: no reason, or no such verdict.
        OutOfDate: the hit is no longer what the person saw, or somebody else has decided it meanwhile.
    """
    actor, why, now = require(by, DECIDE), given_reason(reason), now or timezone.now()
    if verdict not in HitVerdict.values:
        raise RefusedWrite(f"a hit is {', '.join(HitVerdict.values)}, not “{verdict[:40]}”")
    open_row = ScreeningHit.objects.filter(pk=hit.pk, revision=revision)
    if not open_row.update(state=verdict, revision=F("revision") + 1, changed_at=now, note=""):
        raise OutOfDate(
            "this hit was decided by somebody else, or has changed since you looked: look at it again"
        )
    hit.refresh_from_db()
    decision = ScreeningDecision.objects.create(
        hit=hit, revision=revision, verdict=verdict, reason=why, basis=_basis(hit), actor=actor, at=now
    )
    add_event(
        entity=hit.entity,
        type="screening-decision",
        summary=f"{hit.name[:200]} ({hit.source}): {verdict}, by {actor.get_username()}: {why}",
        source=actor.get_username(),
        source_type=EntityEvent.SourceType.MANUAL,
        importance=8 if verdict == HitVerdict.TRUE_MATCH else 5,
        at=now,
    )
    return decision


def _is_key(party: str) -> bool:
    """Whether a party is an entity of memory; one that nobody named is not."""
    try:
        return bool(UUID(party))
    except ValueError:
        return False


def _begun(policy: Policy, looked: Sequence[Looked], by: Person | None, now: datetime) -> ScreeningRun:
    """The run over all of memory that broke off with these lists and this policy, or a new one."""
    told = [one.as_json() for one in looked]
    for broken in ScreeningRun.objects.filter(entity=None, state=ScreeningRun.State.RUNNING):
        if _is_same(broken, policy, told):
            return broken
        ScreeningRun.objects.filter(pk=broken.pk).update(
            state=ScreeningRun.State.DONE, outcome="unknown", finished_at=now
        )
    counts = {"entities": 0, "hits": 0, "new": 0, "reopened": 0, "ended": 0}
    values = policy.as_values()
    return ScreeningRun.objects.create(
        coverage=told, algorithm=ALGORITHM, policy=values, counts=counts, by=by, started_at=now
    )


def _is_same(run: ScreeningRun, policy: Policy, told: Iterable[dict[str, Any]]) -> bool:
    """Whether a run looked at these versions of the lists, by this policy and this algorithm."""
    return (run.algorithm, run.policy, _versions(run.coverage)) == (
        ALGORITHM,
        policy.as_values(),
        _versions(told),
    )


def _versions(told: Iterable[dict[str, Any]]) -> list[tuple[str, int | None]]:
    return [(one["source"], one["version"]) for one in told]


def _next_batch(wanted: Any, position: str) -> list[Entity]:
    rows = wanted.filter(pk__gt=position) if position else wanted
    return list(rows.order_by("pk")[:BATCH])


def _screen_batch(
    batch: Sequence[Entity], policy: Policy, looked: Sequence[Looked], index: ListIndex, now: datetime
) -> dict[str, int]:
    """Screen entities; only those that have hits, or had some, are written about."""
    had = set(ScreeningHit.objects.filter(entity__in=batch).values_list("entity_id", flat=True))
    counts = {"entities": len(batch), "hits": 0, "new": 0, "reopened": 0, "ended": 0}
    for entity, subject in zip(batch, subjects_of(batch), strict=True):
        screened = screen_with(subject, policy=policy, looked=looked, index=index)
        if screened.hits or entity.pk in had:
            for key, value in record_hits(entity=entity, screened=screened, now=now).items():
                counts[key] += value
    return counts


def _facts(screened: Screened, found: Hit) -> dict[str, Any]:
    subject_digest = screened.subject.digest
    return {
        "source": found.source,
        "key": found.entry.key,
        "name": found.entry.name,
        "score": found.likeness.score,
        "evidence": found.likeness.as_json(),
        "subject": screened.subject.as_json(),
        "entry": _bounded(found),
        "subject_digest": subject_digest,
        "entry_digest": found.entry_digest,
        "fingerprint": digest_of([subject_digest, found.entry_digest, ALGORITHM]),
        "version_id": found.version,
    }


def _bounded(found: Hit) -> dict[str, Any]:
    """The entry as it is shown and kept with a decision: the row of the list has all of it."""
    document = asdict(found.entry)
    lists = ("names", "births", "countries", "identifiers", "programs")
    return {**document, **{name: document[name][:50] for name in lists}}


def _renew(hit: ScreeningHit, screened: Screened, found: Hit, now: datetime) -> bool:
    """Bring a known hit up to date; true when it was decided and is open again, because a side has changed."""
    facts = _facts(screened, found)
    if hit.fingerprint == facts["fingerprint"]:
        if not hit.standing:
            _change(hit, now, standing=True, note="It is listed again, unchanged.")
        return False
    changed = [
        word
        for word, same in (
            ("the entity", hit.subject_digest == facts["subject_digest"]),
            ("the list's entry", hit.entry_digest == facts["entry_digest"]),
        )
        if not same
    ]
    reopened = hit.state != HitState.OPEN
    note = f"Reopened: {' and '.join(changed) or 'the algorithm'} changed." if reopened else ""
    _change(hit, now, **facts, state=HitState.OPEN, standing=True, note=note)
    return reopened


def _change(hit: ScreeningHit, now: datetime, **values: Any) -> None:
    """Facts win over a decision of the same moment, which was about the facts before; its row stays."""
    ScreeningHit.objects.filter(pk=hit.pk).update(**values, revision=F("revision") + 1, changed_at=now)
    if hit.state != HitState.OPEN:
        written("screeninghit", [hit.pk])


def _basis(hit: ScreeningHit) -> dict[str, Any]:
    version: ListVersion | None = hit.version
    return {
        "source": hit.source,
        "label": version.get_list_name_display() if version else hit.source,
        "published": version.published.isoformat() if version and version.published else "",
        "file_digest": version.digest if version else "",
        "subject": hit.subject,
        "subject_digest": hit.subject_digest,
        "entry": hit.entry,
        "entry_digest": hit.entry_digest,
        "fingerprint": hit.fingerprint,
        "score": str(hit.score),
        "evidence": hit.evidence,
        "algorithm": ALGORITHM,
        "policy": current_policy().as_values(),
    }
