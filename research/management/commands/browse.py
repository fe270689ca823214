"""``manage.py browse``: walk through sites at a terminal, or as a program, one object a line."""

import json
import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from common.commands.base import Options
from research.browsing.walks import Owner
from research.errors import WalkRefused
from research.jsontext import JsonObject, storable_json
from research.management.base import ResearchCommand
from research.tools.browsing import CALLS, call_browsing
from research.tools.tool import REGISTRY, argument_fault

HELP = "an address, a number, NUMBER=VALUE for a field, b(ack), f(orward), r(eload), m(enu), t(ext), q(uit)"
WORDS = {"b": "back", "f": "forward", "r": "reload", "back": "back", "forward": "forward", "reload": "reload"}
WITH_SESSION = frozenset(name for name in CALLS if "sessionId" in REGISTRY[name].parameters["properties"])


class Command(ResearchCommand):
    help = "Walk through sites: what a page says, and what can be chosen on it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--json",
            action="store_true",
            help='read {"tool": ..., "arguments": {...}} one a line, write one answer a line',
        )
        parser.add_argument("url", nargs="?", default="", help="the address to begin at")
        parser.set_defaults(run=self.walk)

    def walk(self, options: Options) -> None:
        self.session = ""
        if self.as_json:
            for line in _lines():
                self.stdout.write(json.dumps(self.answer_line(line), default=str))
                self.stdout.flush()
            return
        self._interactive(options["url"])

    def answer_line(self, line: str) -> JsonObject:
        """The answer to one line; whatever it holds, the next line is read as well."""
        try:
            asked = json.loads(line)  # noqa: TID251 - checked right below
        except (ValueError, RecursionError):
            return _error("bad_request", "This line is not JSON.")
        if not isinstance(asked, dict) or asked.get("tool") not in CALLS:
            return _error("unknown_tool", f"There is no such tool; there are: {', '.join(CALLS)}.")
        arguments = asked.get("arguments", {})
        try:
            return self.call(asked["tool"], arguments)
        except WalkRefused as error:
            detail = {"current": self.current, **error.detail}
            return _error(error.code, error.message, retryable=error.retryable, **detail)
        except Exception as error:  # noqa: BLE001 - one answer a line, also to what nobody foresaw
            return _error("internal", f"{asked['tool']} failed ({type(error).__name__}: {str(error)[:200]}).")

    current: str | None = None

    def call(self, tool: str, arguments: Any) -> JsonObject:
        if fault := argument_fault(REGISTRY[tool], arguments):
            raise WalkRefused("bad_arguments", fault)
        if self.session and tool in WITH_SESSION:
            arguments = {"sessionId": self.session, **arguments}
        answer = call_browsing(tool, arguments, Owner())
        self.session = answer.get("sessionId", self.session)
        self.current = answer.get("viewToken", self.current)
        found: JsonObject = storable_json(answer)
        return found

    def _interactive(self, url: str) -> None:
        self.say(f"Type {HELP}.")
        view = self._tried({"tool": "research_open", "arguments": {"url": url}}) if url else None
        for line in _lines(prompt="> "):
            if line in ("q", "quit"):
                return
            view = self._tried(_meant(line, view)) or view

    def _tried(self, asked: JsonObject) -> JsonObject | None:
        """Make a call and show what came of it."""
        try:
            answer = self.call(asked["tool"], asked["arguments"])
        except WalkRefused as error:
            self.say((error.message, "ERROR"))
            return None
        if "text" in answer:
            self.say_text(answer["text"])
            return None
        self.say("")
        self.say(
            (answer["title"] or "(no title)", "MIGRATE_HEADING"), f"  {answer['url']}  [{answer['engine']}]"
        )
        for note in answer.get("notes", ()):
            self.say((note, "WARNING"))
        self.say_text(answer["excerpt"][:1_500], indent="  ")
        self.table(
            [
                [item["menuItemId"][1:], item["type"].lower(), item["label"], item["href"]]
                for item in answer["menuItems"]
            ]
        )
        return answer


def _meant(line: str, view: JsonObject | None) -> JsonObject:
    """The call that a person means."""
    number, equals, value = line.partition("=")
    if line in WORDS:
        return {"tool": "research_navigate", "arguments": {"action": WORDS[line]}}
    if line in ("m", "menu"):
        return {"tool": "research_menu", "arguments": {}}
    if line in ("t", "text") and view and view["documentId"]:
        return {
            "tool": "research_doc_get",
            "arguments": {"documentId": view["documentId"], "maxTextLength": 20_000},
        }
    if view and number.strip().isdigit():
        chosen = {"menuItemId": f"m{number.strip()}", "viewToken": view["viewToken"]}
        return {"tool": "research_choose", "arguments": chosen | ({"value": value} if equals else {})}
    if view is None:
        return {"tool": "research_open", "arguments": {"url": line if "://" in line else f"https://{line}"}}
    return {"tool": "research_navigate", "arguments": {"target": line}}


def _lines(prompt: str = "") -> Iterator[str]:
    """The lines of standard input without their ends; empty ones are left out."""
    while True:
        if prompt and sys.stdin.isatty():
            sys.stdout.write(prompt)
            sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


def _error(kind: str, message: str, **detail: Any) -> JsonObject:
    return {"error": {"type": kind, "message": message, "current": None, **detail}}
