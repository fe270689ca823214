"""What looks wrong about entities: reported by whoever looks, assigned to a person, decided once for the evidence."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from common.transactions import atomic, retried
from entities.memory.access import ANOMALY, Person, given_reason, require
from entities.memory.base import NotAllowed, OutOfDate, bounded_json
from entities.memory.vouching import together, written
from entities.models import Anomaly, AnomalyAct, Entity

State = Anomaly.State


@dataclass(frozen=True)
class Finding:
    """One thing that looks wrong. The same ``matter`` with other ``evidence`` is the same anomaly, changed.

    ``as_of`` in the evidence says when the source was read; it changes nothing.
    """

    entity: Entity
    matter: str
    summary: str
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        told = {name: value for name, value in self.evidence.items() if name != "as_of"}
        return hashlib.sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@retried
@together()
def report_anomalies(
    *, kind: str, findings: Iterable[Finding], among: QuerySet[Entity], now: datetime | None = None
) -> int:
    """Store what was found of one kind among these entities; returns how many are new or have changed.

    What a person decided stays decided until its evidence changes. What is no longer found is gone.
    """
    now, fresh = now or timezone.now(), 0
    known = {
        (row.entity_id, row.matter): row
        for row in Anomaly.objects.select_for_update().filter(kind=kind, entity__in=among)
    }
    for finding in findings:
        row = known.pop((finding.entity.pk, finding.matter), None)
        fresh += _store(kind, finding, row, now)
    for row in known.values():
        if row.state == State.OPEN:
            Anomaly.objects.filter(pk=row.pk).update(state=State.GONE, seen_at=now)
            _act(row, AnomalyAct.Kind.GONE, at=now)
    return fresh


def _store(kind: str, finding: Finding, row: Anomaly | None, now: datetime) -> bool:
    evidence, digest = bounded_json(dict(finding.evidence), "evidence"), finding.digest
    if row and row.digest == digest and row.state != State.GONE:
        Anomaly.objects.filter(pk=row.pk).update(seen_at=now)
        return False
    values = {"summary": finding.summary[:1_000], "evidence": evidence, "digest": digest}
    values |= {"state": State.OPEN, "found_at": now, "seen_at": now}
    what = AnomalyAct.Kind.CHANGED if row else AnomalyAct.Kind.FOUND
    if row:
        Anomaly.objects.filter(pk=row.pk).update(**values)
    else:
        row = Anomaly.objects.create(entity=finding.entity, kind=kind, matter=finding.matter, **values)
    _act(row, what, evidence=evidence, at=now)
    return True


def _act(anomaly: Anomaly, kind: str, **values: Any) -> None:
    """What Dossier did by itself. What people do is an event of its own: see ``research.access_log``."""
    act = AnomalyAct.objects.create(anomaly=anomaly, kind=kind, **values)
    written("anomalyact", [act.pk])
    written("anomaly", [anomaly.pk])


@atomic
def assign_anomaly(*, anomaly: Anomaly, actor: Person, to: Person | None) -> Anomaly:
    """Give an open anomaly to a person, or to nobody.

    Raises NotAllowed, also for somebody who may not decide it, and OutOfDate if it is no longer open.
    """
    require(actor, ANOMALY)
    if to is not None and not (to.is_active and to.has_perm(ANOMALY)):
        raise NotAllowed(f"{to.get_username()} may not decide anomalies")
    if not Anomaly.objects.filter(pk=anomaly.pk, state=State.OPEN).update(assigned_to=to):
        raise OutOfDate("this anomaly is no longer open")
    reason = f"to {to.get_username()}" if to else "to nobody"
    AnomalyAct.objects.create(anomaly=anomaly, kind=AnomalyAct.Kind.ASSIGNED, actor=actor, reason=reason)
    anomaly.refresh_from_db()
    return anomaly


@atomic
def decide_anomaly(
    *, anomaly: Anomaly, actor: Person, reason: str, digest: str, now: datetime | None = None
) -> Anomaly:
    """Close an anomaly with a reason. ``digest`` is that of the evidence that the person saw.

    Raises NotAllowed, RefusedWrite without a reason, and OutOfDate if it was decided or the evidence has changed.
    """
    require(actor, ANOMALY)
    reason, now = given_reason(reason), now or timezone.now()
    seen = Anomaly.objects.filter(pk=anomaly.pk, state=State.OPEN, digest=digest)
    if not seen.update(state=State.DECIDED):
        anomaly.refresh_from_db()
        raise OutOfDate(_why_not(anomaly))
    AnomalyAct.objects.create(
        anomaly=anomaly,
        kind=AnomalyAct.Kind.DECIDED,
        actor=actor,
        reason=reason,
        evidence=anomaly.evidence,
        at=now,
    )
    anomaly.refresh_from_db()
    return anomaly


def _why_not(anomaly: Anomaly) -> str:
    if anomaly.state == State.OPEN:
        return "the evidence has changed since you saw it: look at it again"
    if anomaly.state == State.GONE:
        return "this anomaly is gone: nothing has to be decided any more"
    act = anomaly.acts.filter(kind=AnomalyAct.Kind.DECIDED).select_related("actor").first()
    by = f" by {act.actor.get_username()} on {act.at:%Y-%m-%d %H:%M}" if act and act.actor else ""
    return f"this anomaly was decided{by}"
