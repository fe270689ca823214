"""``manage.py lei import`` and ``sync``: files of the golden copy become the register."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from common.commands.base import Actions, DossierCommand, Mistake, Options, Refusal
from common.commands.progress import Bar, duration, size
from entities.gleif.golden.files import KIND_WORDS, BadFile
from entities.gleif.golden.importing import SPANS, Given, Progress, Refused, import_file
from entities.gleif.golden.publishes import PublisherTrouble
from entities.gleif.golden.syncing import Step, plan, sync_register
from entities.models import GoldenCopyImport, LeiName
from entities.names.index import rebuild_name_index

SCOPE_WORDS = {scope.value: scope.label for scope in GoldenCopyImport.Scope}
MOST_LEFT_OUT = 1_000  # more than that is a broken file
REFUSALS = (BadFile, Refused, PublisherTrouble)


class GoldenActions(DossierCommand):
    """What a command of the register offers for the golden copy."""

    def add_golden_actions(self, actions: Actions) -> None:
        files = actions.add(
            "import", self.import_files, "files of GLEIF's golden copy, plain or zipped, as the register"
        )
        files.add_argument("files", nargs="+", metavar="FILE", type=Path, help="CSV, JSON or XML")
        files.add_argument("--kind", choices=tuple(KIND_WORDS), help="refuse a file that holds anything else")
        files.add_argument(
            "--scope",
            choices=("full", *SPANS),
            help="all of the register, or the span of a delta; else the name says it",
        )
        files.add_argument(
            "--publish-date", help="when it was published, such as 2026-02-10T08:00Z; else the name says it"
        )
        files.add_argument(
            "--shrunk", action="store_true", help="take a full file although it lacks much of the register"
        )

        files.add_argument(
            "--skip-bad",
            type=int,
            default=0,
            metavar="N",
            help=f"leave out up to N records that are wrong (at most {MOST_LEFT_OUT}) and name each, "
            "instead of refusing the file",
        )

        sync = actions.add("sync", self.sync, "bring the imported register up to GLEIF's newest publish")
        sync.add_argument("--check", action="store_true", help="only say what would be fetched")

        actions.add("index", self.index, "make the index of names anew, by which names alike are found")

    def index(self, options: Options) -> None:
        """Raises Refusal where the database can have no such index."""
        bar = Bar(sys.stderr)
        try:
            reason = rebuild_name_index(lambda done, total: self._draw_index(bar, done, total))
        finally:
            bar.close()
        if reason:
            raise Refusal(f"There can be no index of names: {reason}.")
        count = LeiName.objects.count()
        self.answer({"names": count}, [f"{count:,} names are in the index; names alike are found"])

    def _draw_index(self, bar: Bar, done: int, total: int) -> None:
        if not self.as_json:
            bar.show(done, total, "names")

    def sync(self, options: Options) -> None:
        if options["check"]:
            for step in plan():
                self.answer(_step_document(step), [_step_line(step)])
            return
        bar = Bar(sys.stderr)
        try:
            for done in sync_register(
                begin=lambda step: self._begin(bar, step),
                fetching=lambda have, total: self._draw_fetching(bar, have, total),
                importing=lambda progress: self._draw(bar, progress),
            ):
                bar.close()
                self.answer(import_document(done), [f"  {_summary(done)}"])
        finally:
            bar.close()

    def _begin(self, bar: Bar, step: Step) -> None:
        bar.close()
        self.say(_step_line(step))

    def _draw_fetching(self, bar: Bar, have: int, total: int) -> None:
        if not self.as_json:
            bar.show(have, total, f"fetching, {size(have)} of {size(total)}")

    def import_files(self, options: Options) -> None:
        if not 0 <= options["skip_bad"] <= MOST_LEFT_OUT:
            raise Mistake(f"--skip-bad takes a number from 0 to {MOST_LEFT_OUT}")
        given = Given(
            kind=options["kind"],
            scope=options["scope"],
            publish_date=_moment(options["publish_date"]),
            shrunk=options["shrunk"],
            skip_bad=options["skip_bad"],
        )
        for path in options["files"]:
            self.import_one(path, given)

    def import_one(self, path: Path, given: Given) -> GoldenCopyImport:
        """Import with a bar; a Refusal names the file."""
        bar = Bar(sys.stderr)
        self.say(path.name)
        try:
            done = import_file(path, given=given, report=lambda progress: self._draw(bar, progress))
        finally:
            bar.close()
        left_out = [[f"  left out: {sentence}"] for sentence in done.left_out]
        self.answer(import_document(done), [f"  {_summary(done)}"], *left_out)
        return done

    def _draw(self, bar: Bar, progress: Progress) -> None:
        if not self.as_json:
            last = progress.phase != "reading"
            bar.show(progress.done, progress.total, _progress_line(progress), always=last)


def _step_document(step: Step) -> dict[str, Any]:
    return {
        "kind": step.kind,
        "publish_date": step.publish.publish_date.isoformat(),
        "fetch": step.offer.scope if step.offer else None,
        "url": step.offer.url if step.offer else None,
        "size": step.offer.size if step.offer else None,
    }


def _step_line(step: Step) -> str:
    what = f"{KIND_WORDS[step.kind]}, published {step.publish.publish_date:%Y-%m-%d %H:%M} UTC"
    if step.offer is None:
        return f"{what}: up to date"
    which = "full file" if step.offer.scope == "full" else f"delta of {SCOPE_WORDS[step.offer.scope]}"
    return f"{what}: {which}" + (f", {size(step.offer.size)}" if step.offer.size else "")


def import_document(account: GoldenCopyImport) -> dict[str, Any]:
    """An import as JSON: what, of when, how many."""
    return {
        "kind": account.kind,
        "scope": account.scope,
        "source": account.source,
        "state": account.state,
        "publish_date": account.publish_date.isoformat(),
        "counts": account.counts,
        "left_out": account.left_out,
        "started_at": account.started_at.isoformat(),
        "finished_at": account.finished_at.isoformat() if account.finished_at else None,
        "error": account.error,
    }


def _progress_line(progress: Progress) -> str:
    words = [progress.phase, f"{progress.rows:,} records", f"{progress.rate:,.0f} a second"]
    if progress.phase == "reading" and progress.seconds_left is not None:
        words.append(f"{duration(progress.seconds_left)} left")
    return ", ".join(words)


def _summary(account: GoldenCopyImport) -> str:
    counts = account.counts
    took = (account.finished_at - account.started_at).total_seconds() if account.finished_at else None
    changes = [f"{counts[word]:,} {word}" for word in ("added", "changed", "removed") if word in counts]
    what = f"{account.get_kind_display()} of {account.publish_date:%Y-%m-%d %H:%M} UTC are live"
    words = [f"{counts['read']:,} read", *changes, f"{counts['held']:,} held", f"in {duration(took)}"]
    return f"{what}: {', '.join(words)}"


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Mistake(f"{text!r} is no date; write it like 2026-02-10T08:00Z") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
