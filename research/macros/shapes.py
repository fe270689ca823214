"""Names available in a template: the fields of a JSON Schema, seen from one place in the data."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from research.jsontext import Json, JsonObject
from research.macros.definition import MacroDefinition
from research.macros.offered import parameters_schema

_COMBINERS = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("then", "else")
MAX_REFERENCES = 50


@dataclass(frozen=True)
class Shape:
    """A value described by all of ``schemas``. Without schemas it may be anything."""

    schemas: tuple[JsonObject, ...] = ()
    root: Json = None

    @property
    def types(self) -> set[str]:
        """The declared types. Empty if there are none."""
        found: set[str] = set()
        for schema in self.schemas:
            declared = schema.get("type", ())
            found.update([declared] if isinstance(declared, str) else declared)
        return found

    @property
    def names(self) -> list[str]:
        return [name for schema in self.schemas for name in _mapping(schema.get("properties"))]

    def child(self, name: str) -> "Shape | None":
        """The field ``name``, or the item at a numeric index. None if there is no such field."""
        if name.isdigit() and self._may_be("array"):
            return self.items()
        found = [part for schema in self.schemas for part in _members(schema, name)]
        if found:
            return shape_of(found, self.root)
        closed = any("properties" in schema for schema in self.schemas)
        return None if closed or not self._may_be("object") else Shape()

    def items(self) -> "Shape":
        """The items that ``#each`` visits: of a list, or the values of an object."""
        found: list[Json] = []
        for schema in self.schemas:
            items = schema.get("items")
            found += schema.get("prefixItems", ()) if isinstance(schema.get("prefixItems"), list) else []
            found += items if isinstance(items, list) else [items] if items is not None else []
            found += _mapping(schema.get("properties")).values()
        return shape_of(found, self.root)

    def _may_be(self, kind: str) -> bool:
        return not self.types or kind in self.types


def shape_of(schemas: Iterable[Json], root: Json) -> Shape:
    """The combined shape of the schemas. Resolves references within ``root``."""
    return Shape(tuple(part for schema in schemas for part in _parts(schema, root, MAX_REFERENCES)), root)


def prompt_shape(definition: MacroDefinition) -> Shape:
    """Names in the prompt: the parameters, also as ``params.x``."""
    declared = parameters_schema(definition)
    names = {**declared["properties"], "params": declared}
    return shape_of([{"type": "object", "properties": names}], declared)


def verbs_shape(definition: MacroDefinition) -> Shape:
    """Names in ``suggested_verbs``: parameters and result fields, also as ``params.x`` and ``data.x``."""
    data = shape_of([definition.schema], definition.schema)
    if not data.names:
        return Shape()
    declared = parameters_schema(definition)
    names = {**declared["properties"], "params": declared, "data": {"$ref": "#"}}
    return shape_of([definition.schema, {"properties": names}], definition.schema)


def resolve_reference(reference: Json, root: Json) -> Json:
    """The schema that ``#/$defs/x`` points to, or None. Only references within the document are known."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    target = root
    for step in filter(None, reference[1:].split("/")):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(target, list) and key.isdigit() and int(key) < len(target):
            target = target[int(key)]
        else:
            target = _mapping(target).get(key)
    return target


def _parts(schema: Json, root: Json, budget: int) -> Iterator[JsonObject]:
    """The schema and all that it refers to or combines, without the combining keywords."""
    if not isinstance(schema, dict) or budget <= 0:
        return
    nested = [schema.get(key) for key in _BRANCHES]
    for key in _COMBINERS:
        nested += schema[key] if isinstance(schema.get(key), list) else []
    if "$ref" in schema:
        nested.append(resolve_reference(schema["$ref"], root))
    yield schema
    for part in nested:
        yield from _parts(part, root, budget - 1)


def _members(schema: JsonObject, name: str) -> Iterator[Json]:
    properties = _mapping(schema.get("properties"))
    if name in properties:
        yield properties[name]
    elif schema.get("additionalProperties") not in (None, False):
        yield schema["additionalProperties"]
    elif schema.get("patternProperties"):
        yield True  # the matching pattern is not decided here


def _mapping(value: Json) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
