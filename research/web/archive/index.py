"""Taking documents into the index.

It happens after they were stored and apart from it, so that no run waits for the index or fails with it: the sweep
takes in what is new, and a search does so first if there is little. ``Document.indexed_at`` says what is in.
"""

from django.db import connection, transaction
from django.utils import timezone

from research.models import Document
from research.web.archive.analysis import bare_language, language_of, terms
from research.web.archive.ranking import Analysed, Index
from research.web.archive.search_postgresql import PostgresqlIndex
from research.web.archive.search_sqlite import SqliteIndex

BATCH = 500  # documents
BATCH_SIZE = 5_000_000  # bytes of text


def the_index() -> Index:
    """The index of the database in use."""
    return PostgresqlIndex() if connection.vendor == "postgresql" else SqliteIndex()


def index_documents(limit: int = BATCH) -> int:
    """Take in at most so many documents that are not in yet; how many it were. 0 too when another worker is at it."""
    waiting = _waiting(limit)
    analysed = {document.pk: _analysed(document) for document in waiting}
    return _take_in(analysed, {document.pk: document.language for document in waiting}) if analysed else 0


def index_everything(*, anew: bool = False) -> int:
    """Take in whatever is not in yet; ``anew`` empties the index before, for example after a restored backup."""
    if anew:
        _empty()
    done = 0
    while count := index_documents():
        done += count
    return done


def waiting_count() -> int:
    """How many documents are not in yet."""
    return Document.objects.filter(indexed_at=None).count()


def _waiting(limit: int) -> list[Document]:
    chosen: list[int] = []
    size = 0
    rows = Document.objects.filter(indexed_at=None).order_by("pk")[: min(limit, BATCH)]
    for pk, bytes_of_text in rows.values_list("pk", "size"):
        chosen.append(pk)
        size += bytes_of_text
        if size >= BATCH_SIZE:
            break
    return (
        list(Document.objects.filter(pk__in=chosen).order_by("pk").only("title", "text", "language"))
        if chosen
        else []
    )


def _analysed(document: Document) -> Analysed:
    language = bare_language(document.language) or language_of(f"{document.title} {document.text[:20_000]}")
    document.language = language
    return Analysed(document.pk, terms(document.title, language), terms(document.text, language))


@transaction.atomic
def _take_in(analysed: dict[int, Analysed], languages: dict[int, str]) -> int:
    index = the_index()
    if not index.alone():
        return 0
    still = Document.objects.filter(pk__in=analysed, indexed_at=None).order_by("pk").only("pk", "language")
    new = list(still)
    for document in new:
        document.language, document.indexed_at = languages[document.pk], timezone.now()
    if new:
        index.add([analysed[document.pk] for document in new])
        Document.objects.bulk_update(new, ["language", "indexed_at"], batch_size=200)
        index.tidy()
    return len(new)


@transaction.atomic
def _empty() -> None:
    index = the_index()
    index.remove(connection)
    index.install(connection)
    Document.objects.exclude(indexed_at=None).update(indexed_at=None)
