"""A small town's register on loopback, and whose walk it is."""

import os

import pytest

from research.browsing.chromium.browser import has_browser
from research.browsing.walks import Owner
from research.tools.browsing import call_browsing
from tests.factories import UserFactory
from tests.walks.machines import machines
from tests.walks.town import town
from tests.web.fetch.site import Site


@pytest.fixture
def site(settings):
    site = Site(town())
    settings.DOSSIER_FETCH_ALLOW = [f"127.0.0.1:{site.port}"]
    settings.DOSSIER_FETCH_PER_MINUTE = 0
    settings.DOSSIER_BROWSE_ENGINE = "plain"
    yield site
    site.close()


@pytest.fixture
def machine(site, settings):
    """The same site with pages for a browser, which must be there."""
    if not has_browser():
        reason = (
            "NO BROWSER: install Debian's package chromium (or set DOSSIER_BROWSER) to run the browser tests"
        )
        (pytest.fail if os.environ.get("DOSSIER_REQUIRE_BROWSER") else pytest.skip)(reason)
    site.pages.update(machines())
    settings.DOSSIER_BROWSE_ENGINE = "auto"
    return site


@pytest.fixture
def owner(db):
    return Owner(person_id=UserFactory().pk)


@pytest.fixture
def walk(owner):
    """``walk("open", url=…)``: one call of the person's session."""
    return lambda name, **arguments: call_browsing(f"research_{name}", arguments, owner)


@pytest.fixture
def item():
    """``item(view, "Companies")``: the arguments that choose an item by its label."""

    def found(view, label):
        (one,) = [each for each in view["menuItems"] if each["label"] == label]
        return {"menuItemId": one["menuItemId"], "viewToken": view["viewToken"]}

    return found
