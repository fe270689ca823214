"""Fetching: redirects of the publishers, what breaks off, error pages; the trouble of one keeps back no other."""

import pytest

from common.outside.client import Patience, Traffic
from entities import tasks
from entities.models import ListVersion, ScreeningRun
from entities.screening import syncing
from entities.screening.syncing import sync_lists
from entities.services.screening import update_lists
from tests.entities.screening import samples
from tests.entities.screening.publisher import ListServer
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
SETTINGS = ("OFAC", "UN_SANCTIONS", "EU_SANCTIONS", "UK_SANCTIONS", "SECO")


@pytest.fixture
def server(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(syncing, "PATIENCE", Patience(seconds=5, attempt=5, tries=1))
    settings.VAR_DIR = tmp_path
    settings.DOSSIER_LISTS = []
    settings.EU_SANCTIONS_TOKEN = "t0ken"
    with ListServer() as server:
        for name in SETTINGS:
            setattr(settings, f"{name}_BASE_URL", server.url)
        server.files = {
            "/signed/SDN": samples.ofac(),
            "/CONSOLIDATED.XML": samples.ofac(samples.OFAC_COMPANY),
            "/resources/xml/en/consolidated.xml": samples.un(),
            "/files/xmlFullSanctionsList_1_1/content": samples.eu(),
            "/UK-Sanctions-List.csv": samples.uk(),
            "/pages/downloadXmlGesamtliste.xhtml": samples.seco(),
        }
        server.redirects = {"/SDN.XML": "/signed/SDN?expires=soon"}
        yield server


def synced(now, *names):
    traffic = Traffic(sleep=lambda seconds: None)
    return {one.list: one for one in sync_lists(list(names) or None, now=now, traffic=traffic)}


def test_every_list_is_fetched_and_imported(server, now, tmp_path):
    done = synced(now)
    assert [one.trouble for one in done.values()] == [""] * 6
    assert all(one.new and one.version.state == "live" for one in done.values())
    assert done["un"].version.source == f"{server.url}/resources/xml/en/consolidated.xml"
    assert list((tmp_path / "lists").iterdir()) == []


def test_publishers_are_asked_as_they_want_it(server, now):
    synced(now)
    assert "/signed/SDN?expires=soon" in server.asked
    assert "/files/xmlFullSanctionsList_1_1/content?token=t0ken" in server.asked
    [seco] = [path for path in server.asked if "Gesamtliste" in path]
    assert "action=downloadXmlGesamtlisteAction" in seco


def test_a_list_without_its_token_is_not_fetched(server, now, settings):
    settings.EU_SANCTIONS_TOKEN = ""
    assert "eu" not in synced(now)
    [eu] = synced(now, "eu").values()
    assert eu.trouble.endswith("is not set up: set EU_SANCTIONS_TOKEN.")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"status": 503}, "is in trouble (HTTP 503)"),
        ({"status": 403}, "does not accept"),
        ({"cut": 20}, "before the file was whole"),
        ({"files": {"/CONSOLIDATED.XML": "<html><body>Maintenance</body></html>"}}, "web page"),
        ({"files": {"/CONSOLIDATED.XML": samples.ofac()[:-30]}}, "cut off"),
        ({"redirects": {"/CONSOLIDATED.XML": "/CONSOLIDATED.XML"}}, "redirects more than 3 times"),
        ({"redirects": {"/CONSOLIDATED.XML": "file:///etc/passwd"}}, "is not followed"),
        ({"redirects": {"/CONSOLIDATED.XML": "http://127.0.0.2:9/list"}}, "is not followed"),
    ],
)
def test_trouble_is_told_and_changes_nothing(server, now, change, words):
    for name, value in change.items():
        setattr(server, name, value)
    [one] = synced(now, "ofac-consolidated").values()
    assert words in one.trouble, one.trouble
    assert one.version is None
    assert not ListVersion.objects.filter(state="live").exists()


def test_the_trouble_of_one_list_keeps_back_no_other(server, now):
    del server.files["/UK-Sanctions-List.csv"]
    done = synced(now)
    assert [name for name, one in done.items() if one.trouble] == ["uk"]
    assert ListVersion.objects.filter(state="live").count() == 5


def test_memory_is_screened_again_when_a_list_has_changed(server, now):
    EntityFactory(name="Northern Amber Trading", slug="amber")
    assert [one.trouble for one in update_lists(now=now)] == [""] * 6
    first = ScreeningRun.objects.get()
    assert (first.outcome, first.counts["hits"]) == ("hits", 2)
    update_lists(now=now)
    assert ScreeningRun.objects.count() == 1
    server.files["/CONSOLIDATED.XML"] = samples.ofac(
        samples.OFAC_COMPANY, samples.OFAC_VESSEL, date="09/25/2026"
    )
    update_lists(now=now)
    assert ScreeningRun.objects.count() == 2


def test_the_task_fetches_and_screens(server):
    EntityFactory(name="Northern Amber Trading", slug="amber")
    assert tasks.sync_lists() == 6
    assert tasks.sync_lists() == 0
    assert ScreeningRun.objects.get().counts["entities"] == 1
