"""Kill it where it hurts, and see that every run still ends right and the ledger equals the bill.

Real workers on a PostgreSQL and a Redis of their own, a run of seven model calls and six tool calls a trial.
Run: ``python -m bench crash [--trials 50] [--seed 1]``, or ``--every`` for each commit point once; exit 1 when a
promise was broken.
"""

import argparse
import sys
import time
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

from bench.crash.laboratory import Laboratory
from bench.crash.trials import PROTOCOLS, Trial, draw, every, in_flight
from bench.work import TURNS

if TYPE_CHECKING:
    from bench.crash.ledger import Outcome


def attempt(laboratory: Laboratory, trial: Trial, asking: list[int]) -> tuple["Outcome | None", list[str]]:
    """The outcome and the broken promises; a run that does not end is one."""
    try:
        outcome = laboratory.perform(trial)
    except TimeoutError as error:
        laboratory.workers.want(0)
        return None, [str(error)]
    return outcome, list(outcome.faults(in_flight=in_flight(trial, asking)))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench crash", description=__doc__)
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--every", action="store_true", help="each commit point once, instead of trials drawn"
    )
    options = parser.parse_args(arguments)
    tally: Counter[str] = Counter()
    with ExitStack() as stack:
        laboratory = Laboratory(stack)
        asking, commits = {}, {}
        for protocol in PROTOCOLS:
            commits[protocol], asking[protocol] = laboratory.calibrate(protocol)
            print(f"{protocol}: an undisturbed run commits {commits[protocol]} transactions", flush=True)
        trials = list(every(commits) if options.every else draw(options.trials, options.seed, commits))
        for number, trial in enumerate(trials, 1):
            begin = time.monotonic()
            outcome, faults = attempt(laboratory, trial, asking[trial.protocol])
            print(line(number, trial, outcome, faults, time.monotonic() - begin), flush=True)
            tally.update(marks(outcome, faults))
    print(
        f"{tally['right']} of {len(trials)} right; the ledger exact in {tally['exact']}, "
        f"a model call repeated in {tally['repeated']}"
    )
    return 0 if tally["right"] == len(trials) else 1


def marks(outcome: "Outcome | None", faults: list[str]) -> list[str]:
    """What a trial counts as."""
    marks = ["right"] * (not faults)
    if outcome:
        marks += ["exact"] * outcome.exact + ["repeated"] * (len(outcome.bill) > TURNS)
    return marks


def line(number: int, trial: Trial, outcome: "Outcome | None", faults: list[str], seconds: float) -> str:
    """One trial on one line."""
    if outcome is None:
        return f"{number:>3} {trial} {seconds:6.1f} s  {'; '.join(faults)}"
    money = f"spent {outcome.run.spent_usd} + {outcome.run.lost_usd} of {outcome.billed}"
    calls = f"{len(outcome.bill)} model, {outcome.tools} tool calls"
    verdict = "; ".join(faults) or ("exact" if outcome.exact else "covered")
    return f"{number:>3} {trial} {seconds:6.1f} s  {calls}, {money}: {verdict}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
