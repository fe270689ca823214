"""Prints the commands of a Markdown file that promise to work anywhere: ```sh blocks under a ``<!-- ci -->`` line."""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^<!-- ci -->\n+```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """The lines of the marked blocks, in order; ValueError when there is none: a check of nothing is no check."""
    found = [line for block in BLOCK.findall(text) for line in block.splitlines() if line.strip()]
    if not found:
        raise ValueError("no ```sh block is marked with <!-- ci -->")
    return found


if __name__ == "__main__":
    print("\n".join(commands(Path(sys.argv[1]).read_text(encoding="utf-8"))))
