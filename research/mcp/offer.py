"""What an agent is offered: a tool with a JSON Schema, behind permissions of the person it acts for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from jsonschema import Draft202012Validator

from research.jsontext import JsonObject
from research.services.access import Person

Call: TypeAlias = Callable[[JsonObject, Person], JsonObject]


@dataclass(frozen=True)
class Offer:
    """``call`` gets arguments that fit ``parameters`` (JSON Schema) and gives ``{success, ...}``."""

    name: str
    description: str
    parameters: JsonObject
    permissions: tuple[str, ...]
    call: Call
    writes: bool = False

    @cached_property
    def validator(self) -> Draft202012Validator:
        return Draft202012Validator(self.parameters)
