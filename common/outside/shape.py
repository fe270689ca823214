"""Holding the JSON of a source against the shape that its parser reads.

A shape is a text, a line for each value: ``data[].attributes.lei: text``. ``[]`` stands behind a list, of which one
item that has the value will do, because sources leave out what one item or another has not. The types are text, number,
flag, list, object and any, several with a bar between; ``null`` says that the value may be that.
"""

from collections.abc import Iterator, Mapping
from typing import Any

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "text": str,
    "number": (int, float),
    "flag": bool,
    "list": list,
    "object": dict,
    "null": type(None),
    "any": object,
}
LOOKED_AT = 50  # items of one list


def misfits(document: Any, shape: str) -> list[str]:
    """What a parser would look for in vain, in words: ``data[0].attributes.lei is missing``. Each once."""
    found: dict[str, None] = {}
    for path, types in lines(shape):
        steps = path.replace("[]", ".[]").removeprefix(".").split(".")
        found[_problem(document, steps, types, "")] = None
    return list(filter(None, found))


def lines(shape: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The paths of a shape with the types that each may have."""
    for line in filter(None, map(str.strip, shape.splitlines())):
        path, _, types = line.rpartition(": ")
        yield path, tuple(types.split("|"))


def _problem(value: Any, steps: list[str], types: tuple[str, ...], place: str) -> str:
    """Why the value below ``steps`` is not there or not of its type; "" when it is as it should be."""
    step, rest = (steps[0], steps[1:]) if steps else ("", [])
    wanted = types if not steps else ("list",) if step == "[]" else ("object",)
    if not any(_is(value, each) for each in wanted):
        belongs = " or ".join(each for each in wanted if each != "null")
        return f"{place or 'the answer'} is {_name(value)}, where {belongs} belongs"
    if not steps:
        return ""
    if step != "[]":
        here = f"{place}.{step}" if place else step
        return _problem(value[step], rest, types, here) if step in value else f"{here} is missing"
    told = [_problem(item, rest, types, f"{place}[{n}]") for n, item in enumerate(value[:LOOKED_AT])]
    nothing = f"{place or 'the answer'} is an empty list, so its items cannot be looked at"
    return "" if "" in told else told[0] if told else nothing


def _is(value: Any, type_: str) -> bool:
    if isinstance(value, bool):
        return type_ in ("flag", "any")
    return isinstance(value, _TYPES[type_])


def _name(value: Any) -> str:
    """The type of a value in the words of a shape."""
    return next(name for name in _TYPES if _is(value, name))
