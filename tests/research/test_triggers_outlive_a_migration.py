"""SQLite makes a table anew to change it, and its triggers go with the old one: every migrate brings them back."""

import pytest
from django.core.management.sql import emit_post_migrate_signal
from django.db import DatabaseError, connection, transaction

from common import append_only
from research import audit
from research.append_only import TABLES
from research.models import AuditEvent, Document
from research.web.archive.index import index_everything
from research.web.archive.search import search_documents
from tests.factories import DocumentFactory, RunFactory

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL changes tables in place"),
]


@pytest.fixture
def rebuilt():
    """The tables without their triggers, as a migration leaves them; then what follows every migrate."""
    append_only.remove(connection, TABLES)
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER research_archive_forget")
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")


def test_a_document_that_is_removed_is_found_no_more(rebuilt):
    DocumentFactory(title="Jahresbericht", text="Die Mühle an der Aare mahlt wieder.")
    index_everything()
    assert len(search_documents("Mühle Aare")) == 1
    Document.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM research_archive")
        assert cursor.fetchone() == (0,)


def test_what_was_recorded_cannot_be_changed(rebuilt):
    event = audit.record("tested", RunFactory())
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AuditEvent.objects.filter(pk=event.pk).update(action="changed")


def test_a_database_that_has_no_tables_yet_is_left_alone():
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE research_archive")
        cursor.execute("DROP TRIGGER research_archive_forget")
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")
    with connection.cursor() as cursor:
        assert "research_archive" not in connection.introspection.table_names(cursor)
