"""Which values of a document are claims, by the schema at their place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from research.checks.verdict import pointer
from research.jsontext import Json

Schemas: TypeAlias = Sequence[Mapping[str, Json]]
MAX_NESTED = 20  # References and branches to follow in a row. Circular references end here.
_KINDS: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def claims_of(data: Json, schema: Json) -> Iterator[str]:
    """The places of the texts and numbers that are claims.

    None is one that is empty, that is picked from a list which the schema gives, or that stands in a part which the
    schema marks ``x-claim: false``.
    """
    return (place for place, _, _ in leaves_of(data, schema))


def leaves_of(data: Json, schema: Json) -> Iterator[tuple[str, Json, Schemas]]:
    """Like ``claims_of``, with the value and all schemas of its place."""
    stack: list[tuple[Json, str, Schemas]] = [(data, "", _holding(schema, data, schema))]
    while stack:
        value, place, schemas = stack.pop()
        if any(map(_is_picked, schemas)):
            continue
        if isinstance(value, dict):
            members = ((item, _member(schemas, name), pointer([name])) for name, item in value.items())
        elif isinstance(value, list):
            members = ((item, _item(schemas, at), f"/{at}") for at, item in enumerate(value))
        else:
            if value not in (None, "") and not isinstance(value, bool):
                yield place, value, schemas
            continue
        for item, parts, below in members:
            held = chain.from_iterable(_holding(part, item, schema) for part in parts)
            stack.append((item, place + below, list(held)))


def _is_picked(schema: Mapping[str, Json]) -> bool:
    return schema.get("x-claim") is False or "enum" in schema or "const" in schema


def _holding(schema: Json, value: Json, root: Json, nested: int = 0) -> list[Mapping[str, Json]]:
    """The schema and all schemas that apply with it: references, and branches that fit the value."""
    if not isinstance(schema, Mapping) or nested > MAX_NESTED:
        return []
    parts = [_referred(schema.get("$ref"), root), *_list(schema.get("allOf"))]
    for word in ("anyOf", "oneOf"):
        parts += [part for part in _list(schema.get(word)) if _may_be(value, part, root)]
    return [schema, *chain.from_iterable(_holding(part, value, root, nested + 1) for part in parts)]


def _may_be(value: Json, branch: Json, root: Json) -> bool:
    """Whether a branch fits values of this kind. The validator checks the rest."""
    target = branch
    for _ in range(MAX_NESTED):
        if not isinstance(target, Mapping) or "$ref" not in target:
            break
        target = _referred(target["$ref"], root)
    if not isinstance(target, Mapping):
        return branch is not False
    if "enum" in target or "const" in target:
        return any(value == one for one in _list(target.get("enum")) or [target.get("const")])
    kinds = target.get("type")
    named = [kinds] if isinstance(kinds, str) else _list(kinds)
    return not named or any(_is_of(value, kind) for kind in named)


def _is_of(value: object, kind: object) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _KINDS.get(str(kind), ()))


def _member(schemas: Schemas, name: str) -> Iterator[Json]:
    for schema in schemas:
        named, patterns = schema.get("properties"), schema.get("patternProperties")
        found = [named[name]] if isinstance(named, Mapping) and name in named else []
        if isinstance(patterns, Mapping):
            found += [part for pattern, part in patterns.items() if re.search(pattern, name)]
        yield from found or [schema.get("additionalProperties")]


def _item(schemas: Schemas, index: int) -> Iterator[Json]:
    for schema in schemas:
        leading = _list(schema.get("prefixItems"))
        yield leading[index] if index < len(leading) else schema.get("items")


def _referred(reference: Json, root: Json) -> Json:
    """The target of ``#/$defs/x``, or None."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    target = root
    for step in filter(None, reference[1:].split("/")):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(target, list) and key.isdecimal() and int(key) < len(target):
            target = target[int(key)]
        else:
            target = target.get(key) if isinstance(target, Mapping) else None
    return target


def _list(value: Json) -> list[Json]:
    return list(value) if isinstance(value, list) else []
