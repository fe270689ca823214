"""The page that takes a spreadsheet in, and the page that names its columns."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from research.models import Document, Macro, Run
from research.services.macros import sync_macros
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db
SHEET = "Company,Owner,Share\nT AG,<b>Anna</b>,10%\nT AG,Boris,0.25\n"
FORM = {"source": "T AG", "stated_on": "2026-03-01", "header_row": "1"}
COLUMNS = {"column-1": "owned", "column-2": "owner", "column-3": "share"}


@pytest.fixture
def person(client):
    sync_macros()
    person = UserFactory(rights=ALL_RIGHTS)
    client.force_login(person)
    return person


def upload(client, text=SHEET):
    file = SimpleUploadedFile("owners.csv", text.encode())
    return client.post(reverse("admin:research_table_upload"), {"file": file})


def test_asking_the_macro_leads_to_the_upload(client, person):
    macro = Macro.objects.get(name="owners-from-table")
    assert client.get(reverse("admin:research_macro_ask", args=[macro.pk])).url == reverse(
        "admin:research_table_upload"
    )


def test_an_upload_leads_to_its_columns_named_as_their_header_says(client, person):
    answer = upload(client)
    text = client.get(answer.url).content.decode()
    assert text.count(" selected>") >= 3
    assert "&lt;b&gt;Anna&lt;/b&gt;" in text
    assert "<b>Anna" not in text


def test_a_file_that_is_no_table_is_refused_beside_its_field(client, person):
    answer = upload(client, "")
    assert answer.status_code == 400
    assert not Document.objects.exists()


def test_what_is_read_is_shown_before_anything_is_started(client, person):
    text = client.post(upload(client).url, {**FORM, **COLUMNS, "look": "1"}).content.decode()
    assert "1 row read, 1 not" in text
    assert "say which with the unit" in text
    assert not Run.objects.exists()


def test_it_starts_the_run_with_what_was_chosen(client, person):
    page = upload(client).url
    answer = client.post(page, {**FORM, **COLUMNS, "unit": "fraction", "owned": "", "start": "1"})
    run = Run.objects.get()
    assert answer.url == reverse("admin:research_run_change", args=[run.pk])
    assert run.params["columns"] == {"owned": 1, "owner": 2, "share": 3}
    assert (run.params["unit"], run.params["source"], run.requested_by) == ("fraction", "T AG", person)


def test_without_an_owner_s_column_nothing_is_started(client, person):
    answer = client.post(upload(client).url, {**FORM, "column-1": "owned", "start": "1"})
    assert answer.status_code == 400
    assert "owner" in answer.content.decode()
    assert not Run.objects.exists()


def test_a_page_of_another_document_is_not_there(client, person):
    assert client.get(reverse("admin:research_table_read", args=["0" * 64])).status_code == 404
