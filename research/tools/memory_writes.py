"""Entity memory as tools that write. Offered only when the macro lists them under ``writes``."""

from entities import memory
from entities.memory import ChangeLog, Origin
from entities.models import Representation, SourceKind
from research.jsontext import JsonObject
from research.tools.memory import ENTITY_ID, brief, entity_of, form, research
from research.tools.tool import Answer, Run, ToolContext, ToolError, tool

TEXT = {"type": "string", "maxLength": 2_000}
REASON = {"type": "string", "minLength": 1, "maxLength": 300}
FORM_TYPES = [kind for kind in Representation.Type.values if kind != Representation.Type.FORMER_SLUG]
CONTEXT = {
    "type": "object",
    "description": "what identifies it: {mint}, {market}, {poolAddress}, {lei}, {isin}, {number}, {docket} ...",
}
FINDINGS = {
    "type": "object",
    "required": ["summary", "confidence"],
    "properties": {
        "summary": {"type": "string", "minLength": 1},
        "confidence": {"type": "number", "minimum": 0, "maximum": 100},
        "sentiment": {"type": "string", "enum": ["bullish", "bearish", "neutral", "unknown"]},
        "risks": {"type": "array", "items": {"type": "string"}},
        "opportunities": {"type": "array", "items": {"type": "string"}},
        "metadata": {"type": "object"},
    },
}
SOURCES = {
    "type": "array",
    "description": "every source that was asked, those that failed too",
    "items": {
        "type": "object",
        "required": ["tool", "success"],
        "properties": {
            "tool": {"type": "string", "minLength": 1},
            "success": {"type": "boolean"},
            "error": {"type": "string"},
            "timestamp": {"type": ["string", "number"]},
            "dataFreshness": {"type": ["string", "number"]},
            "reference": {
                "type": "string",
                "description": "address or key, where one tool gives several sources",
            },
        },
    },
}


def refusing(run: Run) -> Run:
    """Report a refusal of entity memory as a ToolError with the same message."""

    def guarded(arguments: JsonObject, context: ToolContext) -> Answer:
        try:
            return run(arguments, context)
        except memory.RefusedWrite as error:
            raise ToolError("refused", str(error)) from error

    return guarded


@tool(
    "create_entity",
    "Create an entity that memory does not have. It is unverified; one that looks like another is kept apart until a "
    "person verifies it. Use resolve_entity first.",
    {
        "required": ["name", "type"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": memory.MAX_NAME},
            "type": {"type": "string", "minLength": 1, "maxLength": 40},
            "symbol": {"type": "string", "maxLength": 30},
            "metadata": {"type": "object"},
        },
    },
    effect="write",
)
@refusing
def create_entity(arguments: JsonObject, context: ToolContext) -> Answer:
    entity = memory.create_entity(
        name=arguments["name"],
        type=arguments["type"],
        symbol=arguments.get("symbol", ""),
        metadata=arguments.get("metadata"),
        log=_log(context),
    )
    return Answer({"entity": brief(entity)})


@tool(
    "add_representation",
    "Add a concrete form to an entity: a token's mint, a market, a pool, a register number.",
    {
        "required": ["entityId", "type", "protocol", "context"],
        "properties": {
            "entityId": ENTITY_ID,
            "type": {"type": "string", "enum": FORM_TYPES},
            "protocol": {
                "type": "string",
                "maxLength": 60,
                "description": "protocol, venue, court or register",
            },
            "context": CONTEXT,
            "chain": {"type": "string", "maxLength": 40},
        },
    },
    effect="write",
)
@refusing
def add_representation(arguments: JsonObject, context: ToolContext) -> Answer:
    added = memory.add_representation(
        entity=entity_of(arguments),
        type=arguments["type"],
        key=memory.key_of(arguments["type"], arguments["context"]),
        authority=arguments["protocol"],
        chain=arguments.get("chain", ""),
        context=arguments["context"],
        log=_log(context),
    )
    return Answer({"representation": form(added)})


@tool(
    "deactivate_representation",
    "Say that an entity no longer has a form: a delisted market, a dead pool. The row is kept.",
    {
        "required": ["representationId", "reason"],
        "properties": {"representationId": {"type": "string", "format": "uuid"}, "reason": REASON},
    },
    effect="write",
)
@refusing
def deactivate_representation(arguments: JsonObject, context: ToolContext) -> Answer:
    found = memory.form_by_id(arguments["representationId"])
    if found is None:
        raise ToolError("not_found", "No representation has this id.")
    gone = memory.deactivate_representation(
        representation=found, reason=arguments["reason"], source=_source(context), log=_log(context)
    )
    return Answer({"representation": form(gone)})


@tool(
    "store_research_results",
    "Store findings about an entity, with every source that was asked. A source counts if the journal of the run shows "
    "the call. With fewer than two that answered the findings are not believed, and that is stored instead. ttl is "
    "seconds; without it the entity's type decides.",
    {
        "required": ["entityId", "findings", "sources"],
        "properties": {
            "entityId": ENTITY_ID,
            "findings": FINDINGS,
            "sources": SOURCES,
            "ttl": {"type": "integer", "minimum": 0},
            "runId": {
                "type": "string",
                "format": "uuid",
                "description": "outside a run: the run that asked the sources",
            },
        },
    },
    effect="write",
)
@refusing
def store_research_results(arguments: JsonObject, context: ToolContext) -> Answer:
    stored = memory.store_claimed_results(
        entity=entity_of(arguments),
        findings=arguments["findings"],
        sources=arguments["sources"],
        ttl=arguments.get("ttl"),
        run=str(context.root_id or arguments.get("runId", "")),
    )
    return Answer({"research": {**research(stored), "id": stored.pk, "ttl": stored.ttl}})


@tool(
    "invalidate_research",
    "Say that what is stored about an entity no longer holds: something happened that it does not know of.",
    {"required": ["entityId", "reason"], "properties": {"entityId": ENTITY_ID, "reason": REASON}},
    effect="write",
)
@refusing
def invalidate_research(arguments: JsonObject, context: ToolContext) -> Answer:
    count = memory.invalidate_research(
        entity=entity_of(arguments), reason=arguments["reason"], source=_source(context)
    )
    return Answer({"invalidated": count})


def _log(context: ToolContext) -> ChangeLog:
    """What a researcher writes was approved by nobody."""
    return ChangeLog(origin=Origin(kind=SourceKind.RESEARCH, source=_source(context)))


def _source(context: ToolContext) -> str:
    return f"run {context.root_id}" if context.root_id else ""
