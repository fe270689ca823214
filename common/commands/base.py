"""The manners of every command: ``--json`` for programs, aligned text for people, and three exit codes.

0 is done, 1 is refused or failed (also: what was to be checked does not hold), 2 is a mistake in the command line.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from common.commands.console import Part, align, paint, plain_lines
from common.program import typed

Options: TypeAlias = dict[str, Any]
Action: TypeAlias = Callable[[Options], bool | None]

VERDICT_STYLES = {"pass": "SUCCESS", "warn": "WARNING", "fail": "ERROR", "unknown": "NOTICE"}
_NOT_MIGRATED = ("no such table", "no such column", "does not exist")


class Mistake(CommandError):
    """The command line is wrong: exit 2."""

    def __init__(self, message: str, detail: dict[str, Any] | None = None) -> None:
        self.detail = detail or {}
        super().__init__(message, returncode=2)


class Refusal(CommandError):
    """What was asked is refused or failed: exit 1."""

    def __init__(self, message: str, detail: dict[str, Any] | None = None) -> None:
        self.detail = detail or {}
        super().__init__(message, returncode=1)


class DossierCommand(BaseCommand):
    """A command with actions (``macros list``); each action is a method that returns False when it ends with exit 1."""

    requires_system_checks: list[str] = []
    refusals: tuple[type[Exception], ...] = ()
    _called_from_command_line: bool  # Django sets it

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="print JSON: one document, or one a line for lists"
        )
        actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=AnyOrder)
        self.add_actions(Actions(actions))

    def add_actions(self, actions: "Actions") -> None:
        """Declare the actions; commands without any override ``add_arguments`` and set ``run`` themselves."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        self.as_json: bool = options["json"]
        try:
            done = self._done(options)
        except (Mistake, Refusal) as error:
            raise self._reported(error) from None
        except DatabaseError as error:
            raise self._reported(_from_database(error)) from error
        except self.refusals as error:
            raise self._reported(self.refusal(error)) from error
        if done is False:
            raise SystemExit(1)

    def _done(self, options: Options) -> bool | None:
        """Do it, and end quietly when the reader goes away (``| head``)."""
        try:
            done: bool | None = options["run"](options)
            self.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at exit
            return False
        return done

    def refusal(self, error: Exception) -> Mistake | Refusal:
        """A domain error as an exit code; rooms with errors of their own override this."""
        return Refusal(str(error))

    def answer(self, document: Any, *lines: Sequence[Part]) -> None:
        """Print the document, or the lines that show it to a person."""
        if self.as_json:
            self.print_json(document)
        for line in () if self.as_json else lines:
            self.say(*line)
        self.stdout.flush()  # a program that reads a pipe waits for it while the command goes on

    def answer_all(self, documents: Iterable[Any], rows: Iterable[Sequence[Part]], none: str) -> None:
        """Print a list: a document a line, or an aligned table; ``none`` is said of an empty one."""
        if self.as_json:
            for document in documents:
                self.print_json(document)
            return
        self.table(rows, none=none)

    def print_json(self, document: Any) -> None:
        """One document on one line."""
        self.stdout.write(json.dumps(document, default=str))

    def say(self, *parts: Part) -> None:
        """One line for people; nothing in ``parts`` can act on the terminal."""
        if not self.as_json:
            self.stdout.write(paint(parts, self.style))

    def say_text(self, text: str, indent: str = "") -> None:
        """A text of several lines."""
        for line in plain_lines(text):
            self.say((indent + line).rstrip())

    def table(self, rows: Iterable[Sequence[Part]], *, indent: str = "", none: str = "") -> None:
        """Aligned columns."""
        lines = align(rows, self.style, indent)
        for line in lines or ([none] if none else []):
            self.stdout.write(line)

    def _reported(self, error: Mistake | Refusal) -> CommandError:
        if self.as_json:
            self.print_json({"error": {"message": str(error), **error.detail}})
        text = "\n".join(plain_lines(str(error)))
        if self._called_from_command_line:  # Django would put the name of the exception before the sentence
            self.stderr.write(text)
            raise SystemExit(error.returncode)
        return CommandError(text, returncode=error.returncode)


class AnyOrder(CommandParser):
    """Arguments before, between and after options: ``run MACRO --depth quick name=value``."""

    _within = False

    def parse_known_args(  # type: ignore[override]  # argparse overloads it for namespaces of other types
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        if self._within:  # argparse implements the one by the other
            return super().parse_known_args(args, namespace)
        self._within = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._within = False


class Actions:
    """Adds actions that all know ``--json``, before the action or after it."""

    def __init__(self, subparsers: "argparse._SubParsersAction[Any]") -> None:
        self._subparsers = subparsers

    def add(self, name: str, run: Action, help: str) -> CommandParser:
        """One action; ``help`` is its line in the list of actions and the head of its own page."""
        parser: CommandParser = self._subparsers.add_parser(name, help=help, description=help)
        parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        parser.set_defaults(run=run)
        return parser


def verdict(word: str) -> tuple[str, str]:
    """A verdict in its colour."""
    return word, VERDICT_STYLES.get(word, "NOTICE")


def _from_database(error: DatabaseError) -> Refusal:
    text = str(error).strip()
    if any(sign in text for sign in _NOT_MIGRATED):
        return Refusal(f"The database is not set up yet ({text.splitlines()[0]}). Run: {typed('migrate')}")
    return Refusal(f"The database does not answer: {text}")
