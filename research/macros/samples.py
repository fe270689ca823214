"""Sample data for a schema, to test templates: with all optional fields, without one, and without any."""

from collections.abc import Container, Iterator
from itertools import islice
from re import search

from research.jsontext import Json, JsonObject
from research.macros.definition import MacroDefinition, Parameter
from research.macros.offered import parameter_schema
from research.macros.patterns import pattern_fault
from research.macros.shapes import Shape, shape_of
from research.macros.tags import paths, scan

MAX_SAMPLES = 200
MAX_DEPTH = 12

_TEXTS = (
    "Sample",
    "529900K9B0N5BT694847",
    "LU",
    "LU0000000009",
    "2024-01-31",
    "https://example.org/",
    "A",
    "1",
)
_BY_NAME = {  # value of a field with this name if its schema is only "string"
    "lei": "529900K9B0N5BT694847",
    "jurisdiction": "LU",
    "country": "LU",
    "nationality": "LU",
    "isin": "LU0000000009",
    "date": "2024-01-31",
    "birth": "2024-01-31",
    "url": "https://example.org/",
}
_EVERYTHING = frozenset({"*"})


def samples(definition: MacroDefinition, template: str) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Pairs of parameters and data that between them take the branches of ``template``.

    Every member of every enum occurs, and each field that a condition asks for is present and absent.
    """
    schema = definition.schema
    picks = range(max(2, min(12, _largest_enum(schema))))
    omissions = [frozenset[str](), _EVERYTHING, *(frozenset({name}) for name in _conditions(template))]
    pairs = ((pick, omit) for omit in omissions for pick in picks)
    shape = shape_of([schema], schema)
    seen: set[str] = set()
    for pick, omit in islice(pairs, MAX_SAMPLES):
        data = _Sampler(schema, pick, omit).value(shape, "", 0)
        sample = (
            {item.name: _parameter(item, pick, omit) for item in definition.parameters},
            data if isinstance(data, dict) else {},
        )
        if repr(sample) not in seen:
            seen.add(repr(sample))
            yield sample


def _conditions(template: str) -> list[str]:
    """The last names of all paths in ``if`` and ``unless``, in order, without duplicates."""
    asked = (
        path.rpartition(".")[2].rpartition("/")[2]
        for tag in scan(template)
        if tag.kind in ("open", "else") and tag.call.name in ("if", "unless")
        for path in paths(tag, ())
    )
    return list(dict.fromkeys(asked))


def _largest_enum(schema: Json) -> int:
    if isinstance(schema, list):
        return max(map(_largest_enum, schema), default=0)
    if not isinstance(schema, dict):
        return 0
    members = schema.get("enum")
    own = len(members) if isinstance(members, list) else 0
    return max([own, *map(_largest_enum, schema.values())])


def _parameter(parameter: Parameter, pick: int, omit: Container[str]) -> Json:
    if not parameter.required and (parameter.name in omit or "*" in omit):
        return parameter.default
    if parameter.enum and parameter.type != "array":
        return parameter.enum[pick % len(parameter.enum)]
    if parameter.default is not None or parameter.example is not None:
        return parameter.example if parameter.default is None else parameter.default
    shape = Shape((parameter_schema(parameter),))
    return _Sampler({}, pick, omit).value(shape, parameter.name, 0)


class _Sampler:
    """``pick`` selects enum members and types. Fields in ``omit`` are left out if optional."""

    def __init__(self, root: Json, pick: int, omit: Container[str]) -> None:
        self.root, self.pick, self.omit = root, pick, omit

    def value(self, shape: Shape, name: str, depth: int) -> Json:
        for schema in shape.schemas:
            if "const" in schema:
                return schema["const"]
            if isinstance(schema.get("enum"), list) and schema["enum"]:
                return schema["enum"][self.pick % len(schema["enum"])]
        return self._typed(shape, name, depth)

    def _typed(self, shape: Shape, name: str, depth: int) -> Json:
        kinds = shape.types - {"null"} or ({"object"} if shape.names else {"string"})
        kind = sorted(kinds)[self.pick % len(kinds)]
        match kind:
            case "object":
                required = {name for schema in shape.schemas for name in schema.get("required") or ()}
                document: JsonObject = {}
                for field in dict.fromkeys(shape.names):
                    wanted = "*" not in self.omit and field not in self.omit and depth < MAX_DEPTH
                    child = shape.child(field)
                    if child is not None and (wanted or field in required) and depth < 2 * MAX_DEPTH:
                        document[field] = self.value(child, field, depth + 1)
                return document
            case "array":
                return [self.value(shape.items(), name, depth + 1)] * 2 if depth < MAX_DEPTH else []
            case "boolean":
                return self.pick % 2 == 0
            case "integer" | "number":
                lows = [schema["minimum"] for schema in shape.schemas if "minimum" in schema]
                highs = [schema["maximum"] for schema in shape.schemas if "maximum" in schema]
                return max([min([3, *highs]), *lows])
            case _:
                return _text(shape, name)


def _text(shape: Shape, name: str) -> str:
    """A common text that fits the pattern, else an ordinary word."""
    patterns = [schema["pattern"] for schema in shape.schemas if isinstance(schema.get("pattern"), str)]
    if not patterns:
        return _BY_NAME.get(name.rpartition("_")[2].lower(), _TEXTS[0])
    if pattern_fault(patterns[0]):
        return _TEXTS[0]
    return next((text for text in _TEXTS if search(patterns[0], text)), _TEXTS[0])
