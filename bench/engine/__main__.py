"""What a durable run costs, beside a bare loop and, where they can be imported, beside two other engines.

Every contender and mode runs in a fresh process, in alternating rounds, on a core of its own; the scripted model and a
PostgreSQL started for the occasion have the other. Run: ``python -m bench engine [--peers PYTHON]``.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator

import psycopg

from bench.engine.one import ASYNC, FLOORS
from bench.engine.sampling import Sampler, storage
from bench.servers import Postgres, model_server, pinned, postgres

Figures = dict[str, float]
WIDTH = 13
COLUMNS = {
    "seq": {"cpu_ms_turn": "CPU ms/turn", "wall_ms_run": "wall ms/run", "rss_peak_mb": "RSS MB"},
    "conc": {
        "ideal": "wall/ideal",
        "cpu_ms_turn": "CPU ms/turn",
        "rss_peak_mb": "RSS MB",
        "database": "database",
        "connections": "to model",
    },
}


class Race:
    """The rounds, and what each contender's database was asked to hold."""

    def __init__(self, options: argparse.Namespace, database: Postgres, server: str) -> None:
        self.options, self.database, self.server = options, database, server
        self.count = 0

    def run(self, contender: str, mode: str) -> Figures:
        """One fresh process on one fresh database."""
        self.count += 1
        name = f"bench_{self.count}"
        with psycopg.connect(self.database.url, autocommit=True) as connection:
            connection.execute(f"create database {name}")
        url = self.database.url.rpartition("/")[0] + f"/{name}"
        with Sampler(self.database.url, name) as sampler:
            figures = self._measure(contender, mode, url)
        figures["database"] = sampler.peak
        if (
            mode == "conc" and contender not in FLOORS
        ):  # of many runs: an index begins with pages that are empty
            figures["stored"] = storage(url) / (self.options.concurrent + 1)
        return figures

    def _measure(self, contender: str, mode: str, url: str) -> Figures:
        peer = contender in ASYNC
        runs = self.options.runs if mode == "seq" else self.options.concurrent
        module = ["-m", "bench.engine.one", contender, mode, "--server", self.server, "--runs", str(runs)]
        command = [self.options.peers if peer else sys.executable, *module]
        command += ["--latency", str(self.options.latency)]
        done = subprocess.run(
            pinned(0, command),
            env=os.environ | {"DATABASE_URL": url},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{contender} {mode} failed:\n{done.stderr[-3000:]}")
        figures: Figures = {
            key: value
            for key, value in json.loads(done.stdout.splitlines()[-1]).items()
            if isinstance(value, float | int)
        }
        return figures


def table(mode: str, rounds: dict[str, list[Figures]]) -> Iterator[str]:
    """Medians, and how many times the floor each is."""
    columns = COLUMNS[mode]
    yield (
        f"{'':<14}" + "".join(f"{title:>{WIDTH}}" for title in columns.values()) + f"{'x floor CPU':>{WIDTH}}"
    )
    floor = statistics.median(round_["cpu_ms_turn"] for round_ in rounds["floor"])
    for contender, figures in rounds.items():
        cells = [statistics.median(round_[column] for round_ in figures) for column in columns]
        ratio = statistics.median(round_["cpu_ms_turn"] for round_ in figures) / floor
        yield f"{contender:<14}" + "".join(f"{cell:>{WIDTH}.2f}" for cell in cells) + f"{ratio:>{WIDTH}.1f}"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench engine", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=30, help="runs one after the other")
    parser.add_argument("--concurrent", type=int, default=200, help="runs at once")
    parser.add_argument(
        "--latency", type=float, default=500, help="ms of a model call when runs are concurrent"
    )
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that can import langgraph and dbos")
    parser.add_argument("--json", action="store_true", help="every round as a line of JSON, too")
    options = parser.parse_args(arguments)
    contenders = ["dossier", *FLOORS, *(ASYNC if options.peers else ())]
    with postgres() as database, model_server() as server:
        race = Race(options, database, server)
        for mode in ("seq", "conc"):
            rounds: dict[str, list[Figures]] = {contender: [] for contender in contenders}
            for _ in range(options.rounds):
                for contender in contenders:
                    rounds[contender].append(race.run(contender, mode))
                    if options.json:
                        print(json.dumps({"contender": contender, "mode": mode, **rounds[contender][-1]}))
            report(mode, options, rounds)


def report(mode: str, options: argparse.Namespace, rounds: dict[str, list[Figures]]) -> None:
    """What was measured, in words that docs/bench.md explains."""
    title = {
        "seq": f"One run after the other, {options.runs} runs of 7 turns, no latency",
        "conc": f"{options.concurrent} runs at once, {options.latency:g} ms a call",
    }[mode]
    print(f"{title}; median of {options.rounds} rounds")
    for line in table(mode, rounds):
        print(f"  {line}")
    for contender, figures in rounds.items():
        if stored := [round_["stored"] for round_ in figures if "stored" in round_]:
            print(f"  {contender} stores {statistics.median(stored) / 1000:.1f} kB a run")
    print(flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
