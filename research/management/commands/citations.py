"""``manage.py citations``: find citations in a text, write them in another language, read the authorities'
indexes.

The library is the app ``citations``, which knows no other app; its command stands here because the manners of
all commands do.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import CommandParser

from citations.extract import extract
from citations.mention import Mention
from entities.management.base import Actions, DossierCommand, Mistake, Options
from entities.management.console import Part


class Command(DossierCommand):
    help = "Find Swiss citations in a text and write them in another language."

    def add_actions(self, actions: Actions) -> None:
        found = actions.add(
            "extract", self.extract, "every citation of a text, with its offsets and pinpoints"
        )
        _add_file(found)
        found.add_argument(
            "--lines",
            action="store_true",
            help="take every line as a text of its own; one JSON object a line",
        )

    def extract(self, options: Options) -> None:
        """Print what was found; offsets count Unicode code points."""
        text = _read(options["file"])
        if options["lines"]:
            self._extract_lines(text)
            return
        found = extract(text)
        self.answer_all(
            (mention.as_json() for mention in found), map(_row, found), none="no citation was found"
        )

    def _extract_lines(self, text: str) -> None:
        for number, line in enumerate(_lines(text), 1):
            citations = [mention.as_json() for mention in extract(line)]
            self.stdout.write(json.dumps({"line": number, "citations": citations}))


def _add_file(parser: CommandParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a text in UTF-8, or - for standard input")


def _read(name: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Mistake(f"{name}: {error.strerror}") from error
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Mistake(f"{name}: this is no UTF-8 (byte {error.start})") from error


def _lines(text: str) -> Iterator[str]:
    """Lines as an editor counts them: a form feed or a Unicode separator ends none."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    yield from lines


def _row(mention: Mention) -> list[Part]:
    place = f"{mention.start}-{mention.end}"
    name = mention.normalized or mention.raw
    return [place, mention.kind, (name, "MIGRATE_HEADING"), " ".join(mention.pinpoints), mention.reason or ""]
