"""What a JSON Schema says about one place, as far as an edit form needs to know."""

from dataclasses import dataclass, field
from typing import Any

from research.jsontext import Json, JsonObject
from research.review.pointer import resolve

MAX_REFERENCES = 20
KINDS = ("object", "array", "string", "number", "integer", "boolean", "null")


@dataclass
class Facets:
    """Allowed kinds (empty: any), the enum with its values, and what lies below."""

    kinds: set[str] = field(default_factory=set)
    enum: list[Json] | None = None
    properties: dict[str, Any] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    items: Any = None
    additional: Any = None
    description: str = ""

    def allows(self, kind: str) -> bool:
        """Whether the place may hold this kind of value."""
        if self.enum is not None and kind == "null":
            return None in self.enum
        return not self.kinds or kind in self.kinds


def facets_of(schema: Any, root: Any, value: Json = None, depth: int = 0) -> Facets:
    """Read a schema at one place; references are followed within the root, keys beside them count as well."""
    facets = Facets()
    if not isinstance(schema, dict) or depth > MAX_REFERENCES:
        return facets
    for other in _always(schema, root):
        _merge(facets, facets_of(other, root, value, depth + 1))
    branches = [facets_of(one, root, value, depth + 1) for one in _either(schema)]
    if branches:
        _merge_branches(facets, branches, value)
    _merge(facets, _own(schema))
    return facets


def kind_of(value: Json) -> str:
    """The JSON type of a value, with integer told from number."""
    for kind, types in (
        ("boolean", bool),
        ("integer", int),
        ("number", float),
        ("string", str),
        ("array", list),
    ):
        if isinstance(value, types):
            return kind
    return "null" if value is None else "object"


def _always(schema: JsonObject, root: Any) -> list[Any]:
    reference, parts = schema.get("$ref"), schema.get("allOf")
    found = (
        [resolve(root, reference[1:])[1]] if isinstance(reference, str) and reference.startswith("#") else []
    )
    return found + (list(parts) if isinstance(parts, list) else [])


def _either(schema: JsonObject) -> list[Any]:
    parts = schema.get("anyOf") or schema.get("oneOf")
    return list(parts) if isinstance(parts, list) else []


def _own(schema: JsonObject) -> Facets:
    types = schema.get("type")
    enum = schema.get("enum")
    if "const" in schema:
        enum = [schema["const"]]
    properties, required = schema.get("properties"), schema.get("required")
    return Facets(
        kinds={types} if isinstance(types, str) else set(types or ()),
        enum=list(enum) if isinstance(enum, list) else None,
        properties=dict(properties) if isinstance(properties, dict) else {},
        required=set(required) if isinstance(required, list) else set(),
        items=schema.get("items"),
        additional=schema.get("additionalProperties"),
        description=str(schema.get("description") or ""),
    )


def _merge(into: Facets, other: Facets) -> None:
    """Both hold: kinds narrow, the rest adds up."""
    if other.kinds:
        into.kinds = (into.kinds & other.kinds) or other.kinds if into.kinds else set(other.kinds)
    if other.enum is not None:
        into.enum = other.enum
    into.properties = {**into.properties, **other.properties}
    into.required |= other.required
    into.items = other.items if other.items is not None else into.items
    into.additional = other.additional if other.additional is not None else into.additional
    into.description = other.description or into.description


def _merge_branches(into: Facets, branches: list[Facets], value: Json) -> None:
    """One of them holds: kinds add up; what lies below comes from the branch that the value fits."""
    kinds: set[str] = (
        set().union(*(branch.kinds for branch in branches)) if all(b.kinds for b in branches) else set()
    )
    enums = [branch.enum for branch in branches]
    closed = [b for b in branches if b.enum is not None or b.kinds == {"null"}]
    fitting = next((b for b in branches if b.allows(kind_of(value))), branches[0])
    _merge(
        into,
        Facets(kinds=kinds, properties=fitting.properties, required=fitting.required, items=fitting.items),
    )
    into.additional = fitting.additional if fitting.additional is not None else into.additional
    if len(closed) == len(branches) and any(enum is not None for enum in enums):
        into.enum = [item for enum in enums for item in enum or []] + (
            [None] if {"null"} in [b.kinds for b in branches] else []
        )
