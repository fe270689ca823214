"""Which engine sees a page: the plain one first; a browser where the page is little without its scripts."""

from dataclasses import replace
from urllib.parse import urlsplit

from django.conf import settings

from research.browsing import plain
from research.browsing.chromium.browser import Chromium, the_chromium
from research.browsing.settle import Settle
from research.browsing.view import Seen
from research.errors import WalkRefused
from research.models import Walk, WalkView

INSTALL = "install a browser: pip install 'dossier[browser]', and Chromium (Debian: apt install chromium)"


def look(walk: Walk, url: str, settle: Settle, *, anew: bool = False) -> Seen:
    """A page, by the engine that it needs. Raises FetchFault, WalkRefused."""
    mode = settings.DOSSIER_BROWSE_ENGINE
    browser = the_browser()
    if browser is None and mode == "browser":
        raise WalkRefused("needs_browser", f"There is no browser to open this page with: {INSTALL}.")
    if browser and (mode == "browser" or _is_route(url) or browser.is_at(walk.pk, url)):
        return browser.open(walk, url, settle, anew=anew)
    seen = plain.look(url)
    if not seen.needs:
        return seen
    if browser:
        return browser.open(walk, url, settle, anew=anew)
    note = f"This page may say more in a browser ({seen.needs}). To see that, {INSTALL}."
    return replace(seen, notes=[*seen.notes, note])


def see_again(walk: Walk, row: WalkView, selector: str) -> tuple[Seen, set[str]]:
    """The page of the current view once more, and the ids of the items inside a selector. No step is made.

    What was sent does not change by itself: without a browser the view is told again as it was kept.
    """
    browser = the_browser() if row.engine != plain.NAME else None
    if browser:
        return browser.read(walk, row, selector), set()
    text = row.document.text if row.document else ""
    seen = Seen(row.url, row.title, text, row.engine, row.items, row.forms, row.links, status=0)
    if not selector:
        return seen, set()
    found = plain.inside(row.url, selector)
    return seen, {item["id"] for item in row.items if (item["type"], item["label"], item["href"]) in found}


def the_browser() -> Chromium | None:
    """The browser of this process; None where there is none, or none is wanted."""
    return None if settings.DOSSIER_BROWSE_ENGINE == "plain" else the_chromium()


def _is_route(url: str) -> bool:
    """Whether only a script knows the place: ``/#/guide``."""
    return urlsplit(url).fragment.startswith(("/", "!"))
