"""The syntax tree of verbs. Values are plain Python: str, bool, None, int, Decimal, tuple for a list."""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple, TypeAlias, Union

from research.jsontext import Json, JsonObject

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 64
MAX_NAME = 100
MAX_DIGITS = 100
MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 1

IDENT = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

# Characters that some program reads as a line break. In a comment each becomes a blank; only \n ends it.
LINE_BREAKS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")

Value: TypeAlias = Union[str, bool, int, Decimal, "Symbol", "MapValue", "Call", tuple["Value", ...], None]


class Place(NamedTuple):
    """A place in a text: line and column are 1-based; columns count code points."""

    line: int
    column: int


class DslError(ValueError):
    """A syntax error. ``caret`` is the source line with a ``^`` under the place."""

    def __init__(self, message: str, line: int, column: int, caret: str = "") -> None:
        self.message, self.line, self.column, self.caret = message, line, column, caret
        super().__init__(f"line {line}, column {column}: {message}" + (f"\n{caret}" if caret else ""))

    def as_json(self) -> JsonObject:
        return {"line": self.line, "column": self.column, "message": self.message}


@dataclass(frozen=True)
class Symbol:
    """A reference to the output of an earlier call. The name has no ``@``."""

    name: str

    def __str__(self) -> str:
        return f"@{self.name}"


@dataclass(frozen=True)
class MapValue:
    """``{:key value …}`` in the order written."""

    entries: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class Call:
    """One call. ``places`` are those of the keywords, in the order of ``args``, and are not compared."""

    domain: str
    verb: str
    args: tuple[tuple[str, Value], ...] = ()
    binding: str | None = None
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)
    places: tuple[Place, ...] = field(default=(), compare=False, repr=False)

    @property
    def name(self) -> str:
        return f"{self.domain}.{self.verb}"

    @property
    def place(self) -> Place:
        return Place(self.line, self.column)

    def get(self, keyword: str) -> Value:
        """The value of the first argument with this name, or None."""
        return next((value for name, value in self.args if name == keyword), None)

    def as_json(self) -> JsonObject:
        """``{verb, args, binding, line, column}``."""
        args = {keyword: value_as_json(value) for keyword, value in self.args}
        place = {"line": self.line, "column": self.column}
        return {"verb": self.name, "args": args, "binding": self.binding, **place}


@dataclass(frozen=True)
class Comment:
    """The text after ``;;`` up to the end of the line, without the leading blank."""

    text: str


@dataclass(frozen=True)
class Program:
    """Calls and comments in order. A comment inside a call comes before that call."""

    items: tuple[Call | Comment, ...] = ()

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(item for item in self.items if isinstance(item, Call))


def value_as_json(value: Value) -> Json:
    """For display: symbols as ``"@name"``, calls as objects, decimals as numbers if a float is exact."""
    if isinstance(value, Decimal):
        number = float(value)
        return number if Decimal(repr(number)) == value else format(value, "f")
    if isinstance(value, Symbol):
        return str(value)
    if isinstance(value, Call):
        return value.as_json()
    if isinstance(value, MapValue):
        return {key: value_as_json(item) for key, item in value.entries}
    if isinstance(value, tuple):
        return [value_as_json(item) for item in value]
    return value
