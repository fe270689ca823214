"""A memo template: its sections in order, own words, and look.

A template is a small checked structure, not a programming language: whatever a person enters is either one of a few
words or text that is escaped like all other text.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from research.errors import InvalidParameters, ParamError
from research.jsontext import Json, JsonObject, canonical_json
from research.memo.blocks import Look

PARTS = (
    *(
        "summary",
        "report",
        "findings",
        "owners",
        "citations",
        "conflicts",
        "precedents",
        "methodology",
        "limitations",
    ),
    *("next_steps", "sources", "decision", "verbs", "terminology", "disclaimer"),
)
REQUIRED = ("summary", "limitations")
SHORT = ("summary", "limitations", "next_steps", "disclaimer")
TYPEFACES = ("serif", "sans")
SIZES = ("small", "normal", "large")
ACCENTS = ("ink", "blue", "green", "burgundy")
MAX_HEADING, MAX_WORDS, MAX_HEADER = 120, 2_000, 200


@dataclass(frozen=True)
class Part:
    """One section; the position in the list is its position in the memo. Empty words mean the defaults."""

    key: str
    heading: str = ""
    intro: str = ""
    closing: str = ""


@dataclass(frozen=True)
class Template:
    """``name`` and ``version`` identify a template. Version 0 is built in."""

    parts: tuple[Part, ...] = tuple(Part(key) for key in PARTS)
    header: str = ""
    disclaimer: str = ""
    look: Look = field(default_factory=Look)
    name: str = "standard"
    version: int = 0

    def as_values(self) -> JsonObject:
        """The stored form. ``read_template`` reads it."""
        parts = [
            {"key": part.key, "heading": part.heading, "intro": part.intro, "closing": part.closing}
            for part in self.parts
        ]
        look = {"typeface": self.look.typeface, "size": self.look.size, "accent": self.look.accent}
        return {
            "parts": parts,
            "header": self.header,
            "disclaimer": self.disclaimer,
            **look,
            "contents": self.look.contents,
        }

    @property
    def digest(self) -> str:
        """SHA-256 of the stored form."""
        return hashlib.sha256(canonical_json(self.as_values()).encode()).hexdigest()


def read_template(values: Json, *, name: str = "standard", version: int = 0) -> Template:
    """A template from stored or entered values; what is left out is as in the standard one.

    Raises:
        InvalidParameters: with every fault.
    """
    if not isinstance(values, dict):
        raise InvalidParameters([ParamError("template", "must be an object")])
    faults = list(_faults(values))
    if faults:
        raise InvalidParameters(faults)
    look = Look(
        typeface=values.get("typeface", "serif"),
        size=values.get("size", "normal"),
        accent=values.get("accent", "ink"),
        contents=values.get("contents", True),
    )
    template = Template(header=values.get("header", ""), disclaimer=values.get("disclaimer", ""), look=look)
    if "parts" in values:
        template = replace(template, parts=tuple(Part(**part) for part in values["parts"]))
    return replace(template, name=name, version=version)


def _faults(values: JsonObject) -> Iterator[ParamError]:
    known = {"parts", "header", "disclaimer", "typeface", "size", "accent", "contents"}
    for key in sorted(values.keys() - known):
        yield ParamError(key[:60], "is no value of a template", sorted(known))
    for key, allowed in (("typeface", TYPEFACES), ("size", SIZES), ("accent", ACCENTS)):
        if values.get(key, allowed[0]) not in allowed:
            yield ParamError(key, f"is not one of: {', '.join(allowed)}", list(allowed))
    if not isinstance(values.get("contents", True), bool):
        yield ParamError("contents", "must be true or false")
    yield from _text_faults("header", values.get("header", ""), MAX_HEADER)
    yield from _text_faults("disclaimer", values.get("disclaimer", ""), MAX_WORDS)
    if "parts" in values:
        yield from _part_faults(values["parts"])


def _part_faults(parts: Json) -> Iterator[ParamError]:
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        yield ParamError("parts", "must be a list of objects")
        return
    keys = [part.get("key") for part in parts]
    for key in keys:
        if key not in PARTS:
            yield ParamError("parts", f"{str(key)[:60]!r} is no section", list(PARTS))
        elif keys.count(key) > 1:
            yield ParamError("parts", f"{key} stands more than once")
    for key in REQUIRED:
        if key not in keys:
            yield ParamError("parts", f"{key} is missing: no memo goes without it")
    for part in parts:
        for name in sorted(part.keys() - {"key", "heading", "intro", "closing"}):
            yield ParamError(f"parts.{name[:60]}", "is no value of a section")
        for name, limit in (("heading", MAX_HEADING), ("intro", MAX_WORDS), ("closing", MAX_WORDS)):
            yield from _text_faults(f"{part.get('key')}.{name}", part.get(name, ""), limit)


def _text_faults(name: str, value: Json, limit: int) -> Iterator[ParamError]:
    if not isinstance(value, str):
        yield ParamError(name, "must be text")
    elif len(value) > limit:
        yield ParamError(name, f"has {len(value)} characters; at most {limit}")
