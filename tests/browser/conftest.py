"""A real browser on a real server; without one these tests are skipped, loudly. CI sets DOSSIER_REQUIRE_BROWSER."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page, ViewportSize, sync_playwright
from pytest_django.live_server_helper import LiveServer

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZE: ViewportSize = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        reason = "NO BROWSER: install Debian's package chromium (or set CHROMIUM) to run the browser tests"
        if os.environ.get("DOSSIER_REQUIRE_BROWSER"):
            pytest.fail(reason)
        pytest.skip(reason)
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = (
        "1"  # Playwright's loop runs in the thread that also looks at the database
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the browser's console said against the page: policy violations, script errors, failed requests."""
    return []


@pytest.fixture(scope="session")
def window(chromium: Browser) -> Page:
    """One for all tests: to start one takes processes, and styles and scripts that are read anew."""
    return chromium.new_context(viewport=SIZE).new_page()


@pytest.fixture
def page(window: Page, complaints: list[str], live_server: LiveServer) -> Iterator[Page]:
    """The window as if it were new: nobody is logged in, nothing is stored, nothing is open."""
    window.set_viewport_size(SIZE)
    window.set_default_timeout(15_000)

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def failed(error: Error) -> None:
        complaints.append(str(error))

    window.on("console", heard)
    window.on("pageerror", failed)
    yield window
    window.remove_listener("console", heard)
    window.remove_listener("pageerror", failed)
    leave(window, live_server.url)


def leave(window: Page, site: str) -> None:
    context = window.context
    for other in context.pages:
        if other != window:
            other.close()
    context.set_offline(False)
    window.unroute_all()
    window.on("dialog", accept)
    try:
        window.goto("about:blank")  # what asks before it is left is left
    except Error:
        window.goto("about:blank")  # a navigation that the test had begun came in between
    window.remove_listener("dialog", accept)
    window.emulate_media(color_scheme="null")
    context.clear_cookies()
    context.new_cdp_session(window).send(
        "Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"}
    )


def accept(dialog: Dialog) -> None:
    dialog.accept()


@pytest.fixture
def log_in(live_server: LiveServer, page: Page) -> Callable[[User], Page]:
    """``log_in(person)``: the page is theirs. The form itself is a test of the start page."""

    def log_in(person: User) -> Page:
        client = Client()
        client.force_login(person)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
        )
        return page

    return log_in
