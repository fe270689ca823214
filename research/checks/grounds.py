"""The archived texts that the quotes of a run are looked up in."""

from functools import cache, partial
from uuid import UUID

from citations.extract import extract
from citations.services.verification import ReadText
from research.checks.quotes import FindSource, QuotedSource
from research.models import Source
from research.web.archive.search import root_of


def sources_of(run: UUID) -> FindSource:
    """Finds the sources of a run's family by number, one at a time: an archived text may have megabytes."""
    return partial(_quoted, root_of(run))


def decisions_of(run: UUID) -> ReadText:
    """Finds the texts of decisions that a run's family has archived, by their names."""

    @cache
    def numbers() -> dict[str, int]:
        titled = Source.objects.filter(run=root_of(run), kind="law").values_list("title", "number")
        named = [(extract(title)[:1], number) for title, number in titled]
        return {str(one.normalized): number for mentions, number in named for one in mentions}

    def read(name: str) -> str:
        source = _quoted(root_of(run), number) if (number := numbers().get(name)) is not None else None
        return source.text if source else ""

    return read


def _quoted(run: UUID, number: int) -> QuotedSource | None:
    source = Source.objects.filter(run=run, number=number).select_related("document").first()
    if source is None:
        return None
    document = source.document
    if document is None:
        return QuotedSource(number, source.title)
    return QuotedSource(number, source.title, document.pk, document.text, document.mime == "application/json")
