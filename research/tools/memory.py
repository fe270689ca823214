"""Entity memory as read-only tools. The tools that write are in ``memory_writes``."""

from datetime import date, timedelta
from typing import Any

from entities import memory
from entities.memory.wording import period_of, property_of, source_of, value_of
from entities.models import Entity, EntityType, Relationship, Representation
from research.jsontext import JsonObject
from research.tools.tool import Answer, ToolContext, ToolError, tool, under

MAX_FORMS = 100
MAX_VALUE = 2_000
HOUR_MS = 3_600_000
IDENTIFIER = {
    "type": "string",
    "minLength": 1,
    "maxLength": memory.MAX_NAME,
    "description": "mint, LEI, ISIN, other key, slug, symbol or name",
}
ENTITY_ID = {"type": "string", "minLength": 1, "maxLength": 200, "description": "the entity's slug or UUID"}
TYPES = {"type": "array", "maxItems": 50, "items": {"type": "string", "maxLength": 40}}
FORM_TYPES = ["all", *Representation.Type.values]


def limit(default: int) -> JsonObject:
    return {"type": "integer", "minimum": 1, "maximum": 100, "default": default}


@tool(
    "resolve_entity",
    "Look an identifier up in entity memory: what was approved and recorded before. Gives the one entity meant, or "
    "the candidates when several could be; alike says how like each name is, and why.",
    {"required": ["identifier"], "properties": {"identifier": IDENTIFIER}},
    found=under("entity", "candidates", "representation", "lookalikes"),
)
def resolve_entity(arguments: JsonObject, context: ToolContext) -> Answer:
    found = memory.resolve(arguments["identifier"])
    data: JsonObject = {
        "entity": brief(found.entity) if found.entity else None,
        "candidates": [brief(entity) for entity in found.candidates],
        "how": found.how,
    }
    if found.representation:
        data["representation"] = form(found.representation)
    if found.lookalikes:
        data["lookalikes"] = [brief(entity) for entity in found.lookalikes]
    if found.alike:
        data["alike"] = [
            {"slug": each.entity.slug, "score": round(each.score, 1), "explanation": each.explanation}
            for each in found.alike
        ]
    return Answer({**data, "message": found.message} if found.message else data)


@tool(
    "search_entities",
    "Search entity memory by name, alias, symbol or key. Whole matches come first, then parts of a name.",
    {
        "required": ["query"],
        "properties": {
            "query": IDENTIFIER,
            "type": {"type": "string", "maxLength": 40, "description": "only entities of this type"},
            "jurisdiction": {"type": "string", "maxLength": 10},
            "verified": {"type": "boolean"},
            "limit": limit(20),
        },
    },
    found=under("entities"),
)
def search_entities(arguments: JsonObject, context: ToolContext) -> Answer:
    word = arguments.get("type")
    if word and not EntityType.objects.filter(word=word).exists():
        known = ", ".join(EntityType.objects.values_list("word", flat=True))
        raise ToolError("bad_arguments", f"There is no type {word!r}; there are {known}.")
    found = memory.search(
        query=arguments["query"],
        type=arguments.get("type", ""),
        jurisdiction=arguments.get("jurisdiction", ""),
        verified=arguments.get("verified"),
        limit=arguments.get("limit", 20),
    )
    return Answer({"count": len(found), "entities": [brief(entity) for entity in found]})


@tool(
    "check_research_freshness",
    "Ask whether what is stored about an entity may still be used: younger than maxAgeMs, and not expired.",
    {
        "required": ["entityId"],
        "properties": {
            "entityId": ENTITY_ID,
            "maxAgeMs": {"type": "number", "minimum": 0, "maximum": 10**13, "default": HOUR_MS},
        },
    },
)
def check_research_freshness(arguments: JsonObject, context: ToolContext) -> Answer:
    max_age = timedelta(milliseconds=arguments.get("maxAgeMs", HOUR_MS))
    found = memory.check_research_freshness(entity=entity_of(arguments), max_age=max_age)
    data: JsonObject = {"exists": found.research is not None, "fresh": found.fresh}
    if found.research:
        data |= {
            "age": round(found.age.total_seconds() * 1000),
            "ageHours": round(found.age / timedelta(hours=1), 1),
            "expiresAt": found.research.expires_at.isoformat(),
            "expiresIn": round(found.expires_in.total_seconds() * 1000),
        }
    return Answer({**data, "message": found.message} if found.message else data)


@tool(
    "get_cached_research",
    "Read the newest findings that are stored about an entity, with their sources. See check_research_freshness.",
    {"required": ["entityId"], "properties": {"entityId": ENTITY_ID}},
)
def get_cached_research(arguments: JsonObject, context: ToolContext) -> Answer:
    found = memory.current_research(entity_of(arguments))
    if found is None:
        return Answer({"found": False, "message": "No research is stored."})
    if found.invalidated_at:
        return Answer({"found": False, "message": f"It was invalidated: {found.invalidated_why}"})
    return Answer({"found": True, **research(found)})


@tool(
    "get_entity_representations",
    "List the concrete forms of an entity: LEI, register numbers, ISINs, dockets, tokens, markets, pools.",
    {
        "required": ["entityId"],
        "properties": {
            "entityId": ENTITY_ID,
            "type": {"type": "string", "enum": FORM_TYPES, "default": "all"},
            "activeOnly": {"type": "boolean", "default": True},
        },
    },
    found=under("representations"),
)
def get_entity_representations(arguments: JsonObject, context: ToolContext) -> Answer:
    forms = memory.representations_of(
        entity_of(arguments),
        type=arguments.get("type", "all"),
        active_only=arguments.get("activeOnly", True),
    )
    return Answer({"count": forms.count(), "representations": [form(each) for each in forms[:MAX_FORMS]]})


@tool(
    "query_entity_timeline",
    "Read what happened to an entity, the newest first; optionally only some types, or only what matters more.",
    {
        "required": ["entityId"],
        "properties": {
            "entityId": ENTITY_ID,
            "limit": limit(20),
            "types": TYPES,
            "minImportance": {"type": "integer", "minimum": 0, "maximum": 10, "default": 0},
        },
    },
    found=under("events"),
)
def query_entity_timeline(arguments: JsonObject, context: ToolContext) -> Answer:
    events = memory.timeline_of(
        entity_of(arguments),
        types=arguments.get("types", ()),
        min_importance=arguments.get("minImportance", 0),
    )[: arguments.get("limit", 20)]
    told = [
        {
            "id": event.pk,
            "timestamp": event.at.isoformat(),
            "type": event.type,
            "summary": event.summary,
            "importance": event.importance,
            "source": {
                "type": event.source_type,
                "reference": event.source,
                "confidence": event.confidence,
            },
        }
        for event in events
    ]
    return Answer({"count": len(told), "events": told})


@tool(
    "get_entity_facts",
    "Read what memory knows of an entity on a day, as it was known at a time: names, addresses, identifiers, statuses, "
    "owners, each with its period and its source. Facts that contradict each other are marked.",
    {
        "required": ["entityId"],
        "properties": {
            "entityId": ENTITY_ID,
            "asOf": {
                "type": "string",
                "format": "date",
                "description": "the day asked about, by default today",
            },
            "knownAt": {
                "type": "string",
                "format": "date",
                "description": "as known on this day, by default now",
            },
            "direction": {"type": "string", "enum": ["out", "in", "both"], "default": "out"},
            "limit": limit(50),
        },
    },
    found=under("facts"),
)
def get_entity_facts(arguments: JsonObject, context: ToolContext) -> Answer:
    known_at = _date(arguments, "knownAt")
    known = memory.knowledge_of(
        entity_of(arguments),
        day=_date(arguments, "asOf"),
        known_at=memory.end_of(known_at) if known_at else None,
        direction=arguments.get("direction", "out"),
        limit=arguments.get("limit", 50),
    )
    facts = [
        {
            "property": property_of(one.statement),
            "value": value_of(one.statement)[:MAX_VALUE],
            "when": period_of(one.statement),
            "source": source_of(one.statement),
            "recorded": one.statement.recorded_from.date().isoformat(),
            "signedBy": one.statement.signed_by,
            "contradicted": one.contradicted,
        }
        for one in known.facts
    ]
    return Answer({"asOf": known.day.isoformat(), "leftOut": known.left_out, "facts": facts})


@tool(
    "get_related_entities",
    "List who an entity is related to: parents, managers, owners (out), children, funds, holdings (in).",
    {
        "required": ["entityId"],
        "properties": {
            "entityId": ENTITY_ID,
            "types": TYPES,
            "direction": {"type": "string", "enum": ["out", "in", "both"], "default": "both"},
            "limit": limit(50),
        },
    },
    found=under("related"),
)
def get_related_entities(arguments: JsonObject, context: ToolContext) -> Answer:
    entity = entity_of(arguments)
    links = memory.relationships_of(
        entity, types=arguments.get("types", ()), direction=arguments.get("direction", "both")
    )
    shown = [_related(link, entity) for link in links[: arguments.get("limit", 50)]]
    return Answer({"count": links.count(), "related": shown})


def entity_of(arguments: JsonObject) -> Entity:
    """The entity that ``entityId`` names. Raises ToolError if there is none and refers to resolve_entity."""
    found = memory.by_reference(arguments["entityId"])
    if found is None:
        name = arguments["entityId"]
        raise ToolError(
            "not_found", f"No entity has the slug or UUID {name!r}; resolve_entity finds the slug."
        )
    return found


def brief(entity: Entity) -> JsonObject:
    """Short form of an entity."""
    return {
        "id": str(entity.pk),
        "slug": entity.slug,
        "name": entity.name,
        "symbol": entity.symbol,
        "type": entity.type,
        "lei": entity.lei,
        "jurisdiction": entity.jurisdiction,
        "verified": entity.verified,
        "tags": entity.tags,
    }


def form(representation: Representation) -> JsonObject:
    """A representation as tools show it."""
    return {
        "id": str(representation.pk),
        "type": representation.type,
        "protocol": representation.authority,
        "chain": representation.chain,
        "key": representation.key,
        "context": representation.context,
        "active": representation.active,
        "lastSeenAt": representation.last_seen_at.isoformat(),
    }


def research(found: Any) -> JsonObject:
    """Findings as tools show them."""
    return {
        "research": found.findings,
        "timestamp": found.at.isoformat(),
        "sources": found.sources,
        "expiresAt": found.expires_at.isoformat(),
        "completeness": found.completeness,
    }


def _related(link: Relationship, entity: Entity) -> JsonObject:
    out = link.subject_id == entity.pk
    return {
        "entity": brief(link.object if out else link.subject),
        "type": link.type,
        "direction": "out" if out else "in",
        "percentage": None if link.percentage is None else f"{link.percentage.normalize():f}",
        "source": link.source,
        "validFrom": link.valid_from.isoformat() if link.valid_from else None,
    }


def _date(arguments: JsonObject, name: str) -> date | None:
    """The day that is given, if one is. Raises ToolError for one that is none."""
    try:
        return date.fromisoformat(arguments[name]) if arguments.get(name) else None
    except ValueError:
        raise ToolError("bad_arguments", f"{name} is no day such as 2025-12-31.") from None
