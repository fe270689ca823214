"""Actions on the authorities' lists: building the index of the collection, and taking lists in."""

import json
from argparse import ArgumentTypeError
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeVar

from django.utils import timezone

from citations.authority.bge import BgeIndex, read_index
from citations.authority.bge_list import Locus, as_document, build_index, read_list
from citations.services import import_articles, import_bge, import_codes
from common.bounded_json import load_json
from common.commands.base import Actions, DossierCommand, Mistake, Options, Refusal
from common.outside.exchange import exchange
from common.outside.faults import SourceFault

T = TypeVar("T")
SECONDS, MAX_LIST = 60.0, 20_000_000


class ListActions(DossierCommand):
    """``build-bge``, ``import-bge``, ``import-codes`` and ``import-articles``."""

    def add_list_actions(self, actions: Actions) -> None:
        """Declare them."""
        imports: list[tuple[str, Callable[[Options], None], str]] = [
            ("import-bge", self.import_bge, "take in the start pages of the official collection (JSON)"),
            ("import-codes", self.import_codes, "take in the abbreviations of acts (CSV)"),
            ("import-articles", self.import_articles, "take in the articles of whole acts (CSV)"),
        ]
        for name, run, help in imports:
            parser = actions.add(name, run, help)
            parser.add_argument("file", metavar="FILE")
            parser.add_argument("--as-of", type=_day, metavar="DAY", help="the day the list speaks of; today")
        built = actions.add(
            "build-bge", self.build_bge, "make the index of start pages from the court's public lists"
        )
        built.add_argument(
            "lists", nargs="+", metavar="FILE|URL", help="HTML with links to decisions, or CSV"
        )
        built.add_argument("-o", "--output", required=True, metavar="FILE", help="the index, for import-bge")
        built.add_argument(
            "--onto", metavar="FILE", help="an index whose other volumes and divisions are kept"
        )

    def build_bge(self, options: Options) -> None:
        """Every volume and division in the lists must be there whole; Refusal when one cannot be read."""
        loci: set[Locus] = set()
        for name in options["lists"]:
            found = _read(read_list, name)
            self.say(f"{name}: {len(found)} decisions")
            loci |= found
        onto = _read(_index, options["onto"]) if options["onto"] else None
        try:
            index = build_index(loci, today=timezone.localdate(), onto=onto)
        except ValueError as error:
            raise Refusal(f"{error}.", {"code": "impossible"}) from error
        _write(options["output"], json.dumps(as_document(index)))
        starts = sum(len(series.starts) for series in index.series.values())
        counts = {"series": len(index.series), "starts": starts, "newest_volume": index.newest}
        self.answer(counts, [f"{options['output']}: {len(index.series)} series, {starts} start pages"])

    def import_bge(self, options: Options) -> None:
        """Replaces the index; Refusal when the file is something else."""
        self._imported(import_bge, options, "series of the official collection")

    def import_codes(self, options: Options) -> None:
        """Replaces the acts; Refusal when the file is something else."""
        self._imported(import_codes, options, "acts")

    def import_articles(self, options: Options) -> None:
        """Replaces the articles of the acts in the file; Refusal when the file is something else."""
        self._imported(import_articles, options, "articles")

    def _imported(self, take_in: Callable[..., int], options: Options, what: str) -> None:
        name = options["file"]
        self.say(f"reading {name} ...")
        try:
            count = take_in(Path(name), as_of=options["as_of"])
        except OSError as error:
            raise Mistake(f"{name}: {error.strerror}") from error
        except ValueError as error:
            raise Refusal(f"{name}: {error}", {"code": "unreadable"}) from error
        self.answer({"imported": count}, [f"{count} {what} taken in"])


def _index(text: str) -> BgeIndex:
    return read_index(load_json(text))


def _read(read: Callable[[str], T], name: str) -> T:
    """What a file or an address holds; Mistake when it is not there, Refusal when it is something else."""
    try:
        return read(_text(name))
    except OSError as error:
        raise Mistake(f"{name}: {error.strerror}") from error
    except SourceFault as trouble:
        raise Refusal(f"{name}: {trouble.message}", {"code": "unavailable"}) from trouble
    except ValueError as error:
        raise Refusal(f"{name}: {error}", {"code": "unreadable"}) from error


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Mistake(f"{name}: {error.strerror}") from error


def _text(name: str) -> str:
    if not name.startswith(("http://", "https://")):
        return Path(name).read_text(encoding="utf-8")
    reply = exchange("The list", name, seconds=SECONDS, headers={"Accept": "text/html"}, max_body=MAX_LIST)
    if reply.status != 200:
        raise Refusal(f"{name}: the answer was HTTP {reply.status}.", {"code": "unavailable"})
    return reply.body.decode("utf-8")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is no day such as 2026-08-20") from None
