"""What a JSON Schema says about one place: its kinds, choices, members and items, with references followed.

A shape is a help for the form, not a judge: the validator has the last word on every edit. Where branches disagree
(``anyOf``, ``oneOf``), a shape allows what any of them allows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from research.jsontext import Json, JsonObject, canonical_json
from research.review.pointer import PointerError, resolve

MAX_HOPS = 40
SCALARS = frozenset({"string", "number", "integer", "boolean", "null"})


@dataclass
class Shape:
    """The sum of what a schema says; ``kinds`` is empty when it does not restrict the type."""

    kinds: set[str] = field(default_factory=set)
    choices: list[Json] | None = None
    properties: dict[str, list[Json]] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    items: list[Json] = field(default_factory=list)
    leading_items: list[Json] = field(default_factory=list)
    additional: list[Json] = field(default_factory=list)
    title: str = ""
    description: str = ""

    def member(self, key: str) -> Json:
        """The schema of one key of an object."""
        return _all_of(self.properties.get(key) or self.additional)

    def item(self, index: int) -> Json:
        """The schema of one item of a list."""
        return self.leading_items[index] if index < len(self.leading_items) else _all_of(self.items)


def shape_of(schema: Json, root: Json) -> Shape:
    """Read a schema; ``root`` is the document that its references point into."""
    return _read(schema, root, MAX_HOPS)


def kind_of(value: Json) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", list: "array"}
    return kinds[type(value)]


def _read(schema: Json, root: Json, hops: int) -> Shape:
    shape = Shape()
    if not isinstance(schema, dict) or hops <= 0:
        return shape
    _read_own(schema, shape)
    for part in _joined(schema, root):
        _narrow(shape, _read(part, root, hops - 1))
    for word in ("anyOf", "oneOf"):
        branches = schema.get(word)
        if isinstance(branches, list) and branches:
            read = [_read(branch, root, hops - 1 - len(branches)) for branch in branches]
            _narrow(shape, _either(read))
    return shape


def _read_own(schema: JsonObject, shape: Shape) -> None:
    """The keywords of this schema itself, whether or not there is a ``$ref`` beside them."""
    kinds = schema.get("type")
    shape.kinds = {
        kind for kind in ([kinds] if isinstance(kinds, str) else kinds or ()) if isinstance(kind, str)
    }
    if isinstance(schema.get("enum"), list):
        shape.choices = list(schema["enum"])
    if "const" in schema:
        shape.choices = [schema["const"]]
    if isinstance(schema.get("properties"), dict):
        shape.properties = {key: [part] for key, part in schema["properties"].items()}
    if isinstance(schema.get("required"), list):
        shape.required = {key for key in schema["required"] if isinstance(key, str)}
    shape.items = [schema["items"]] if isinstance(schema.get("items"), dict) else []
    shape.leading_items = list(schema["prefixItems"]) if isinstance(schema.get("prefixItems"), list) else []
    additional = schema.get("additionalProperties")
    shape.additional = [additional] if isinstance(additional, dict) else []
    shape.title, shape.description = (str(schema.get(word) or "") for word in ("title", "description"))


def _joined(schema: JsonObject, root: Json) -> Iterator[Json]:
    """The schemas that hold together with this one."""
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        try:
            yield resolve(root, reference[1:])[1]
        except PointerError:  # an anchor: nothing to show for it, the validator knows
            pass
    if isinstance(schema.get("allOf"), list):
        yield from schema["allOf"]


def _narrow(shape: Shape, other: Shape) -> None:
    """Both hold."""
    if other.kinds:
        shape.kinds = _common_kinds(shape.kinds, other.kinds) if shape.kinds else other.kinds
    if other.choices is not None:
        shape.choices = (
            other.choices if shape.choices is None else _common_choices(shape.choices, other.choices)
        )
    for key, parts in other.properties.items():
        shape.properties.setdefault(key, []).extend(parts)
    shape.required |= other.required
    shape.items += other.items
    shape.leading_items = shape.leading_items or other.leading_items
    shape.additional += other.additional
    shape.title = shape.title or other.title
    shape.description = shape.description or other.description


def _either(branches: list[Shape]) -> Shape:
    """At least one holds."""
    union = Shape(required=set.intersection(*(branch.required for branch in branches)))
    if all(branch.kinds or branch.choices is not None for branch in branches):
        union.kinds = set().union(*(_kinds_with_choices(branch) for branch in branches))
    union.choices = _either_choices(branches)
    for branch in branches:
        for key, parts in branch.properties.items():
            union.properties.setdefault(key, parts)
        union.items = union.items or branch.items
        union.leading_items = union.leading_items or branch.leading_items
        union.additional = union.additional or branch.additional
        union.title = union.title or (branch.title if len(branches) == 1 else "")
    return union


def _either_choices(branches: list[Shape]) -> list[Json] | None:
    """A branch that is only ``null`` is a choice like any other; a free branch makes them all free."""
    choices: list[Json] = []
    for branch in branches:
        if branch.choices is not None:
            choices += branch.choices
        elif branch.kinds == {"null"}:
            choices.append(None)
        else:
            return None
    return None if choices == [None] else choices


def _kinds_with_choices(shape: Shape) -> set[str]:
    return shape.kinds or {kind_of(choice) for choice in shape.choices or ()}


def _common_kinds(one: set[str], other: set[str]) -> set[str]:
    common = one & other
    if {"integer", "number"} <= one | other and {"integer", "number"} & one and {"integer", "number"} & other:
        common.add("integer")
    return common or one


def _common_choices(one: list[Json], other: list[Json]) -> list[Json]:
    texts = {canonical_json(choice) for choice in other}
    return [choice for choice in one if canonical_json(choice) in texts]


def _all_of(parts: list[Json]) -> Json:
    return parts[0] if len(parts) == 1 else {"allOf": parts}
