"""The page on the register: what is imported, how far an import is, a search and a try at verification."""

from datetime import timedelta

import pytest
from django.core.management import load_command_class
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from entities.gleif import register as module
from entities.gleif.golden.importing import Given, import_file
from entities.models import GoldenCopyImport, LeiRecord
from tests.factories import UserFactory
from tests.register_files import (
    MORNING,
    Folder,
    attributes_of,
    exception_of,
    lei_of,
    relationship_of,
    rich_attributes,
)

pytestmark = pytest.mark.django_db
PAGE = "admin:entities_goldencopyimport_changelist"


@pytest.fixture
def page(client):
    client.force_login(UserFactory(rights=["view_goldencopyimport", "view_leirecord"]))

    def page(**asked: str) -> str:
        response = client.get(reverse(PAGE), asked)
        assert response.status_code == 200
        return " ".join(response.content.decode().split())

    return page


@pytest.fixture
def imported(tmp_path, settings):
    """A register of two records and their relationships, and a delta of each since."""
    settings.DOSSIER_REGISTER = "gleif"
    folder = Folder(tmp_path)
    import_file(folder.file([attributes_of(1, "Mutter <b>AG</b>"), rich_attributes(2)]))
    import_file(folder.file([relationship_of(2, 1)], kind="rr"))
    later = Given(scope="IntraDay", publish_date=MORNING + timedelta(hours=8))
    import_file(folder.file([attributes_of(3)], name="delta.csv"), given=later)
    yield folder
    module._opened.clear()


def test_an_empty_register_says_what_to_run(page):
    text = page()
    assert "No golden copy is imported" in text
    assert "./manage.py lei sync" in text
    command = load_command_class("entities", "lei").create_parser("manage.py", "lei")
    assert command.parse_args(["sync"]).run


def test_it_shows_dates_counts_and_the_last_delta(page, imported):
    text = page()
    row = '<th scope="row">LEI records</th> <td class="num">3</td>'
    assert row + "<td>2026-02-10 16:00 UTC</td><td>2026-02-10 08:00 UTC</td>" in text
    assert "2026-02-10 16:00 UTC (8 hours): 1 added, 0 changed, 0 removed" in text
    assert '<th scope="row">Reporting exceptions</th> <td colspan="4" class="help">not imported' in text
    assert "DOSSIER_REGISTER_SYNC_HOURS" in text


def test_it_says_when_beat_brings_it_up_to_date(page, imported, settings):
    settings.REGISTER_SYNC_HOURS = 8
    assert "Beat brings it up to date every 8 hours." in page()


def test_a_running_import_is_shown_with_how_far_it_is(page, imported):
    running = GoldenCopyImport.objects.create(
        kind="repex", scope="full", source="big.csv.zip", publish_date=MORNING, owner="elsewhere 1", phase="reading",
        done=250, total=1000, counts={"read": 1234567},
    )  # fmt: skip
    text = page()
    assert "big.csv.zip: reading, 1,234,567 records" in text
    assert '<progress max="100" value="25">' in text
    assert 'http-equiv="refresh"' in text
    GoldenCopyImport.objects.filter(pk=running.pk).update(beat_at=timezone.now() - timedelta(hours=1))
    text = page()
    assert "its process is gone" in text
    assert 'http-equiv="refresh"' not in text


def test_a_failed_import_is_shown_with_its_reason_until_one_succeeds(page, imported):
    with pytest.raises(Exception, match="without its LEI"):
        import_file(
            imported.text("LEI,Exception.Category,Exception.Reason.1\n,A,B\n", "repex.csv"),
            given=Given(scope="full", publish_date=MORNING, kind="repex"),
        )
    assert "without its LEI" in page()


@pytest.mark.parametrize("name", ["mutter", "Früher & Söhne"])
def test_a_name_finds_records_and_is_shown_as_text(page, imported, name):
    text = page(q=name)
    assert f'<a href="?lei={lei_of(1 if name == "mutter" else 2)}">' in text
    assert "<b>AG</b>" not in text
    assert "golden copy of 2026-02-10" in text


def test_a_name_that_nobody_has(page, imported):
    assert "The register has no name that is like it." in page(q="Zzyzx")


def test_an_lei_is_verified_with_what_is_claimed_of_it(page, imported):
    text = page(lei=lei_of(3), claimed="Ganz anders", jurisdiction="DE")
    assert '<span class="dossier-chip is-fail">fail</span>' in text
    assert "Muster 3 GmbH" in text
    assert "cannot be one" not in text


def test_a_register_that_cannot_be_asked_is_said(page, settings):
    module._opened.clear()
    settings.DOSSIER_REGISTER, settings.GLEIF_BASE_URL, settings.GLEIF_PER_MINUTE = (
        "gleif",
        "http://127.0.0.1:9/",
        0,
    )
    module.open_register("gleif")._client._retries = 0
    assert "The register could not be asked: The LEI register cannot be reached" in page(q="Muster")
    module._opened.clear()


def test_it_needs_the_right_to_see_it(client):
    client.force_login(UserFactory(rights=["view_leirecord"]))
    assert client.get(reverse(PAGE)).status_code == 403


def test_an_import_has_a_page_and_records_are_found_by_their_lei(page, client, imported):
    account = GoldenCopyImport.objects.first()
    assert client.get(reverse("admin:entities_goldencopyimport_change", args=[account.pk])).status_code == 200
    listed = client.get(reverse("admin:entities_leirecord_changelist"), {"q": lei_of(2)}).content.decode()
    assert lei_of(2) in listed
    assert lei_of(1) not in listed
    assert LeiRecord.objects.count() == 3


def test_a_record_is_found_by_the_lei_that_is_meant_and_by_its_index(page, client, imported):
    typed = f" {lei_of(2)[:4].lower()} {lei_of(2)[4:]}"
    with CaptureQueriesContext(connection) as queries:
        listed = client.get(reverse("admin:entities_leirecord_changelist"), {"q": typed}).content.decode()
    assert (lei_of(2) in listed, lei_of(1) in listed) == (True, False)
    assert not any("UPPER" in query["sql"] or " LIKE " in query["sql"] for query in queries)


def test_all_three_kinds_are_imported_and_counted(page, tmp_path):
    import_file(Folder(tmp_path).file([exception_of(1)], kind="repex"))
    assert '<th scope="row">Reporting exceptions</th> <td class="num">1</td>' in page()
