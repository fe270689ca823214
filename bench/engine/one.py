"""One contender, one mode, one fresh process; prints one line of JSON.

``seq``: one run after the other. ``conc``: all at once, each call of the model takes ``--latency`` ms.
"""

import argparse
import asyncio
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.servers import served
from bench.work import TURNS, is_right

FLOORS = ("floor", "kept")
ASYNC = ("langgraph", "pydantic-ai")
Run = Callable[[int], dict[str, Any]]


class Measured:
    """CPU, wall clock and memory between two moments."""

    def __init__(self, runs: int, latency: float) -> None:
        self.runs, self.latency = runs, latency

    def __enter__(self) -> "Measured":
        self.cpu, self.rss = _used()
        self.begin = time.perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        wall = time.perf_counter() - self.begin
        cpu, peak = _used()
        self.figures = {
            "cpu_ms_turn": (cpu - self.cpu) * 1000 / (self.runs * TURNS),
            "wall_ms_run": wall * 1000 / self.runs,
            "rss_before_mb": self.rss,
            "rss_peak_mb": peak,
        }
        if self.latency:
            self.figures["ideal"] = wall / (TURNS * self.latency / 1000)


def _used() -> tuple[float, float]:
    """CPU seconds and the most MB so far; ``ru_maxrss`` would count the parent's pages, too."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")
    )
    return used.ru_utime + used.ru_stime, int(peak.split()[1]) / 1024


def check(documents: Sequence[dict[str, Any]]) -> None:
    """A contender that gives a wrong answer is not measured."""
    wrong = [document for document in documents if not is_right(document)]
    if wrong:
        raise AssertionError(f"{len(wrong)} wrong answers, the first: {wrong[0]}")


def measure_threads(run: Run, runs: int, warm: int, latency: float, threads: int) -> dict[str, float]:
    check([run(case) for case in range(warm)])
    with Measured(runs, latency) as measured, ThreadPoolExecutor(threads) as pool:
        documents = list(pool.map(run, range(warm, warm + runs)))
    check(documents)
    return measured.figures


async def measure_tasks(name: str, url: str, runs: int, warm: int, latency: float) -> dict[str, float]:
    from bench.engine import peers

    factory = {"langgraph": peers.langgraph, "pydantic-ai": peers.pydantic_ai}[name]
    async with factory(url) as run:
        check([await run(case) for case in range(warm)])
        with Measured(runs, latency) as measured:
            cases = [run(case) for case in range(warm, warm + runs)]
            documents = await asyncio.gather(*cases) if latency else [await case for case in cases]
    check(documents)
    return measured.figures


def thread_contender(name: str, url: str) -> Run:
    if name == "floor":
        from bench.engine.floor import Floor

        return Floor(url)
    if name == "kept":
        from bench.engine.kept import KeptFloor

        return KeptFloor(url)
    from bench.dossier import Dossier

    return Dossier(url)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contender", choices=["dossier", *FLOORS, *ASYNC])
    parser.add_argument("mode", choices=["seq", "conc"])
    parser.add_argument("--server", required=True)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--warm", type=int, default=5)
    parser.add_argument("--latency", type=float, default=500)
    options = parser.parse_args(arguments)
    latency = options.latency if options.mode == "conc" else 0
    url = f"{options.server}/l{latency:g}/v1"
    warm = options.warm if options.mode == "seq" else 1
    before = served(options.server)
    if options.contender in ASYNC:
        figures = asyncio.run(measure_tasks(options.contender, url, options.runs, warm, latency))
    else:
        threads = options.runs if latency else 1
        run = thread_contender(options.contender, url)
        figures = measure_threads(run, options.runs, warm, latency, threads)
    after = served(options.server)
    figures["model_calls"] = after["requests"] - before["requests"]
    figures["connections"] = after["connections"] - before["connections"] - 1
    json.dump({"contender": options.contender, "mode": options.mode, **figures}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
