"""How long what is kept: rules of the operator, each for one kind of rows, applied once a day.

Nothing runs out without a rule. What a legal hold stands on stays. What the audit trail vouches for goes as an erasure
does, so that the trail says who decided so: the policy. The rest is counted in one event.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from entities.memory.vouching import together
from entities.models import Entity, EntityAct, EntityEvent, EntityLook, EntityResearch, Statement
from entities.services.erasure import Done, carry_out, planned
from research.models import AuditEvent, Decision, Run, Step
from research.models.states import DecisionVerdict
from research.services import erasure

AT_ONCE, MOST_ENTITIES = 500, 200
Tell = Callable[[str, int], None]


class PolicyRefused(ValueError):
    """The policy cannot be read; the message is a sentence."""


@dataclass(frozen=True)
class Rule:
    """``what`` goes when it is older than ``days``; only of entities of ``type``, where one is given."""

    what: str
    days: int
    type: str = ""

    def __str__(self) -> str:
        return f"{self.what}{'.' * bool(self.type)}{self.type}={self.days}"


def policy() -> list[Rule]:
    """The rules of ``DOSSIER_RETENTION``. Raises PolicyRefused."""
    return [_rule(word) for word in settings.DOSSIER_RETENTION]


def apply_retention(
    *, dry_run: bool = False, now: datetime | None = None, tell: Tell | None = None
) -> dict[str, int]:
    """Let go what has run out; how many rows or entities by rule. Ended in the middle, it goes on the next time."""
    now, done = now or timezone.now(), {}
    for rule in policy():
        count = 0
        for some in _WAYS[rule.what](rule, now - timedelta(days=rule.days), dry_run):
            count += some
            if tell:
                tell(str(rule), count)
        done[str(rule)] = count
    if not dry_run and any(done.values()):
        with transaction.atomic():
            AuditEvent(action="retention.applied", object_type="policy", object_id="", detail=done).save()
    return done


def _rule(word: str) -> Rule:
    name, _, days = word.partition("=")
    what, _, type = name.partition(".")
    if what not in _WAYS or not days.isdecimal() or not 0 < int(days) < 100_000:
        known = ", ".join(_WAYS)
        raise PolicyRefused(
            f"{word[:60]!r} is no rule of retention; write WHAT=DAYS, where WHAT is one of {known}"
        )
    if type and what not in TYPED:
        raise PolicyRefused(f"{what} does not differ by type: {word[:60]!r}")
    if what == "entities" and not type:
        raise PolicyRefused("entities run out by type only: write entities.person=3650")
    return Rule(what, int(days), type)


def held() -> QuerySet[EntityAct]:
    """Holds that stand."""
    return EntityAct.objects.filter(kind=EntityAct.Kind.HELD, undone_by__isnull=True)


def _deleted(rows: QuerySet[Any], dry_run: bool) -> Iterator[int]:
    """Rows that no event vouches for, some at a time."""
    if dry_run:
        yield rows.count()
        return
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        with transaction.atomic():
            rows.model._default_manager.filter(pk__in=keys).delete()
        yield len(keys)


def _looks(rule: Rule, before: datetime, dry_run: bool) -> Iterator[int]:
    rows = EntityLook.objects.filter(last_at__lt=before).exclude(entity__in=held().values("entity"))
    return _deleted(rows, dry_run)


def _findings(rule: Rule, before: datetime, dry_run: bool) -> Iterator[int]:
    rows = EntityResearch.objects.filter(expires_at__lt=before).exclude(entity__in=held().values("entity"))
    return _deleted(rows.filter(entity__type=rule.type) if rule.type else rows, dry_run)


def _journal(rule: Rule, before: datetime, dry_run: bool) -> Iterator[int]:
    """What providers sent word for word; the turns and calls themselves stay."""
    rows = Step.objects.filter(run__finished_at__lt=before, raw__isnull=False)
    rows = rows.exclude(run__subject__in=held().values("entity"))
    if dry_run:
        yield rows.count()
        return
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        Step.objects.filter(pk__in=keys).update(raw=None)
        yield len(keys)


def _rejected(rule: Rule, before: datetime, dry_run: bool) -> Iterator[int]:
    """The content of runs whose result was rejected; that it was, by whom and when, stays."""
    gone = Decision.objects.filter(verdict=DecisionVerdict.REJECTED, created_at__lt=before)
    runs = Run.objects.filter(result__decision__in=gone).exclude(params={})
    runs = runs.exclude(subject__in=held().values("entity"))
    if dry_run:
        yield runs.count()
        return
    while some := list(runs.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        with together():
            done = Done()
            done.take(erasure.wipes_of(Run.objects.filter(pk__in=some)))
            carry_out(
                done, entity=None, actor=None, reason=f"policy of retention: {rule}", now=timezone.now()
            )
        yield len(some)


def _entities(rule: Rule, before: datetime, dry_run: bool) -> Iterator[int]:
    """Entities of a type of which nothing was said, found or done since."""
    since = {"at__gte": before}
    rows = Entity.objects.filter(
        ~Exists(Statement.objects.filter(subject=OuterRef("pk"), recorded_from__gte=before)),
        ~Exists(Statement.objects.filter(object=OuterRef("pk"), recorded_from__gte=before)),
        ~Exists(EntityEvent.objects.filter(entity=OuterRef("pk"), **since)),
        ~Exists(EntityAct.objects.filter(Q(entity=OuterRef("pk")) | Q(other=OuterRef("pk")), **since)),
        type=rule.type,
        merged_into=None,
        updated_at__lt=before,
    ).exclude(pk__in=held().values("entity"))
    if dry_run:
        yield rows.count()
        return
    for entity in list(rows.order_by("updated_at", "pk")[:MOST_ENTITIES]):
        yield _erase_one(entity, rule)


def _erase_one(entity: Entity, rule: Rule) -> int:
    with together():
        still = Entity.objects.select_for_update().filter(pk=entity.pk).first()
        if still is None:
            return 0
        plan, done = planned(still)
        if plan.blockers:
            return 0
        carry_out(
            done, entity=still.pk, actor=None, reason=f"policy of retention: {rule}", now=timezone.now()
        )
    return 1


_WAYS: dict[str, Callable[[Rule, datetime, bool], Iterator[int]]] = {
    "looks": _looks,
    "findings": _findings,
    "journal": _journal,
    "rejected": _rejected,
    "entities": _entities,
}
TYPED = ("findings", "entities")
