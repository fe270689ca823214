"""From a checked text to executable calls: canonical names, defaults filled in, nesting resolved."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from research.errors import InvalidVerbs
from research.jsontext import Json, JsonObject
from research.verbs.catalogue import Catalogue, Effect, load_catalogue
from research.verbs.check import check_program
from research.verbs.parser import parse_all
from research.verbs.printer import print_call
from research.verbs.syntax import Call, MapValue, Symbol, Value


@dataclass(frozen=True)
class PlannedCall:
    """One call to execute. ``verb`` and ``arguments`` are canonical; ``text`` is the call as approved.

    In ``arguments`` a symbol is ``{"symbol": name}`` and a decimal is a text, so that it stays exact.
    """

    verb: str
    text: str
    arguments: JsonObject
    binding: str
    effect: Effect

    def as_json(self) -> JsonObject:
        return {
            "verb": self.verb,
            "text": self.text,
            "arguments": self.arguments,
            "binding": self.binding or None,
            "effect": self.effect,
        }


def planned_calls(text: str, catalogue: Catalogue | None = None) -> list[PlannedCall]:
    """The calls in execution order. A nested call comes before the call that uses it.

    Raises:
        InvalidVerbs: the text does not parse, or breaks a rule of the catalogue.
    """
    catalogue = catalogue or load_catalogue()
    calls, errors = parse_all(text)
    faults = [error.as_json() for error in errors]
    faults = faults or [fault.as_json() for fault in check_program(calls, catalogue)]
    if faults:
        raise InvalidVerbs(f"The verbs have {len(faults)} fault(s): {faults[0]['message']}", faults)
    taken = {name for call in calls for name in _names(call)}
    unused = (name for number in range(1, len(text) + 2) if (name := f"call_{number}") not in taken)
    return [_planned(call, catalogue) for outer in calls for call in _flat(outer, unused)]


def _flat(call: Call, unused: Iterator[str]) -> Iterator[Call]:
    """The nested calls, each bound to a symbol, then the call itself with these symbols."""
    args: list[tuple[str, Value]] = []
    for keyword, value in call.args:
        if isinstance(value, Call):
            inner = value if value.binding else replace(value, binding=next(unused))
            yield from _flat(inner, unused)
            value = Symbol(str(inner.binding))  # noqa: PLW2901
        args.append((keyword, value))
    yield replace(call, args=tuple(args))


def _names(call: Call) -> Iterator[str]:
    yield from filter(None, [call.binding])
    for _, value in call.args:
        if isinstance(value, Call):
            yield from _names(value)


def _planned(call: Call, catalogue: Catalogue) -> PlannedCall:
    verb = catalogue.verbs[call.name]
    found = {arg.name: _stored(arg.default) for arg in verb.args if arg.default is not None}
    for keyword, value in call.args:
        arg = verb.arg(keyword)
        if arg is not None:
            found[arg.name] = _stored(arg.meant(value))
    return PlannedCall(
        verb=verb.canonical,
        text=print_call(call),
        arguments=found,
        binding=call.binding or "",
        effect=verb.effect_of(call),
    )


def _stored(value: Value) -> Json:
    if isinstance(value, Symbol):
        return {"symbol": value.name}
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, MapValue):
        return {key: _stored(item) for key, item in value.entries}
    if isinstance(value, tuple):
        return [_stored(item) for item in value]
    return value
