"""``manage.py screening``: import official lists, screen entities and names against them, decide hits."""

import sys
from pathlib import Path
from typing import Any

from common.commands.base import Actions, Mistake, Options, Refusal
from common.commands.console import Part
from common.commands.progress import Bar, size
from entities.api.screening import (
    HitDecisionSerializer,
    HitSerializer,
    ScreeningSerializer,
    VersionSerializer,
    list_documents,
)
from entities.memory import RefusedWrite, by_slug
from entities.models import ListVersion, ScreeningHit
from entities.models.screening import HitState, HitVerdict
from entities.screening.errors import REFUSALS
from entities.screening.importing import import_list
from entities.screening.lists import KINDS
from entities.screening.looking import Screened, screen
from entities.screening.subject import make_subject
from entities.screening.syncing import Synced, sync_lists
from entities.services.screening import (
    Person,
    decide_hit,
    rescreen_if_changed,
    screen_entity,
    screen_memory,
    screen_with_owners,
)
from research.management.base import ResearchCommand, add_person, deciding_person, find

STYLES = {"hits": "WARNING", "none": "SUCCESS", "unknown": "NOTICE"}
STATES = {"current": "SUCCESS", "old": "WARNING", "partial": "WARNING", "missing": "NOTICE"}
SHOWN = 100


class Command(ResearchCommand):
    help = "Import official lists, screen entities and names against them, and decide what hits are."
    refusals: tuple[type[Exception], ...] = (*ResearchCommand.refusals, *REFUSALS, RefusedWrite)

    def add_actions(self, actions: Actions) -> None:
        actions.add(
            "status", self.status, "which lists are imported, of which day, and what is wrong with them"
        )
        imported = actions.add("import", self.import_file, "a file of a list that you have")
        imported.add_argument("file", metavar="FILE", type=Path)
        imported.add_argument("--list", choices=tuple(KINDS), required=True, help="which list it is")
        imported.add_argument(
            "--shrunk", action="store_true", help="take it although it lacks much of the list"
        )
        sync = actions.add(
            "sync", self.sync, "fetch the lists from their publishers, and screen memory again"
        )
        sync.add_argument(
            "lists", nargs="*", metavar="LIST", help=f"{', '.join(KINDS)}; else all that are set up"
        )
        for parser in (imported, sync):
            parser.add_argument(
                "--no-rescreen", action="store_true", help="leave memory as it was screened last"
            )
        check = actions.add("check", self.screen_name, "who on the lists is like a name; nothing is recorded")
        check.add_argument("name", nargs="+", metavar="NAME")
        check.add_argument(
            "--kind", choices=("person", "entity"), default="", help="what is meant by the name"
        )
        check.add_argument(
            "--birth", action="append", default=[], metavar="DATE", help="1972, 1972-03 or 1972-03-08"
        )
        check.add_argument(
            "--country", action="append", default=[], metavar="COUNTRY", help="a code or a name"
        )
        entity = actions.add("entity", self.screen_one, "screen an entity of memory and record what is found")
        entity.add_argument("slug", metavar="SLUG")
        entity.add_argument("--owners", action="store_true", help="and all who stand above it")
        actions.add("run", self.screen_all, "screen all of memory; one that broke off goes on")
        hits = actions.add("hits", self.hits, "the hits that stand, the likest first")
        hits.add_argument("--state", choices=HitState.values, default="", help="only these")
        decide = actions.add("decide", self.decide, "say what a hit is")
        decide.add_argument("hit", metavar="HIT")
        decide.add_argument("verdict", choices=HitVerdict.values)
        decide.add_argument("--reason", required=True)
        decide.add_argument("--revision", type=int, help="the revision you saw; else the newest")
        add_person(decide)

    def status(self, options: Options) -> bool:
        """False when a list that the policy names is missing, old or partial."""
        documents = list_documents()
        self.answer_all(documents, map(_list_row, documents), none="none")
        return all(one["state"] == "current" for one in documents)

    def import_file(self, options: Options) -> None:
        if not options["file"].is_file():
            raise Mistake(f"there is no file {str(options['file'])!r}")
        version = import_list(options["file"], list_name=options["list"], shrunk=options["shrunk"])
        self._say_version(version)
        self._rescreen(options)

    def sync(self, options: Options) -> bool:
        """False when a list could not be fetched or imported."""
        if unknown := [name for name in options["lists"] if name not in KINDS]:
            raise Mistake(f"there is no list {unknown[0]!r}; there are {', '.join(KINDS)}")
        bar = Bar(sys.stderr)
        done = []
        try:
            for synced in sync_lists(options["lists"] or None, report=lambda *told: self._draw(bar, *told)):
                bar.close()
                done.append(synced)
                self._say_synced(synced)
        finally:
            bar.close()
        self._rescreen(options)
        return not any(synced.trouble for synced in done)

    def screen_name(self, options: Options) -> bool:
        """False unless there is no hit on lists that are all current."""
        try:
            subject = make_subject(
                names=[" ".join(options["name"])],
                kind=options["kind"],
                births=options["birth"],
                countries=options["country"],
            )
        except ValueError as error:
            raise Mistake(str(error)) from None
        screened = screen(subject)
        self._say_screened(screened, screened.as_json())
        return screened.outcome == "none"

    def screen_one(self, options: Options) -> bool:
        """False unless there is no hit on lists that are all current."""
        entity = by_slug(options["slug"])
        if entity is None:
            raise Refusal(
                f"entity: there is none with the slug {options['slug'][:120]!r}", {"code": "not-found"}
            )
        if options["owners"]:
            group = screen_with_owners(entity=entity)
            for one, screened in group:
                self.say((one.slug, "MIGRATE_HEADING"))
                self._say_screened(screened, {"entity": one.slug, **screened.as_json()})
            return all(screened.outcome == "none" for _, screened in group)
        run, screened = screen_entity(entity=entity)
        self._say_screened(screened, {**ScreeningSerializer(run).data, **screened.as_json()})
        return screened.outcome == "none"

    def screen_all(self, options: Options) -> None:
        bar = Bar(sys.stderr)
        try:
            run = screen_memory(report=lambda done, total: self._draw_run(bar, done, total))
        finally:
            bar.close()
        self.answer(
            ScreeningSerializer(run).data, [(run.outcome, STYLES[run.outcome]), f"  {_counted(run.counts)}"]
        )

    def hits(self, options: Options) -> None:
        rows = ScreeningHit.objects.filter(standing=True).select_related("entity")
        rows = rows.filter(state=options["state"]) if options["state"] else rows
        found = list(rows[:SHOWN])
        table: list[list[Part]] = [
            [str(hit.pk), f"{hit.score:.0f}", hit.state, hit.entity.slug, hit.source, hit.name]
            for hit in found
        ]
        self.answer_all(HitSerializer(found, many=True).data, table, none="no hits")
        if rows.count() > SHOWN:
            self.say(f"and {rows.count() - SHOWN:,} more")

    def decide(self, options: Options) -> None:
        hit: ScreeningHit = find(ScreeningHit, options["hit"], "entity")
        by: Person = deciding_person(options)  # type: ignore[assignment]  # users of this house are Django's own
        decision = decide_hit(
            hit=hit,
            revision=hit.revision if options["revision"] is None else options["revision"],
            verdict=options["verdict"],
            reason=options["reason"],
            by=by,
        )
        self.answer(HitDecisionSerializer(decision).data, [(decision.verdict, "MIGRATE_LABEL"), f"  {hit}"])

    def _rescreen(self, options: Options) -> None:
        run = None if options["no_rescreen"] else rescreen_if_changed()
        if run:
            self.answer(ScreeningSerializer(run).data, [f"memory was screened again: {_counted(run.counts)}"])

    def _draw(self, bar: Bar, name: str, done: int, total: int) -> None:
        if not self.as_json:
            bar.show(done, total, f"fetching {name}, {size(done)}")

    def _draw_run(self, bar: Bar, done: int, total: int) -> None:
        if not self.as_json:
            bar.show(done, total, f"{done:,} of {total:,} entities")

    def _say_synced(self, synced: Synced) -> None:
        if synced.trouble:
            document = {"list": synced.list, "error": synced.trouble}
            self.answer(document, [(synced.list, "MIGRATE_LABEL"), "  ", (synced.trouble, "ERROR")])
        elif synced.version:
            self._say_version(synced.version)

    def _say_version(self, version: ListVersion) -> None:
        counts = version.counts
        told = ", ".join(f"{counts.get(key, 0):,} {key}" for key in ("held", "added", "changed", "removed"))
        self.answer(VersionSerializer(version).data, [(str(version), "MIGRATE_LABEL"), f"  {told}"])
        for sentence in version.left_out:
            self.say(f"  left out: {sentence}")

    def _say_screened(self, screened: Screened, document: dict[str, Any]) -> None:
        if self.as_json:
            self.print_json(document)
            return
        self.say((screened.outcome, STYLES[screened.outcome]))
        for reason in screened.reasons:
            self.say("  ", reason)
        self.table(
            [
                [f"{hit.likeness.score:.0f}", hit.label, hit.entry.key, hit.entry.name]
                for hit in screened.hits
            ],
            indent="  ",
        )
        for hit in screened.hits[:10]:
            self.say(f"  {hit.entry.key}: {hit.likeness.explanation}")
        self.say("looked at:")
        self.table([["  ", (one.state, STATES.get(one.state, "ERROR")), one.told] for one in screened.looked])


def _list_row(document: dict[str, Any]) -> list[Part]:
    style = STATES.get(document["state"], "ERROR")
    return [
        (document["list"], "MIGRATE_LABEL"),
        (document["state"], style),
        document["told"],
        document["reason"],
    ]


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(
        f"{counts.get(key, 0):,} {key}" for key in ("entities", "hits", "new", "reopened", "ended")
    )
