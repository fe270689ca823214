"""``POST /tables`` keeps a spreadsheet and says how it would be read."""

import pytest

from research.models import Document
from research.services.macros import sync_macros

pytestmark = pytest.mark.django_db
SHEET = "Company;Owner;Share\nT AG;Anna;10 %\n"


def test_a_kept_table_is_answered_with_what_a_run_needs(client, url):
    sync_macros()
    answer = client.post(url("tables") + "?name=a.csv", SHEET.encode(), content_type="text/csv")
    assert answer.status_code == 201
    kept = Document.objects.get()
    columns = {"owned": 1, "owner": 2, "share": 3}
    assert answer.data == {"table": kept.digest, "rows": 2, "header_row": 1, "columns": columns}
    given = {name: answer.data[name] for name in ("table", "header_row", "columns")}
    params = {"source": "T AG", "stated_on": "2026-03-01", **given}
    assert client.post(url("runs"), {"macro": "owners-from-table", "params": params}).status_code == 202


def test_a_body_that_is_no_table_is_refused_in_a_sentence(client, url):
    answer = client.post(url("tables"), b"\0\0", content_type="text/csv")
    assert answer.status_code == 400
    assert "neither CSV nor XLSX" in answer.content.decode()


def test_another_kind_of_body_is_not_read(client, url):
    assert client.post(url("tables"), {"a": 1}).status_code == 415
