"""Names in a template that nothing defines. Blocks change what a name means: inside ``{{#each funds}}`` only the
fields of a fund are in reach, and everything else is one ``../`` away.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from research.macros.shapes import Shape
from research.macros.tags import BLOCKS, Tag, TemplateFault, paths, scan, subexpression

LOOP_NAMES = ("index", "first", "last", "key")

_SEGMENT = re.compile(r"\[([^\]]*)\]|(\.\.|[^./\[\]]+)")


@dataclass
class _Frame:
    """One scope: the value that plain names refer to, and the names of ``as |item index|``."""

    shape: Shape
    is_loop: bool = False
    names: dict[str, Shape] = field(default_factory=dict)


@dataclass
class _Block:
    """An open block. Its frame applies to its body but not after ``else``; with ``^`` vice versa."""

    frame: _Frame | None
    in_body: bool
    is_inverse: bool


class _Undefined(Exception):
    """A path leads nowhere. The message says why."""


def undefined_names(template: str, root: Shape, helpers: Container[str]) -> list[TemplateFault]:
    """Every path without a definition in ``root``. The template must compile."""
    blocks: list[_Block] = []
    faults: list[TemplateFault] = []
    for tag in scan(template):
        if tag.kind == "else":
            blocks[-1].in_body = blocks[-1].is_inverse
        frames = [_Frame(root), *(block.frame for block in blocks if block.frame and block.in_body)]
        faults += [TemplateFault(tag.line, reason) for reason in _reasons(tag, frames, helpers)]
        if tag.kind in ("open", "inverse"):
            blocks.append(_Block(_frame(tag, frames), tag.kind == "open", tag.kind == "inverse"))
        elif tag.kind == "close":
            blocks.pop()
    return faults


def _reasons(tag: Tag, frames: Sequence[_Frame], helpers: Container[str]) -> Iterator[str]:
    for path in paths(tag, helpers):
        try:
            _resolve(path, frames)
        except _Undefined as error:
            yield str(error)


def _frame(tag: Tag, frames: Sequence[_Frame]) -> _Frame | None:
    """The scope of a block. ``if``, ``unless`` and sections on booleans have none."""
    call = tag.call
    if call.name in ("if", "unless"):
        return None
    shape = _shape(call.args[0] if call.name in BLOCKS else call.name, frames)
    is_section = call.name not in BLOCKS
    if is_section and shape.types == {"boolean"}:
        return None
    is_loop = call.name == "each" or (is_section and "array" in shape.types)
    inner = shape.items() if is_loop else shape
    return _Frame(inner, is_loop, dict(zip(call.params, (inner, Shape()), strict=False)))


def _shape(word: str, frames: Sequence[_Frame]) -> Shape:
    try:
        return Shape() if subexpression(word) else _resolve(word, frames)
    except _Undefined:
        return Shape()  # reported with the tag's own paths


def _resolve(path: str, frames: Sequence[_Frame]) -> Shape:
    is_data = path.startswith("@")
    steps = [match[1] if match[2] is None else match[2] for match in _SEGMENT.finditer(path.lstrip("@"))]
    climb = steps.count("..")
    if climb >= len(frames):
        raise _Undefined(f"{path} climbs out of the template: it stands in {len(frames) - 1} nested blocks")
    frames, steps = frames[: len(frames) - climb], steps[climb:]
    if is_data:
        return _data(path, steps, frames)
    start = None if climb or not steps else _block_name(steps[0], frames)
    shape, rest = (frames[-1].shape, steps) if start is None else (start, steps[1:])
    for position, step in enumerate(rest):
        found = shape if step == "this" else shape.child(step)
        if found is None:
            raise _Undefined(_advice(path, step, shape, frames[:-1] if position == 0 and not climb else ()))
        shape = found
    return shape


def _data(path: str, steps: Sequence[str], frames: Sequence[_Frame]) -> Shape:
    if steps and steps[0] == "root":
        return _resolve(".".join(steps[1:]) or "this", frames[:1])
    if len(steps) == 1 and steps[0] in LOOP_NAMES:
        if any(frame.is_loop for frame in frames):
            return Shape()
        raise _Undefined(f"{path} has a value only inside #each")
    raise _Undefined(f"{path} is not known; there are @root, @{', @'.join(LOOP_NAMES)}")


def _block_name(name: str, frames: Sequence[_Frame]) -> Shape | None:
    return next((frame.names[name] for frame in reversed(frames) if name in frame.names), None)


def _advice(path: str, step: str, shape: Shape, outer: Sequence[_Frame]) -> str:
    for climb, frame in enumerate(reversed(outer), start=1):
        if frame.shape.child(step) is not None:
            return f"{path} is not defined inside this block; write {'../' * climb}{path}"
    nearest = get_close_matches(step, shape.names, 1)
    if nearest:
        return f"{path} is not defined; did you mean {nearest[0]}?"
    return f"{path} is not defined: neither a parameter nor a field of the schema in reach here"
