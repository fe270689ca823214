"""JSON from outside, read with a bound on its nesting.

Python's parser calls itself for every bracket. How deep it can go depends on the version of Python, the thread and what
called it, and whoever walks through the value afterwards fails earlier still. So the brackets are counted first.
"""

import json
import re
from typing import Any

MAX_DEPTH = 100
MAX_ENVELOPE = 20  # levels that a protocol may put around a value that is itself as deep as MAX_DEPTH
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)


class TooDeep(ValueError):
    """The text has more brackets inside each other than are read; ``line`` is 1-based."""

    def __init__(self, max_depth: int, line: int) -> None:
        self.message, self.line = f"nested deeper than {max_depth} levels", line
        super().__init__(self.message)


def load_json(text: str | bytes, *, max_depth: int = MAX_DEPTH, **hooks: Any) -> Any:
    """What ``json.loads`` gives, with its hooks.

    Raises:
        ValueError: it is no JSON; TooDeep when it may be, and is nested too deeply.
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    refuse_deep(text, max_depth)
    return json.loads(text, **hooks)


def refuse_deep(text: str, max_depth: int = MAX_DEPTH) -> None:
    """Raise TooDeep when brackets outside of strings stand deeper in each other than ``max_depth``."""
    if text.count("[") + text.count("{") <= max_depth:
        return
    depth = 0
    for mark in _MARKS.finditer(text):
        if mark[0] in "[{":
            depth += 1
            if depth > max_depth:
                raise TooDeep(max_depth, text.count("\n", 0, mark.start()) + 1)
        elif mark[0] in "]}":
            depth -= 1
