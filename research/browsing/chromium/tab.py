"""The page of one walk in the browser: it opens, presses, waits until the page settles, and reads it.

Everything is bounded. What a page does besides (dialogs, windows, downloads) is refused or followed, and noted.
"""

import asyncio
import base64
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from research.browsing.chromium.gate import Gate
from research.browsing.settle import DOM_QUIET, NETWORK_QUIET, Settle
from research.errors import WalkRefused
from research.jsontext import JsonObject
from research.web.faults import FetchFault

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Dialog, Page, Request

OPEN_SECONDS, CALL_SECONDS, PICTURE_SECONDS = 30.0, 5.0, 5.0
STALE_REQUEST = 3.0  # seconds after which a request keeps nobody waiting
MAX_REPEATS = 3  # of one address in a view; what asks again and again is a tracker
MAX_WINDOWS = 3
MAX_MOVES = 2  # documents that come by themselves while one is read
SOON = 0.05
TICK = 0.02
NOT_WAITED_FOR = frozenset(("ping", "eventsource", "websocket", "media", "beacon"))
SCRIPT = (Path(__file__).parent / "page.js").read_text()
CHANGED = "The page has changed by itself, and this item is gone. Nothing was chosen. Call research_menu."

Judge = Callable[[str], None]


class Tab:
    """``judge`` says whether a document may be asked for; it raises FetchFault and may block."""

    def __init__(self, context: "BrowserContext", gate: Gate, judge: Judge) -> None:
        self.context, self.gate, self._judge = context, gate, judge
        self.page: Page
        self._cdp: CDPSession
        self._main = ""  # id of the main frame
        self._world: int | None = None
        self._notes: list[str] = []
        self._fault: FetchFault | None = None
        self._waiting: dict[Request, float] = {}
        self._asked: dict[str, int] = {}
        self._navigating = False
        self._windows: list[Page] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._moved = 0
        self._left = asyncio.Event()  # set when another document has come
        self.may_post = False
        self.crashed = False
        self.status = 200

    async def start(self) -> None:
        await self._take(await self.context.new_page())
        self.context.on("page", self._on_window)

    async def close(self) -> None:
        self.gate.close()
        with suppress(Exception):
            await asyncio.wait_for(self.context.close(), CALL_SECONDS)

    async def open(self, url: str, settle: Settle, *, anew: bool) -> None:
        """Raises FetchFault."""
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as Late

        self._begin()
        if self._moved >= MAX_MOVES:
            await self._cdp.send("Emulation.setScriptExecutionDisabled", {"value": False})
        self._moved = 0
        try:
            options: Any = {"wait_until": "domcontentloaded", "timeout": OPEN_SECONDS * 1000}
            reload = anew and self.page.url == url
            answer = await (self.page.reload(**options) if reload else self.page.goto(url, **options))
            self.status = answer.status if answer else 200
        except Late:
            self._note(f"The page was not there after {OPEN_SECONDS:g} s; this is the view so far.")
        except Error as error:
            raise self._why(error) from None
        if self._fault:
            raise self._fault
        if self.status >= 400:
            self._note(f"The site answers {self.status}.")
        await self._settle(settle)

    async def choose(self, ref: int, kind: str, value: str | None, settle: Settle) -> None:
        """Press or fill in an element. Raises WalkRefused when it is gone, and then nothing was done."""
        self._begin()
        if value is not None and kind == "select":
            self._require(await self._call(f"dossier.pick({ref}, {json.dumps(value)})"))
        elif value is not None and kind not in ("checkbox", "radio"):
            self._require(await self._call(f"dossier.focus({ref})"))
            await self._bounded(self.page.keyboard.insert_text(value.rstrip("\n")))
            if value.endswith("\n"):
                await self._bounded(self.page.keyboard.press("Enter"))
        else:
            place = self._require(await self._call(f"dossier.place({ref})"))
            if place["hidden"]:
                await self._call(f"dossier.press({ref})")
            else:
                await self._bounded(self.page.mouse.click(place["x"], place["y"]))
        await self._arrive()
        await self._settle(settle)
        if self._windows:
            await self._follow(self._windows[-1])
            await self._settle(settle)

    async def read(self, selector: str = "") -> JsonObject:
        """What the page offers and says, after a cookie wall was closed; ``notes`` and ``status`` beside it."""
        if label := await self._call("dossier.wall()"):
            self._note(f"A cookie wall was closed by “{label[:60]}”, the choice that stores least.")
            await self._settle(Settle(DOM_QUIET, 0.2, 2.0))
        found: JsonObject = await self._call(f"dossier.read({json.dumps(selector)})")
        return {**found, "notes": [*self._notes, *self.gate.notes()], "status": self.status}

    async def picture(self) -> bytes | None:
        """What a person would see, as JPEG."""
        with suppress(Exception):
            options = {"format": "jpeg", "quality": 55}
            taken = await asyncio.wait_for(self._cdp.send("Page.captureScreenshot", options), PICTURE_SECONDS)
            return base64.b64decode(taken["data"])
        return None

    async def _take(self, page: "Page") -> None:
        """Go on with this window."""
        self.page, self._world = page, None
        page.on("dialog", lambda dialog: self._spawn(self._dismiss(dialog)))
        page.on("crash", lambda _: self._crash())
        page.on("download", lambda _: self._note("The page wanted to save a file; downloads are refused."))
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_over)
        page.on("requestfailed", self._on_over)
        page.on("framenavigated", self._on_navigated)
        self._cdp = await self.context.new_cdp_session(page)
        tree = await self._cdp.send("Page.getFrameTree")
        self._main = tree["frameTree"]["frame"]["id"]
        self._cdp.on("Page.frameNavigated", self._on_document)
        await self._cdp.send("Page.enable")
        self._cdp.on("Fetch.requestPaused", lambda event: self._spawn(self._judged(event)))
        patterns = [{"resourceType": "Document", "requestStage": "Request"}]
        await self._cdp.send("Fetch.enable", {"patterns": patterns})

    async def _judged(self, event: JsonObject) -> None:
        """Let a document be asked for, or not."""
        request = {"requestId": event["requestId"]}
        if event.get("frameId") == self._main:
            try:
                await self._check(event["request"])
            except FetchFault as fault:
                self._fault = fault
                self._note(fault.message)
                with suppress(Exception):
                    await self._cdp.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})
                return
        with suppress(Exception):
            await self._cdp.send("Fetch.continueRequest", request)

    async def _check(self, request: JsonObject) -> None:
        if request["method"] != "GET" and not self.may_post:
            raise FetchFault("blocked", "The page wanted to send a form; only searches are sent.")
        await asyncio.get_running_loop().run_in_executor(None, self._judge, request["url"])

    def _begin(self) -> None:
        self.gate.begin_view()
        self._notes, self._fault, self._asked, self.status = [], None, {}, 200
        self._windows = []

    def _note(self, text: str) -> None:
        if text not in self._notes and len(self._notes) < 10:
            self._notes.append(text)

    def _why(self, error: Exception) -> FetchFault:
        """What kept the browser from opening a page."""
        text = str(error)
        if self._fault:
            return self._fault
        if self.gate.refused:
            return FetchFault("blocked", self.gate.refused[-1])
        if self.crashed or "crash" in text.lower():
            return FetchFault("unreadable", "The page made the browser crash.")
        if "ERR_ABORTED" in text or "Download" in text:
            return FetchFault("mime", "This address is a file to be saved; downloads are refused.")
        if "ERR_TOO_MANY_REDIRECTS" in text:
            return FetchFault("redirect_loop", "The page leads back to itself.")
        found = text.partition("net::")[2].split(" ")[0].split("\n")[0]
        return FetchFault(
            "connection", f"The browser cannot open the page ({found or 'it failed'}).", retryable=True
        )

    async def _arrive(self) -> None:
        """Wait for a navigation or a new window that a choice has begun."""
        await asyncio.sleep(SOON)
        end = _now() + OPEN_SECONDS
        while self._navigating and _now() < end and not self.crashed:
            await asyncio.sleep(TICK)
        with suppress(Exception):
            await self.page.wait_for_load_state("domcontentloaded", timeout=OPEN_SECONDS * 1000)
        if self.crashed:
            raise FetchFault("unreadable", "The page made the browser crash.")

    async def _follow(self, window: "Page") -> None:
        """Go on in a window that the page has opened, if it may be opened."""
        end = _now() + CALL_SECONDS
        while window.url in ("", "about:blank") and _now() < end and not window.is_closed():
            await asyncio.sleep(TICK)
        with suppress(Exception):
            await window.wait_for_load_state("domcontentloaded", timeout=OPEN_SECONDS * 1000)
        others, self._windows = [page for page in self.context.pages if page is not window], []
        try:
            if window.is_closed() or not window.url.startswith("http"):
                raise FetchFault("blocked", "A new window was closed: it holds no page.")
            await asyncio.get_running_loop().run_in_executor(None, self._judge, window.url)
        except FetchFault as fault:
            self._note(fault.message)
            await _closed(window)
            return
        await self._take(window)
        self._note("A new window was opened and followed; the one before was closed.")
        for page in others:
            await _closed(page)

    async def _settle(self, settle: Settle) -> None:
        """Wait until the page is quiet, within the bounds of the policy."""
        end = _now() + settle.bound
        if settle.name != DOM_QUIET:
            await self._network(settle, end)
        left = max(end - _now(), 0.1)
        if settle.name == NETWORK_QUIET:
            return
        quiet = await self._call(f"dossier.quiet({settle.quiet * 1000}, {left * 1000})", left + CALL_SECONDS)
        if not quiet and settle.name == DOM_QUIET:
            self._note(f"The page had not settled after {settle.bound:g} s; this is the view so far.")

    async def _network(self, settle: Settle, end: float) -> None:
        busy = _now() if self._is_busy() else _now() - settle.quiet
        while _now() < end and _now() - busy < settle.quiet:
            await asyncio.sleep(TICK)
            busy = _now() if self._is_busy() else busy
        if self._is_busy() and settle.name == NETWORK_QUIET:
            self._note(f"The network was not quiet after {settle.bound:g} s; this is the view so far.")

    def _is_busy(self) -> bool:
        now = _now()
        return any(now - begun < STALE_REQUEST for begun in self._waiting.values())

    async def _call(self, expression: str, seconds: float = CALL_SECONDS) -> Any:
        """A value of the world inside the page. A script that blocks the page is stopped once."""
        for last in (False, False, True):
            try:
                return await asyncio.wait_for(self._while_it_stays(expression), seconds)
            except TimeoutError:
                self._world = None
                if last:
                    raise FetchFault(
                        "timeout", "The page does not answer any more.", retryable=True
                    ) from None
                await self._unblock()
            except FetchFault:
                raise
            except Exception as error:  # noqa: BLE001 - Playwright raises whatever went on meanwhile
                self._world = None  # the page went on to another address meanwhile
                if self.crashed or self.page.is_closed() or last:
                    raise self._why(error) from None
                await self._hold()
                if self._moved >= MAX_MOVES and "quiet" in expression:
                    return False  # without scripts nothing would tell the end of it
        raise AssertionError("three tries end in an answer or a fault")

    async def _hold(self) -> None:
        """Wait for the next document; a page that goes on and on loses its scripts for this view."""
        self._moved += 1
        with suppress(Exception):
            if self._moved == MAX_MOVES:
                self._note("The page goes on by itself again and again; its scripts were stopped.")
                stop = {"value": True}
                await asyncio.wait_for(
                    self._cdp.send("Emulation.setScriptExecutionDisabled", stop), SOON * 20
                )
            await self.page.wait_for_load_state("domcontentloaded", timeout=CALL_SECONDS * 1000)

    async def _while_it_stays(self, expression: str) -> Any:
        """The value, unless another document comes first: what was asked of one that is gone has no answer."""
        asked = asyncio.ensure_future(self._evaluated(expression))
        left = asyncio.ensure_future(self._left.wait())
        try:
            await asyncio.wait((asked, left), return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                return asked.result()
            raise ConnectionResetError("another document came")
        finally:
            for task in (asked, left):
                task.cancel()

    async def _evaluated(self, expression: str) -> Any:
        if self._world is None:
            made = await self._cdp.send(
                "Page.createIsolatedWorld", {"frameId": self._main, "worldName": "dossier"}
            )
            world: int = made["executionContextId"]
            await self._cdp.send("Runtime.evaluate", {"expression": SCRIPT, "contextId": world})
            self._world = world
        how = {"contextId": self._world, "returnByValue": True, "awaitPromise": True}
        answer = await self._cdp.send("Runtime.evaluate", {"expression": expression, **how})
        if "exceptionDetails" in answer:
            said = answer["exceptionDetails"].get("exception", {}).get("description", "")
            if "SyntaxError" in said or "not a valid selector" in said:
                raise FetchFault("unreadable", "selector: this is not a selector.")
            raise FetchFault("unreadable", f"The page cannot be read ({said[:100]}).")
        return answer["result"].get("value")

    async def _unblock(self) -> None:
        self._note("A script of the page blocked it and was stopped.")
        with suppress(Exception):
            await asyncio.wait_for(self._cdp.send("Runtime.terminateExecution"), CALL_SECONDS)

    async def _bounded(self, work: Any) -> None:
        """A press or a key; a page that blocks meanwhile is dealt with when it is read."""
        try:
            await asyncio.wait_for(work, CALL_SECONDS)
        except TimeoutError:
            await self._unblock()

    def _require(self, answer: JsonObject) -> JsonObject:
        if answer.get("gone"):
            raise WalkRefused("changed", CHANGED)
        if "options" in answer:
            listed = ", ".join(answer["options"])[:500]
            raise WalkRefused("bad_arguments", f"There is no such choice; there are: {listed}.")
        return answer

    async def _dismiss(self, dialog: "Dialog") -> None:
        if dialog.type == "beforeunload":  # whoever walks on has no use for what the page would keep
            self._note("The page asked to stay; it was left.")
            with suppress(Exception):
                await dialog.accept()
            return
        self._note(f"A dialog of the page was dismissed ({dialog.type}): {dialog.message[:200]}")
        with suppress(Exception):
            await dialog.dismiss()

    def _crash(self) -> None:
        self.crashed, self._navigating = True, False

    def _on_window(self, page: "Page") -> None:
        if len(self._windows) >= MAX_WINDOWS or len(self.context.pages) > MAX_WINDOWS + 1:
            self._note("The page opened window after window; the rest were closed.")
            self._spawn(_closed(page))
            return
        self._windows.append(page)

    def _on_request(self, request: "Request") -> None:
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self._navigating = True
        place = request.url.partition("?")[0]
        self._asked[place] = self._asked.get(place, 0) + 1
        if request.resource_type not in NOT_WAITED_FOR and self._asked[place] <= MAX_REPEATS:
            self._waiting[request] = _now()

    def _on_over(self, request: "Request") -> None:
        self._waiting.pop(request, None)
        if request.is_navigation_request():
            self._navigating = False

    def _on_document(self, event: JsonObject) -> None:
        """Another document, not only another address of the same."""
        if event["frame"]["id"] == self._main:
            self._world = None
            self._left.set()
            self._left = asyncio.Event()

    def _on_navigated(self, frame: Any) -> None:
        if frame == self.page.main_frame:
            self._navigating = False

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _closed(page: "Page") -> None:
    with suppress(Exception):
        await page.close()


def _now() -> float:
    return asyncio.get_running_loop().time()
