"""Text from registers, models and people, made fit to be stored and to be shown."""

import math
import unicodedata
from typing import Any

# Marks that turn the direction of what follows; a name may hold them to look like another one.
_TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C])


def storable(value: Any) -> Any:
    """A value without what PostgreSQL refuses: NUL, lone surrogates, infinite numbers."""
    if isinstance(value, str):
        return value if value.isascii() and "\0" not in value else storable_text(value)
    if isinstance(value, dict):
        return {storable_text(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def storable_text(text: str) -> str:
    """A text without NUL and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def one_line(text: str) -> str:
    """A text to be drawn: one line, without control characters and without marks that turn its direction."""
    kept = (" " if char.isspace() else char for char in text.translate(_TURNING))
    return " ".join("".join(char for char in kept if unicodedata.category(char) != "Cc").split())


def width(char: str) -> int:
    """How many columns a character takes: 0 for what is written over another, 2 for a wide one."""
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut_in_the_middle(text: str, columns: int) -> str:
    """One line of at most so many columns. A long one keeps its start and its end: names often differ there alone."""
    text = one_line(text)
    if sum(map(width, text)) <= columns:
        return text
    tail = _columns(text[::-1], (columns - 1) * 2 // 5)[::-1]
    head = _columns(text, columns - 1 - sum(map(width, tail)))
    return f"{head.rstrip()}…{tail.lstrip()}"


def _columns(text: str, columns: int) -> str:
    taken = 0
    for place, char in enumerate(text):
        taken += width(char)
        if taken > columns:
            return text[:place]
    return text


def counted(number: int, noun: str) -> str:
    """``1 turn``, ``2 turns``."""
    return f"{number} {noun}{'s' * (number != 1)}"
