"""The LEI register behind the same interface as the others."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from entities import lei as iso17442
from entities.gleif.errors import GleifBadRequest, GleifError, GleifNotFound, GleifRateLimited
from entities.gleif.records import Record
from entities.gleif.register import Register
from entities.registers.base import RegisterSource, utc_now
from entities.registers.errors import (
    BadNumber,
    RegisterBadRequest,
    RegisterNotFound,
    RegisterRateLimited,
    RegisterUnavailable,
)
from entities.registers.records import Capability, Company, Hit, Page, Provenance, Standing, names_of, text

DEAD = frozenset({"RETIRED", "DUPLICATE", "ANNULLED", "MERGED", "CANCELLED", "TRANSFERRED"})


class Gleif(RegisterSource):
    """Legal entities of all countries by LEI or name. Parents are asked through the LEI tools, not as owners."""

    name = "gleif"
    label = "LEI register"
    jurisdictions = ("*",)
    capabilities = frozenset({Capability.SEARCH, Capability.RECORD})

    def __init__(self, register: Register, *, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(now=now)
        self._register = register

    def normal_number(self, written: str) -> str:
        lei = iso17442.normalise(written)
        shape = iso17442.check_format(lei)
        if not shape.ok:
            raise BadNumber(f"{lei[:40]} is not an LEI: {shape.message}")
        return lei

    def search(self, name: str, *, limit: int = 20) -> Page[Hit]:
        with _translated():
            matches = self._register.search(name, limit=limit)
        hits = tuple(self._company(match.record).as_hit() for match in matches)
        return Page(hits, len(hits), len(hits) >= limit, self._said(self._register.base_url))

    def record(self, number: str) -> Company:
        with _translated():
            return self._company(self._register.record(self.normal_number(number)))

    def _company(self, record: Record) -> Company:
        ended = record.entity_status == "INACTIVE" or record.registration_status in DEAD
        standing: Standing = "ended" if ended else "live" if record.entity_status == "ACTIVE" else "unknown"
        return Company(
            number=record.lei,
            names=record.names or names_of(record.legal_name),
            provenance=self._said(record.url or f"{self._register.base_url}/lei-records/{record.lei}"),
            jurisdiction=record.jurisdiction or record.legal_country,
            standing=standing,
            status=f"entity {record.entity_status or '?'}, registration {record.registration_status or '?'}",
            legal_form=text(record.legal_form_text) or record.legal_form,
            ended=record.expiration_date,
            lei=record.lei,
            successor=next((one.lei or one.name or "" for one in record.successors), ""),
        )

    def _said(self, url: str) -> Provenance:
        return self.provenance(url, self._register.as_of)


@contextmanager
def _translated() -> Iterator[None]:
    """The errors of the LEI register as those of all registers."""
    try:
        yield
    except GleifNotFound as error:
        raise RegisterNotFound(str(error)) from error
    except GleifRateLimited as error:
        raise RegisterRateLimited(str(error), error.retry_after) from error
    except GleifBadRequest as error:
        raise RegisterBadRequest(str(error)) from error
    except GleifError as error:
        raise RegisterUnavailable(str(error)) from error
