"""What a JSON Schema says about one place: its kinds, choices, members and items, with references followed.

A shape is a help for the form, not a judge: the validator has the last word on every edit. Where branches disagree
(``anyOf``, ``oneOf``), a shape allows what any of them allows.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from research.jsontext import Json, JsonObject, canonical_json
from research.review.pointer import PointerError, resolve

MAX_NESTED = 40  # a reference that leads back to itself ends here
MAX_SCHEMAS = 500  # and so does one that multiplies
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
    read_only: bool = False  # written down by Dossier, not for a person to fill in
    no_claim: bool = False  # says how the answer came about, and nothing that a quote could bear out

    def member(self, key: str) -> Json:
        """The schema of one key of an object."""
        return _all_of(self.properties.get(key) or self.additional)

    def item(self, index: int) -> Json:
        """The schema of one item of a list."""
        return self.leading_items[index] if index < len(self.leading_items) else _all_of(self.items)


def shape_of(schema: Json, root: Json) -> Shape:
    """Read a schema; ``root`` is the document that its references point into."""
    return _Reader(root).read(schema)


def kind_of(value: Json) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", list: "array"}
    return kinds[type(value)]


class _Reader:
    """Follows references and branches, within bounds."""

    def __init__(self, root: Json) -> None:
        self._root = root
        self._left = MAX_SCHEMAS

    def read(self, schema: Json, nested: int = 0) -> Shape:
        shape = Shape()
        self._left -= 1
        if not isinstance(schema, dict) or nested > MAX_NESTED or self._left < 0:
            return shape
        _read_own(schema, shape)
        for part in _joined(schema, self._root):
            own_title = shape.title  # a title that comes with a reference names the type, not this place
            _narrow(shape, self.read(part, nested + 1))
            shape.title = own_title
        for word in ("anyOf", "oneOf"):
            branches = schema.get(word)
            if isinstance(branches, list) and branches:
                _narrow(shape, _either([self.read(branch, nested + 1) for branch in branches]))
        return shape


def _read_own(schema: JsonObject, shape: Shape) -> None:
    """The keywords of this schema itself, whether or not there is a ``$ref`` beside them."""
    kinds = schema.get("type")
    named = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    shape.kinds = {kind for kind in named if isinstance(kind, str)}
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
    shape.read_only = schema.get("readOnly") is True
    shape.no_claim = schema.get("x-claim") is False
    shape.title, shape.description = (str(schema.get(word) or "") for word in ("title", "description"))


def _joined(schema: JsonObject, root: Json) -> Iterator[Json]:
    """The schemas that hold together with this one."""
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        with suppress(PointerError):  # an anchor: nothing to show for it, the validator knows
            yield resolve(root, reference[1:])[1]
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
    shape.read_only = shape.read_only or other.read_only
    shape.no_claim = shape.no_claim or other.no_claim


def _either(branches: list[Shape]) -> Shape:
    """At least one holds."""
    objects = [
        branch for branch in branches if branch.properties or branch.required or "object" in branch.kinds
    ]
    union = Shape(required=set.intersection(*(branch.required for branch in objects)) if objects else set())
    if all(branch.kinds or branch.choices is not None for branch in branches):
        union.kinds = set().union(*(_kinds_with_choices(branch) for branch in branches))
    union.choices = _either_choices(branches)
    union.read_only = all(branch.read_only for branch in branches)
    union.no_claim = all(branch.no_claim for branch in branches)
    for key in dict.fromkeys(key for branch in branches for key in branch.properties):
        parts = [_all_of(branch.properties[key]) for branch in branches if key in branch.properties]
        union.properties[key] = parts if len(parts) == 1 else [{"anyOf": parts}]
    for branch in branches:
        union.items = union.items or branch.items
        union.leading_items = union.leading_items or branch.leading_items
        union.additional = union.additional or branch.additional
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
