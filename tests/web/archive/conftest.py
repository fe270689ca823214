"""An archive to search."""

import pytest

from research.web.archive.search import search_documents
from tests.factories import DocumentFactory


@pytest.fixture
def archive(db):
    """``archive("text", title="…")`` puts a document in."""
    return lambda text, **fields: DocumentFactory(text=text, **fields)


@pytest.fixture
def titles():
    """The titles of what answers a question, the best first."""
    return lambda question, **filters: [
        found.document.title for found in search_documents(question, **filters)
    ]
