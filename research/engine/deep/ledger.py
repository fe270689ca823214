"""The sources of a family of runs, for the report and its verification."""

from collections.abc import Mapping
from uuid import UUID

from research.engine.deep.citations import Entry
from research.models import Source

ACADEMIC = ("semantic_scholar", "openalex", "crossref")


def entries(root_id: UUID) -> list[Entry]:
    """Every source under its number, in order."""
    sources = Source.objects.filter(run_id=root_id).select_related("document", "run").order_by("number")
    return [_entry(source) for source in sources.defer("document__text")]


def texts(root_id: UUID) -> Mapping[int, str]:
    """The archived text of each source. For sources not fetched, the snippet from the search."""
    rows = Source.objects.filter(run_id=root_id).values_list("number", "document__text", "snippet")
    return {number: text or snippet for number, text, snippet in rows.order_by("number") if text or snippet}


def _entry(source: Source) -> Entry:
    fetched = source.document.fetched_at if source.document else source.run.started_at
    return Entry(
        number=source.number,
        title=source.title,
        url=source.url,
        domain=source.domain,
        date=source.as_of,
        accessed=f"{fetched:%Y-%m-%d}" if fetched else "",
        quality=source.quality,
        academic=source.found_by in ACADEMIC,
    )
