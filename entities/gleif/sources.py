"""What a register can be asked through: the API's client, or whatever answers its questions.

The register itself knows nothing of the database; ``entities.apps`` puts in what is stored there.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from entities.gleif.client import GleifClient, Items
from entities.gleif.records import JsonObject, Record


class Source(Protocol):
    """Answers the questions of ``GleifClient``; ``publish_date`` is that of the copy behind the last answer."""

    base_url: str
    publish_date: str

    def get(self, path: str, query: Mapping[str, str] | None = None) -> JsonObject: ...
    def items(
        self, path: str, query: Mapping[str, str] | None = None, *, limit: int | None = None
    ) -> Items: ...
    def batch(self, leis: Iterable[str]) -> tuple[Any, ...]: ...


class Keeper(Protocol):
    """Keeps answers about records for a while."""

    def recall(self, leis: Collection[str]) -> dict[str, tuple[JsonObject, str]]:
        """(attributes, publish date) of those that are known and not expired."""

    def keep(self, records: Collection[Record], as_of: str) -> None:
        """Keep answers."""


@dataclass(frozen=True)
class Imported:
    """A register that is all in the database; ``version`` changes with every import."""

    version: int
    source: Source
    size: int


@dataclass
class Stored:
    """What the database has to offer, once the app has put it in."""

    local: Callable[[Callable[[], GleifClient]], Imported | None] | None = None
    keeper: Callable[[], Keeper | None] | None = None


stored = Stored()


@runtime_checkable
class KnowsNames(Protocol):
    """A source that tells who has the same name without a call for each."""

    def namesakes(self, names: Iterable[str]) -> dict[str, list[str]]:
        """LEIs by name."""


@runtime_checkable
class KnowsItsExtent(Protocol):
    """A source that may hold a part of the register only."""

    def is_full(self) -> bool:
        """Whether it holds all that the register held on its day."""
