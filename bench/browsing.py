"""Views a second of both engines beside bare Playwright, and many sessions at once in one process.

``python -m bench browsing`` serves ten pages of 40 rows on loopback and walks over them: without a browser, with one,
and with Playwright alone (``page.goto`` and the accessibility snapshot). CPU is that of all processes of a measurement,
the browser's own included. ``--sessions`` opens so many sessions at once and measures their memory.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGES, ROWS = 10, 40
TICKS = os.sysconf("SC_CLK_TCK")
SCRIPT = "for (const row of document.querySelectorAll('tr')) row.dataset.seen = '1'; document.body.append('Ready.');"


def page(number: int) -> bytes:
    rows = "".join(
        f"<tr><td><a href='/entry/{number}/{row}'>Company {number}-{row} AG</a><td>CHE-{number:03}.{row:03}</tr>"
        for row in range(ROWS)
    )
    menu = "".join(f"<a href='/{other}'>List {other}</a> " for other in range(PAGES))
    return (
        f"<html lang=en><title>List {number}</title><nav>{menu}</nav><main><h1>List {number}</h1><form><input name=q "
        f"aria-label=Search><button>Go</button></form><table>{rows}</table></main><script>{SCRIPT}</script></html>"
    ).encode()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        number = self.path.strip("/")
        known = number.isdigit()
        body = page(int(number)) if known else b"not here"
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        return


def bare(base: str, views: int) -> dict[str, float]:
    """Playwright alone."""
    from research.browsing.chromium.browser import executable

    async def walk() -> dict[str, float]:
        from playwright.async_api import async_playwright

        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=executable() or None)
            tab = await browser.new_page(viewport={"width": 1280, "height": 900})
            await tab.goto(f"{base}/0")
            begin, busy = time.perf_counter(), cpu()
            for number in range(views):
                await tab.goto(f"{base}/{number % PAGES}")
                await tab.locator("body").aria_snapshot()
            return rates(views, begin, busy)

    return asyncio.run(walk())


def ours(base: str, views: int, engine: str) -> dict[str, float]:
    """The same pages through the tools, each view archived."""
    with database(engine, base) as call:
        call(0, f"{base}/0")
        begin, busy = time.perf_counter(), cpu()
        for number in range(views):
            call(0, f"{base}/{number % PAGES}")
        return rates(views, begin, busy)


def crowd(base: str, sessions: int, rounds: int) -> dict[str, float]:
    """So many sessions at once, each with so many views."""
    with database("browser", base) as call:
        waits: list[float] = []

        def walk(session: int) -> None:
            for number in range(rounds):
                begin = time.perf_counter()
                call(session, f"{base}/{(session + number) % PAGES}")
                waits.append(time.perf_counter() - begin)

        begin = time.perf_counter()
        with ThreadPoolExecutor(sessions) as pool:
            list(pool.map(walk, range(sessions)))
        took = time.perf_counter() - begin
        memory = sum(map(pss, family()))
        return {
            "views": len(waits),
            "per second": len(waits) / took,
            "longest wait": max(waits),
            "MB": memory / 1e6,
        }


class database:  # noqa: N801 - read as a word of a with statement
    """An empty database in a file, and a call that opens a page in the session of a number."""

    def __init__(self, engine: str, base: str) -> None:
        self.engine, self.base = engine, base

    def __enter__(self) -> Callable[[int, str], None]:
        from django.conf import settings
        from django.core.management import call_command

        from research.browsing.walks import Owner
        from research.tools.browsing import call_browsing

        settings.DOSSIER_BROWSE_ENGINE = self.engine
        call_command("migrate", verbosity=0)
        sessions: dict[int, str] = {}

        def call(session: int, url: str) -> None:
            known = {"sessionId": sessions[session]} if session in sessions else {}
            sessions[session] = call_browsing("research_open", {"url": url, **known}, Owner())["sessionId"]

        return call

    def __exit__(self, *args: object) -> None:
        from research.browsing.chromium.browser import the_chromium

        if self.engine == "browser" and (chromium := the_chromium()):
            chromium.close()


def rates(views: int, begin: float, busy: float) -> dict[str, float]:
    took = time.perf_counter() - begin
    return {"views": views, "per second": views / took, "CPU ms": (cpu() - busy) * 1000 / views}


def cpu() -> float:
    """Seconds of CPU of this process and all its descendants, those that have ended included."""
    return sum(sum(map(int, stat(pid)[11:15])) for pid in family()) / TICKS


def family() -> Iterator[int]:
    parents = {
        int(one.name): int(stat(int(one.name))[1])
        for one in Path("/proc").glob("[0-9]*")
        if stat(int(one.name))
    }
    for pid in parents:
        at = pid
        while at in parents and at != os.getpid():
            at = parents[at]
        if at == os.getpid():
            yield pid


def stat(pid: int) -> list[str]:
    """The fields of a process after its name; none of one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return []


def pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def measured(what: str, base: str, options: argparse.Namespace) -> dict[str, float]:
    """One measurement in a process of its own, with an installation of its own."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        kept = {
            "DOSSIER_VAR": folder,
            "DOSSIER_FETCH_ALLOW": base.removeprefix("http://"),
            "DOSSIER_FETCH_PER_MINUTE": "0",
        }
        command = [sys.executable, "-m", "bench.browsing", "--only", what, "--base", base]
        command += ["--views", str(options.views), "--sessions", str(options.sessions)]
        done = subprocess.run(command, env={**os.environ, **kept}, stdout=subprocess.PIPE, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, default=100)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--only", default="")
    parser.add_argument("--base", default="")
    options = parser.parse_args()
    if options.only:
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        made = {
            "bare": lambda: bare(options.base, options.views),
            "plain": lambda: ours(options.base, options.views, "plain"),
            "browser": lambda: ours(options.base, options.views, "browser"),
            "crowd": lambda: crowd(options.base, options.sessions, 3),
        }[options.only]()
        print(json.dumps(made))
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    found = {what: measured(what, base, options) for what in ("bare", "plain", "browser", "crowd")}
    server.shutdown()
    for what in ("bare", "plain", "browser"):
        one = found[what]
        print(
            f"{what:8} {one['per second']:7.1f} views/s {one['CPU ms']:7.1f} ms of CPU a view "
            f"({one['CPU ms'] / found['bare']['CPU ms']:.2f} of bare Playwright)"
        )
    one = found["crowd"]
    print(
        f"{options.sessions} sessions at once: {one['views']:.0f} views, {one['per second']:.1f} a second, "
        f"longest wait {one['longest wait']:.1f} s, {one['MB']:,.0f} MB"
    )


if __name__ == "__main__":
    main()
