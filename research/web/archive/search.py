"""Searching the archive: a question in, the documents that answer it out."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from research.jsontext import storable_text
from research.models import Document, Run
from research.web.archive.analysis import bare_language, question_terms
from research.web.archive.index import index_documents, the_index
from research.web.archive.ranking import Subset, affordable
from research.web.archive.snippets import Snippet, best_snippet

CATCH_UP = 50  # documents that a search takes into the index first
MAX_LIMIT = 200


@dataclass(frozen=True)
class Found:
    """A document, how well it answers (higher is better), and the part of it that does."""

    document: Document
    score: float
    snippet: Snippet


def search_documents(
    query: str,
    *,
    host: str | None = None,
    run: UUID | None = None,
    language: str | None = None,
    limit: int = 10,
    offset: int = 0,
) -> list[Found]:
    """The documents that answer a question, the best first; any text is a question, and none raises.

    ``host`` also means the hosts below it, ``run`` all that its family read. Without any word there is nothing to find.
    """
    wanted = bare_language(language or "")
    terms = question_terms(storable_text(query), wanted)
    ranked = ranked_ids(terms, _subset(host, run, wanted), limit=limit, offset=offset)
    documents = Document.objects.in_bulk([pk for pk, _ in ranked])
    asked = frozenset(terms)
    return [
        Found(documents[pk], score, best_snippet(documents[pk].text, asked, documents[pk].language))
        for pk, score in ranked
        if pk in documents
    ]


def ranked_ids(
    terms: list[str], subset: Subset | None = None, *, limit: int = 10, offset: int = 0
) -> list[tuple[int, float]]:
    """Ids and scores for the terms of a question, after what is new was taken into the index."""
    if not terms:
        return []
    index_documents(CATCH_UP)
    index = the_index()
    chosen = affordable(index.counts(terms))
    limit = max(0, min(limit, MAX_LIMIT))
    return index.rank(chosen, subset, limit, max(0, offset)) if chosen else []


def root_of(run: UUID) -> UUID:
    """The run on which the sources of a whole family hang."""
    parent = Run.objects.filter(pk=run).values_list("parent", flat=True).first()
    return root_of(parent) if parent else run


def _subset(host: str | None, run: UUID | None, language: str) -> Subset | None:
    """The documents that may be found; None when all may."""
    if not (host or run or language):
        return None
    documents = filtered(Document.objects.order_by(), host=host, run=run, language=language)
    return documents.values("pk").query.sql_with_params()


def filtered(
    documents: QuerySet[Document],
    *,
    host: str | None = None,
    run: UUID | None = None,
    language: str | None = None,
) -> QuerySet[Document]:
    """The documents of a host and those below it, of a run's family, in a language."""
    if host:
        name = storable_text(host).strip().lower()
        documents = documents.filter(Q(host=name) | Q(host__endswith=f".{name}"))
    if run:
        documents = documents.filter(pk__in=Document.objects.filter(uses__run=root_of(run)).values("pk"))
    return documents.filter(language=language) if language else documents
