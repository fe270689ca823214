"""Store what was found: the entity, unverified if it is new, and findings with their time to live."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import transaction

from entities.memory import (
    ChangeLog,
    Origin,
    RefusedWrite,
    add_representation,
    by_reference,
    create_entity,
    ensure_entity,
    resolve,
    store_research_results,
)
from entities.models import Entity, EntityResearch, Representation, ShippedType, SourceKind
from research import audit
from research.jsontext import JsonObject
from research.models import Run

SOLANA = "solana"
CATEGORIES = {"FUND": ShippedType.FUND, "BRANCH": ShippedType.BRANCH}
MAX_NAME = 200
BY_RESEARCH = Origin(kind=SourceKind.RESEARCH, source="enrichment")


def token_entity(mint: str, meta: JsonObject | None) -> Entity:
    """The entity with this mint. Created unverified if there is none; similar entities stay separate."""
    known = resolve(mint).entity
    if known is not None:
        return known
    try:
        return _new_token(mint, meta or {})
    except RefusedWrite:
        known = resolve(mint).entity  # another worker was first
        if known is None:
            raise
        return known


@transaction.atomic
def _new_token(mint: str, details: JsonObject) -> Entity:
    log = ChangeLog(origin=BY_RESEARCH)
    entity = create_entity(
        name=str(details.get("name") or mint)[:MAX_NAME],
        type=ShippedType.CRYPTO_TOKEN,
        symbol=str(details.get("symbol") or "")[:30],
        key=mint,
        log=log,
    )
    add_representation(
        entity=entity,
        type=Representation.Type.SPOT_TOKEN,
        key=mint,
        authority=SOLANA,
        chain=SOLANA,
        context={"mint": mint, "standard": details.get("standard") or "unknown"},
        log=log,
    )
    return entity


def legal_entity(record: JsonObject) -> Entity:
    """The entity with the LEI of a register record. Created unverified if there is none."""
    known = resolve(str(record["lei"])).entity
    return known or ensure_entity(
        name=str(record.get("name") or record["lei"]),
        type=CATEGORIES.get(str(record.get("category")), ShippedType.LEGAL_ENTITY),
        lei=str(record["lei"]),
        jurisdiction=str(record.get("jurisdiction") or "")[:10],
        log=ChangeLog(origin=BY_RESEARCH),
    )


def keep(
    run: Run,
    entity_id: str | UUID,
    identifier: str,
    findings: Mapping[str, object],
    sources: Sequence[JsonObject],
    account: JsonObject,
) -> EntityResearch:
    """Store the findings once for this run, even after a crash. The audit trail records the tools asked.

    Raises:
        RefusedWrite: memory refuses them.
    """
    entity = by_reference(str(entity_id))
    if entity is None:
        raise RefusedWrite(f"the entity {entity_id} is no longer there")
    with transaction.atomic():
        Entity.objects.select_for_update().get(pk=entity.pk)
        stored = stored_by(run, entity)
        if stored is None:
            stored = store_research_results(
                entity=entity, findings=findings, sources=sources, reference=str(run.pk)
            )
            audit.record("entity.researched", run, None, identifier=identifier, entity=entity.slug, **account)
    return stored


def stored_by(run: Run, entity: Entity) -> EntityResearch | None:
    """What this run has stored about the entity, itself or through the model's tools."""
    references = [str(run.pk), *([str(run.parent_id)] if run.parent_id else [])]
    rows = EntityResearch.objects.filter(entity=entity, reference__in=references)
    return rows.order_by("-at", "-id").first()
