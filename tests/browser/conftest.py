"""A real browser on a real server; without one these tests are skipped, loudly. CI sets DOSSIER_REQUIRE_BROWSER."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

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
