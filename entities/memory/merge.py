"""Two entities that are one become one; what moved is recorded, so that it can be taken back.

The one that goes into the other is kept without anything of its own: its slug and keys lead to the one that stays.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from common.transactions import atomic
from entities.memory.access import MERGE, Person, given_reason, require
from entities.memory.base import OutOfDate, RefusedWrite
from entities.memory.pairs import close_as_same, moving_pairs, reopen, told_apart
from entities.memory.writes import add_event
from entities.models import (
    Entity,
    EntityAct,
    EntityEvent,
    EntityPair,
    EntityResearch,
    Relationship,
    Representation,
    name_key,
)

FILLED = ("symbol", "jurisdiction", "lei")
MERGED_NAME = "MERGED_NAME"
Mentions = EntityEvent.related.through


@dataclass(frozen=True)
class MergePlan:
    """What a merge would do: rows that move by table, what the one that stays gains, what conflicts.

    ``moves`` are ids by table, ``stays`` those of relationships that both state or that join the two. ``gains`` are
    ``{field: value}``. ``conflicts`` are sentences, settled for the one that stays; ``blockers`` forbid the merge.
    """

    moves: dict[str, list[Any]]
    stays: list[int]
    gains: dict[str, Any] = field(default_factory=dict)
    conflicts: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many rows of each table move."""
        return {name: len(ids) for name, ids in self.moves.items()}

    @property
    def digest(self) -> str:
        """What a person has seen; a merge of anything else is refused."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True, default=str).encode()).hexdigest()


def plan_merge(*, into: Entity, other: Entity) -> MergePlan:
    """What would happen if ``other`` went into ``into``. Reads only."""
    subjects, stays = _links(Relationship.objects.filter(subject=other), into, "object")
    objects, stay_too = _links(Relationship.objects.filter(object=other), into, "subject")
    known = Mentions.objects.filter(entity=into).values("entityevent_id")
    mentions = Mentions.objects.filter(entity=other).exclude(entityevent_id__in=known)
    moves = {
        "representations": _ids(Representation.objects.filter(entity=other)),
        "relationships": subjects,
        "related_from": objects,
        "events": _ids(EntityEvent.objects.filter(entity=other)),
        "mentions": _ids(mentions),
        "research": _ids(EntityResearch.objects.filter(entity=other)),
        "pairs": _ids(moving_pairs("entity", other, into)),
        "pairs_as_other": _ids(moving_pairs("other", other, into)),
    }
    stays = sorted({*stays, *stay_too})
    return MergePlan(
        moves, stays, _gains(into, other), _conflicts(into, other, stays), _blockers(into, other)
    )


@atomic
def merge_entities(
    *, into: Entity, other: Entity, actor: Person, reason: str, digest: str, now: datetime | None = None
) -> EntityAct:
    """Move everything of ``other`` to ``into``, as ``plan_merge`` said, which the digest proves was seen.

    Raises:
        NotAllowed, RefusedWrite: the permission or the reason is missing, or a blocker forbids it.
        OutOfDate: something changed since the plan was made.
    """
    require(actor, MERGE)
    reason, now = given_reason(reason), now or timezone.now()
    into, other = _locked(into, other)
    plan = plan_merge(into=into, other=other)
    if plan.blockers:
        raise RefusedWrite(" ".join(plan.blockers))
    if plan.digest != digest:
        raise OutOfDate("one of the two changed since you looked: see what would happen now")
    before = {name: getattr(into, name) for name in (*FILLED, "aliases", "metadata") if name in plan.gains}
    changes = {**_json(asdict(plan)), "before": before, "other_lei": other.lei}
    other.merged_into, other.lei = into, ""
    other.save(update_fields=["merged_into", "lei", "updated_at"])
    _move(plan.moves, other, into)
    _gain(into, plan.gains)
    close_as_same(into, other, judged_by=actor, judged_at=now)
    act = EntityAct.objects.create(
        entity=into,
        other=other,
        kind=EntityAct.Kind.MERGED,
        actor=actor,
        reason=reason,
        changes=changes,
        at=now,
    )
    _tell(act, f"{other} ({other.slug}) was merged into it")
    return act


@atomic
def undo_merge(*, act: EntityAct, actor: Person, reason: str, now: datetime | None = None) -> EntityAct:
    """Take a merge back: what moved and is still there goes home, what was gained and is still the same goes.

    Raises:
        NotAllowed, RefusedWrite: the permission or the reason is missing, or what happened since stands in the way.
        OutOfDate: it was undone already.
    """
    require(actor, MERGE)
    reason, now = given_reason(reason), now or timezone.now()
    if act.kind != EntityAct.Kind.MERGED or act.other is None:
        raise RefusedWrite("only a merge can be undone")
    into, other = _locked(act.entity, act.other)
    if other.merged_into_id != into.pk:
        raise OutOfDate("this merge was undone already")
    if into.merged_into_id:
        raise RefusedWrite(f"{into.slug} was merged into another entity since: undo that first")
    left = _give_back(into, act.changes)
    other.merged_into, other.lei = (
        None,
        act.changes["other_lei"] if into.lei != act.changes["other_lei"] else "",
    )
    other.save(update_fields=["merged_into", "lei", "updated_at"])
    try:
        with transaction.atomic():
            _move(act.changes["moves"], into, other)
    except IntegrityError as error:
        raise RefusedWrite(f"facts stated since stand in the way: {error}") from error
    reopen(into, other)
    undone = EntityAct.objects.create(
        entity=into,
        other=other,
        kind=EntityAct.Kind.MERGE_UNDONE,
        actor=actor,
        reason=reason,
        changes={"left": left},
        undoes=act,
        at=now,
    )
    _tell(undone, f"{other} ({other.slug}) is an entity of its own again")
    return undone


def _locked(into: Entity, other: Entity) -> tuple[Entity, Entity]:
    """Both rows as they are now, in an order that two merges share."""
    keys = {into.pk, other.pk}
    rows = {row.pk: row for row in Entity.objects.select_for_update().filter(pk__in=keys).order_by("pk")}
    return rows[into.pk], rows[other.pk]


def _ids(rows: QuerySet[Any]) -> list[Any]:
    return [
        str(pk) if not isinstance(pk, int) else pk for pk in rows.order_by("pk").values_list("pk", flat=True)
    ]


def _links(rows: QuerySet[Relationship], into: Entity, side: str) -> tuple[list[int], list[int]]:
    """Relationships that move, and those that stay because ``into`` states the same or is the other side."""
    mine = "subject" if side == "object" else "object"
    stated = set(
        Relationship.objects.filter(**{mine: into}, valid_to__isnull=True).values_list(f"{side}_id", "type")
    )
    moving: list[int] = []
    staying: list[int] = []
    for pk, far, kind, ended in rows.order_by("pk").values_list("pk", f"{side}_id", "type", "valid_to"):
        same = ended is None and (far, kind) in stated
        (staying if same or far == into.pk else moving).append(pk)
    return moving, staying


def _gains(into: Entity, other: Entity) -> dict[str, Any]:
    gains: dict[str, Any] = {
        name: getattr(other, name) for name in FILLED if getattr(other, name) and not getattr(into, name)
    }
    known = {name_key(into.name), *(name_key(str(alias.get("name", ""))) for alias in into.aliases)}
    names = [{"name": other.name, "type": MERGED_NAME, "language": ""}, *other.aliases]
    aliases = [alias for alias in names if alias.get("name") and name_key(str(alias["name"])) not in known]
    metadata = {key: value for key, value in other.metadata.items() if key not in into.metadata}
    return gains | ({"aliases": aliases} if aliases else {}) | ({"metadata": metadata} if metadata else {})


def _conflicts(into: Entity, other: Entity, stays: list[int]) -> tuple[str, ...]:
    found = [
        f"The {name} stays {getattr(into, name)!r}; {other.slug} says {getattr(other, name)!r}."
        for name in ("type", "symbol", "jurisdiction")
        if getattr(into, name) and getattr(other, name) and getattr(into, name) != getattr(other, name)
    ]
    keys = sorted(
        key for key in other.metadata if into.metadata.get(key, other.metadata[key]) != other.metadata[key]
    )
    if keys:
        found.append(f"Details that both have stay as they are: {', '.join(keys[:20])[:300]}.")
    if told_apart(into, other):
        found.append("A person has said that the two are different entities.")
    if stays:
        many = f"{len(stays)} relationships" if len(stays) > 1 else "1 relationship"
        found.append(f"{many} that both state, or that join the two, will not move.")
    return tuple(found)


def _blockers(into: Entity, other: Entity) -> tuple[str, ...]:
    merged = next((one.slug for one in (into, other) if one.merged_into_id), "")
    faults = [
        (into.pk == other.pk, "An entity cannot go into itself."),
        (merged, f"{merged} was merged already."),
        (
            into.lei and other.lei and into.lei != other.lei,
            f"They have two LEIs, {into.lei} and {other.lei}: for the register they are two.",
        ),
        (
            other.verified and not into.verified,
            f"{other.slug} is verified and {into.slug} is not: merge them the other way round.",
        ),
    ]
    return tuple(message for holds, message in faults if holds)


def _move(moves: Mapping[str, list[Any]], source: Entity, target: Entity) -> None:
    tables: dict[str, tuple[Any, str]] = {
        "representations": (Representation, "entity"),
        "relationships": (Relationship, "subject"),
        "related_from": (Relationship, "object"),
        "events": (EntityEvent, "entity"),
        "mentions": (Mentions, "entity"),
        "research": (EntityResearch, "entity"),
        "pairs": (EntityPair, "entity"),
        "pairs_as_other": (EntityPair, "other"),
    }
    for name, (model, side) in tables.items():
        rows = model.objects.filter(Q(pk__in=moves.get(name, [])), **{side: source})
        rows.update(**{side: target})


def _gain(into: Entity, gains: Mapping[str, Any]) -> None:
    for name in FILLED:
        setattr(into, name, gains.get(name, getattr(into, name)))
    into.aliases = [*into.aliases, *gains.get("aliases", [])]
    into.metadata = {**gains.get("metadata", {}), **into.metadata}
    into.save()


def _give_back(into: Entity, changes: Mapping[str, Any]) -> list[str]:
    """Take the gains away again; gives the fields that changed since and therefore stay as they are."""
    gains, left = changes["gains"], []
    for name in set(FILLED) & gains.keys():
        if getattr(into, name) == gains[name]:
            setattr(into, name, changes["before"][name])
        else:
            left.append(name)
    into.aliases = [alias for alias in into.aliases if alias not in gains.get("aliases", [])]
    for key, value in gains.get("metadata", {}).items():
        if into.metadata.get(key) == value:
            del into.metadata[key]
        elif key in into.metadata:
            left.append(f"metadata.{key}")
    into.save()
    return sorted(left)


def _json(document: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads(json.dumps(document, default=str)))  # noqa: TID251 - written the moment before


def _tell(act: EntityAct, what: str) -> None:
    add_event(
        entity=act.entity,
        type=act.kind,
        summary=f"{what}, by {act.actor.get_username()}: {act.reason}",
        data={"act": act.pk},
        source=act.actor.get_username(),
        source_type=EntityEvent.SourceType.MANUAL,
        related=[act.other] if act.other else [],
        importance=7,
        at=act.at,
    )
