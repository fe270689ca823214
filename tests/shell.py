"""A plugin of pytest, read before the settings are: the suite takes nothing from the shell that starts it.

A shell in which somebody works with Dossier names a database, keys and models. Tests would write into the one and pay
with the others. ``TEST_DATABASE_URL`` and ``TEST_REDIS_URL`` name the servers that tests may use.
"""

import os
import re
from collections.abc import Iterator, MutableMapping
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOR_TESTS = {"DOSSIER_REQUIRE_BROWSER", "DOSSIER_SHARED_DATA"}


def variables() -> set[str]:
    """Every name that is read from the environment, by ``env.text("NAME")`` or ``os.environ.get("NAME")``."""
    read = re.compile(r"\b(?:env\.\w+|environ\.get|secret|integer)\(\s*\"([A-Z_]+)\"")
    rooms = ("config", "common", "citations", "entities", "research")
    files = chain.from_iterable((ROOT / room).rglob("*.py") for room in rooms)
    return {name for file in files for name in read.findall(file.read_text(encoding="utf-8"))}


def forget(environment: MutableMapping[str, str]) -> list[str]:
    """Take out what Dossier reads, put in the servers that are meant for tests; the names that were taken out."""
    read = {*variables(), "DJANGO_SETTINGS_MODULE"}
    forgotten = sorted(
        name
        for name in environment
        if (name.startswith("DOSSIER_") or name.removesuffix("_FILE") in read) and name not in FOR_TESTS
    )
    for name in forgotten:
        del environment[name]
    for name in ("DATABASE_URL", "REDIS_URL"):
        if url := environment.get(f"TEST_{name}"):
            environment[name] = url
    return forgotten


# A process of pytest-xdist has its environment from the one that did this already. COMPANY comes from make itself.
FORGOTTEN = [] if "PYTEST_XDIST_WORKER" in os.environ else [n for n in forget(os.environ) if n != "COMPANY"]


def pytest_report_header() -> list[str]:
    """Which servers the suite uses, and what of this shell it does not."""
    used = [
        f"database: {_server('DATABASE_URL') or 'SQLite; TEST_DATABASE_URL names another'}",
        f"broker: {_server('REDIS_URL') or 'a folder; TEST_REDIS_URL names a Redis'}",
    ]
    return [*used, *([f"not read from this shell: {', '.join(FORGOTTEN)}"] if FORGOTTEN else [])]


def _server(name: str) -> str:
    parts = urlsplit(os.environ.get(name, ""))
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.scheme else ""


LEFT_OUT: list[int] = []


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Each process of pytest-xdist leaves out the same."""
    LEFT_OUT[:] = [getattr(node, "workeroutput", {}).get("left out", 0)]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """The last words of a run without a browser say so: a green line alone would promise too much."""
    yield
    if any(LEFT_OUT):
        terminalreporter.write_line(f"LEFT OUT: {LEFT_OUT[0]} tests, as the options say")
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "browser" in report.keywords]
    if skipped:
        terminalreporter.write_line(
            f"NO BROWSER: {len(skipped)} tests were skipped that drive one. "
            "On Debian and Ubuntu: apt install chromium; elsewhere set CHROMIUM to the path of a Chromium.",
            yellow=True,
            bold=True,
        )
