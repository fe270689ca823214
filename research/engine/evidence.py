"""The evidence that a language model must give with every document, whatever the macro's schema."""

from research.jsontext import Json, JsonObject, Remembered
from research.macros.shapes import shape_of

EVIDENCE = "evidence"
MAX_ITEMS = 500
MAX_QUOTE = 2_000
SCHEMA: JsonObject = {
    "type": "array",
    "description": "For every claim of the document, the words of a source that it rests on.",
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["pointer", "source", "quote"],
        "properties": {
            "pointer": {
                "type": "string",
                "description": "JSON Pointer to the value in this document, for example /funds/0/name.",
            },
            "source": {"type": "integer", "description": "The number of the source."},
            "quote": {"type": "string", "description": "Copied from the source, word for word."},
        },
    },
}


def _with_evidence(schema: JsonObject) -> JsonObject:
    properties = schema.get("properties")
    if declares_evidence(schema) or not isinstance(properties, dict):
        return schema
    required = [*schema.get("required", []), EVIDENCE]
    return {**schema, "required": required, "properties": {**properties, EVIDENCE: SCHEMA}}


with_evidence = Remembered(
    _with_evidence
)  # the schema that is sent; the macro's own if it declares evidence itself


def declares_evidence(schema: JsonObject) -> bool:
    """Whether the macro's schema declares evidence itself."""
    return EVIDENCE in shape_of([schema], schema).names


def split_evidence(data: JsonObject, schema: JsonObject) -> tuple[JsonObject, list[JsonObject]]:
    """The document without the requested evidence, and the evidence of the right shape.

    Evidence that the macro declares itself stays in the document, and is looked at all the same.
    """
    given = data.get(EVIDENCE)
    rest = data if declares_evidence(schema) else {key: data[key] for key in data if key != EVIDENCE}
    items = [_item(item) for item in given] if isinstance(given, list) else []
    return rest, [item for item in items if item][:MAX_ITEMS]


def _item(item: Json) -> JsonObject | None:
    if not isinstance(item, dict):
        return None
    pointer, source, quote = (item.get(key) for key in ("pointer", "source", "quote"))
    if not isinstance(pointer, str) or not isinstance(quote, str) or not quote.strip():
        return None
    if isinstance(source, bool) or not isinstance(source, int):
        return None
    return {"pointer": pointer[:500], "source": source, "quote": quote[:MAX_QUOTE]}
