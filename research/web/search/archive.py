"""The local archive as a provider: what was fetched before can be found again. The caller brings the search."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from common.outside.faults import SourceFault
from research.web.search.base import Hit

ArchiveSearch: TypeAlias = Callable[[str, int], Iterable[Hit]]


@dataclass(frozen=True)
class Archive:
    """``find(question, limit)`` gives hits, best first. It costs nothing, so nothing limits its rate."""

    find: ArchiveSearch
    name: str = "archive"

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        try:
            return list(self.find(query, max_results))[:max_results]
        except SourceFault:
            raise
        except Exception as error:
            raise SourceFault(
                self.name, "unreadable", f"cannot be searched ({type(error).__name__})"
            ) from error
