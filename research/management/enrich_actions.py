"""``research enrich``: bringing entity memory up to date from a terminal."""

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from django.core.management.base import CommandParser

from common.commands.base import Actions, Mistake, Options, Refusal
from common.commands.console import Part
from common.commands.progress import Bar
from common.program import typed
from research.api.requests import REGISTERS
from research.jsontext import JsonObject
from research.management.base import ResearchCommand, add_person, requesting_person
from research.management.family import follow_family
from research.management.run_actions import money
from research.models import ResearchResult, Run
from research.models.states import OPEN_RUN_STATES, Depth, RunState, Trigger
from research.services.enrichment import Enrichment, enrich

STYLES = {
    "researched": "SUCCESS",
    "fresh": "SUCCESS",
    "insufficient": "WARNING",
    "ambiguous": "WARNING",
    "not_found": "WARNING",
    "failed": "ERROR",
}


class EnrichActions(ResearchCommand):
    """The action on entities."""

    def add_enrich_actions(self, actions: Actions) -> None:
        parser = actions.add("enrich", self.enrich, "research entities that memory does not know well enough")
        parser.add_argument("identifiers", nargs="*", metavar="TEXT", help="LEI, mint, slug, symbol or name")
        _add_options(parser)
        add_person(parser)

    def enrich(self, options: Options) -> bool:
        """What is fresh asks nobody; False when one identifier failed."""
        done = enrich(
            identifiers=options["identifiers"],
            summaries=_lines(options["summaries"]) if options["summaries"] else (),
            max_age=options["max_age"],
            trigger=Trigger.CLI.value,
            requested_by=requesting_person(options),
            depth=options["depth"],
            budget_usd=options["budget_usd"],
            register=options["register"],
            enqueue=options["detach"],
        )
        if done.run and not options["detach"]:
            self._follow_entities(done.run)
        return self._report_on(done)

    def _follow_entities(self, run: Run) -> None:
        progress = Progress(sys.stderr, run)
        try:
            follow_family(run, progress.step)
        except KeyboardInterrupt:
            raise Refusal(f"Interrupted; go on with: {typed('research resume')} {run.pk}") from None
        finally:
            progress.close()

    def _report_on(self, done: Enrichment) -> bool:
        run = Run.objects.filter(pk=done.run.pk).first() if done.run else None
        result = ResearchResult.objects.filter(run=run).first() if run else None
        told = result.data["entities"] if result else []
        entries = _merged(done.entries, told)
        document: JsonObject = {"run": str(run.pk) if run else None, "state": run.state if run else None}
        document |= {"entities": entries}
        if result and "classification" in result.data:
            document["classification"] = result.data["classification"]
        if self.as_json:
            self.print_json(document)
        else:
            self._show_entities(run, result, entries)
        ended = run is not None and run.state in (RunState.FAILED, RunState.CANCELLED)
        return not ended and not any(entry["status"] == "failed" for entry in entries)

    def _show_entities(
        self, run: Run | None, result: ResearchResult | None, entries: Sequence[JsonObject]
    ) -> None:
        self.table(map(_row, entries), none="No entity was named.")
        if run is None:
            self.say("Everything is fresh: nobody was asked.")
        elif result:
            self.say(f"See what was found: {typed('research result')} {result.pk}")
        elif run.state in OPEN_RUN_STATES:
            self.say(f"Follow it: {typed('research status')} {run.pk}")
        else:
            self.say(("failed: ", "ERROR"), str((run.error or {}).get("message", run.state)))


class Progress:
    """How many of the entities are done."""

    def __init__(self, stream: TextIO, run: Run) -> None:
        self._bar, self._run = Bar(stream), run
        self._told = -1
        self._lock = threading.Lock()

    def step(self, *parts: Part) -> None:
        """Called for every step of the family, from several threads."""
        with self._lock:
            done, total = self._counts()
            self._bar.show(done, total, f"{done} of {total} entities", always=done != self._told)
            self._told = done

    def close(self) -> None:
        self.step()
        self._bar.close()

    def _counts(self) -> tuple[int, int]:
        """Of the children; those that are not sent out yet are known by the head's parameters."""
        over = Run.objects.filter(parent=self._run).exclude(state__in=OPEN_RUN_STATES).count()
        sent = Run.objects.filter(parent=self._run).count()
        return over, max(sent, len(self._run.params.get("identifiers") or []))


def _add_options(parser: CommandParser) -> None:
    parser.add_argument(
        "--summaries", type=Path, metavar="FILE", help="one-line summaries of events, sorted by a model first"
    )
    age = "how old findings may be (default: as the type of entity allows; 0 researches again)"
    parser.add_argument("--max-age", type=int, metavar="SECONDS", help=age)
    parser.add_argument("--depth", choices=Depth.values, default=Depth.STANDARD.value)
    parser.add_argument("--budget-usd", type=money, metavar="N")
    parser.add_argument(
        "--register", choices=REGISTERS, help="which LEI register (default: DOSSIER_REGISTER)"
    )
    parser.add_argument("--detach", action="store_true", help="leave the work to a worker")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise Mistake(f"{path}: the file is not UTF-8") from None
    except OSError as error:
        raise Mistake(f"{path}: {error.strerror}") from None


def _merged(entries: Sequence[JsonObject], told: Sequence[JsonObject]) -> list[JsonObject]:
    """In the order that was asked for; then what the summaries led to."""
    by_identifier = {one["identifier"]: one for one in told}
    merged = [by_identifier.pop(entry["identifier"], entry) for entry in entries]
    return [*merged, *by_identifier.values()]


def _row(entry: JsonObject) -> list[Part]:
    status = str(entry["status"])
    audit = entry.get("audit") or {}
    used, good = len(audit.get("toolsUsed") or []), len(audit.get("toolsSucceeded") or [])
    confidence = (entry.get("research") or entry).get("confidence")
    return [
        (status, STYLES.get(status, "NOTICE")),
        str(entry["identifier"]),
        str(entry.get("entity") or "-"),
        f"confidence {confidence}" if confidence is not None else "-",
        f"{good} of {used} sources" if used else "-",
        str((entry.get("error") or {}).get("message", ""))[:200],
    ]
