"""Which schemas fit the strict modes of vendors. Schemas are never changed to fit."""

from collections.abc import Iterator

from research.jsontext import Json, JsonObject

_PLAIN = {
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "const",
    "anyOf",
    "$ref",
    "$defs",
    "additionalProperties",
}
_NOTES = {"title", "description", "$schema", "$id", "$comment", "examples", "default"}
_STATED = {"string", "number", "integer", "boolean", "null", "array", "object"}


def keeps_strictly(schema: Json) -> bool:
    """Whether OpenAI's strict mode accepts the schema: closed objects, all properties required."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return False
    return all(_is_plain(part) and _is_closed(part, optional=False) for part in _parts(schema))


def keeps_as_format(schema: Json) -> JsonObject | None:
    """The schema for Anthropic's output format. None if that would forbid valid documents.

    Limits such as ``minLength`` are left out: that forbids nothing, and the answer is validated afterwards anyway.
    """
    if not isinstance(schema, dict) or schema.get("type") != "object" or _is_recursive(schema):
        return None
    loose = _without_limits(schema)
    return (
        loose if all(_is_plain(part) and _is_closed(part, optional=True) for part in _parts(loose)) else None
    )


_LIMITS = {
    "exclusiveMaximum", "exclusiveMinimum", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum",
    "multipleOf", "pattern", "uniqueItems", "format", "maxProperties", "minProperties",
}  # fmt: skip


def _without_limits(schema: JsonObject) -> JsonObject:
    kept = {
        key: value for key, value in schema.items() if key not in _LIMITS | _NOTES - {"title", "description"}
    }
    for key in ("properties", "$defs"):
        if isinstance(kept.get(key), dict):
            kept[key] = {name: _loosened(part) for name, part in kept[key].items()}
    if "items" in kept:
        kept["items"] = _loosened(kept["items"])
    if isinstance(kept.get("anyOf"), list):
        kept["anyOf"] = [_loosened(part) for part in kept["anyOf"]]
    return kept


def _loosened(part: Json) -> Json:
    return _without_limits(part) if isinstance(part, dict) else part


def _parts(schema: Json) -> Iterator[Json]:
    """The schema and every schema within it."""
    yield schema
    if not isinstance(schema, dict):
        return
    inner = [*_values(schema.get("properties")), *_values(schema.get("$defs")), *_values(schema.get("anyOf"))]
    for part in [*inner, *([schema["items"]] if "items" in schema else [])]:
        yield from _parts(part)


def _values(part: Json) -> list[Json]:
    return list(part.values()) if isinstance(part, dict) else part if isinstance(part, list) else []


def _is_plain(part: Json) -> bool:
    if not isinstance(part, dict) or not part.keys() <= _PLAIN | _NOTES:
        return False
    types = part.get("type", [])
    known = set(types if isinstance(types, list) else [types]) <= _STATED
    return known and bool({"type", "enum", "const", "anyOf", "$ref"} & part.keys())


def _is_closed(part: JsonObject, *, optional: bool) -> bool:
    types = part.get("type", [])
    if "object" not in (types if isinstance(types, list) else [types]):
        return True
    all_required = set(part.get("required", [])) == set(part.get("properties", {}))
    return part.get("additionalProperties") is False and (optional or all_required)


def _is_recursive(schema: JsonObject) -> bool:
    """Whether a definition refers to itself, directly or through the root."""
    refs = {name: set(_refs(part)) for name, part in (schema.get("$defs") or {}).items()}
    if "#" in set(_refs(schema)):
        return True
    for start in refs:
        reached: set[str] = set()
        todo = [start]
        while todo:
            for name in refs.get(todo.pop(), set()) - reached:
                reached.add(name)
                todo.append(name)
        if start in reached:
            return True
    return False


def _refs(schema: Json) -> Iterator[str]:
    for part in _parts(schema):
        ref = part.get("$ref") if isinstance(part, dict) else None
        if isinstance(ref, str):
            yield ref.removeprefix("#/$defs/")
