"""Print calls in the one normal form: one call or comment per line. The output parses to the same calls.

The printer trusts nobody: a name that the grammar does not know, or a value that could not be read back, is refused.
"""

from collections.abc import Iterable
from decimal import Decimal

from research.verbs.syntax import (
    IDENT,
    LINE_BREAKS,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_INTEGER,
    MAX_NAME,
    MIN_INTEGER,
    Call,
    Comment,
    MapValue,
    Program,
    Symbol,
    Value,
)

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def print_program(program: Program | Iterable[Call | Comment]) -> str:
    """Print each item on its own line, with an empty line before a comment that follows a call.

    Raises:
        ValueError: as for ``print_call``.
    """
    items = program.items if isinstance(program, Program) else tuple(program)
    lines: list[str] = []
    for before, item in zip((None, *items), items, strict=False):
        if isinstance(item, Comment):
            lines += [""] if isinstance(before, Call) else []
            lines.append(print_comment(item))
        else:
            lines.append(print_call(item))
    return "".join(f"{line}\n" for line in lines)


def print_call(call: Call, *, depth: int = 1) -> str:
    """Print a call on one line.

    Raises:
        ValueError: a name or a value that the language cannot express.
    """
    parts = [f"{_name(call.domain)}.{_name(call.verb)}"]
    parts += [_entry(keyword, value, depth, reserved="as") for keyword, value in call.args]
    if call.binding is not None:
        parts.append(f":as @{_name(call.binding)}")
    return f"({' '.join(parts)})"


def print_comment(comment: Comment) -> str:
    """A comment on one line, whatever its text."""
    return f";; {comment_text(comment.text)}" if comment.text else ";;"


def comment_text(text: str) -> str:
    """The text with each line break replaced by a blank."""
    return LINE_BREAKS.sub(" ", text)


def escape_text(text: str) -> str:
    """The text for a quoted string. Other control characters stay, since the grammar allows them."""
    return text.translate(_ESCAPES)


def print_value(value: Value, *, depth: int = 0) -> str:
    """Print a value. Raises ValueError as ``print_call`` does."""
    if isinstance(value, str):
        return f'"{escape_text(value)}"'
    if value is None or isinstance(value, bool):
        return {None: "nil", True: "true", False: "false"}[value]
    if isinstance(value, int | Decimal):
        return _number(value)
    if isinstance(value, Symbol):
        return f"@{_name(value.name)}"
    return _nested(value, depth + 1)


def _nested(value: Call | MapValue | tuple[Value, ...], depth: int) -> str:
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Call):
        return print_call(value, depth=depth)
    if isinstance(value, MapValue):
        return "{" + " ".join(_entry(key, item, depth) for key, item in value.entries) + "}"
    return "[" + " ".join(print_value(item, depth=depth) for item in value) + "]"


def _entry(keyword: str, value: Value, depth: int, *, reserved: str = "") -> str:
    if keyword == reserved:
        raise ValueError(f":{keyword} is reserved for the binding")
    return f":{_name(keyword)} {print_value(value, depth=depth)}"


def _number(value: int | Decimal) -> str:
    if isinstance(value, int):
        if not MIN_INTEGER <= value <= MAX_INTEGER:
            raise ValueError("an integer beyond 64 bits")
        return str(value)
    if not value.is_finite():
        raise ValueError(f"{value} is not a number that can be written")
    text = format(value, "f")
    text = text if "." in text else f"{text}.0"
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of more than {MAX_DIGITS} characters")
    return text


def _name(name: str) -> str:
    if not IDENT.fullmatch(name) or len(name) > MAX_NAME:
        raise ValueError(f"{name[:MAX_NAME]!r} is not a name")
    return name
