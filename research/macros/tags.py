"""The tags of a Handlebars template with their places.

The template library tells no line numbers, so a template is read here a second time: where each tag is, what it calls
and which names it uses. What counts as a tag is exactly what counts in the library.
"""

import re
from bisect import bisect_right
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["print", "open", "inverse", "else", "close", "comment", "refused"]

_LONG_COMMENT = re.compile(r"\{\{~?!--.*?--~?\}\}", re.DOTALL)
_TRIPLE = re.compile(r"\{\{~?\{(.*?)\}~?\}\}", re.DOTALL)
_DOUBLE = re.compile(r"\{\{~?(.*?)~?\}\}", re.DOTALL)
BLOCKS = ("if", "unless", "each", "with")

_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'|true|false|-?\d+(\.\d+)?")


class TemplateFault(ValueError):
    """A template does not compile or render; ``line`` is 1-based within the template."""

    def __init__(self, line: int, message: str) -> None:
        self.line, self.message = line, message
        super().__init__(f"line {line}: {message}")


@dataclass(frozen=True)
class Call:
    """The contents of a tag: a path, or a helper with arguments. ``params`` are the names of ``as |item index|``."""

    name: str
    args: tuple[str, ...] = ()
    hash: tuple[tuple[str, str], ...] = ()
    params: tuple[str, ...] = ()

    @property
    def is_path(self) -> bool:
        return not self.args and not self.hash

    @property
    def arguments(self) -> tuple[str, ...]:
        return (*self.args, *(value for _, value in self.hash))


@dataclass(frozen=True)
class Tag:
    """One tag: ``body`` is its text without braces, ``~`` and the leading ``#``, ``^``, ``/`` or ``&``."""

    kind: Kind
    body: str
    line: int
    start: int
    end: int

    @property
    def call(self) -> Call:
        return parse_call(self.body)


@lru_cache(maxsize=64)
def scan(template: str) -> tuple[Tag, ...]:
    """All tags in order.

    Raises:
        TemplateFault: for a tag that is not closed.
    """
    newlines = [index for index, char in enumerate(template) if char == "\n"]
    return tuple(
        Tag(*_kind(body), line=bisect_right(newlines, start - 1) + 1, start=start, end=end)
        for start, end, body in _spans(template, newlines)
    )


def parse_call(body: str) -> Call:
    """Split ``name arg "text" (helper x) key=value as |item|`` into its parts; an empty body has an empty name."""
    params: tuple[str, ...] = ()
    if " as |" in body:
        body, names = body.split(" as |", 1)
        params = tuple(names.rstrip("|").split())
    words = _words(body)
    hashed = tuple(
        (key, value) for key, _, value in (word.partition("=") for word in words if _is_hash(word))
    )
    plain = [word for word in words if not _is_hash(word)]
    return Call(plain[0] if plain else "", tuple(plain[1:]), hashed, params)


def subexpression(word: str) -> Call | None:
    """The call inside ``(helper x)``, or None if the word is something else."""
    return parse_call(word[1:-1].strip()) if word.startswith("(") and word.endswith(")") else None


def paths(tag: Tag, helpers: Container[str]) -> list[str]:
    """The paths that a tag reads, without names of helpers and blocks, and without literals."""
    if tag.kind in ("comment", "close", "refused") or not tag.body:
        return []
    call = tag.call
    names = [] if tag.kind in ("open", "else") and call.name in BLOCKS else [call.name]
    if not call.is_path or call.name in helpers:
        names = []
    return [path for word in (*names, *call.arguments) for path in _word_paths(word)]


def _word_paths(word: str) -> list[str]:
    inner = subexpression(word)
    if inner is not None:
        return [path for argument in inner.arguments for path in _word_paths(argument)]
    return [] if _LITERAL.fullmatch(word) else [word]


def _spans(template: str, newlines: list[int]) -> Iterator[tuple[int, int, str]]:
    at = template.find("{{")
    begin = 0
    while at >= 0:
        end = at + 2
        if not _escaped(template, begin, at):
            match = _match(template, at)
            if match is None:
                raise TemplateFault(bisect_right(newlines, at - 1) + 1, "unclosed tag")
            end, body = match
            yield at, end, body
        begin, at = end, template.find("{{", end)


def _escaped(template: str, begin: int, at: int) -> bool:
    """One backslash escapes a tag. Two are a literal backslash and a tag."""
    before = template[begin:at]
    return len(before) - len(before.rstrip("\\")) == 1


def _match(template: str, at: int) -> tuple[int, str] | None:
    if template.startswith("{{{{", at):
        return at + 4, "{{"
    if re.match(r"\{\{~?!--", template[at : at + 6]):
        comment = _LONG_COMMENT.match(template, at)
        return (comment.end(), "!") if comment else None
    pattern = _TRIPLE if re.match(r"\{\{~?\{", template[at : at + 4]) else _DOUBLE
    found = pattern.match(template, at)
    return (found.end(), found[1].strip()) if found else None


def _kind(body: str) -> tuple[Kind, str]:
    if body.startswith("!"):
        return "comment", ""
    if body.startswith((">", "#>", "#*", "*", "{{")):
        return "refused", body
    if body == "else" or body.startswith("else "):
        return "else", body[4:].strip()
    kinds: dict[str, Kind] = {"#": "open", "^": "inverse", "/": "close", "&": "print"}
    kind = kinds.get(body[:1])
    return (kind, body[1:].strip()) if kind else ("print", body)


def _words(text: str) -> list[str]:
    """Split at blanks outside quotes, parentheses and brackets."""
    words: list[str] = []
    depth, quote, start = 0, "", 0
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char.isspace() and depth == 0:
            words.append(text[start:index])
            start = index + 1
        else:
            depth += (char in "([") - (char in ")]")
    return [word for word in (*words, text[start:]) if word]


def _is_hash(word: str) -> bool:
    return "=" in word and word[0] not in "\"'("
