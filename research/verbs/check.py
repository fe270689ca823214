"""Check a parsed program against the catalogue: verbs and arguments. Executes and looks up nothing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from research.jsontext import JsonObject
from research.verbs.catalogue import Catalogue, Verb, load_catalogue
from research.verbs.parser import parse_all
from research.verbs.syntax import Call, MapValue, Place, Program, Symbol, Value
from research.verbs.values import fault_of


@dataclass(frozen=True, order=True)
class VerbFault:
    """One fault at its place; line and column are 1-based."""

    line: int
    column: int
    message: str

    def as_json(self) -> JsonObject:
        return {"line": self.line, "column": self.column, "message": self.message}


def check_program(program: Program | Iterable[Call], catalogue: Catalogue | None = None) -> list[VerbFault]:
    """All faults of a program by the catalogue, in the order of the text."""
    calls = program.calls if isinstance(program, Program) else tuple(program)
    return sorted(set(_Checker(catalogue or load_catalogue(), _bindings(calls)).faults(calls)))


def verb_faults(text: str, catalogue: Catalogue | None = None) -> list[JsonObject]:
    """The faults of a text as ``[{line, column, message}]``: syntax faults, else faults by the catalogue."""
    calls, errors = parse_all(text)
    if errors:
        return [error.as_json() for error in errors]
    return [fault.as_json() for fault in check_program(calls, catalogue)]


@dataclass
class _Checker:
    catalogue: Catalogue
    later: dict[str, Call]
    """Where each symbol of the program is bound first."""
    bound: dict[str, tuple[Call, Verb | None]] = field(default_factory=dict)
    """The symbols bound so far."""

    def faults(self, calls: Iterable[Call]) -> Iterator[VerbFault]:
        for call in calls:
            yield from self.call(call)

    def call(self, call: Call) -> Iterator[VerbFault]:
        verb = self.catalogue.resolve(call.name)
        if verb is None:
            yield _fault(
                call.place, f"there is no verb {call.name}{_perhaps(self.catalogue.nearest(call.name))}"
            )
        for (keyword, value), place in zip(call.args, _places(call), strict=True):
            yield from self.value(value, place)
            if verb is not None:
                yield from self.argument(verb, keyword, value, place)
        if verb is not None:
            yield from _duplicates(verb, call)
            yield from _missing(verb, call)
            written = {verb.arg_map.get(keyword, keyword): keyword for keyword, _ in call.args}
            for group in verb.exclusive:
                given = [f":{written[name]}" for name in group if name in written]
                if len(given) > 1:
                    yield _fault(call.place, f"{verb.name} takes only one of {', '.join(given)}")
        if call.binding is not None:
            yield from self.binding(call, verb)

    def argument(self, verb: Verb, keyword: str, value: Value, place: Place) -> Iterator[VerbFault]:
        arg = verb.arg(keyword)
        if keyword in verb.refused:
            yield _fault(place, f"{verb.name} refuses :{keyword}. {verb.refused[keyword]}")
        elif arg is None:
            yield _fault(
                place,
                f"{verb.name} has no argument :{keyword}; it has {', '.join(map(':{}'.format, verb.keywords))}",
            )
        elif reason := fault_of(arg, value):
            yield _fault(place, f":{keyword} of {verb.name} {reason}")
        elif arg.type == "entity":
            yield from self.entity(keyword, value, place)

    def entity(self, keyword: str, value: Value, place: Place) -> Iterator[VerbFault]:
        """A symbol or call used as an entity must come from a verb that returns one."""
        if isinstance(value, Symbol) and value.name in self.bound:
            call, verb = self.bound[value.name]
        elif isinstance(value, Call):
            call, verb = value, self.catalogue.resolve(value.name)
        else:
            return
        if verb is not None and verb.returns != "entity":
            yield _fault(place, f":{keyword} needs an entity, and {call.name} returns none")

    def value(self, value: Value, place: Place) -> Iterator[VerbFault]:
        """Check nested calls, and symbols, which must be bound earlier."""
        if isinstance(value, Call):
            yield from self.call(value)
        elif isinstance(value, Symbol) and value.name not in self.bound:
            yield _fault(place, _unbound(value, self.later.get(value.name)))
        elif isinstance(value, tuple | MapValue):
            for item in value if isinstance(value, tuple) else (item for _, item in value.entries):
                yield from self.value(item, place)

    def binding(self, call: Call, verb: Verb | None) -> Iterator[VerbFault]:
        name = str(call.binding)
        if name in self.bound:
            first = self.bound[name][0]
            yield _fault(call.place, f"@{name} is bound twice, first in line {first.line}")
        self.bound.setdefault(name, (call, verb))


def _duplicates(verb: Verb, call: Call) -> Iterator[VerbFault]:
    seen: dict[str, str] = {}
    for (keyword, _), place in zip(call.args, _places(call), strict=True):
        name = verb.arg_map.get(keyword, keyword)
        if name in seen:
            same = "" if seen[name] == keyword else f", as :{seen[name]}"
            yield _fault(place, f":{keyword} of {verb.name} is given twice{same}")
        seen[name] = keyword


def _missing(verb: Verb, call: Call) -> Iterator[VerbFault]:
    given = {verb.arg_map.get(keyword, keyword) for keyword, _ in call.args}
    for arg in verb.args:
        if arg.required and arg.name not in given:
            yield _fault(call.place, f"{verb.name} needs :{arg.name}")
    for group in verb.one_of:
        if not given.intersection(group):
            yield _fault(call.place, f"{verb.name} needs one of {', '.join(map(':{}'.format, group))}")


def _bindings(calls: Iterable[Call]) -> dict[str, Call]:
    found: dict[str, Call] = {}
    for call in calls:
        found.update({name: at for name, at in _bindings(_inner(call)).items() if name not in found})
        if call.binding is not None:
            found.setdefault(call.binding, call)
    return found


def _inner(value: Value) -> Iterator[Call]:
    """The calls directly inside a value."""
    items: Iterable[Value] = ()
    if isinstance(value, Call):
        items = (item for _, item in value.args)
    elif isinstance(value, MapValue):
        items = (item for _, item in value.entries)
    elif isinstance(value, tuple):
        items = value
    for item in items:
        if isinstance(item, Call):
            yield item
        else:
            yield from _inner(item)


def _places(call: Call) -> tuple[Place, ...]:
    """The places of the arguments. A call that was not parsed has only its own place."""
    return call.places if len(call.places) == len(call.args) else (call.place,) * len(call.args)


def _unbound(symbol: Symbol, later: Call | None) -> str:
    return f"{symbol} is used before it is bound, in line {later.line}" if later else f"{symbol} is not bound"


def _perhaps(names: list[str]) -> str:
    return f"; perhaps {' or '.join(names)}?" if names else ""


def _fault(place: Place, message: str) -> VerbFault:
    return VerbFault(place.line, place.column, message)
