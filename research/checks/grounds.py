"""The archived texts that the quotes of a run are looked up in."""

from functools import partial
from uuid import UUID

from research.checks.quotes import FindSource, QuotedSource
from research.models import Source
from research.web.archive.search import root_of


def sources_of(run: UUID) -> FindSource:
    """Finds the sources of a run's family by number, one at a time: an archived text may have megabytes."""
    return partial(_quoted, root_of(run))


def _quoted(run: UUID, number: int) -> QuotedSource | None:
    source = Source.objects.filter(run=run, number=number).select_related("document").first()
    if source is None:
        return None
    document = source.document
    if document is None:
        return QuotedSource(number, source.title)
    return QuotedSource(number, source.title, document.pk, document.text, document.mime == "application/json")
