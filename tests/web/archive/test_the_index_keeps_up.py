import pytest
from django.db import connection

from research.models import Document
from research.web.archive import index, search
from research.web.archive.index import index_documents, index_everything, the_index, waiting_count
from research.web.archive.search import ranked_ids

pytestmark = pytest.mark.django_db


def test_a_search_sees_what_was_stored_a_moment_ago(archive, titles):
    archive("The first insurer.", title="first")
    archive("Nothing.")
    assert titles("insurer") == ["first"]
    archive("The second insurer.", title="second")
    archive("Nothing more.")
    assert sorted(titles("insurer")) == ["first", "second"]


def test_a_search_takes_in_only_so_much_and_the_sweep_the_rest(archive, titles, monkeypatch):
    monkeypatch.setattr(search, "CATCH_UP", 2)
    for number in range(5):
        archive(f"insurer number {number}", title=str(number))
    assert len(titles("insurer")) == 2
    assert waiting_count() == 3
    assert index_documents() == 3
    assert len(titles("insurer")) == 5
    assert index_documents() == 0


def test_it_notes_the_language_of_what_came_without_one(archive):
    known = archive("The text is in English and it is not for the others.", language="fr")
    found = archive("Der Text ist auf Deutsch und nicht für die anderen.")
    untold = archive("4711 0815")
    index_documents()
    assert [Document.objects.get(pk=each.pk).language for each in (known, found, untold)] == ["fr", "de", ""]


def test_it_can_be_made_anew(archive, titles):
    archive("An insurer.", title="one")
    archive("Nothing.")
    assert titles("insurer") == ["one"]
    assert index_everything(anew=True) == 2
    assert titles("insurer") == ["one"]
    assert index_everything() == 0


def test_it_takes_in_every_document_once(archive):
    archive("insurer")
    first = index_documents()
    ranked = ranked_ids(["insurer"])
    assert (first, index_documents(), ranked_ids(["insurer"])) == (1, 0, ranked)


def test_it_leaves_the_index_to_the_worker_who_is_at_it(archive, monkeypatch):
    archive("insurer")
    monkeypatch.setattr(type(the_index()), "alone", lambda self: False)
    assert index_documents() == 0
    assert waiting_count() == 1


def test_it_bounds_what_it_holds_in_memory(archive, monkeypatch):
    monkeypatch.setattr(index, "BATCH_SIZE", 10)
    for number in range(3):
        archive(f"insurer number {number}")
    assert (index_documents(), index_everything()) == (1, 2)


def test_it_bounds_what_it_reads_of_one_document(archive, titles, monkeypatch):
    monkeypatch.setattr("research.web.archive.analysis.MAX_INDEXED", 100)
    archive("early " + "x " * 200 + "late", title="long")
    archive("Nothing.")
    assert (titles("early"), titles("late")) == (["long"], [])


def test_an_empty_text_does_no_harm(archive, titles):
    archive("")
    archive("insurer", title="one")
    archive("Nothing.")
    assert titles("insurer") == ["one"]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite merges by itself")
def test_batches_are_merged_so_that_few_rows_stand_for_a_term(archive, monkeypatch):
    monkeypatch.setattr("research.web.archive.search_postgresql.FAN_IN", 3)
    documents = []
    for number in range(30):
        documents.append(archive(f"insurer {number}"))
        index_documents()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*), sum(size) FROM research_archive_posting WHERE term = 'insurer'")
        rows, postings = cursor.fetchone()
        cursor.execute("SELECT sum(documents) FROM research_archive_batch")
        counted = cursor.fetchone()[0]
    assert rows <= 6
    assert postings == counted == 30
    assert {pk for pk, _ in ranked_ids(["insurer"], limit=50)} == {document.pk for document in documents}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL drops them when a batch is merged")
def test_the_words_of_a_deleted_document_go_with_it(archive):
    gone = archive("confidential insurer")
    index_documents()
    gone.delete()
    assert the_index().counts(["confidential"]) == {}
