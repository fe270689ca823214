"""A person says whether two entities that may be the same are: same, different, or later."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from common.transactions import atomic
from entities.memory.access import MERGE, Person, given_reason, require
from entities.memory.base import OutOfDate, RefusedWrite
from entities.memory.likeness import named_alike
from entities.memory.merge import merge_entities
from entities.memory.pairs import pairs_of
from entities.memory.representations import add_representation
from entities.memory.slugs import APART, free_slug
from entities.memory.writes import add_event
from entities.models import WAITING, Entity, EntityAct, EntityEvent, EntityPair, PairState, Representation

JUDGEMENTS = (PairState.SAME, PairState.DIFFERENT, PairState.LATER)


@atomic
def judge_pair(
    *,
    pair: EntityPair,
    judgement: str,
    actor: Person,
    reason: str,
    into: Entity | None = None,
    digest: str = "",
    now: datetime | None = None,
) -> EntityAct:
    """Record what a person says of a pair. Of two people who decide at once the first wins and the other is told.

    ``same`` merges the other one into ``into``, as ``plan_merge`` said, which the digest proves was seen. ``different``
    is final: the two are never proposed again, even when one of them is merged into a third. One that was kept apart
    only because of such questions is found by its name from then on. ``later`` leaves the question open.

    Raises:
        NotAllowed, RefusedWrite: the permission or the reason is missing, or the merge is forbidden.
        OutOfDate: the pair is judged already, or one of the two was merged.
    """
    require(actor, MERGE)
    reason, now = given_reason(reason), now or timezone.now()
    if judgement not in JUDGEMENTS:
        raise RefusedWrite(
            f"a pair is {', '.join(JUDGEMENTS[:-1])} or {JUDGEMENTS[-1]}, not {judgement[:40]!r}"
        )
    both = {"entity": pair.entity_id, "other": pair.other_id}
    # Columns of this table only: with a join PostgreSQL would not look again at a row that it had to wait for.
    waiting = EntityPair.objects.filter(pk=pair.pk, state__in=WAITING, **both)
    merged = Entity.objects.filter(pk__in=both.values(), merged_into__isnull=False)
    if not waiting.update(state=judgement, judged_by=actor, judged_at=now) or merged.exists():
        raise OutOfDate(_why_not(pair))
    if judgement == PairState.SAME:
        return _merged(pair, into, actor=actor, reason=reason, digest=digest, now=now)
    different = judgement == PairState.DIFFERENT
    act = EntityAct.objects.create(
        entity=pair.entity,
        other=pair.other,
        kind=EntityAct.Kind.TOLD_APART if different else EntityAct.Kind.PUT_OFF,
        actor=actor,
        reason=reason,
        changes={"pair": str(pair.pk), "score": pair.score, "explanation": pair.explanation},
        at=now,
    )
    if different:
        _tell(act)
        for entity in (pair.entity, pair.other):
            _find_by_name_again(entity)
    return act


def _merged(pair: EntityPair, into: Entity | None, **how: Any) -> EntityAct:
    if into is None or into.pk not in (pair.entity_id, pair.other_id):
        raise RefusedWrite("say which of the two stays")
    other = pair.other if into.pk == pair.entity_id else pair.entity
    return merge_entities(into=into, other=other, **how)


def _find_by_name_again(entity: Entity) -> None:
    """Nothing is left to ask of one that was kept apart when it was created, and nobody else has its very name."""
    entity.refresh_from_db()
    if not entity.pending_verification or APART not in entity.slug or pairs_of(entity).exists():
        return
    if named_alike(entity.name, entity.type, entity.symbol).exclude(pk=entity.pk).exists():
        return
    former, slug = entity.slug, free_slug(entity.name)
    apart = Entity.objects.filter(pk=entity.pk, slug=former, pending_verification=True)
    if apart.update(pending_verification=False, slug=slug, updated_at=timezone.now()):
        entity.refresh_from_db()
        add_representation(entity=entity, type=Representation.Type.FORMER_SLUG, key=former)


def _why_not(pair: EntityPair) -> str:
    now = EntityPair.objects.select_related("judged_by", "entity", "other").filter(pk=pair.pk).first()
    if now is None:
        return "this pair is gone: one of the two was taken back"
    if now.judged_by is None or now.entity.merged_into_id or now.other.merged_into_id or now.state in WAITING:
        return "one of the two was merged since you looked"
    return f"{now.judged_by.get_username()} has judged this pair already: {now.state}"


def _tell(act: EntityAct) -> None:
    add_event(
        entity=act.entity,
        type=act.kind,
        summary=f"Not the same as {act.other}, by {act.actor.get_username()}: {act.reason}",
        data={"act": act.pk},
        source=act.actor.get_username(),
        source_type=EntityEvent.SourceType.MANUAL,
        related=[act.other] if act.other else [],
        importance=6,
        at=act.at,
    )
