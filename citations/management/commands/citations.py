"""``manage.py citations``: find citations in a text, write them in another language, read the authorities'
indexes.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from django.core.management.base import CommandParser
from django.db import DatabaseError

from citations.convert import apply, conversions
from citations.export import bibtex, csl, ris
from citations.format import format_mention
from citations.management.list_actions import ListActions
from citations.mention import LANGUAGES, Mention
from citations.repair import repair
from citations.services import act_table
from citations.services.questions import source_of
from citations.services.verification import verify
from citations.statutes.acts import ActTable, built_in
from citations.us import extract_all as extract
from citations.verify.judgement import Judgement
from common.commands.base import Actions, Mistake, Options, Refusal, verdict
from common.commands.console import Part, plain

VERIFY_SECONDS = 3_600.0  # a person is waiting, and can end it


class Command(ListActions):
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

        verified = actions.add(
            "verify", self.verify, "does what a text cites exist, and what does its authority say of it"
        )
        _add_file(verified)
        verified.add_argument(
            "--offline",
            action="store_true",
            help="ask nobody: only the lists at hand, and answers that are kept",
        )
        verified.add_argument(
            "--lookups", type=int, default=100, metavar="N", help="at most so many questions outside (100)"
        )

        written = actions.add("format", self.format, "one citation as a court of a language writes it")
        written.add_argument("citation", nargs="+", metavar="CITATION")
        written.add_argument(
            "--style", choices=("short", "long"), default="short", help="long: acts by their name"
        )
        converted = actions.add(
            "convert", self.convert, "a text with its citations in another language's style"
        )
        repaired = actions.add(
            "repair", self.repair, "a text without the common mistakes of citing, and what they were"
        )
        exported = actions.add("export", self.export, "the works a text cites, for a reference manager")
        exported.add_argument("--format", choices=tuple(EXPORTS), default="csl", dest="form")
        self.add_list_actions(actions)
        for parser in (converted, repaired, exported):
            _add_file(parser)
        for parser in (written, converted):
            parser.add_argument("--language", required=True, choices=LANGUAGES)

    def extract(self, options: Options) -> None:
        """Print what was found; offsets count Unicode code points."""
        text = _read(options["file"])
        if options["lines"]:
            self._extract_lines(text)
            return
        found = extract(text, acts=_acts())
        self.answer_all(
            (mention.as_json() for mention in found), map(_row, found), none="no citation was found"
        )

    def _extract_lines(self, text: str) -> None:
        acts = _acts()
        for number, line in enumerate(_lines(text), 1):
            citations = [mention.as_json() for mention in extract(line, acts=acts)]
            self.stdout.write(json.dumps({"line": number, "citations": citations}))

    def verify(self, options: Options) -> bool:
        """False when something does not exist; what nobody could say is unknown and no failure."""
        text = _read(options["file"])
        lookups = 0 if options["offline"] else max(0, options["lookups"])
        mentions = extract(text, acts=_acts())
        if lookups and (asked := sorted({name for one in mentions if (name := source_of(one.kind))})):
            self.stderr.write(f"asking {', '.join(asked)} at their pace; --offline asks nobody")
        judged = verify(mentions, text=text, lookups=lookups, seconds=VERIFY_SECONDS)
        self.answer_all(
            (one.as_json() for one in judged), map(_judged_row, judged), none="no citation was found"
        )
        if not self.as_json:
            self._explain(judged)
        return all(one.check != "fail" for one in judged)

    def _explain(self, judged: list[Judgement]) -> None:
        for one in judged:
            for finding in one.findings:
                if finding.check != "pass":
                    name = one.mention.normalized or one.mention.raw
                    self.say("  ", verdict(finding.check), f" {name}: {finding.message}")

    def format(self, options: Options) -> None:
        """One citation; Refusal when the words are none."""
        mentions = extract(" ".join(options["citation"]))
        if not mentions:
            raise Refusal("This is no citation that Dossier can read.", {"code": "no_citation"})
        texts = [format_mention(mention, options["language"], style=options["style"]) for mention in mentions]
        formatted = "; ".join(texts)
        document = {
            "citation": formatted,
            "language": options["language"],
            "normalized": mentions[0].normalized,
        }
        self.answer(document, [formatted])

    def convert(self, options: Options) -> None:
        """Citations change, everything else stays byte for byte."""
        text = _read(options["file"])
        changes = conversions(text, options["language"])
        if self.as_json:
            self.print_json(
                {"text": apply(text, changes), "changes": [change._asdict() for change in changes]}
            )
        else:
            self.stdout.write(apply(text, changes), ending="")

    def repair(self, options: Options) -> None:
        """The text on standard output, the list of changes on standard error."""
        text, repairs = repair(_read(options["file"]))
        if self.as_json:
            self.print_json({"text": text, "repairs": [each.as_json() for each in repairs]})
            return
        self.stdout.write(text, ending="")
        for each in repairs:
            self.stderr.write(plain(f"{each.start}-{each.end}: {each.before} -> {each.after} ({each.why})"))

    def export(self, options: Options) -> None:
        """One entry for each work, in order of first mention."""
        self.stdout.write(EXPORTS[options["form"]](extract(_read(options["file"]))), ending="")


def _acts() -> ActTable:
    """All acts that were imported; a text can be read before there is a database."""
    try:
        return act_table()
    except DatabaseError:
        return built_in()


def _csl(mentions: list[Mention]) -> str:
    return json.dumps(csl(mentions), ensure_ascii=False, indent=1) + "\n"


EXPORTS: dict[str, Callable[[list[Mention]], str]] = {"csl": _csl, "bibtex": bibtex, "ris": ris}


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


def _judged_row(one: Judgement) -> list[Part]:
    mention, standing = one.mention, one.standing
    perhaps = f" Perhaps {', '.join(standing.suggestions[:3])}." if standing.suggestions else ""
    name = mention.normalized or mention.raw
    return [
        f"{mention.start}-{mention.end}",
        verdict(one.check),
        (name, "MIGRATE_HEADING"),
        standing.verdict,
        standing.message + perhaps,
    ]


def _row(mention: Mention) -> list[Part]:
    place = f"{mention.start}-{mention.end}"
    name = mention.normalized or mention.raw
    return [place, mention.kind, (name, "MIGRATE_HEADING"), " ".join(mention.pinpoints), mention.reason or ""]
