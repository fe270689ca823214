"""Check the verbs that a template makes of sample data. Faults are reported by the template's lines.

What is rendered has other lines than the template. So each call is preceded by a comment that names its line, which
the rendering keeps in place.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from research.errors import InvalidVerbs
from research.jsontext import JsonObject
from research.macros.tags import scan
from research.verbs.check import verb_faults
from research.verbs.render import render_verbs

_CALL = re.compile(r"^[ \t]*(\()[A-Za-z_][A-Za-z0-9_-]*\.", re.MULTILINE)
_MARK = ";; @line-"
_MISSING = re.compile(r"\S+ needs (?:one of )?(:.*)")


@dataclass(frozen=True, order=True)
class TemplateVerbFault:
    """``line`` is a line of the template."""

    line: int
    message: str
    level: str = "error"


def check_suggested_verbs(template: str, *, params: JsonObject, data: JsonObject) -> list[TemplateVerbFault]:
    """Faults of the verbs that the template makes of this data. The template must compile.

    A needed argument that the template does give, if only the data has a value for it, is a warning: the person who
    reviews such a result will see the fault then.
    """
    try:
        text = render_verbs(_marked(template), params=params, data=data)
    except InvalidVerbs as error:
        return [TemplateVerbFault(_likely_line(template, error.message), error.message)]
    lines = text.split("\n")
    return [
        _fault(template, _marked_line(lines, fault["line"]), fault["message"]) for fault in verb_faults(text)
    ]


def _fault(template: str, line: int, message: str) -> TemplateVerbFault:
    missing = _MISSING.match(message)
    # the call up to the next one
    rest = template.split("\n")[line - 1 :]
    end = next((index for index, text in enumerate(rest[1:], start=1) if _CALL.match(text)), len(rest))
    given = re.findall(r":[A-Za-z_][A-Za-z0-9_-]*", "\n".join(rest[:end]))
    excused = missing is not None and not set(missing[1].split(", ")).isdisjoint(given)
    return TemplateVerbFault(line, message, "warning" if excused else "error")


def _marked(template: str) -> str:
    """The template with a comment before every call at the start of a line."""
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
    """The template's line from the nearest comment above."""
    above = reversed(lines[:line])
    return next((int(text[len(_MARK) :]) for text in above if text.startswith(_MARK)), 1)


def _likely_line(template: str, message: str) -> int:
    """Broken verbs have no comments: use the most similar line of the template."""
    quoted = message.split("\n")[1:2]
    if not quoted:
        return 1
    scores = [SequenceMatcher(None, line.strip(), quoted[0].strip()).ratio() for line in template.split("\n")]
    return scores.index(max(scores)) + 1
