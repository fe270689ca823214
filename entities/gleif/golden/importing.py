"""Importing one file of the golden copy: all of it, or nothing.

The file is read into incoming tables while the old register answers; then one transaction puts it live. A file with a
fault, or an import that is broken off, changes nothing and can be repeated. One import runs at a time.
"""

import os
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from entities.gleif.golden.files import KIND_WORDS, BadFile, CopyFile, Faults, name_facts
from entities.gleif.golden.formats import open_copy
from entities.gleif.golden.processes import read_in_processes
from entities.gleif.golden.store import Duplicate, Incoming, as_of
from entities.models import GoldenCopyImport, RegisterName
from entities.names.index import refresh_name_index

SPANS = {
    "IntraDay": timedelta(hours=8),
    "LastDay": timedelta(days=1),
    "LastWeek": timedelta(days=7),
    "LastMonth": timedelta(days=31),
}
DEAD_AFTER = timedelta(minutes=15)  # on another machine; on this one a process that is gone is known at once
LEAST_SHARE = 0.9  # the register grows: a full file that is so much smaller than it is cut off
CLOCKS_APART = timedelta(days=1)  # how far ahead of ours the publisher's clock may be
BATCH = 2_500  # records that are stored at once where this process reads the file
WORTH_PROCESSES = 10_000_000  # bytes; below it a process takes longer to begin than to read
MOST_PROCESSES = 4  # the database keeps no more busy
_BEAT_SECONDS = 1.0


class Refused(Exception):
    """The file may be sound but is not imported now; the message is one sentence."""


@dataclass(frozen=True)
class Progress:
    """How far an import is: ``phase`` in a word, bytes of the file, seconds that it took so far."""

    phase: str
    rows: int
    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Records a second."""
        return self.rows / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """An estimate for the rest of the file; None before anything is read."""
        return self.seconds * (self.total - self.done) / self.done if self.done else None


@dataclass(frozen=True)
class Given:
    """What the caller knows of a file beyond what it says itself; None for what it does not know.

    ``expected`` is the number of records the publisher announces; ``shrunk`` allows a full file to be much smaller than
    the register; so many records as ``skip_bad`` says may be wrong and are left out.
    """

    kind: str | None = None
    scope: str | None = None
    publish_date: datetime | None = None
    expected: int | None = None
    shrunk: bool = False
    skip_bad: int = 0


Report = Callable[[Progress], None]


def import_file(
    path: Path,
    *,
    given: Given | None = None,
    report: Report = lambda progress: None,
    clock: Callable[[], float] = time.monotonic,
) -> GoldenCopyImport:
    """Import a file and return its account, which is live.

    Raises:
        BadFile: the file is broken, or not what it is said to be.
        Refused: another import is running, or the file does not fit the register there is.
    """
    given = given or Given()
    faults = Faults(given.skip_bad)
    with open_copy(path, faults) as copy:
        wanted = _settled(copy, path.name, given)
        account = _begin(wanted, path)
        work = _Work(account, copy, faults, wanted, report, clock)
        with _accounted(account, work.incoming):
            work.run(path)
    account.refresh_from_db()
    return account


def newest(kind: str) -> GoldenCopyImport | None:
    """The import that says what the register holds of a kind."""
    return (
        GoldenCopyImport.objects.filter(kind=kind, state=GoldenCopyImport.State.LIVE).order_by("-id").first()
    )


@dataclass(frozen=True)
class Settled:
    """What is known of a file once name, header and caller have been heard."""

    kind: str
    scope: str
    publish_date: datetime
    expected: int | None
    shrunk: bool

    @property
    def full(self) -> bool:
        return self.scope == "full"


def _settled(copy: CopyFile, name: str, given: Given) -> Settled:
    """What is known of a file, from the caller, its name and its header. Raises BadFile on contradictions and gaps."""
    facts = name_facts(name)
    for word in (given.kind, facts.kind):
        if word not in (None, copy.kind):
            raise BadFile(f"The file holds {KIND_WORDS[copy.kind]}, not {KIND_WORDS[str(word)]}.")
    scope = given.scope or facts.scope or ("full" if copy.full else None)
    if scope is None:
        raise BadFile(
            "Neither name nor header of the file says whether it is all of the register or a delta."
        )
    if copy.full is not None and copy.full != (scope == "full"):
        raise BadFile(f"By its header the file is {'all of the register' if copy.full else 'a delta'}.")
    publish_date = given.publish_date or facts.publish_date or copy.publish_date
    if publish_date is None:
        raise BadFile("Neither name nor header of the file says when it was published.")
    expected = given.expected if given.expected is not None else copy.expected
    if None not in (given.expected, copy.expected) and given.expected != copy.expected:
        raise BadFile(f"The header counts {copy.expected:,} records, the publisher {given.expected:,}.")
    return Settled(copy.kind, scope, publish_date, expected, given.shrunk)


def _refuse_misfit(wanted: Settled) -> None:
    """A file must not take the register back in time or into the future, nor leave a gap in it."""
    live = newest(wanted.kind)
    what = KIND_WORDS[wanted.kind]
    if wanted.publish_date > timezone.now() + CLOCKS_APART:
        raise Refused(
            f"The file is said to be published on {_day(wanted.publish_date)}, which is to come; no later file "
            "would be taken until then."
        )
    if live is not None and wanted.publish_date < live.publish_date:
        raise Refused(f"The register holds the {what} of {_day(live.publish_date)}; the file is older.")
    if wanted.full:
        return
    if live is None:
        raise Refused(f"A delta needs a register to change: import a full file of {what} first.")
    if live.publish_date < wanted.publish_date - SPANS[wanted.scope]:
        raise Refused(
            f"The register holds the {what} of {_day(live.publish_date)}; the delta begins later, so changes between "
            "would be missing. Import a longer delta or a full file."
        )


def _begin(wanted: Settled, path: Path) -> GoldenCopyImport:
    """Open the account. Raises Refused when another import is running."""
    for _ in range(2):
        try:
            with transaction.atomic():
                return GoldenCopyImport.objects.create(
                    kind=wanted.kind,
                    scope=wanted.scope,
                    source=path.name[:500],
                    publish_date=wanted.publish_date,
                    phase="reading",
                    total=path.stat().st_size,
                    owner=f"{socket.gethostname()} {os.getpid()}",
                )
        except IntegrityError:
            running = GoldenCopyImport.objects.filter(state=GoldenCopyImport.State.RUNNING).first()
            if running is not None and not bury(running):
                since = running.started_at
                raise Refused(
                    f"Another import is running ({running}, since {since:%H:%M}); one runs at a time."
                ) from None
    raise Refused("Another import is running; one runs at a time.")


def bury(running: GoldenCopyImport) -> bool:
    """Close the account of an import whose process is gone; False when it lives or may live."""
    if not is_dead(running):
        return False
    _fail(running, "The import broke off; the register before it is still live.")
    return True


def is_dead(running: GoldenCopyImport) -> bool:
    """Whether the process of a running import is known to be gone."""
    host, _, pid = running.owner.rpartition(" ")
    if host == socket.gethostname() and pid.isdigit():
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
    return timezone.now() - running.beat_at > DEAD_AFTER


@contextmanager
def _accounted(account: GoldenCopyImport, incoming: Incoming) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        reason = str(error) or type(error).__name__
        sentence = reason if isinstance(error, BadFile | Refused) else f"The import broke off: {reason}"
        if _fail(account, sentence):  # else the incoming tables are another import's by now
            incoming.drop()
        raise


def _fail(account: GoldenCopyImport, reason: str) -> bool:
    """Close the account; False when somebody else has."""
    running = GoldenCopyImport.objects.filter(pk=account.pk, state=GoldenCopyImport.State.RUNNING)
    return bool(
        running.update(
            state=GoldenCopyImport.State.FAILED, error=reason[:2_000], finished_at=timezone.now(), phase=""
        )
    )


class _Work:
    """One import under way."""

    def __init__(
        self,
        account: GoldenCopyImport,
        copy: CopyFile,
        faults: Faults,
        wanted: Settled,
        report: Report,
        clock: Callable[[], float],
    ) -> None:
        self.account, self.copy, self.faults, self.wanted = account, copy, faults, wanted
        self.incoming = Incoming(copy.kind)
        copy.stamp = RegisterName.LOCAL.value, as_of(account.publish_date), account.started_at.isoformat()
        self._report, self._clock = report, clock
        self._begun, self._beat = clock(), clock()
        self.rows = 0

    def run(self, path: Path) -> None:
        _refuse_misfit(self.wanted)
        self.incoming.prepare()
        try:
            self._read()
            self._refuse_wrong_count()
            self._tell("checking", always=True)
            repeated = self.incoming.complete()
        except Duplicate as error:
            raise BadFile(_where_twice(path, error.key)) from error
        self._tell("going live", always=True)
        self._go_live({"read": self.rows, "repeated": repeated})
        self.incoming.analyse(replaced=self.wanted.full)
        if self.wanted.kind == "lei2":
            refresh_name_index()

    def _read(self) -> None:
        """The next batch is read while the database takes the last."""
        for count, texts in self._batches():
            if count:
                self.incoming.write(texts)
            self.rows += count
            self._tell("reading")

    def _batches(self) -> Iterator[tuple[int, list[bytes]]]:
        count = processes_for(self.account.total)
        if self.copy.blocks is None or count < 2:
            return self._by_a_thread()
        return read_in_processes(count, self.copy, self.faults)

    def _by_a_thread(self) -> Iterator[tuple[int, list[bytes]]]:
        with ThreadPoolExecutor(max_workers=1) as reader:
            coming = reader.submit(self._batch)
            while (batch := coming.result())[0]:
                coming = reader.submit(self._batch)
                yield batch

    def _batch(self) -> tuple[int, list[bytes]]:
        rows = list(islice(self.copy.rows, BATCH))
        return len(rows), ["".join(lines).encode() for lines in zip(*rows, strict=True)]

    def _refuse_wrong_count(self) -> None:
        expected, there = self.wanted.expected, self.rows + len(self.faults.told)
        if expected is not None and expected != there:
            raise BadFile(f"The file holds {there:,} records; {expected:,} are announced.")
        if not self.rows and self.wanted.full:
            raise BadFile("The file holds no records.")
        live = newest(self.copy.kind)
        held = live.counts.get("held", 0) if live else 0
        if self.wanted.full and self.rows < LEAST_SHARE * held and not self.wanted.shrunk:
            raise Refused(
                f"The file holds {self.rows:,} records and the register {held:,}; a full file never shrinks so much."
            )

    @transaction.atomic
    def _go_live(self, counts: dict[str, int]) -> None:
        """The account and the tables change together, unless somebody took the import for dead."""
        full = self.wanted.full
        held = self.rows - counts["repeated"]
        if not full:
            counts |= self.incoming.merge()
            live = newest(self.copy.kind)
            held = (live.counts.get("held", 0) if live else 0) + counts["added"] - counts["removed"]
        done = GoldenCopyImport.objects.filter(
            pk=self.account.pk, state=GoldenCopyImport.State.RUNNING
        ).update(
            state=GoldenCopyImport.State.LIVE,
            counts=counts | {"held": held},
            left_out=self.faults.told,
            finished_at=timezone.now(),
            done=self.account.total,
            phase="",
        )
        if not done:
            raise Refused("The import was taken for dead and another may have begun.")
        if full:
            self.incoming.replace()

    def _tell(self, phase: str, *, always: bool = False) -> None:
        now = self._clock()
        done = min(self.copy.bytes_read(), self.account.total)
        self._report(Progress(phase, self.rows, done, self.account.total, now - self._begun))
        if not always and now - self._beat < _BEAT_SECONDS:
            return
        self._beat = now
        alive = GoldenCopyImport.objects.filter(
            pk=self.account.pk, state=GoldenCopyImport.State.RUNNING
        ).update(phase=phase, done=done, beat_at=timezone.now(), counts={"read": self.rows})
        if not alive:
            raise Refused("The import was taken for dead and another may have begun.")


def processes_for(size: int) -> int:
    """How many processes read a file of so many bytes; 1 is this one."""
    asked: int = settings.GOLDEN_COPY_PROCESSES
    if connection.vendor != "postgresql" or size < WORTH_PROCESSES:
        return 1
    return asked or min(len(os.sched_getaffinity(0)), MOST_PROCESSES)


def _where_twice(path: Path, key: str) -> str:
    """Where in the file a key is the second time; the file is read again for it."""
    seen = 0
    with open_copy(path) as copy:
        for row in copy.rows:
            seen += row[0].startswith(f"{key}\t")
            if seen == 2:
                return f"{copy.place().capitalize()}: the LEI {key} is in the file already."
    return f"The LEI {key} is in the file twice."


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
