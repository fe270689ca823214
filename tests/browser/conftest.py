"""A real browser on a real server; without one these tests are skipped, loudly. CI sets DOSSIER_REQUIRE_BROWSER."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, sync_playwright
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


@pytest.fixture
def page(chromium: Browser, complaints: list[str]) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None,
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()


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
