"""Read macro files: one YAML document with the top key ``macro``. Every fault has a line."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, TypeVar

from research.errors import Fault, InvalidMacro
from research.jsontext import Json, JsonObject
from research.macros.definition import (
    DEFAULT_VERSION,
    FIELD_TYPES,
    FORMATS,
    PARAMETER_TYPES,
    REACHES,
    REVIEWS,
    WORKFLOWS,
    MacroDefinition,
    Parameter,
)
from research.macros.parameters import type_fault, value_errors
from research.macros.patterns import pattern_fault
from research.macros.yamltext import Path, YamlDocument, YamlFault, read_yaml

LIBRARY = FilePath(__file__).resolve().parent / "library"
SUFFIXES = (".yaml", ".yml")

MACRO_KEYS = (
    "name",
    "version",
    "description",
    "parameters",
    "tools",
    "prompt",
    "output",
    "suggested_verbs",
    "tags",
    "workflow",
    "writes",
    "reach",
    "follow",
)
OUTPUT_KEYS = ("schema_name", "schema", "review")
LIMIT_KEYS = ("format", "pattern", "minimum", "maximum", "minItems")
PARAMETER_KEYS = (
    *("name", "type", "required", "description", "default", "enum", "example", "schema"),
    *LIMIT_KEYS,
)
OBJECT_KEYS = ("type", "properties", "required", "additionalProperties")
FIELD_KEYS = ("type", "title", "description", "enum", "items", *LIMIT_KEYS)
ITEM_KEYS = ("type", "enum")

Choice = TypeVar("Choice", bound=str)

_LIMITED = (
    (("format", "pattern"), ("string", "array"), "text"),
    (("minimum", "maximum"), ("integer", "number", "array"), "numbers"),
    (("minItems",), ("array",), "lists"),
)

_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_LENGTHS = {"name": 100, "version": 20, "schema_name": 100}  # limit of the database
_KINDS: dict[type, str] = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a mapping",
}


@dataclass
class Reading:
    """What could be read of a macro. ``definition`` is None if it is unusable."""

    definition: MacroDefinition | None = None
    document: YamlDocument = field(default_factory=YamlDocument)
    faults: list[Fault] = field(default_factory=list)


@lru_cache(maxsize=64)  # pages request the same text often, and YAML is slow
def load_macro(text: str, *, file: str = "") -> MacroDefinition:
    """The macro that ``text`` defines, defaults filled in. Templates and schema are not looked into: see lint.

    Raises:
        InvalidMacro: with every fault of YAML, keys and types.
    """
    reading = read_macro(text, file)
    if reading.definition is None or reading.faults:
        raise InvalidMacro(reading.faults)
    return reading.definition


def read_macro(text: str, file: str = "") -> Reading:
    """Read as much as possible and collect faults. Never raises."""
    try:
        document = read_yaml(text)
    except YamlFault as fault:
        return Reading(faults=[Fault(file, fault.line, fault.message)])
    reader = _Reader(document, file)
    definition = reader.definition(text)
    return Reading(definition, document, sorted(set(reader.faults), key=lambda fault: fault.line))


def macro_files(paths: Iterable[FilePath]) -> Iterator[FilePath]:
    """The given files, and every ``*.yaml`` and ``*.yml`` in the folders, sorted by name."""
    for path in paths:
        if path.is_dir():
            yield from sorted(child for child in path.rglob("*") if child.suffix in SUFFIXES)
        else:
            yield path


class _Reader:
    """Reads typed values from the document. A wrong value becomes a fault and a safe default."""

    def __init__(self, document: YamlDocument, file: str) -> None:
        self.document, self.file = document, file
        self.faults = [Fault(file, fault.line, fault.message) for fault in document.faults]

    def definition(self, text: str) -> MacroDefinition | None:
        root = self._mapping(self.document.value, (), ("macro",))
        if "macro" not in root:
            self._fault((), "the file must have one top key, macro")
            return None
        top: Path = ("macro",)
        body = self._mapping(root["macro"], top, MACRO_KEYS)
        output = self._mapping(body.get("output"), (*top, "output"), OUTPUT_KEYS)
        path = (*top, "name")
        name = self._text(body, path, required=True)
        if name and not _KEBAB.fullmatch(name):
            self._fault(path, f"name {name[:60]!r} is not kebab-case, such as client-discovery")
        return MacroDefinition(
            name=name,
            version=self._version(body, top),
            description=self._text(body, (*top, "description"), required=True),
            parameters=tuple(self._parameters(body, (*top, "parameters"))),
            tools=self._texts(body, (*top, "tools")),
            prompt=self._text(body, (*top, "prompt"), required=True),
            schema_name=self._text(output, (*top, "output", "schema_name"), required=True),
            schema=self._take(output, (*top, "output", "schema"), dict, {}, required=True),
            review=self._choice(output, (*top, "output", "review"), REVIEWS),
            suggested_verbs=self._text(body, (*top, "suggested_verbs")),
            tags=self._texts(body, (*top, "tags")),
            workflow=self._choice(body, (*top, "workflow"), WORKFLOWS),
            writes=self._texts(body, (*top, "writes")),
            reach=self._choice(body, (*top, "reach"), REACHES),
            follow=self._follow(body, (*top, "follow")),
            text=text,
        )

    def _follow(self, body: JsonObject, path: Path) -> dict[str, tuple[str, ...]]:
        wanted: JsonObject = self._take(body, path, dict, {})
        return {str(name): self._texts(wanted, (*path, name)) for name in wanted}

    def _version(self, body: JsonObject, top: Path) -> str:
        """An unquoted 1.10 is read as written, not as the number 1.1."""
        path = (*top, "version")
        if isinstance(body.get("version"), int | float) and not isinstance(body["version"], bool):
            return str(self.document.scalars[path].value)
        return self._text(body, path) or DEFAULT_VERSION

    def _parameters(self, body: JsonObject, path: Path) -> Iterator[Parameter]:
        names: set[str] = set()
        for index, item in enumerate(self._take(body, path, list, [])):
            parameter = self._parameter(item, (*path, index))
            if parameter.name in names:
                self._fault((*path, index, "name"), f"the parameter {parameter.name!r} is declared twice")
            names.add(parameter.name)
            yield parameter

    def _parameter(self, item: Json, path: Path) -> Parameter:
        value = self._mapping(item, path, PARAMETER_KEYS)
        name = self._text(value, (*path, "name"), required=True)
        if name and not _IDENTIFIER.fullmatch(name):
            self._fault((*path, "name"), f"the parameter name {name[:60]!r} is not an identifier")
        kind = self._choice(value, (*path, "type"), PARAMETER_TYPES)
        parameter = Parameter(
            name=name,
            type=kind,
            required=self._take(value, (*path, "required"), bool, False),
            description=self._text(value, (*path, "description")),
            default=value.get("default"),
            has_default="default" in value,
            enum=tuple(self._take(value, (*path, "enum"), list, [])),
            example=value.get("example"),
            fields=tuple(self._fields(value, (*path, "schema"))),
            **self._limits(value, path, kind),
        )
        self._check_values(parameter, path)
        return parameter

    def _fields(self, holder: JsonObject, path: Path) -> Iterator[Parameter]:
        """The properties of an object parameter, a subset of JSON Schema, each as a parameter."""
        if "schema" not in holder:
            return
        if holder.get("type") != "object":
            self._fault(path, f"{_dotted(path)} is for parameters of the type object only")
        schema = self._mapping(holder["schema"], path, OBJECT_KEYS)
        if schema.get("type", "object") != "object" or schema.get("additionalProperties", False) is not False:
            self._fault(path, f"{_dotted(path)} must be an object without additional properties")
        required = self._texts(schema, (*path, "required"))
        properties = self._take(schema, (*path, "properties"), dict, {}, required=True)
        if schema.get("properties") == {}:
            self._fault(path, f"{_dotted(path)}.properties must not be empty")
        for name in required:
            if name not in properties:
                self._fault(
                    (*path, "required"), f"{_dotted(path)}.required: there is no property {name[:60]!r}"
                )
        for name, item in properties.items():
            yield self._field(name, item, (*path, "properties", name), required=name in required)

    def _field(self, name: str, item: Json, path: Path, *, required: bool) -> Parameter:
        value = self._mapping(item, path, FIELD_KEYS)
        if not _IDENTIFIER.fullmatch(name):
            self._fault(path, f"the property name {name[:60]!r} is not an identifier")
        kind = self._choice(value, (*path, "type"), FIELD_TYPES)
        items = self._items(value, (*path, "items"), kind)
        if "enum" in value and kind == "array":
            self._fault((*path, "enum"), f"{_dotted(path)}: the enum of a list stands in its items")
        listing, enum = (items, (*path, "items", "enum")) if kind == "array" else (value, (*path, "enum"))
        field = Parameter(
            name=name,
            type=kind,
            required=required,
            title=self._text(value, (*path, "title")),
            description=self._text(value, (*path, "description")),
            enum=tuple(self._take(listing, enum, list, [])),
            **self._limits(value, path, kind),
            items=self._choice(items, (*path, "items", "type"), FIELD_TYPES) if items else "",
        )
        self._check_members(field, enum)
        return field

    def _limits(self, value: JsonObject, path: Path, kind: str) -> dict[str, Any]:
        """The limits of a value, or of each list item."""
        for keys, kinds, words in _LIMITED:
            for key in keys:
                if key in value and kind not in kinds:
                    self._fault((*path, key), f"{_dotted(path)}: a {key} is for {words} only")
        pattern = self._text(value, (*path, "pattern"))
        if pattern and (reason := pattern_fault(pattern)):
            self._fault((*path, "pattern"), f"{_dotted(path)}.pattern: {reason}")
        low, high = (self._number(value, (*path, key)) for key in ("minimum", "maximum"))
        if low is not None and high is not None and low > high:
            self._fault((*path, "maximum"), f"{_dotted(path)}: the maximum is below the minimum")
        return {
            "format": self._choice(value, (*path, "format"), FORMATS) if "format" in value else "",
            "pattern": pattern if not pattern_fault(pattern) else "",
            "minimum": low,
            "maximum": high,
            "min_items": self._take(value, (*path, "minItems"), int, 0),
        }

    def _number(self, value: JsonObject, path: Path) -> float | None:
        found = value.get(str(path[-1]))
        if found is None or (isinstance(found, int | float) and not isinstance(found, bool)):
            return found
        self._fault(path, f"{_dotted(path)} must be a number")
        return None

    def _items(self, value: JsonObject, path: Path, kind: str) -> JsonObject:
        """The type of list items. The form in admin accepts one text or number each."""
        if "items" not in value:
            return {}
        items = self._mapping(value["items"], path, ITEM_KEYS)
        if kind != "array" or items.get("type") == "array":
            self._fault(path, f"{_dotted(path)} is for lists of single values only")
        return items

    def _check_values(self, parameter: Parameter, path: Path) -> None:
        self._check_members(parameter, (*path, "enum"))
        for key, value in (("default", parameter.default), ("example", parameter.example)):
            for error in value_errors(parameter, value) if value is not None else ():
                self._fault((*path, key), f"{key} of {error.name}: {error.message}")

    def _check_members(self, parameter: Parameter, path: Path) -> None:
        kind = parameter.items or ("string" if parameter.type == "array" else parameter.type)
        for index, member in enumerate(parameter.enum):
            if reason := type_fault(kind, member):
                self._fault((*path, index), f"enum of {parameter.name}: {reason}")

    def _mapping(self, value: Json, path: Path, keys: tuple[str, ...]) -> JsonObject:
        where = _dotted(path) or "the file"
        if not isinstance(value, dict):
            problem = f"{where} is missing" if value is None else f"{where} must be a mapping"
            self._fault(path, problem)
            return {}
        for key in value:
            if key not in keys:
                hint = get_close_matches(key, keys, 1)
                advice = f"did you mean {hint[0]}?" if hint else f"known are {', '.join(keys)}"
                self._fault((*path, key), f"unknown key {key[:60]!r} in {where}; {advice}")
        return value

    def _take(
        self, holder: JsonObject, path: Path, kind: type, default: Json, *, required: bool = False
    ) -> Json:
        """The value at ``path``, or ``default`` if it is absent, null or of the wrong type."""
        value = holder.get(str(path[-1]))
        if value is None:
            if required:
                self._fault(path, f"{_dotted(path)} is required")
            return default
        if not isinstance(value, kind):
            self._fault(path, f"{_dotted(path)} must be {_KINDS[kind]}")
            return default
        return value

    def _text(self, holder: JsonObject, path: Path, *, required: bool = False) -> str:
        value = str(self._take(holder, path, str, "", required=required))
        if required and not value.strip() and holder.get(str(path[-1])) is not None:
            self._fault(path, f"{_dotted(path)} must not be empty")
        limit = _LENGTHS.get(str(path[-1]))
        if limit and len(value) > limit:
            self._fault(path, f"{_dotted(path)} is longer than {limit} characters")
        return value

    def _texts(self, holder: JsonObject, path: Path) -> tuple[str, ...]:
        items = self._take(holder, path, list, [])
        for index, item in enumerate(items):
            if not isinstance(item, str):
                self._fault((*path, index), f"{_dotted(path)} must be a list of text")
        return tuple(item for item in items if isinstance(item, str))

    def _choice(self, holder: JsonObject, path: Path, choices: tuple[Choice, ...]) -> Choice:
        """One of ``choices``. Absent means the first."""
        value = self._text(holder, path)
        for choice in choices:
            if value == choice:
                return choice
        if value:
            self._fault(path, f"{_dotted(path)} must be one of {', '.join(choices)}, not {value[:60]!r}")
        return choices[0]

    def _fault(self, path: Path, message: str) -> None:
        self.faults.append(Fault(self.file, self.document.line(path), message))


def _dotted(path: Path) -> str:
    """``macro.parameters[2].type`` for messages, without the top key."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path[1:] or path)
    return "".join(steps).lstrip(".")
