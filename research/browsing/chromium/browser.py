"""The browser of this process: one Chromium, a context for each walk, driven from a thread of its own.

Playwright's objects belong to one loop, so callers hand their work over and wait. A browser that has died is started
anew by whoever needs it next; the pages that were open in it are opened again at their last address.
"""

import asyncio
import atexit
import logging
import os
import shutil
import threading
from collections import OrderedDict
from collections.abc import Coroutine
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings

from research.browsing.chromium.gate import Gate
from research.browsing.chromium.tab import Tab
from research.browsing.menu import plain_label
from research.browsing.policy import check_item, refused_address
from research.browsing.settle import NAVIGATION, POLICIES, Settle
from research.browsing.view import Seen
from research.errors import WalkRefused
from research.jsontext import JsonObject
from research.models import Walk, WalkView
from research.web.faults import FetchFault
from research.web.fetch import open_fetcher
from research.web.guard import DEFAULT_PORTS, Policy, allow_list

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

log = logging.getLogger(__name__)
Result = TypeVar("Result")
NAME = "browser"
STEP_SECONDS = 120.0  # of one step, whatever the page does
IDLE_SECONDS = 300.0  # after which a page is closed; its walk opens it again
MAX_TABS = 14  # open pages, of some 70 MB each; the walk that was used longest ago opens its page again
AT_ONCE = 4  # steps; the others wait in line, so that none starves
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    *("--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--dns-prefetch-disable", "--disable-gpu", "--mute-audio", "--no-pings"),
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # names are for the gate alone
    "--enable-blink-features=ComputedAccessibilityInfo",
    # the last list counts: Playwright's own, and what asks for things that no page asked for
    "--disable-features=AutofillServerCommunication,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,DialMediaRouteProvider,GlobalMediaControls,HttpsUpgrades,LensOverlay,MediaRouter,"
    "OptimizationHints,PaintHolding,RenderDocument,ThirdPartyStoragePartitioning,Translate,WebTransport",
)
DROPPED = ("--disable-popup-blocking",)  # of Playwright's own: windows that nobody asked for stay shut
ANEW = "The browser was started anew at this address, and nothing was chosen. Choose again in this view."


class Chromium:
    """Safe to share between threads. What it gives is a ``Seen`` of the engine ``browser``."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="browser", daemon=True).start()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._tabs: OrderedDict[UUID, tuple[Tab, float]] = OrderedDict()
        self._starting = asyncio.Lock()
        self._line = asyncio.Semaphore(AT_ONCE)
        self.sandboxed = False

    def is_at(self, walk: UUID, url: str) -> bool:
        """Whether the walk has a page of this origin open."""
        known = self._tabs.get(walk)
        return bool(known and self._lives(known[0]) and _origin(known[0].page.url) == _origin(url))

    def open(self, walk: Walk, url: str, settle: Settle, *, anew: bool = False) -> Seen:
        """Raises FetchFault."""
        return _seen(self._wait(self._in_line(self._open(walk, url, settle, anew=anew))))

    def choose(self, walk: Walk, row: WalkView, item: JsonObject, value: str | None, settle: Settle) -> Seen:
        """Press or fill in an item of the current view, whichever engine saw it. Raises FetchFault, WalkRefused."""
        return _seen(self._wait(self._in_line(self._choose(walk, row, item, value, settle))))

    def read(self, walk: Walk, row: WalkView, selector: str) -> Seen:
        """The page as it is now; opened again if it is not open any more. Raises FetchFault."""
        return _seen(self._wait(self._in_line(self._read(walk, row, selector))))

    def close(self) -> None:
        """End the browser; the next call starts another."""
        with suppress(Exception):
            self._wait(self._end(), 10.0)

    def _wait(self, work: Coroutine[Any, Any, Result], seconds: float = STEP_SECONDS) -> Result:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(seconds)
        except TimeoutError:
            future.cancel()
            raise FetchFault("timeout", "The browser took too long with this page.", retryable=True) from None

    async def _in_line(self, step: Coroutine[Any, Any, Result]) -> Result:
        async with self._line:
            return await step

    async def _open(self, walk: Walk, url: str, settle: Settle, *, anew: bool) -> JsonObject:
        tab = await self._tab(walk.pk)
        try:
            tab.may_post = False
            await tab.open(url, settle, anew=anew)
            return await self._told(walk, tab)
        except BaseException:
            await self._drop(
                walk.pk
            )  # it may stand anywhere; the view before is opened again when it is needed
            raise

    async def _choose(
        self, walk: Walk, row: WalkView, item: JsonObject, value: str | None, settle: Settle
    ) -> JsonObject:
        known = self._tabs.get(walk.pk)
        lost = row.engine == NAME and not (known and self._lives(known[0]))
        if item["href"] and (lost or row.engine != NAME):
            return await self._open(walk, item["href"], settle, anew=False)
        if lost:
            return await self._again(walk, row)
        if row.engine != NAME:
            found = await self._open(walk, row.url, POLICIES[NAVIGATION], anew=False)
            item = _same_item(found["items"], row, item)
            form = item["how"].get("form")
            check_item(item, value, found["forms"][form] if form is not None else None)
        tab = await self._tab(walk.pk)
        how = item["how"]
        tab.may_post = "form" in how
        try:
            await tab.choose(how["ref"], how.get("is", ""), value, settle)
            return await self._told(walk, tab)
        except FetchFault:
            await self._drop(walk.pk)
            if not await self._is_gone():
                raise
            return await self._again(walk, row)

    async def _read(self, walk: Walk, row: WalkView, selector: str) -> JsonObject:
        known = self._tabs.get(walk.pk)
        if not (known and self._lives(known[0])):
            found = await self._again(walk, row)
            if not selector:
                return found
        tab = await self._tab(walk.pk)
        return await tab.read(selector)

    async def _again(self, walk: Walk, row: WalkView) -> JsonObject:
        """The current view in a browser that knows nothing of it."""
        found = await self._open(walk, row.url, POLICIES[NAVIGATION], anew=False)
        return {**found, "notes": [ANEW, *found["notes"]]}

    async def _is_gone(self) -> bool:
        """Whether the whole browser has died; the word of that comes a moment after the first fault."""
        for _ in range(10):
            if self._browser is None or not self._browser.is_connected():
                return True
            await asyncio.sleep(0.05)
        return False

    async def _told(self, walk: Walk, tab: Tab) -> JsonObject:
        found = await tab.read()
        return {**found, "screenshot": await tab.picture() if _takes_pictures(walk) else None}

    async def _tab(self, walk: UUID) -> Tab:
        """The page of a walk, in a context of its own that shares nothing with the others."""
        now = self._loop.time()
        known = self._tabs.get(walk)
        if known and self._lives(known[0]):
            self._tabs[walk] = (known[0], now)
            self._tabs.move_to_end(walk)
            return known[0]
        await self._drop(walk)
        oldest = [key for key, (_, used) in self._tabs.items() if used < now - IDLE_SECONDS]
        for key in oldest or list(self._tabs)[: max(len(self._tabs) + 1 - MAX_TABS, 0)]:
            await self._drop(key)
        browser = await self._running()
        gate = Gate(Policy(allow_list(settings.DOSSIER_FETCH_ALLOW), _ports()))
        await gate.start()
        context = await browser.new_context(
            proxy={"server": f"http://127.0.0.1:{gate.port}", "bypass": "<-loopback>"},
            user_agent=_agent(browser.version),
            accept_downloads=False,
            service_workers="block",
            viewport={"width": 1280, "height": 900},
            reduced_motion="reduce",
            permissions=[],
        )
        tab = Tab(context, gate, _judge)
        await tab.start()
        self._tabs[walk] = (tab, now)
        return tab

    async def _drop(self, walk: UUID) -> None:
        known = self._tabs.pop(walk, None)
        if known:
            await known[0].close()

    def _lives(self, tab: Tab) -> bool:
        alive = self._browser is not None and self._browser.is_connected()
        return alive and not tab.crashed and not tab.page.is_closed()

    async def _running(self) -> "Browser":
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                for tab, _ in self._tabs.values():
                    tab.gate.close()
                self._tabs.clear()
                self._browser = await self._launched()
            return self._browser

    async def _launched(self) -> "Browser":
        from playwright.async_api import Error, async_playwright

        if self._playwright is None:
            self._playwright = await async_playwright().start()
        options: Any = {"args": list(FLAGS), "ignore_default_args": list(DROPPED)}
        options |= {"executable_path": executable() or None, "handle_sigint": False, "handle_sigterm": False}
        for sandbox in (True, False) if os.geteuid() else (False,):
            try:
                browser = await self._playwright.chromium.launch(**options, chromium_sandbox=sandbox)
            except Error as error:
                if not sandbox:
                    why = str(error).strip().splitlines()[0][:200]
                    raise FetchFault("connection", f"The browser does not start: {why}") from None
                continue
            self.sandboxed = sandbox
            if not sandbox:
                log.warning("Chromium runs without its sandbox: this user or machine allows none.")
            return browser
        raise AssertionError("the last try ends in a browser or a fault")

    async def _end(self) -> None:
        for walk in list(self._tabs):
            await self._drop(walk)
        if self._browser:
            await self._browser.close()
        if self._playwright:
            await self._playwright.stop()
        self._browser = self._playwright = None


def the_chromium() -> Chromium | None:
    """The browser of this process; None where Playwright or Chromium is missing."""
    return _chromium_of(os.getpid()) if find_spec("playwright") and has_browser() else None


@cache
def _chromium_of(process: int) -> Chromium:
    chromium = Chromium()
    atexit.register(chromium.close)
    return chromium


def executable() -> str:
    """The path of the Chromium that is taken; "" for Playwright's own."""
    return settings.DOSSIER_BROWSER or next(filter(None, map(shutil.which, NAMES)), "") or ""


def has_browser() -> bool:
    if path := executable():
        return Path(path).exists()
    kept = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    return any(kept.glob("chromium*"))


def _agent(version: str) -> str:
    """Chromium's own name without its minor version, and ours."""
    chrome = f"Chrome/{version.partition('.')[0]}.0.0.0"
    return (
        f"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) {chrome} Safari/537.36 "
        f"{settings.DOSSIER_USER_AGENT}"
    )


def _judge(url: str) -> None:
    """Whether a document may be asked for: the lists, the guard, robots.txt, and the site's turn. Raises FetchFault."""
    if why := refused_address(url):
        raise FetchFault("blocked", why)
    open_fetcher().take_turn(url)


def _same_item(items: list[JsonObject], row: WalkView, item: JsonObject) -> JsonObject:
    """The item of the plain view in what the browser sees: the same kind and name, and as many like it before it."""
    like = [one["id"] for one in row.items if _likeness(one) == _likeness(item)]
    found = [one for one in items if _likeness(one) == _likeness(item)]
    number = like.index(item["id"])
    if number >= len(found):
        label = item["label"] or item["id"]
        raise WalkRefused(
            "changed", f"In a browser the page has no {label!r}. Open it again with research_open."
        )
    return found[number]


def _likeness(item: JsonObject) -> tuple[str, str]:
    return item["type"], plain_label(item["label"])


def _seen(found: JsonObject) -> Seen:
    """What the page said, cleaned as the text of a fetch is."""
    from research.web.reader import the_reader

    text = found["text"]
    warnings: tuple[str, ...] = ()
    if text.strip():
        read = the_reader().read(text.encode("utf-8", "replace"), mime="text/plain", charset="utf-8")
        text, warnings = read.document.text, read.warnings
    return Seen(
        url=found["url"],
        title=found["title"][:500],
        text=text,
        engine=NAME,
        items=found["items"],
        forms=found["forms"],
        links=found["links"],
        notes=found["notes"],
        warnings=warnings,
        language=found["language"][:10],
        status=found["status"],
        screenshot=found.get("screenshot"),
    )


def _takes_pictures(walk: Walk) -> bool:
    when = settings.DOSSIER_BROWSE_SCREENSHOTS
    return bool(when == "always" or (when == "runs" and walk.run_id))


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _ports() -> frozenset[int]:
    return frozenset(map(int, settings.DOSSIER_FETCH_PORTS)) or DEFAULT_PORTS
