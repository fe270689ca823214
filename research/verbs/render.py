"""Templates to verbs. A value from outside can only ever become a value.

A template is rendered with a token in the place of every value, never the value itself. The text so made has only what
the macro's author wrote, so it can be read token by token as the parser will read it, and each value is printed for
the place where it stands: inside a text, in a comment, in the name of a symbol, or as a value of its own.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from research.errors import InvalidVerbs
from research.jsontext import Json
from research.macros import tags
from research.macros.tags import TemplateFault
from research.macros.templates import HELPERS, MAX_OUTPUT, render, template_context, template_faults
from research.verbs.parser import parse
from research.verbs.printer import comment_text, escape_text, print_program, print_value
from research.verbs.syntax import IDENT, MAX_NAME, Call, Comment, DslError, MapValue, Program, Value

EMIT = "dsl-value"  # every printing tag is rewritten to call this helper

_PRIVATE = range(0xE000, 0xF900)
_PATH = re.compile(r"[\w@./\[\]-]+")


def render_verbs(template: str, *, params: Mapping[str, Json], data: Mapping[str, Json]) -> str:
    """The verbs that a template suggests for a document, in normal form: what is returned always parses.

    Arguments whose value is null, missing or ``""`` are left out with their keyword. Comments stay where they are.

    Raises:
        InvalidVerbs: the template is broken, or a value has no place where it was put; ``errors`` has the lines.
    """
    table = _Values(template)
    try:
        # Every printing tag ``{{x}}`` becomes a call of the helper that leaves a token: ``{{dsl-value x}}``.
        parts: list[str] = []
        end = 0
        for tag in tags.scan(template):
            parts.append(template[end : tag.start])
            source = template[tag.start : tag.end]
            parts.append(_emitting(tag, source) if tag.kind == "print" else _silent(tag, source))
            end = tag.end
        text = render(
            "".join((*parts, template[end:])),
            template_context(params, data),
            helpers={**HELPERS, EMIT: table.emit},
        )
        return print_program(_pruned(parse(_Filling(table).fill(text))))
    except TemplateFault as fault:
        found = template_faults(template) or [fault]
        errors = [{"line": item.line, "column": 1, "message": item.message} for item in found]
        raise InvalidVerbs(f"The verbs cannot be rendered: {found[0]}", errors) from None
    except DslError as error:
        raise InvalidVerbs(f"The rendered verbs are not sound: {error}", [error.as_json()]) from None
    except ValueError as error:
        message = str(error)
        raise InvalidVerbs(
            f"The verbs cannot be rendered: {message}", [{"line": 0, "column": 0, "message": message}]
        ) from None


def _emitting(tag: tags.Tag, source: str) -> str:
    if not tag.body:
        raise TemplateFault(tag.line, "a tag is empty")
    call = tag.call
    path = call.is_path and call.name not in HELPERS
    before = "~" if source.startswith("{{~") else ""
    after = "~" if source.endswith("~}}") else ""
    return "{{" + before + EMIT + " " + (tag.body if path else f"({tag.body})") + after + "}}"


def _silent(tag: tags.Tag, source: str) -> str:
    """A tag without output. A helper must not open a block: its result would be printed without a token."""
    if tag.kind in ("open", "inverse"):
        call = tag.call
        section = call.is_path and call.name not in HELPERS and _PATH.fullmatch(call.name)
        if call.name not in tags.BLOCKS and not section:
            raise TemplateFault(tag.line, f"{call.name[:60]} cannot open a block")
    return source


class _Values:
    """The values of one rendering by token. The delimiter of tokens does not occur in the template."""

    def __init__(self, template: str) -> None:
        present = set(template)
        self.mark = next((chr(code) for code in _PRIVATE if chr(code) not in present), "")
        if not self.mark:
            raise InvalidVerbs("The template uses every private character of Unicode.")
        self.token = re.compile(f"{self.mark}([0-9]+){self.mark}")
        self.size = 0
        self.values: list[Json] = []

    def emit(self, value: Json = None) -> str:
        self.size += len(_text(value))
        if self.size > MAX_OUTPUT:
            raise TemplateFault(1, f"the text is longer than {MAX_OUTPUT:,} characters")
        self.values.append(value)
        return f"{self.mark}{len(self.values) - 1}{self.mark}"

    def replace(self, text: str, show: Callable[[Json], str]) -> str:
        """The text with each token replaced by ``show(value)``."""
        return self.token.sub(lambda match: show(self.values[int(match[1])]), text)


class _Filling:
    """One pass over the rendered text in step with the parser: comments, strings, words, everything else."""

    def __init__(self, table: _Values) -> None:
        mark = table.mark
        self.table = table
        self.waiting = False  # a keyword was read and its value is still missing
        self.lexeme = re.compile(
            rf"""(?P<comment>;;[^\n]*)
               | (?P<text>"(?:[^"\\]|\\.)*"?)
               | (?P<word>(?:[A-Za-z0-9_\-@$:.]|{mark}[0-9]+{mark})+)
               | (?P<blank>[ \t\r\n]+)
               | (?P<other>.)""",
            re.VERBOSE | re.DOTALL,
        )

    def fill(self, text: str) -> str:
        return "".join(self.one(match) for match in self.lexeme.finditer(text))

    def one(self, match: re.Match[str]) -> str:
        source, kind = match[0], match.lastgroup
        if kind == "blank":
            return source
        if kind == "comment":
            return self.table.replace(source, lambda value: comment_text(_text(value)))
        if kind == "word" and source.startswith(":"):
            return self.keyword(source)
        missing = self.waiting and source in (")", "}")
        self.waiting = False
        if kind == "text":
            return self.text(source)
        if kind == "word":
            return self.word(source)
        return f" nil{source}" if missing else source

    def keyword(self, source: str) -> str:
        """A keyword after a keyword, or at the end: its value was empty, so drop it."""
        if self.table.token.search(source):
            raise InvalidVerbs(f"A keyword cannot be made from a value: {self.readable(source)}")
        missing, self.waiting = self.waiting, source != ":as"
        return f"nil {source}" if missing else source

    def text(self, source: str) -> str:
        if re.search(rf"(?<!\\)(?:\\\\)*\\{self.table.mark}", source):
            raise InvalidVerbs(f"A backslash stands before a value: {self.readable(source)}")
        return self.table.replace(source, lambda value: escape_text(_text(value)))

    def word(self, source: str) -> str:
        if not self.table.token.search(source):
            return source
        if self.table.token.fullmatch(source):
            return self.table.replace(source, lambda value: print_value(_value(value)))
        if source[0] in "@$":
            # Use the nearest legal name. The check of the program reports names that collide.
            text = self.table.replace(source[1:], _text)
            name = re.sub(r"[^A-Za-z0-9_-]", "_", text)
            return source[0] + (name if IDENT.match(name) else f"_{name}")[:MAX_NAME]
        raise InvalidVerbs(f"A value must stand alone or between quotes: {self.readable(source)}")

    def readable(self, source: str) -> str:
        return self.table.replace(source, lambda value: "{{…}}")[:100]


def _text(value: Json) -> str:
    """A value inside a string: nothing for null, numbers without an exponent, list items in sequence."""
    if value is None:
        return ""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return str(_value(value)) if value.is_integer() else format(Decimal(repr(value)), "f")
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    return str(HELPERS["json"](value))


def _value(value: Json) -> Value:
    """A JSON value as a value of the language. Raises ValueError if the language cannot express it."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else Decimal(repr(value))
    if isinstance(value, list | tuple):
        return tuple(map(_value, value))
    if isinstance(value, Mapping):
        return MapValue(tuple((str(key), _value(item)) for key, item in value.items()))
    if isinstance(value, str | int | Decimal) or value is None:
        return value
    raise ValueError(f"a {type(value).__name__} is no value")


def _pruned(program: Program) -> Program:
    return Program(tuple(item if isinstance(item, Comment) else _pruned_call(item) for item in program.items))


def _pruned_call(call: Call) -> Call:
    args = tuple((keyword, _pruned_value(value)) for keyword, value in call.args if not _empty(value))
    return Call(call.domain, call.verb, args, call.binding)


def _pruned_value(value: Value) -> Value:
    """Remove empty list items and map entries at every level."""
    if isinstance(value, Call):
        return _pruned_call(value)
    if isinstance(value, MapValue):
        return MapValue(tuple((key, _pruned_value(item)) for key, item in value.entries if not _empty(item)))
    if isinstance(value, tuple):
        return tuple(_pruned_value(item) for item in value if not _empty(item))
    return value


def _empty(value: Value) -> bool:
    return value is None or value == ""
