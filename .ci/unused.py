"""Find functions of the product that nothing uses, with vulture. Prints them and fails if there are any.

A decorator hands a function to somebody else: a model, a worker, Django. What settings, templates and hooks name in
words counts as used.
"""

import re
import subprocess
import sys
from pathlib import Path

from vulture import Vulture  # type: ignore[import-untyped]

ROOMS = ["common", "citations", "entities", "research", "config", "manage.py"]
REASONS = {
    "is_included": "tests hold the checker of the bundle, which strangers run, against it",
    "is_consistent": "likewise",
    "forget": "tests forget what a process remembers",
}


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", *ROOMS, "pyproject.toml"], capture_output=True, text=True, check=True
    )
    paths = [Path(path) for path in listed.stdout.splitlines()]
    named = {word for path in paths for word in _words_in_strings(path)}
    found = Vulture(ignore_decorators=["@*"], ignore_names=list(REASONS))
    found.scavenge([str(path) for path in paths if path.suffix == ".py"])
    unused = [
        one
        for one in found.get_unused_code(min_confidence=60)
        if one.typ == "function" and one.name not in named
    ]
    for one in unused:
        print(f"{one.filename}:{one.first_lineno}: nothing uses {one.name}")
    return bool(unused)


def _words_in_strings(path: Path) -> list[str]:
    """The last words of dotted names in quotes: ``"config.worker.settle"``, ``"common.program:version"``."""
    if path.suffix not in (".py", ".toml", ".html"):
        return []
    return re.findall(r"[.:](\w+)[\"']", path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
