"""Text to calls, by the grammar in docs/concepts/verb.md. A second pass checks the verbs."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import NoReturn

from research.verbs.syntax import (
    IDENT,
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_INTEGER,
    MAX_NAME,
    MIN_INTEGER,
    Call,
    Comment,
    DslError,
    MapValue,
    Place,
    Program,
    Symbol,
    Value,
)

MAX_ERRORS = 50

_BLANKS = re.compile(r"[ \t\r\n]+")
_COMMENT = re.compile(r";;([^\n]*)\n?")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_TEXT = re.compile(r'[^"\\]*')
_WORD_END = re.compile(r"[ \t\r\n)\]},;]|\Z")
_NEXT_ITEM = re.compile(r"\n(?=\(|;;)")

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"'}
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "nil": None}
_EXCERPT = 60  # characters of the source line shown on either side of the caret


def parse(text: str) -> Program:
    """The calls and comments of a program.

    Raises:
        DslError: the first fault.
    """
    return Program(tuple(_Parser(text).items()))


def parse_all(text: str) -> tuple[list[Call], list[DslError]]:
    """What can be read of a program, and its faults: after one, reading goes on at the next line that starts a call.

    The calls are for showing only. While there is a fault, what follows it may have been meant differently.
    """
    items: list[Call | Comment] = []
    errors: list[DslError] = []
    try:
        parser = _Parser(text)
    except DslError as error:
        return [], [error]
    while len(errors) < MAX_ERRORS:
        try:
            items.extend(parser.items())
            break
        except DslError as error:
            errors.append(error)
            parser.recover()
    return [item for item in items if isinstance(item, Call)], errors


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth, self.item = text, 0, 0, 0
        self.comments: list[Comment] = []
        self.breaks = [match.start() for match in re.finditer("\n", text)]
        if len(text) > MAX_CHARACTERS:
            raise DslError(f"the program is longer than {MAX_CHARACTERS:,} characters", 1, 1)

    def items(self) -> Iterator[Call | Comment]:
        while True:
            self.item = self.at
            self.blanks()
            yield from self.taken_comments()
            if self.at == len(self.text):
                return
            self.item = self.at
            if self.peek() != "(":
                self.fail(f"expected '(' or ';;', found {self.found()}")
            call = self.call()
            yield from self.taken_comments()
            yield call

    def recover(self) -> None:
        match = _NEXT_ITEM.search(self.text, self.item)
        self.at = match.end() if match else len(self.text)
        self.depth, self.comments = 0, []

    def value(self) -> Value:
        char = self.peek()
        nested: dict[str, Callable[[], Value]] = {"(": self.call, "[": self.list_value, "{": self.map_value}
        if char in nested:
            return nested[char]()
        if char == '"':
            return self.string()
        if char in ("@", "$"):
            return Symbol(self.symbol())
        if char.isascii() and (char.isdigit() or char == "-"):
            return self.number()
        return self.word()

    def call(self) -> Call:
        start = self.open()
        self.blanks()
        domain = self.ident("a verb such as gleif.enrich")
        self.take(".", f"expected '.' and a verb after {domain!r}, found {{}}")
        verb = self.ident("the name of a verb")
        args: list[tuple[str, Value]] = []
        places: list[Place] = []
        binding: str | None = None
        while True:
            spaced = self.blanks()
            if self.peek() == ")":
                break
            place = self.argument_place(start, spaced=spaced, bound=binding is not None)
            keyword = self.keyword()
            if keyword == "as":
                binding = self.symbol()
            else:
                args.append((keyword, self.value()))
                places.append(place)
        self.close()
        return Call(domain, verb, tuple(args), binding, *self.place(start), tuple(places))

    def argument_place(self, start: int, *, spaced: bool, bound: bool) -> Place:
        if not self.peek():
            self.fail("this call is not closed: ')' is missing", start)
        if bound:
            self.fail(f"expected ')' after the binding, which comes last, found {self.found()}")
        if self.peek() == ":" and not spaced:
            self.fail("white space is missing before the argument")
        return self.place(self.at)

    def list_value(self) -> tuple[Value, ...]:
        start = self.open()
        self.blanks()
        items: list[Value] = []
        while self.peek() != "]":
            self.unclosed(start, "this list is not closed: ']' is missing")
            items.append(self.value())
            self.separator()
        self.close()
        return tuple(items)

    def separator(self) -> None:
        spaced = self.blanks()
        if self.peek() == ",":
            self.at += 1
            self.blanks()
            if self.peek() == "]":
                self.fail("expected a value after ','")
        elif self.peek() in (")", "}"):
            self.fail(f"expected a value or ']', found {self.found()}")
        elif self.peek() not in ("]", "") and not spaced:
            self.fail("white space or ',' is missing between two values")

    def map_value(self) -> MapValue:
        start = self.open()
        self.blanks()
        entries: list[tuple[str, Value]] = []
        while self.peek() != "}":
            self.unclosed(start, "this map is not closed: '}' is missing")
            if self.peek() == ",":
                self.fail("the entries of a map are separated by white space, without commas")
            entries.append((self.keyword(), self.value()))
            if not self.blanks() and self.peek() == ":":
                self.fail("white space is missing between two entries")
        self.close()
        return MapValue(tuple(entries))

    def string(self) -> str:
        start = self.at
        self.at += 1
        parts: list[str] = []
        while True:
            chunk = _TEXT.match(self.text, self.at)
            if chunk:  # always matches: the pattern accepts the empty text
                parts.append(chunk[0])
                self.at = chunk.end()
            self.unclosed(start, "this text is not closed: '\"' is missing")
            if self.peek() == '"':
                self.at += 1
                return "".join(parts)
            parts.append(self.escape())

    def escape(self) -> str:
        name = self.text[self.at + 1 : self.at + 2]
        if name not in _ESCAPES or not name:
            self.fail(f'{_shown(chr(92) + name)} is no escape; there are \\n \\r \\t \\\\ and \\"')
        self.at += 2
        return _ESCAPES[name]

    def number(self) -> int | Decimal:
        start = self.at
        match = _NUMBER.match(self.text, start)
        if match is None:
            self.fail("expected a digit after '-'", start + 1)
        self.at = match.end()
        self.word_end("a number")
        if len(match[0]) > MAX_DIGITS:
            self.fail(f"a number has at most {MAX_DIGITS} characters", start)
        if match[1]:
            return Decimal(match[0])
        number = int(match[0])
        if not MIN_INTEGER <= number <= MAX_INTEGER:
            self.fail("this integer does not fit into 64 bits", start)
        return number

    def word(self) -> bool | None:
        match = IDENT.match(self.text, self.at)
        if match is None:
            self.fail(f"expected a value, found {self.found()}")
        if match[0] not in _WORDS:
            self.fail(f"{_shown(match[0])} is not a value; texts stand in double quotes")
        self.at = match.end()
        self.word_end(match[0])
        return _WORDS[match[0]]

    def keyword(self) -> str:
        self.take(":", "expected an argument such as :name, or ')', found {}")
        name = self.ident("a name after ':'")
        if not self.blanks():
            self.fail(f"white space is missing after :{name}")
        if self.peek() in (")", "}", "]", ":", ""):
            self.fail(f"expected a value after :{name}, found {self.found()}")
        return name

    def symbol(self) -> str:
        if self.peek() not in ("@", "$"):
            self.fail(f"expected a symbol such as @name, found {self.found()}")
        self.at += 1
        return self.ident("the name of a symbol")

    def ident(self, expected: str) -> str:
        match = IDENT.match(self.text, self.at)
        if match is None:
            self.fail(f"expected {expected}, found {self.found()}")
        if len(match[0]) > MAX_NAME:
            self.fail(f"a name has at most {MAX_NAME} characters")
        self.at = match.end()
        return match[0]

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def found(self) -> str:
        return _shown(self.peek()) if self.peek() else "the end of the text"

    def blanks(self) -> bool:
        """Skip white space and comments; true if there was any. Only blank, tab, CR and LF are white space."""
        start = self.at
        while match := _BLANKS.match(self.text, self.at) or _COMMENT.match(self.text, self.at):
            if match[0].startswith(";;"):
                self.comments.append(Comment(match[1].removesuffix("\r").removeprefix(" ")))
            self.at = match.end()
        return self.at > start

    def taken_comments(self) -> list[Comment]:
        taken, self.comments = self.comments, []
        return taken

    def take(self, char: str, message: str) -> None:
        if self.peek() != char:
            self.fail(message.format(self.found()))
        self.at += 1

    def word_end(self, what: str) -> None:
        if not _WORD_END.match(self.text, self.at):
            self.fail(f"white space is missing after {what}, found {self.found()}")

    def open(self) -> int:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"nested deeper than {MAX_DEPTH} levels")
        self.at += 1
        return self.at - 1

    def close(self) -> None:
        self.depth -= 1
        self.at += 1

    def unclosed(self, start: int, message: str) -> None:
        if not self.peek():
            self.fail(message, start)

    def place(self, at: int) -> Place:
        line = bisect_left(self.breaks, at)
        return Place(line + 1, at - (self.breaks[line - 1] if line else -1))

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        at = self.at if at is None else at
        raise DslError(message, *self.place(at), self.caret(at))

    def caret(self, at: int) -> str:
        """The source around ``at`` with a ``^`` under it, one column per code point."""
        line_start = self.text.rfind("\n", 0, at) + 1
        line_end = self.text.find("\n", at)
        start = max(line_start, at - _EXCERPT)
        source = self.text[start : min(at + _EXCERPT, len(self.text) if line_end < 0 else line_end)]
        return (
            "".join(char if char.isprintable() else " " for char in source) + "\n" + " " * (at - start) + "^"
        )


def _shown(text: str) -> str:
    """A character or word in a message. Invisible characters are shown by code point."""
    if len(text) == 1 and (not text.isprintable() or text.isspace()):
        return f"U+{ord(text):04X}"
    return repr(text[:40])
