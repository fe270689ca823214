"""Refuse regular expressions that may run forever: Python's engine backtracks and cannot be interrupted.

``^(a+)+$`` doubles its time with every further character. A repetition is refused when what it repeats can match the
same text in more than one way: a quantifier inside, or alternatives that may begin alike. Allowed is the usual list
form, ``^[A-Z]+(-[A-Z]+)*$``, where each round begins or ends with a separator that the rest cannot match.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_PATTERN = 500
MANY = 10  # a group with fewer repetitions cannot explode

_ATOM = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\]", re.DOTALL)
_QUANTIFIER = re.compile(r"([*+?]|\{(\d*)(,?)(\d*)\})[?+]?")
_OPENING = re.compile(r"\((?:\?(?:P<\w+>|P=\w+|[aiLmsux-]*:|<?[=!]|#[^)]*|\(\w+\)|>|[aiLmsux]+(?=\))))?")

_ALIKE = "alternatives that may begin alike are repeated, which can take exponential time"
_NESTED = (
    "nested quantifiers can take exponential time; let each round begin with a separator, or repeat one class"
)


@dataclass
class _Group:
    """A group in parentheses: alternatives, each a list of quantified atoms and groups."""

    alternatives: list[list["_Piece"]] = field(default_factory=lambda: [[]])


@dataclass
class _Piece:
    content: "str | _Group"
    varies: bool = False
    many: bool = False


def pattern_fault(pattern: str) -> str:
    """Why the pattern is refused, or an empty text."""
    if len(pattern) > MAX_PATTERN:
        return f"the pattern is longer than {MAX_PATTERN} characters"
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        return f"not a regular expression: {error}"
    if re.search(r"\\[1-9]|\(\?P=", pattern):
        return "back references are refused: they can take exponential time"
    stack = [_Group()]
    at = 0
    while at < len(pattern):
        opening = _OPENING.match(pattern, at)
        if opening:
            stack.append(_Group())
            at = opening.end()
            continue
        atom = _ATOM.match(pattern, at)
        text = atom[0] if atom else pattern[at]
        at += len(text)
        if text == "|":
            stack[-1].alternatives.append([])
            continue
        content: str | _Group = text if text != ")" or len(stack) == 1 else stack.pop()
        piece, at = _quantified(pattern, at, content)
        stack[-1].alternatives[-1].append(piece)
    return _explosive(stack[0])


def _explosive(group: _Group) -> str:
    for piece in _pieces(group):
        if isinstance(piece.content, str):
            continue
        if piece.many and (reason := _ambiguous(piece.content)):
            return reason
        if reason := _explosive(piece.content):
            return reason
    return ""


def _ambiguous(group: _Group) -> str:
    """Why repeating this group is ambiguous, or an empty text."""
    if len(group.alternatives) > 1:
        return "" if _begin_apart(group) else _ALIKE
    pieces = group.alternatives[0]
    if not any(map(_varies, pieces)):
        return ""
    if _is_separator(pieces[0], pieces[1:]) or _is_separator(pieces[-1], pieces[:-1]):
        return ""
    return _NESTED


def _begin_apart(group: _Group) -> bool:
    """Every alternative is fixed text with a distinct first character."""
    starts = [_literal(pieces[0].content).lower() if pieces else "" for pieces in group.alternatives]
    fixed = not any(map(_varies, _pieces(group)))
    return fixed and all(starts) and len(set(starts)) == len(starts)


def _is_separator(piece: _Piece, rest: list[_Piece]) -> bool:
    char = _literal(piece.content)
    return bool(char) and not piece.varies and not any(_matches(other, char) for other in rest)


def _varies(piece: _Piece) -> bool:
    if piece.varies:
        return True
    if isinstance(piece.content, str):
        return False
    return len(piece.content.alternatives) > 1 or any(map(_varies, _pieces(piece.content)))


def _matches(piece: _Piece, char: str) -> bool:
    if isinstance(piece.content, _Group):
        return any(_matches(inner, char) for inner in _pieces(piece.content))
    return re.match(piece.content, char, re.IGNORECASE) is not None


def _literal(content: "str | _Group") -> str:
    """The single character that an atom matches. Empty for a class or a group."""
    if not isinstance(content, str):
        return ""
    if len(content) == 1:
        return "" if content in ".^$" else content
    return content[1:] if content[0] == "\\" and len(content) == 2 and not content[1].isalnum() else ""


def _pieces(group: _Group) -> Iterator[_Piece]:
    return (piece for alternative in group.alternatives for piece in alternative)


def _quantified(pattern: str, at: int, content: "str | _Group") -> tuple[_Piece, int]:
    found = _QUANTIFIER.match(pattern, at)
    if found is None or (found[1] not in "*+?" and not (found[2] or found[4])):
        return _Piece(content), at
    if found[1] in "*+?":
        return _Piece(content, varies=True, many=found[1] != "?"), found.end()
    low, high = found[2] or "0", found[4] if found[3] else found[2]
    return _Piece(content, varies=low != high, many=not high or int(high) >= MANY), found.end()
