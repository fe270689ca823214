"""The nine gleif verbs: write LEI records to memory, or look them up."""

from collections import deque
from collections.abc import Iterator
from datetime import timedelta
from fnmatch import fnmatch
from typing import Any

from django.utils import timezone

from entities import memory
from entities.gleif.errors import GleifError, GleifNotFound
from entities.gleif.intake import Intake, Surroundings, keys_of_records, read_surroundings, tally
from entities.gleif.records import DIRECT_CONSOLIDATION, FUND_MANAGED, Record
from entities.memory import ChangeLog
from entities.models import Entity, LeiRecord, Relationship
from research.verbs.handlers.base import (
    Context,
    Handler,
    JsonObject,
    VerbRefused,
    Write,
    entity_output,
    find_entity,
    lei_of,
    reads,
)

MAX_TREE = 2_000
MAX_CHAIN = 10


def enrich(arguments: JsonObject, context: Context) -> Write:
    """Create or update the entity of a record, with names, identifiers, parents, manager and umbrella."""
    lei = lei_of(arguments, context)
    given = find_entity(arguments["entity-id"], context) if arguments.get("entity-id") else None
    if given and given.lei not in ("", lei):
        raise VerbRefused(f"{given.name} has the LEI {given.lei}, not {lei}")
    found = read_surroundings(context.register, lei)

    def write(log: ChangeLog) -> JsonObject:
        intake = Intake(context.register, log)
        if given:
            intake.adopt(given, lei)
        entity = intake.surroundings(found)
        return entity_output(entity, **_enriched(found, entity))

    return Write(write, memory.keys_of(*filter(None, [given])) | keys_of_records(found.records))


def search(arguments: JsonObject, context: Context) -> Write:
    """Candidates by name, narrowed by jurisdiction, category and status."""
    matches = context.register.search(
        arguments["name"],
        limit=arguments["limit"],
        jurisdiction=arguments.get("jurisdiction"),
        category=arguments.get("category"),
        status=arguments.get("status"),
    )
    return reads(
        {"candidates": [{**_brief(match.record), "score": round(match.score, 1)} for match in matches]}
    )


def import_tree(arguments: JsonObject, context: Context) -> Write:
    """Import the consolidation tree of a record, up, down or both, to a given depth."""
    root = lei_of(arguments, context, "root-lei")
    direction, depth = arguments["direction"], arguments["max-depth"]
    edges = list(_tree(root, direction, depth, context))
    records = _nodes(context.register.record(root), edges)

    def write(log: ChangeLog) -> JsonObject:
        intake = Intake(context.register, log)
        account = intake.begin("tree", root, arguments)
        create = arguments["create-entities"]
        made = {
            lei: entity for lei, record in records.items() if (entity := _take(record, create, context, log))
        }
        kept = [(a, b) for a, b in edges if a.lei in made and b.lei in made]
        for child, parent in kept:
            intake.edge(made[child.lei], made[parent.lei], DIRECT_CONSOLIDATION)
        parents, children = {parent.lei for _, parent in edges}, {child.lei for child, _ in edges}
        below = set(records) - parents if direction in ("DOWN", "BOTH") else set()
        above = set(records) - children if direction in ("UP", "BOTH") else set()
        return {
            "root_lei": root,
            "terminal_entities": sorted(below | above),
            **intake.finish(account),
        }

    return Write(write, keys_of_records(records.values()))


def import_managed_funds(arguments: JsonObject, context: Context) -> Write:
    """Import the funds of a manager as entities. ``dry-run`` only lists them."""
    manager = context.register.record(lei_of(arguments, context, "manager-lei"))
    client = arguments.get("ultimate-client-lei")
    owner = context.register.record(client) if client else None
    page = context.register.managed_funds(manager.lei, limit=arguments["limit"])
    pattern = str(arguments.get("name-pattern") or "*").lower()
    funds = [fund for fund in page.items if fnmatch(fund.legal_name.lower(), pattern)]
    seen = {"manager_lei": manager.lei, "total": page.total, "funds": [_brief(fund) for fund in funds]}
    if arguments["dry-run"]:
        return reads({**seen, "dry_run": True})

    def write(log: ChangeLog) -> JsonObject:
        intake = Intake(context.register, log)
        account = intake.begin("managed-funds", manager.lei, arguments)
        house = intake.record(manager)
        for fund in funds:
            entity = _take(fund, arguments["create-cbus"], context, log)
            if entity:
                intake.edge(entity, house, FUND_MANAGED)
                if owner:
                    _member(entity, intake.record(owner), context, log)
        return {**seen, **intake.finish(account)}

    return Write(write, keys_of_records([manager, *filter(None, [owner]), *funds]))


def refresh(arguments: JsonObject, context: Context) -> Write:
    """Read one entity, or all stale ones, again from the register."""
    if arguments.get("entity-id"):
        leis = [lei_of(arguments, context)]
    else:
        stale = timezone.now() - timedelta(days=arguments["stale-days"])
        known = Entity.objects.exclude(lei="").values("lei")  # do not bring back what was rolled back
        old = LeiRecord.objects.filter(fetched_at__lt=stale, lei__in=known).order_by("fetched_at")
        leis = list(old.values_list("lei", flat=True)[: arguments["limit"]])
    records = context.register.records(leis)

    def write(log: ChangeLog) -> JsonObject:
        for record in records.values():
            Intake(context.register, log).record(record)
        return {"refreshed": sorted(records), "missing": sorted(set(leis) - set(records)), **tally(log)}

    return Write(write, keys_of_records(records.values()))


def trace_ownership(arguments: JsonObject, context: Context) -> Write:
    """Follow direct parents upwards until the register ends, and report why it ends."""
    start = context.register.record(lei_of(arguments, context))
    chain, terminus = [{**_brief(start), "relationship_type": None}], "depth limit"
    current, seen = start, {start.lei}
    for _ in range(MAX_CHAIN):
        answer = context.register.parent(current.lei, "direct")
        if answer.record is None:
            terminus = answer.reason or "no parent reported"
            break
        if answer.record.lei in seen:
            terminus = "the register's parents go in a circle"
            break
        current = answer.record
        seen.add(current.lei)
        chain.append({**_brief(current), "relationship_type": DIRECT_CONSOLIDATION})
    return reads(
        {
            "start_lei": start.lei,
            "start_name": start.legal_name,
            "chain": chain,
            "terminus": terminus,
            "total_depth": len(chain) - 1,
        }
    )


def resolve_successor(arguments: JsonObject, context: Context) -> Write:
    """The LEI that is current today, by the register's successors."""
    found = context.register.successor(arguments["lei"])
    return reads(
        {
            "original_lei": found.original,
            "current_lei": found.current.lei,
            "chain": list(found.chain),
            "current_entity": _brief(found.current),
            "was_merged": found.current.lei != found.original,
            "loop": found.loop,
        }
    )


def lookup(arguments: JsonObject, context: Context) -> Write:
    """Look up one kind of fact about one entity."""
    target, limit, register = arguments["target-type"], arguments["limit"], context.register
    if target == "isin" and arguments.get("isin"):
        return reads({"records": [_brief(record) for record in register.by_isin(arguments["isin"])]})
    lei = _asked(arguments, context)
    readers: dict[str, Any] = {
        "record": lambda: register.record(lei),
        "parent": lambda: register.parent(lei, "direct").record,
        "children": lambda: register.children(lei, limit=limit),
        "manager": lambda: register.fund_manager(lei),
        "managed-funds": lambda: register.managed_funds(lei, limit=limit),
        "master-fund": lambda: register.master_fund(lei),
        "umbrella": lambda: register.umbrella(lei),
        "isin": lambda: register.isins(lei, limit),
    }
    answer = {"lei": lei, "target_type": target, **_answer(readers[target]())}
    if target == "managed-funds" and arguments["resolve-umbrellas"]:
        for fund in answer["records"]:
            umbrella = register.umbrella(fund["lei"])
            fund["umbrella"] = {"lei": umbrella.lei, "name": umbrella.legal_name} if umbrella else None
    return reads(answer)


def import_to_client_group(arguments: JsonObject, context: Context) -> Write:
    """Import the tree below a record, and optionally its funds, as members of a client group."""
    group = find_entity(arguments["group-id"], context)
    root = lei_of(arguments, context, "root-lei")
    edges = list(_tree(root, "DOWN", arguments["max-depth"], context))
    records = _nodes(context.register.record(root), edges)
    funds = _funds(records, arguments, context) if arguments["include-funds"] else {}

    def write(log: ChangeLog) -> JsonObject:
        intake = Intake(context.register, log)
        account = intake.begin("client-group", root, arguments)
        made = {lei: intake.record(record) for lei, record in {**records, **funds}.items()}
        for child, parent in edges:
            intake.edge(made[child.lei], made[parent.lei], DIRECT_CONSOLIDATION)
        for entity in made.values():
            _member(entity, group, context, log)
        counts = intake.finish(account)
        return {"group_id": str(group.pk), "members": len(made), "funds": len(funds), **counts}

    return Write(write, memory.keys_of(group) | keys_of_records([*records.values(), *funds.values()]))


def _asked(arguments: JsonObject, context: Context) -> str:
    """The given LEI, the LEI of the given entity, or the LEI of the only record with the given ISIN."""
    isin = arguments.get("isin")
    if not isin:
        return lei_of(arguments, context)
    leis = [record.lei for record in context.register.by_isin(isin)]
    if len(leis) != 1:
        raise VerbRefused(f"{isin} belongs to {len(leis)} records of the register, not to one")
    return leis[0]


def _tree(root: str, direction: str, depth: int, context: Context) -> Iterator[tuple[Record, Record]]:
    """(child, parent) pairs, breadth first, without repeated records."""
    start = context.register.record(root)
    if direction in ("UP", "BOTH"):
        yield from _upwards(start, depth, context)
    if direction in ("DOWN", "BOTH"):
        yield from _downwards(start, depth, context)


def _upwards(start: Record, depth: int, context: Context) -> Iterator[tuple[Record, Record]]:
    child, seen = start, {start.lei}
    for _ in range(depth):
        parent = context.register.parent(child.lei, "direct").record
        if parent is None or parent.lei in seen:
            return
        yield child, parent
        seen.add(parent.lei)
        child = parent


def _downwards(start: Record, depth: int, context: Context) -> Iterator[tuple[Record, Record]]:
    queue, seen = deque([(start, 0)]), {start.lei}
    while queue:
        parent, level = queue.popleft()
        if level >= depth:
            continue
        for child in context.register.children(parent.lei, limit=MAX_TREE).items:
            if child.lei in seen:
                continue
            if len(seen) >= MAX_TREE:
                raise VerbRefused(f"the tree has more than {MAX_TREE} entities; lower max-depth")
            seen.add(child.lei)
            yield child, parent
            queue.append((child, level + 1))


def _nodes(root: Record, edges: list[tuple[Record, Record]]) -> dict[str, Record]:
    return {root.lei: root, **{record.lei: record for edge in edges for record in edge}}


def _funds(records: dict[str, Record], arguments: JsonObject, context: Context) -> dict[str, Record]:
    limit = arguments["max-funds-per-manco"]
    managers = [
        lei for lei, record in records.items() if "managed-funds" in record.relations or not record.relations
    ]
    pages = [context.register.managed_funds(lei, limit=limit) for lei in managers]
    return {fund.lei: fund for page in pages for fund in page.items}


def _take(record: Record, create: bool, context: Context, log: ChangeLog) -> Entity | None:
    """The entity of a record. Without ``create``, only if memory has it already."""
    if not create and not Entity.objects.filter(lei=record.lei).exists():
        return None
    return Intake(context.register, log).record(record)


def _member(entity: Entity, group: Entity, context: Context, log: ChangeLog) -> None:
    if entity.pk != group.pk:
        memory.link(
            subject=entity, object=group, type=Relationship.Type.MEMBER_OF, source=context.source, log=log
        )


def _enriched(found: Surroundings, entity: Entity) -> JsonObject:
    record = found.record
    return {
        "names_added": len(record.names),
        "addresses_added": len(entity.metadata.get("addresses", [])),
        "identifiers_added": entity.representations.count(),
        "parent_relationships_added": sum(answer.record is not None for answer in found.parents.values()),
        "exceptions": {level: answer.reason for level, answer in found.parents.items() if answer.reason},
        "registration_status": record.registration_status,
    }


def _answer(found: Any) -> JsonObject:
    if found is None:
        return {"records": []}
    if isinstance(found, Record):
        return {"records": [_brief(found)]}
    if isinstance(found, list | tuple):
        return {"isins": list(found)}
    return {
        "records": [_brief(record) for record in found.items],
        "total": found.total,
        "truncated": found.truncated,
    }


def _brief(record: Record) -> JsonObject:
    return {
        "lei": record.lei,
        "name": record.legal_name,
        "jurisdiction": record.jurisdiction,
        "category": record.category,
        "entity_status": record.entity_status,
        "registration_status": record.registration_status,
        "corroboration_level": record.corroboration,
    }


def _plainly(handler: Handler) -> Handler:
    """Turn register errors into a refusal that says whether a retry may help."""

    def guarded(arguments: JsonObject, context: Context) -> Write:
        try:
            return handler(arguments, context)
        except GleifNotFound as error:
            raise VerbRefused(f"not in the register: {error}") from error
        except GleifError as error:
            raise VerbRefused(f"the register did not answer, try again later: {error}") from error

    return guarded


HANDLERS: dict[str, Handler] = {
    f"gleif.{name}": _plainly(handler)
    for name, handler in {
        "enrich": enrich,
        "search": search,
        "import-tree": import_tree,
        "import-managed-funds": import_managed_funds,
        "refresh": refresh,
        "trace-ownership": trace_ownership,
        "resolve-successor": resolve_successor,
        "lookup": lookup,
        "import-to-client-group": import_to_client_group,
    }.items()
}
