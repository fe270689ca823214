"""Old entities get their statements, with the history that verb calls noted: a bounded part at a time."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from uuid import UUID

from entities.memory import Origin
from entities.memory.retelling import Change, retell, untold
from entities.memory.written import chunks
from entities.models import Entity, Relationship, Representation, SourceKind
from research.models import VerbCall, VerbEffect
from research.models.states import VerbState

BATCH = 200


def retell_memory(*, limit: int, tell: Callable[[int], None] = lambda told: None) -> tuple[int, int]:
    """Write the statements of up to ``limit`` entities that have none; gives how many entities and statements.

    Each entity is one transaction, so it may be ended at any moment and called again. Nothing is written twice.
    """
    entities = statements = 0
    while entities < limit:
        batch = list(untold()[: min(BATCH, limit - entities)])
        if not batch:
            break
        changes = _changes(batch)
        for entity in batch:
            statements += retell(entity, changes.get(entity.pk, ()))
        entities += len(batch)
        tell(entities)
    return entities, statements


def _changes(batch: Sequence[Entity]) -> dict[UUID, list[Change]]:
    """What the verb calls noted of these entities; of calls that were taken back, nothing."""
    former = Representation.objects.filter(entity__in=batch, type=Representation.Type.FORMER_SLUG)
    slugs = {entity.slug: entity.pk for entity in batch} | dict(former.values_list("key", "entity"))
    calls = VerbCall.objects.filter(state=VerbState.SUCCEEDED).select_related("decision__reviewer")
    found: dict[UUID, list[Change]] = defaultdict(list)
    keys = _calls_of(batch)
    for some in chunks(sorted(keys)):
        _collect(calls.filter(pk__in=some, recorded=True), slugs, found)
    _collect(calls.filter(recorded=False).exclude(changed=[]).iterator(chunk_size=BATCH), slugs, found)
    return found


def _calls_of(batch: Sequence[Entity]) -> set[int]:
    """The calls that wrote the rows of these entities, or rest on them."""
    ids = [entity.pk for entity in batch]
    rows = [str(pk) for pk in ids]
    rows += [str(pk) for pk in Representation.objects.filter(entity__in=ids).values_list("pk", flat=True)]
    rows += [str(pk) for pk in Relationship.objects.filter(subject__in=ids).values_list("pk", flat=True)]
    tables = ("entity", "representation", "relationship")
    return {
        pk
        for some in chunks(rows)
        for pk in VerbEffect.objects.filter(table__in=tables, row__in=some).values_list("call", flat=True)
    }


def _collect(calls: Iterable[VerbCall], slugs: Mapping[str, UUID], found: dict[UUID, list[Change]]) -> None:
    for call in calls:
        if call.finished_at is None:
            continue
        person = call.decision.reviewer.get_username()
        origin = Origin(
            kind=SourceKind.DECISION,
            source=f"Dossier result {call.decision.result_id}, approved by {person}"[:300],
            call=call.pk,
            decision=call.decision_id,
            signed_by=person,
        )
        for change in call.changed:
            if change["entity"] in slugs:
                noted = Change(call.finished_at, change["field"], change["old"], change["new"], origin)
                found[slugs[change["entity"]]].append(noted)
