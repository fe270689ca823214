"""Check that the JSON Schema of a macro can validate results."""

from collections.abc import Iterator
from dataclasses import dataclass

from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from research.jsontext import Json, JsonObject
from research.macros.patterns import pattern_fault
from research.macros.shapes import resolve_reference
from research.macros.yamltext import Path

_DATA = ("const", "enum", "default", "examples", "example")  # keywords with values, not schemas


@dataclass(frozen=True)
class SchemaFault:
    """The fault, and its place in the schema."""

    path: Path
    message: str
    level: str = "error"


def schema_faults(schema: JsonObject) -> list[SchemaFault]:
    """All faults: against the meta-schema, external references, patterns that could hang."""
    faults = [*_meta_faults(schema), *_walk(schema, (), schema)]
    if schema.get("type") != "object" or not schema.get("properties"):
        message = "the schema should describe an object with properties: names in templates cannot be checked"
        faults.append(SchemaFault((), message, "warning"))
    return faults


def _meta_faults(schema: JsonObject) -> Iterator[SchemaFault]:
    named = isinstance(schema.get("$schema"), str)
    dialect = validator_for(schema if named else {}, default=Draft202012Validator)
    for error in dialect(dialect.META_SCHEMA).iter_errors(schema):
        yield SchemaFault(tuple(error.absolute_path), f"not a JSON Schema: {error.message[:200]}")


def _walk(node: Json, path: Path, root: JsonObject) -> Iterator[SchemaFault]:
    """All schemas at any depth. Keys below ``properties`` are field names, not keywords."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _walk(item, (*path, index), root)
    if not isinstance(node, dict):
        return
    is_names = bool(path) and path[-1] in ("properties", "patternProperties", "$defs", "definitions")
    if not is_names:
        yield from _keyword_faults(node, path, root)
    for key, value in node.items():
        if is_names or key not in _DATA:
            yield from _walk(value, (*path, key), root)


def _keyword_faults(node: JsonObject, path: Path, root: JsonObject) -> Iterator[SchemaFault]:
    for key in ("$ref", "$dynamicRef"):
        target = node.get(key)
        if isinstance(target, str) and resolve_reference(target, root) is None:
            yield SchemaFault((*path, key), f"{key} {target[:80]!r} points to nothing in this schema")
    pattern = node.get("pattern")
    if isinstance(pattern, str):
        if reason := pattern_fault(pattern):
            yield SchemaFault((*path, "pattern"), f"pattern {pattern[:60]!r}: {reason}")
        elif "maxLength" not in node:
            yield SchemaFault((*path, "pattern"), "pattern without maxLength: bound the text", "warning")
    patterns = node.get("patternProperties")
    for name in patterns if isinstance(patterns, dict) else ():
        if reason := pattern_fault(name):
            yield SchemaFault((*path, "patternProperties", name), f"pattern {name[:60]!r}: {reason}")
