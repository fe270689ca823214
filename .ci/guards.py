"""Rules of the house that no linter knows. Prints every fault as file:line: reason; exit 1 when there is one.

Patterns that name what must not appear are put together from pieces, so that this file passes its own guard.
"""

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAX_FILE, MAX_FUNCTION, MAX_MEDIAN, MAX_P90 = 500, 60, 10, 30
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Fault(NamedTuple):
    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


def _any_of(*words: tuple[str, ...]) -> str:
    return "|".join(re.escape("".join(pieces)) for pieces in words)


REGISTRY_HOST = re.compile(
    _any_of(
        ("py", "pi.org"),
        ("python", "hosted.org"),
        ("registry.", "npmjs"),
        ("registry.", "yarnpkg"),
        ("deb.", "debian.org"),
        ("archive.", "ubuntu.com"),
        ("crates", ".io"),
        ("proxy.", "golang.org"),
        ("docker", ".io/"),
        ("ghcr", ".io/"),
        ("quay", ".io/"),
    )
)
MACHINE_PATH = re.compile(
    r"(?<![\w.~-])/(?:" + _any_of(("ho", "me"), ("ro", "ot"), ("Us", "ers"), ("wo", "rk")) + r")/[\w.-]"
)
LOCK_ADDRESS = re.compile(
    r"(?:https?|file)://|^\s*-(?:i|f)\b|index-url|find-links|trusted-host", re.MULTILINE
)
NEVER_TRACKED = re.compile(r"(?:^|/)(?:uv\.lock|pylock[^/]*\.toml|package-lock\.json)$")
ASSERTING = re.compile(r"^_?(?:assert\w*|raises|warns|fail|expect\w*)$")
WRITES = {
    "create",
    "bulk_create",
    "get_or_create",
    "update_or_create",
    "update",
    "bulk_update",
    "delete",
    "acreate",
    "aupdate",
    "adelete",
}
WRITERS = re.compile(
    r"/services/|/services\.py$|/memory\.py$|/memory/|/intake\.py$|/golden/importing\.py$|/screening/importing\.py$|/gleif/cache\.py$|/audit/seals\.py$|/store/portable\.py$|/engine/(?:children|finish|sources)\.py$"
    r"|/web/archive/(?:store|index)\.py$|/browsing/walks\.py$"
)


def tracked(root: Path) -> list[str]:
    """Files that git tracks and that are still there, as paths relative to ``root``."""
    answer = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True)
    return [name for name in answer.stdout.split("\0") if name and (root / name).is_file()]


def read(path: Path) -> str | None:
    """The file's text, or None when it is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def check_text(name: str, text: str) -> Iterator[Fault]:
    """What no tracked text may hold, whatever its language."""
    for number, line in enumerate(text.splitlines(), 1):
        if REGISTRY_HOST.search(line):
            yield Fault(name, number, "names the host of a package registry")
        if MACHINE_PATH.search(line):
            yield Fault(name, number, "holds an absolute path of somebody's machine")


def check_lock(name: str, text: str) -> Iterator[Fault]:
    """A lock names packages and hashes, not where they come from."""
    for found in LOCK_ADDRESS.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Fault(name, line, "a lock must not say where packages come from")


def is_test(name: str) -> bool:
    return name.startswith("tests/")


def is_generated(name: str) -> bool:
    return "/migrations/" in name


def functions(tree: ast.AST) -> list[Function]:
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


def length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def check_lengths(name: str, text: str, tree: ast.AST) -> Iterator[Fault]:
    lines = text.count("\n")
    if lines > MAX_FILE:
        yield Fault(name, 1, f"{lines} lines; at most {MAX_FILE}")
    for function in functions(tree):
        if length(function) > MAX_FUNCTION:
            reason = f"{function.name} has {length(function)} lines; at most {MAX_FUNCTION}"
            yield Fault(name, function.lineno, reason)


def check_asserts(name: str, tree: ast.AST) -> Iterator[Fault]:
    """A test that asserts nothing, by itself or in a helper of its file, cannot fail."""
    known = functions(tree)
    helpers = {function.name for function in known if _asserts(function, set())}
    for function in known:
        if function.name.startswith("test_") and not _asserts(function, helpers):
            yield Fault(name, function.lineno, f"{function.name} asserts nothing")


def _asserts(function: Function, helpers: set[str]) -> bool:
    for node in ast.walk(function):
        called = _called(node.func) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Assert) or called in helpers or ASSERTING.match(called):
            return True
    return False


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def check_writes(name: str, tree: ast.AST) -> Iterator[Fault]:
    """Only services write: elsewhere no call on a manager may change rows."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node.func) in WRITES and _on_manager(node.func):
            yield Fault(name, node.lineno, f".{_called(node.func)}() on rows belongs in a service")


def _on_manager(node: ast.expr) -> bool:
    """Does the chain of calls and attributes start at ``Something.objects``?"""
    while isinstance(node, ast.Attribute | ast.Call):
        if isinstance(node, ast.Attribute) and node.attr in {"objects", "_default_manager"}:
            return True
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return False


def check_commands(name: str, tree: ast.AST) -> Iterator[Fault]:
    """How a command is typed depends on where Dossier runs, so no message says it by itself; docstrings may."""
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or node in docstrings:
            continue
        if isinstance(node.value, str) and re.search(r"manage\.py \w", node.value):
            yield Fault(name, node.lineno, "says how a command is typed; common.program.typed knows")


def check_python(name: str, text: str) -> Iterator[Fault]:
    tree = ast.parse(text, name)
    if not is_generated(name):
        yield from check_lengths(name, text, tree)
    if is_test(name):
        yield from check_asserts(name, tree)
    elif not is_generated(name) and not WRITERS.search(name):
        yield from check_writes(name, tree)
    if name.startswith(("citations/", "common/", "config/", "entities/", "research/")):
        yield from check_commands(name, tree)


def check_file(name: str, text: str) -> Iterator[Fault]:
    yield from check_text(name, text)
    if name.endswith(".lock"):
        yield from check_lock(name, text)
    if name.endswith(".py"):
        yield from check_python(name, text)


def check_tree(root: Path) -> tuple[list[Fault], list[int]]:
    """All faults, and the lengths of all functions outside tests and migrations."""
    faults: list[Fault] = []
    lengths: list[int] = []
    for name in tracked(root):
        if NEVER_TRACKED.search(name):
            faults.append(Fault(name, 1, "must not be tracked: it records the registry it came from"))
        text = read(root / name)
        if text is None:
            continue
        faults.extend(check_file(name, text))
        if name.endswith(".py") and not is_test(name) and not is_generated(name):
            lengths.extend(map(length, functions(ast.parse(text, name))))
    return faults, lengths


def check_spread(lengths: list[int]) -> tuple[str, list[Fault]]:
    """One sentence about how long functions are, and faults when they are too long as a whole."""
    if len(lengths) < 2:
        return "no functions to measure", []
    median = statistics.median(lengths)
    p90 = statistics.quantiles(lengths, n=10, method="inclusive")[-1]
    summary = (
        f"{len(lengths)} functions: median {median:g} lines, 90th percentile {p90:g}, longest {max(lengths)}"
    )
    faults = []
    if median > MAX_MEDIAN or p90 > MAX_P90:
        faults.append(
            Fault("*.py", 0, f"median over {MAX_MEDIAN} or 90th percentile over {MAX_P90}: {summary}")
        )
    return summary, faults


def main(root: Path) -> int:
    faults, lengths = check_tree(root)
    summary, too_long = check_spread(lengths)
    faults.extend(too_long)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"guards: {summary}; {len(faults)} fault{'' if len(faults) == 1 else 's'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent.parent))
