"""Measurements, each in a process of its own: none warms up another's caches.

``python -m bench`` takes the quick ones; the others start servers of their own and take minutes.
"""

import subprocess
import sys

QUICK, LONG = (
    ("lei_checksum", "whole_path", "floors", "enrich", "web_process", "citations", "pdf"),
    (
        *("archive", "as_of", "names", "matching", "memory_names", "engine", "crash", "faults", "register"),
        *("screening", "ownership", "browsing"),
    ),
)


def main(arguments: list[str]) -> None:
    if arguments and arguments[0] not in QUICK + LONG:
        sys.exit(f"python -m bench [{' | '.join(QUICK + LONG)}]")
    for measurement in arguments[:1] or QUICK:
        done = subprocess.run([sys.executable, "-m", f"bench.{measurement}", *arguments[1:]], check=False)
        if done.returncode:
            sys.exit(done.returncode)
        print(flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
