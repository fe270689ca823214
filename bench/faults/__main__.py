"""What Dossier stands on fails on purpose, and everything still ends right: a table of trials, right, left.

Real processes on servers of their own, which stop by themselves. Run: ``python -m bench faults [NAME] [--trials 50]``;
exit 1 when anything was wrong.
"""

import argparse
import subprocess
import sys

from bench.faults import full, killed, pairs, restart
from bench.faults.places import DATABASES

TRIALS = {"pairs": pairs.run, "restart": restart.run, "killed": killed.run, "full": full.run}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench faults", description=__doc__)
    parser.add_argument("name", nargs="?", choices=TRIALS)
    parser.add_argument("--database", choices=DATABASES)
    parser.add_argument("--trials", type=int, default=50)
    options = parser.parse_args(arguments)
    if options.name and options.database:  # each in a process of its own: Django has one database
        return perform(options.name, options.database, options.trials)
    chosen = [
        [name, "--database", database, "--trials", str(options.trials)]
        for name in ([options.name] if options.name else TRIALS)
        for database in ([options.database] if options.database else DATABASES)
    ]
    codes = [subprocess.run([sys.executable, "-m", "bench.faults", *each], check=False) for each in chosen]
    return int(any(done.returncode for done in codes))


def perform(name: str, database: str, trials: int) -> int:
    """One line of the table, and what was wrong below it."""
    told = TRIALS[name](trials, database)
    seconds = sorted(told.seconds) or [0.0]
    print(
        f"{name:<12}{database:<12}{told.trials:>5} trials{told.trials - len(told.wrong):>6} right   "
        f"median {seconds[len(seconds) // 2]:.2f} s, at most {seconds[-1]:.2f} s   {told.note}",
        flush=True,
    )
    for fault in told.wrong:
        print(f"    {fault[:300]}")
    return int(bool(told.wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
