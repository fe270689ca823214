"""The interface of a register. An adapter overrides what its register can answer and declares that it can."""

from collections.abc import Callable
from datetime import UTC, datetime

from entities.registers.errors import NotOffered
from entities.registers.records import (
    Authorisation,
    Capability,
    Company,
    Hit,
    Officers,
    Owners,
    Page,
    Provenance,
)

MAX_NAME = 200
MAX_LIMIT = 100


def utc_now() -> datetime:
    return datetime.now(UTC)


class RegisterSource:
    """One register. ``name`` is its key in settings, tools and rows; ``label`` is for people.

    ``jurisdictions`` are ISO codes it speaks for ("*" for all), ``authorities`` the codes of GLEIF's list of
    registration authorities (RA000585 ...) whose numbers it understands. Every method answers with what the register
    says or raises a ``RegisterError``; only ``RegisterNotFound`` means absence.
    """

    name = ""
    label = ""
    jurisdictions: tuple[str, ...] = ()
    authorities: tuple[str, ...] = ()
    capabilities: frozenset[Capability] = frozenset()

    def __init__(self, *, now: Callable[[], datetime] = utc_now) -> None:
        self._now = now

    def can(self, capability: Capability) -> bool:
        return capability in self.capabilities

    def covers(self, jurisdiction: str) -> bool:
        """Whether the register speaks for a jurisdiction ("GB", "US-DE"); an empty one is covered by all."""
        return speaks_for(type(self), jurisdiction)

    def normal_number(self, written: str) -> str:
        """A number as the register writes it. Raises BadNumber."""
        raise NotImplementedError

    def search(self, name: str, *, limit: int = 20) -> Page[Hit]:
        """Lines by name, in the register's own order. A search that finds nothing is an empty page."""
        raise self._not_offered(Capability.SEARCH)

    def record(self, number: str) -> Company:
        """One company. Raises RegisterNotFound, BadNumber."""
        raise self._not_offered(Capability.RECORD)

    def officers(self, number: str, *, limit: int = 100) -> Officers:
        """Who runs the company, former officers included."""
        raise self._not_offered(Capability.OFFICERS)

    def owners(self, number: str, *, limit: int = 100) -> Owners:
        """Who controls the company, with the bands that the register states."""
        raise self._not_offered(Capability.OWNERS)

    def authorisation(self, number: str, *, name: str = "") -> Authorisation:
        """What the supervisor says of the company; ``name`` is looked for where warnings know no numbers."""
        raise self._not_offered(Capability.AUTHORISATION)

    def _not_offered(self, capability: Capability) -> NotOffered:
        return NotOffered(f"{self.label} cannot be asked for {capability.value}.")

    def provenance(self, url: str, as_of: str = "") -> Provenance:
        """Who said it, where and when; ``as_of`` is today unless the register says how old its data are."""
        return Provenance(self.name, url, as_of or self._now().date().isoformat())


def query_name(name: str) -> str:
    """A name as a search term: printable, on one line, bounded."""
    return " ".join("".join(char if char.isprintable() else " " for char in name[: 4 * MAX_NAME]).split())[
        :MAX_NAME
    ]


def speaks_for(source: type[RegisterSource], jurisdiction: str) -> bool:
    """Whether a register speaks for a jurisdiction, without opening it."""
    country = jurisdiction.partition("-")[0]
    return not country or "*" in source.jurisdictions or country in source.jurisdictions
