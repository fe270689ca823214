"""The page on the LEI register in a real browser: a running import, a search by name, a try at verification."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from entities.gleif import register as module
from entities.gleif.golden.importing import Given, import_file
from entities.models import GoldenCopyImport
from tests.factories import UserFactory
from tests.register_files import MORNING, Folder, attributes_of, lei_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("page")]
PAGE = "admin:entities_goldencopyimport_changelist"


@pytest.fixture
def register(tmp_path, settings):
    """Three records of which two have the same name in two places, and one line left out."""
    settings.DOSSIER_REGISTER = "gleif"
    records = [
        attributes_of(1, "Nordstern Brauerei AG"),
        attributes_of(2, "Muster Kasse AG"),
        attributes_of(3, "Muster Kasse AG", jurisdiction="AT"),
        {**attributes_of(4), "lei": "<b>no LEI</b>"},
    ]
    given = Given(scope="full", publish_date=MORNING, skip_bad=1)
    import_file(Folder(tmp_path).file(records, form="json"), given=given)
    yield
    module._opened.clear()


@pytest.fixture
def at(live_server, page, log_in, register):
    """Logged in and on the page."""
    log_in(UserFactory(username="petra", rights=["view_goldencopyimport", "view_leirecord"]))
    page.goto(live_server.url + reverse(PAGE))
    return page


def test_a_name_with_slips_is_found_and_verified(at, complaints):
    at.fill("#searchbar", "Nordstrn Brauerei AG")
    at.click("text=Search")
    expect(at.locator("tr.is-meant")).to_have_count(1)
    expect(at.get_by_text("Nordstern Brauerei AG” scores")).to_be_visible()
    at.click(f"tr.is-meant >> text={lei_of(1)}")
    expect(at.locator("#id_lei")).to_have_value(lei_of(1))
    at.fill("#id_claimed", "Ganz Anders GmbH")
    at.click("text=Verify")
    name = at.locator("table.checks tr", has=at.locator("th", has_text=re.compile("^name$")))
    expect(name.locator(".is-fail")).to_be_visible()
    assert complaints == []


def test_a_name_that_two_have_is_a_question(at, complaints):
    at.fill("#searchbar", "Muster Kasse AG")
    at.click("text=Search")
    expect(at.locator(".dossier-chip", has_text="several")).to_be_visible()
    expect(at.get_by_text("in AT, DE: say which place is meant")).to_be_visible()
    expect(at.locator("tr.is-meant")).to_have_count(2)
    assert complaints == []


def test_a_running_import_and_what_was_left_out_are_seen(at, complaints, tmp_path):
    GoldenCopyImport.objects.create(
        kind="rr", scope="full", source="relationships.csv.zip", publish_date=MORNING, owner="elsewhere 1",
        phase="reading", done=250, total=1_000, counts={"read": 123_456},
    )  # fmt: skip
    at.reload()
    expect(at.locator("progress")).to_have_attribute("value", "25")
    expect(at.get_by_text("names alike", exact=True)).to_be_visible()
    at.click("summary")
    expect(at.get_by_text("Record 4: the LEI '<b>no LEI</b>' is no LEI")).to_be_visible()
    box = at.locator(".dossier-register").bounding_box()
    assert box["x"] + box["width"] <= 1280
    at.screenshot(path=tmp_path / "register.png", full_page=True)
    assert complaints == []
