"""How fast the golden copy is imported, against PostgreSQL's bare COPY of the same file, and in how much memory.

The file has the 338 columns of GLEIF's LEI records, every cell in quotes, and invented records. The floor is COPY of
that file as it is into one table of text columns with the same primary key: nothing is checked, no document made, no
name kept. PostgreSQL is one of our own; each import is a process of its own, floor and import take turns, and the best
of each counts.

``python -m bench register [--records N] [--rounds N]``; with ``--once`` a single import into PostgreSQL and nothing
else, for as many records as GLEIF publishes: ``python -m bench register --once --records 3400000``. ``--kind rr`` and
``--kind repex`` take relationships and reporting exceptions instead of LEI records.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.golden_file import MADE_UP, columns, write_made_up
from bench.servers import postgres

CHUNK = 1 << 20


@dataclass(frozen=True)
class Figures:
    """One import or COPY: seconds, CPU seconds of our processes and the most memory they had together, in MB."""

    records: int
    seconds: float
    cpu: float
    peak_mb: float

    @property
    def per_second(self) -> float:
        return self.records / self.seconds


def import_copy(path: Path) -> Figures:
    """Import a file into an empty register."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from datetime import UTC, datetime

    from django.core.management import call_command

    from entities.gleif.golden.importing import Given, import_file

    call_command("migrate", verbosity=0)
    given = Given(scope="full", publish_date=datetime(2026, 2, 10, 8, tzinfo=UTC), shrunk=True)
    begin, cpu = time.perf_counter(), _cpu()
    with Memory() as memory:
        records = int(import_file(path, given=given).counts["read"])
    return Figures(records, time.perf_counter() - begin, _cpu() - cpu, memory.peak_mb)


def bare_copy(path: Path, url: str) -> Figures:
    """COPY the file as it is."""
    import psycopg

    names = ", ".join(f"c{number} text{' primary key' * (number == 0)}" for number in range(len(columns())))
    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE IF EXISTS bare")
        connection.execute(f"CREATE TABLE bare ({names})")
        connection.commit()
        begin, cpu = time.perf_counter(), _cpu()
        with (
            connection.cursor().copy("COPY bare FROM STDIN (FORMAT csv, HEADER)") as copy,
            path.open("rb") as file,
        ):
            while chunk := file.read(CHUNK):
                copy.write(chunk)
        connection.commit()
        took, used = time.perf_counter() - begin, _cpu() - cpu
        row = connection.execute("SELECT count(*) FROM bare").fetchone()
        connection.execute("DROP TABLE bare")
    return Figures(int(row[0]) if row else 0, took, used, _peak_mb())


def _cpu() -> float:
    """Of this process and those it has started that are done; ``os.times`` counts in hundredths of a second."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Memory:
    """The most memory that this process and its children had at one moment, looked at ten times a second."""

    def __init__(self) -> None:
        self.peak_mb = 0.0
        self._done = threading.Event()
        self._looking = threading.Thread(target=self._look)

    def __enter__(self) -> "Memory":
        self._looking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._looking.join()

    def _look(self) -> None:
        last = False
        while not last:
            last = self._done.wait(0.1)
            self.peak_mb = max(self.peak_mb, sum(map(_resident_mb, [os.getpid(), *_children()])))


def _children() -> list[int]:
    tasks = Path("/proc/self/task").iterdir()
    return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]


def _resident_mb(pid: int) -> float:
    """0 for a process that is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _in_a_process(what: str, path: Path, url: str, var: str) -> Figures:
    env = {**os.environ, "DATABASE_URL": url, "DOSSIER_VAR": var, "DOSSIER_REGISTER": "demo"}
    command = [sys.executable, "-m", "bench.register", "--only", what, "--file", str(path)]
    return Figures(**json.loads(subprocess.run(command, env=env, check=True, capture_output=True).stdout))


def _line(name: str, figures: Figures, floor: Figures | None = None) -> str:
    ratio = f"{figures.per_second / floor.per_second:>8.2f}" if floor else f"{'':>8}"
    cpu = 1e6 * figures.cpu / figures.records
    return f"  {name:<26}{figures.records:>9,}{figures.per_second:>11,.0f}{ratio}{cpu:>9.1f}{figures.peak_mb:>9.0f}"


def _heading(path: Path, kind: str = "lei2") -> None:
    width = len(MADE_UP[kind][0]())
    print(f"Import of the golden copy: {kind}, {width} columns, {path.stat().st_size / 1e6:,.0f} MB")
    print(f"  {'':<26}{'records':>9}{'a second':>11}{'of COPY':>8}{'µs CPU':>9}{'peak MB':>9}", flush=True)


def measure_once(records: int, kind: str) -> None:
    """One import into PostgreSQL: what it takes at full scale."""
    with tempfile.TemporaryDirectory() as folder, postgres() as server:
        path = Path(folder) / "once.csv"
        write_made_up(path, records, kind=kind)
        _heading(path, kind)
        print(_line("import, PostgreSQL", _in_a_process("import", path, server.url, f"{folder}/var")))


def measure(records: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder, postgres() as server:
        few, many = (Path(folder) / f"{count}.csv" for count in (records // 4, records))
        write_made_up(few, records // 4)
        write_made_up(many, records)
        _heading(many)
        var = f"{folder}/var"
        small = _in_a_process("import", few, server.url, var)
        floors, imports = [], []
        for _ in range(rounds):
            floors.append(_in_a_process("copy", many, server.url, var))
            imports.append(_in_a_process("import", many, server.url, var))
        floor, best = (max(found, key=lambda each: each.per_second) for found in (floors, imports))
        print(_line("bare COPY", floor))
        print(_line("import, PostgreSQL", small))
        print(_line("import, PostgreSQL", best, floor))
        print(_line("import, SQLite", _in_a_process("import", many, "", var)))
        print(
            f"  memory from {small.records:,} to {best.records:,} records: {best.peak_mb - small.peak_mb:+.0f} MB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench register", description=__doc__)
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--once", action="store_true", help="one import into PostgreSQL, nothing beside it")
    parser.add_argument("--kind", choices=tuple(MADE_UP), default="lei2", help="what --once imports")
    parser.add_argument("--only", choices=("import", "copy"), help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only == "import":
        print(json.dumps(asdict(import_copy(options.file))))
    elif options.only == "copy":
        print(json.dumps(asdict(bare_copy(options.file, os.environ["DATABASE_URL"]))))
    elif options.once:
        measure_once(options.records, options.kind)
    else:
        measure(options.records, options.rounds)


if __name__ == "__main__":
    main()
