"""Handlebars templates, rendered without HTML escaping, strictly, and within bounds.

The library bounds neither time nor memory: three nested loops over a hundred items are a million rounds. So a template
reads lists and texts that charge a budget whenever they are walked or printed.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from dotpromptz_handlebars import Handlebars, HelperFn, HelperOptions, StrictModeError

from research.jsontext import Json, JsonObject
from research.macros import compilation, tags
from research.macros.definition import MacroDefinition
from research.macros.tags import TemplateFault

Helper: TypeAlias = Callable[..., Json]

MAX_CONTEXT_NODES = 200_000
MAX_OUTPUT = 1_000_000
MAX_ROUNDS = 10_000
MAX_COPIED = 50_000_000  # characters of template text that loops may copy


def slugify(value: Json = None) -> str:
    """Lower case, with one ``_`` for other characters: valid in the name of a symbol."""
    return re.sub(r"[^a-z0-9]+", "_", _as_text(value).lower()).strip("_")


def upper(value: Json = None) -> str:
    return _as_text(value).upper()


def lower(value: Json = None) -> str:
    return _as_text(value).lower()


def to_json(value: Json = None) -> str:
    """The value as JSON on one line, without escaping other scripts."""
    return json.dumps(value, ensure_ascii=False)


def equal(left: Json = None, right: Json = None) -> bool:
    """Equal in value and kind: 1 equals 1.0, but true does not equal 1."""
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


HELPERS: dict[str, Helper] = {
    "slugify": slugify,
    "upper": upper,
    "uppercase": upper,
    "lower": lower,
    "lowercase": lower,
    "json": to_json,
    "eq": equal,
}


def template_context(params: Mapping[str, Json], data: Mapping[str, Json] | None = None) -> JsonObject:
    """The context of every template: parameters and data together (data wins), and each under its own name."""
    return {**params, **(data or {}), "params": dict(params), "data": dict(data or {})}


def render(
    template: str,
    context: Mapping[str, Json],
    *,
    helpers: Mapping[str, Helper] = HELPERS,
    strict: bool = True,
) -> str:
    """Render ``template``. With ``strict`` a missing name is a fault instead of an empty text.

    Raises:
        TemplateFault: it does not compile, prints a missing name, or exceeds a limit.
    """
    budget = _Budget(len(template))
    try:
        engine = Handlebars(escape_fn="no_escape", strict=strict)
        engine.unregister_helper("log")  # prints to standard output
        engine.unregister_helper("lookup")  # its result cannot be linted
        for name, helper in helpers.items():
            engine.register_helper(name, _adapted(helper, budget))
        compiled = engine.compile(compilation.bounded(template))
        text = compiled(budget.count(dict(context)))
    except TemplateFault:
        raise
    except StrictModeError as error:
        raise TemplateFault(
            next((line for name, line in referenced_names(template) if name == error.path), 1),
            f"{error.path} is not defined",
        ) from None
    except (ValueError, TypeError, IndexError, RecursionError) as error:
        faults = template_faults(template, helpers=helpers)
        raise (faults[0] if faults else TemplateFault(1, str(error)[:300])) from None
    if len(text) > MAX_OUTPUT:
        raise TemplateFault(1, f"the text is longer than {MAX_OUTPUT:,} characters")
    return text


def render_prompt(definition: MacroDefinition, params: Mapping[str, Json]) -> str:
    """The macro's prompt with checked parameters; a parameter that was not given is null.

    Raises:
        TemplateFault: see ``render``.
    """
    declared: JsonObject = {parameter.name: None for parameter in definition.parameters}
    return render(definition.prompt, template_context({**declared, **params}))


def template_faults(template: str, *, helpers: Mapping[str, Helper] = HELPERS) -> list[TemplateFault]:
    """All faults that prevent compiling, with their lines."""
    return compilation.faults(template, helpers)


def referenced_names(template: str, *, helpers: Mapping[str, Helper] = HELPERS) -> list[tuple[str, int]]:
    """Every path that the template reads (``client_name``, ``this.lei``, ``../x``, ``@index``) with its line.

    Raises:
        TemplateFault: for a tag that is not closed.
    """
    return [(path, tag.line) for tag in tags.scan(template) for path in tags.paths(tag, helpers)]


def _as_text(value: Json) -> str:
    return "" if value is None else to_json(value) if isinstance(value, bool) else str(value)


def _adapted(helper: Helper, budget: "_Budget") -> HelperFn:
    """A plain function with the signature of the library."""

    def call(args: list[Any], options: HelperOptions) -> Json:
        value = helper(*(getattr(arg, "raw", arg) for arg in args))
        if isinstance(value, str):
            budget.print(len(value))
        return value

    return call


class _Budget:
    """The budget of one rendering: loops pay per iteration, printed text per character."""

    def __init__(self, template_size: int) -> None:
        self.nodes = self.rounds = self.printed = 0
        self.max_rounds = min(MAX_ROUNDS, MAX_COPIED // max(template_size, 1))

    def loop(self, rounds: int) -> None:
        self.rounds += rounds
        if self.rounds > self.max_rounds:
            raise TemplateFault(1, f"its loops take more than {self.max_rounds:,} rounds")

    def print(self, characters: int) -> None:
        self.printed += characters
        if self.printed > MAX_OUTPUT:
            raise TemplateFault(1, f"the text is longer than {MAX_OUTPUT:,} characters")

    def count(self, value: Json) -> Json:
        """``value`` in containers that charge this budget. ``raw`` is the original value."""
        self.nodes += 1
        if self.nodes > MAX_CONTEXT_NODES:
            raise TemplateFault(1, f"the data has more than {MAX_CONTEXT_NODES:,} values")
        counted: _List | _Object | _Text
        if isinstance(value, str):
            counted = _Text(value)
        elif isinstance(value, list | tuple):
            counted = _List(self.count(item) for item in value)
        elif isinstance(value, Mapping):
            counted = _Object({key: self.count(item) for key, item in value.items()})
        else:
            return value
        counted.budget, counted.raw = self, value
        return counted


class _List(list[Json]):
    budget: _Budget
    raw: Json

    def __iter__(self) -> Iterator[Json]:
        self.budget.loop(len(self))
        return super().__iter__()


class _Object(dict[str, Json]):
    budget: _Budget
    raw: Json

    def items(self) -> Any:
        self.budget.loop(len(self))
        self.budget.print(sum(map(len, self)))
        return super().items()


class _Text(str):
    budget: _Budget
    raw: Json

    def __str__(self) -> str:
        self.budget.print(len(self))
        return str.__str__(self)
