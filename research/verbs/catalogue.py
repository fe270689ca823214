"""The meaning of each verb: catalogue.yaml, validated and frozen. Other verbs do not exist."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml
from jsonschema import Draft202012Validator

from research.jsontext import JsonObject
from research.verbs.syntax import Call, Value

Effect: TypeAlias = Literal["read", "write"]

FILE = Path(__file__).with_name("catalogue.yaml")
TYPES = ("string", "integer", "decimal", "boolean", "lei", "isin", "jurisdiction", "date", "day", "entity")


class CatalogueFault(ValueError):
    """The catalogue is invalid. The message names the verb and the fault."""


@dataclass(frozen=True)
class Arg:
    """One argument. ``allowed`` limits its values, ``synonyms`` maps other spellings of a value to an allowed one."""

    name: str
    type: str
    required: bool = False
    default: Value = None
    allowed: tuple[str, ...] = ()
    synonyms: Mapping[str, str] = field(default_factory=dict)
    minimum: int | None = None
    maximum: int | None = None
    max_length: int | None = None
    description: str = ""

    def meant(self, value: Value) -> Value:
        """The value with synonyms replaced by the allowed value."""
        return self.synonyms.get(value, value) if isinstance(value, str) else value


@dataclass(frozen=True)
class Verb:
    """One verb. An alias has the arguments of the verb it stands for, under its own names too (``arg_map``)."""

    name: str
    description: str
    effect: Effect
    args: tuple[Arg, ...]
    returns: str
    returns_description: str = ""
    one_of: tuple[tuple[str, ...], ...] = ()
    exclusive: tuple[tuple[str, ...], ...] = ()
    read_when: str = ""
    alias_of: str = ""
    arg_map: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def canonical(self) -> str:
        """The name of the verb that is executed."""
        return self.alias_of or self.name

    @property
    def keywords(self) -> list[str]:
        """All keywords that may be written."""
        return [*(arg.name for arg in self.args), *self.arg_map]

    def arg(self, keyword: str) -> Arg | None:
        """The argument that a keyword means."""
        name = self.arg_map.get(keyword, keyword)
        return next((arg for arg in self.args if arg.name == name), None)

    def effect_of(self, call: Call) -> Effect:
        """The effect of this call. A dry run of a write verb only reads."""
        return "read" if self.read_when and call.get(self.read_when) is True else self.effect


@dataclass(frozen=True)
class Catalogue:
    """All verbs by name, aliases included."""

    verbs: Mapping[str, Verb]

    def __iter__(self) -> Iterator[Verb]:
        return iter(self.verbs.values())

    def resolve(self, name: str) -> Verb | None:
        """The verb of this name or alias, or None."""
        return self.verbs.get(name)

    def nearest(self, name: str) -> list[str]:
        """Up to three similar names, best first."""
        return get_close_matches(name, self.verbs, n=3, cutoff=0.5)


@cache
def load_catalogue() -> Catalogue:
    """The catalogue of this release, cached."""
    return read_catalogue(FILE.read_text(encoding="utf-8"))


def read_catalogue(text: str) -> Catalogue:
    """Build a catalogue from YAML.

    Raises:
        CatalogueFault: the first fault, with the verb's name.
    """
    entries = yaml.safe_load(text)
    error = next(iter(sorted(_SCHEMA.iter_errors(entries), key=lambda e: list(map(str, e.path)))), None)
    if error:
        raise CatalogueFault(f"{'.'.join(map(str, error.path)) or 'catalogue'}: {error.message[:300]}")
    own = {name: _verb(name, entry) for name, entry in entries.items() if "alias_of" not in entry}
    aliases = {name: _alias(name, entry, own) for name, entry in entries.items() if "alias_of" in entry}
    for verb in (*own.values(), *aliases.values()):
        _check_verb(verb)
    return Catalogue({name: own.get(name) or aliases[name] for name in entries})


def _verb(name: str, entry: JsonObject) -> Verb:
    return Verb(
        name=name,
        description=entry["description"],
        effect=entry["effect"],
        args=tuple(Arg(**{**arg, "allowed": tuple(arg.get("allowed", ()))}) for arg in entry["args"]),
        returns=entry["returns"]["type"],
        returns_description=entry["returns"]["description"],
        one_of=tuple(map(tuple, entry.get("one_of", []))),
        exclusive=tuple(map(tuple, entry.get("exclusive", []))),
        read_when=entry.get("read_when", ""),
        arg_map=entry.get("arg_map", {}),
        refused=entry.get("refused", {}),
    )


def _alias(name: str, entry: JsonObject, own: Mapping[str, Verb]) -> Verb:
    target = own.get(entry["alias_of"])
    if target is None:
        raise CatalogueFault(f"{name}: there is no verb {entry['alias_of']} that it could stand for")
    return replace(
        target,
        name=name,
        description=f"Another name of {target.name}.",
        alias_of=target.name,
        arg_map={**target.arg_map, **entry.get("arg_map", {})},
        refused={**target.refused, **entry.get("refused", {})},
    )


def _check_verb(verb: Verb) -> None:
    names = [arg.name for arg in verb.args]
    if len(set(names)) < len(names):
        raise CatalogueFault(f"{verb.name}: an argument is declared twice")
    used = [*verb.arg_map.values(), *(name for group in (*verb.one_of, *verb.exclusive) for name in group)]
    if unknown := sorted(set(used) - set(names)):
        raise CatalogueFault(f"{verb.name}: {unknown[0]} is not one of its arguments")
    if clash := sorted({*verb.arg_map, *verb.refused} & set(names)):
        raise CatalogueFault(f"{verb.name}: {clash[0]} is an argument and cannot be mapped or refused")
    flag = verb.arg(verb.read_when)
    if verb.read_when and (flag is None or flag.type != "boolean"):
        raise CatalogueFault(f"{verb.name}: read_when must name a boolean argument")
    for arg in verb.args:
        if arg.required and arg.default is not None:
            raise CatalogueFault(f"{verb.name}: {arg.name} is required and has a default")
        if not {*arg.synonyms.values()} <= {*arg.allowed}:
            raise CatalogueFault(f"{verb.name}: a synonym of {arg.name} means a value that is not allowed")
        if arg.allowed and arg.default is not None and arg.default not in arg.allowed:
            raise CatalogueFault(f"{verb.name}: the default of {arg.name} is not allowed")


def _object(properties: dict[str, Any], required: list[str]) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


_TEXT = {"type": "string", "minLength": 1}
_NAME = {"type": "string", "pattern": "^[a-z][a-z0-9-]*$", "not": {"const": "as"}}
_TEXTS = {"type": "object", "additionalProperties": _TEXT, "minProperties": 1}
_MAP = {**_TEXTS, "propertyNames": _NAME}

_GROUPS = {"type": "array", "items": {"type": "array", "items": _NAME, "minItems": 2}}

_ARG = _object(
    {
        "name": _NAME,
        "type": {"enum": list(TYPES)},
        "required": {"type": "boolean"},
        "default": {"type": ["string", "integer", "boolean"]},
        "allowed": {"type": "array", "items": _TEXT, "minItems": 1, "uniqueItems": True},
        "synonyms": _TEXTS,
        "minimum": {"type": "integer"},
        "maximum": {"type": "integer"},
        "max_length": {"type": "integer", "minimum": 1},
        "description": _TEXT,
    },
    ["name", "type", "description"],
)
_RETURNS = _object({"type": {"enum": ["entity", "record"]}, "description": _TEXT}, ["type", "description"])
_VERB = _object(
    {
        "description": _TEXT,
        "effect": {"enum": ["read", "write"]},
        "args": {"type": "array", "items": _ARG},
        "one_of": _GROUPS,
        "exclusive": _GROUPS,
        "read_when": _NAME,
        "arg_map": _MAP,
        "refused": _MAP,
        "returns": _RETURNS,
    },
    ["description", "effect", "args", "returns"],
)
_ALIAS = _object({"alias_of": _TEXT, "arg_map": _MAP, "refused": _MAP}, ["alias_of"])
_SCHEMA = Draft202012Validator(
    {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"pattern": r"^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$"},
        "additionalProperties": {
            "if": {"type": "object", "required": ["alias_of"]},
            "then": _ALIAS,
            "else": _VERB,
        },
    }
)
