"""What Dossier already knows: entity memory as a tool."""

from entities.memory import MAX_NAME, Resolution, resolve
from entities.models import Entity
from research.jsontext import JsonObject
from research.tools.base import Answer, ToolContext, tool

IDENTIFIER = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_NAME,
    "description": "LEI, other key, slug, symbol or name",
}


@tool(
    "resolve_entity",
    "Look an identifier up in entity memory: what was approved and recorded before. Gives the one entity meant, or "
    "the candidates when several could be.",
    {"required": ["identifier"], "properties": {"identifier": IDENTIFIER}},
)
def resolve_entity(arguments: JsonObject, context: ToolContext) -> Answer:
    found: Resolution = resolve(arguments["identifier"])
    data: JsonObject = {
        "entity": _brief(found.entity) if found.entity else None,
        "candidates": [_brief(entity) for entity in found.candidates],
        "how": found.how,
    }
    return Answer(data)


def _brief(entity: Entity) -> JsonObject:
    return {
        "slug": entity.slug,
        "name": entity.name,
        "type": entity.type,
        "lei": entity.lei,
        "jurisdiction": entity.jurisdiction,
        "verified": entity.verified,
    }
