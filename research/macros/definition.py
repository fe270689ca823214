"""A parsed macro, with defaults filled in. Immutable."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from research.jsontext import Json, JsonObject

Review: TypeAlias = Literal["required", "optional", "none"]

Reach: TypeAlias = Literal["strict", "open"]
Workflow: TypeAlias = Literal["direct", "deep", "entity", "legal", "table"]

PARAMETER_TYPES = ("string", "integer", "number", "boolean", "array", "object")
FIELD_TYPES = PARAMETER_TYPES[:-1]  # fields of an object cannot be objects
FORMATS = ("date", "date-or-year", "lei", "jurisdiction")  # the last three are Dossier's own
REVIEWS: tuple[Review, ...] = ("required", "optional", "none")
REACHES: tuple[Reach, ...] = ("strict", "open")
WORKFLOWS: tuple[Workflow, ...] = ("direct", "deep", "entity", "legal", "table")
DEFAULT_VERSION = "1.0"


@dataclass(frozen=True)
class Parameter:
    """A declared parameter. ``default`` only counts if ``has_default``, because null is a valid default.

    ``enum`` limits the value itself, or each item when the type is array. An object may declare ``fields``, each
    like a parameter; it then has no others. ``title`` and ``items`` (the type of a list's items) are of fields only.
    ``format``, ``pattern``, ``minimum`` and ``maximum`` limit like ``enum`` the value, or each item of a list.
    """

    name: str
    type: str = "string"
    required: bool = False
    description: str = ""
    default: Json = None
    has_default: bool = False
    enum: tuple[Json, ...] = ()
    example: Json = None
    fields: tuple["Parameter", ...] = ()
    title: str = ""
    format: str = ""
    items: str = ""
    pattern: str = ""
    minimum: float | None = None
    maximum: float | None = None
    min_items: int = 0

    def within(self, name: str) -> "Parameter":
        """The same parameter as a part of ``name``: ``timeRange.from``."""
        return replace(self, name=f"{name}.{self.name}")

    def field(self, name: str) -> "Parameter | None":
        return next((part for part in self.fields if part.name == name), None)


@dataclass(frozen=True)
class MacroDefinition:
    """One macro file. ``text`` is the YAML exactly as it was written.

    ``writes`` names those of its ``tools`` that may change entity memory before a person has decided: the model is
    offered no other tool that writes. ``reach`` open lets it ask for addresses that nobody gave and no page had.
    ``follow`` says how a refresh finds an entity whose name no longer leads to it: the parameter that takes an
    identifier, and the JSON Pointers at which an approved answer may hold it.
    """

    name: str
    version: str
    description: str
    parameters: tuple[Parameter, ...]
    tools: tuple[str, ...]
    prompt: str
    schema_name: str
    schema: JsonObject = field(repr=False)
    review: Review
    suggested_verbs: str
    tags: tuple[str, ...]
    workflow: Workflow = "direct"
    writes: tuple[str, ...] = ()
    reach: Reach = "strict"
    follow: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    text: str = field(repr=False, default="")

    def parameter(self, name: str) -> Parameter | None:
        return next((parameter for parameter in self.parameters if parameter.name == name), None)
