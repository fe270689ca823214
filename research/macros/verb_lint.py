"""The verbs that a template makes of sample data, held against the catalogue; faults come back to the template's lines.

What is rendered has other lines than the template. So each call is preceded by a comment that names its line, which
the rendering keeps in place.
"""

import re
from difflib import SequenceMatcher

from research.errors import InvalidVerbs
from research.jsontext import JsonObject
from research.macros.tags import scan
from research.verbs.check import verb_faults
from research.verbs.render import render_verbs

_CALL = re.compile(r"^[ \t]*(\()[A-Za-z_][A-Za-z0-9_-]*\.", re.MULTILINE)
_MARK = ";; @line-"


def check_suggested_verbs(template: str, *, params: JsonObject, data: JsonObject) -> list[tuple[int, str]]:
    """Faults of the verbs for this data as (line in the template, reason). The template must compile."""
    try:
        text = render_verbs(_marked(template), params=params, data=data)
    except InvalidVerbs as error:
        return [(_likely_line(template, error.message), error.message)]
    lines = text.split("\n")
    return [(_marked_line(lines, fault["line"]), str(fault["message"])) for fault in verb_faults(text)]


def _marked(template: str) -> str:
    """The template with a comment before every call that stands first in its line."""
    plain = list(template)
    for tag in scan(template):
        plain[tag.start : tag.end] = (char if char == "\n" else " " for char in template[tag.start : tag.end])
    parts: list[str] = []
    end = 0
    for match in _CALL.finditer("".join(plain)):
        start = match.start(1)
        line = template.count("\n", 0, start) + 1
        parts += [template[end:start], f"\n{_MARK}{line}\n"]
        end = start
    return "".join((*parts, template[end:]))


def _marked_line(lines: list[str], line: int) -> int:
    """The template's line that the nearest comment above names."""
    above = reversed(lines[:line])
    return next((int(text[len(_MARK) :]) for text in above if text.startswith(_MARK)), 1)


def _likely_line(template: str, message: str) -> int:
    """Broken verbs cannot be traced by comments: the template's line that looks most like the one quoted."""
    quoted = message.split("\n")[1:2]
    if not quoted:
        return 1
    scores = [SequenceMatcher(None, line.strip(), quoted[0].strip()).ratio() for line in template.split("\n")]
    return scores.index(max(scores)) + 1
