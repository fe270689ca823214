"""FINMA, the Swiss supervisor: the list of authorised institutions (one CSV, no key) and its warning list.

The warning list is read through the search of FINMA's own site, which is not a documented interface. Both lists are
whole: they are fetched once in a while and looked up here.
"""

import csv
import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from entities.names.matching import NameVariant, compare, normalise_name
from entities.registers.base import RegisterSource, query_name, utc_now
from entities.registers.errors import BadNumber, RegisterBadAnswer, RegisterError, RegisterNotFound
from entities.registers.http import RegisterHttp
from entities.registers.keeping import Kept
from entities.registers.numbers import swiss_uid
from entities.registers.records import (
    Authorisation,
    Capability,
    Company,
    Hit,
    Licence,
    Measure,
    Page,
    day,
    names_of,
    text,
)

PUBLIC_URL = "https://www.finma.ch"
LIST_PATH = "/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv"
LIST_PAGE = f"{PUBLIC_URL}/en/finma-public/authorised-institutions-individuals-and-products/"
WARNINGS_PATH = "/en/api/search/getresult"
WARNINGS_QUESTION = {"ds": "{1C6B8731-638C-4003-A93C-A625BF7A6800}", "Order": "4"}
LIST_SECONDS = 12 * 3600.0
COLUMNS = {"Name", "UID", "AuthorisationTypeEN"}
LIKE = 60.0  # of 100: below it a name is no line of a search
WARNED = 90.0  # of 100: from here on a warning is about this name


@dataclass(frozen=True, slots=True)
class Institution:
    """One authorised institution; several authorisations are several lines of the list."""

    number: str
    name: str
    city: str
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lists:
    """The list of institutions as it was read; ``as_of`` is its day."""

    institutions: dict[str, Institution]
    as_of: str


class Finma(RegisterSource):
    """Swiss institutions by UID or name."""

    name = "finma"
    label = "FINMA"
    jurisdictions = ("CH",)
    authorities = ("RA000548", "RA000549", "RA000550")
    capabilities = frozenset({Capability.SEARCH, Capability.RECORD, Capability.AUTHORISATION})

    def __init__(
        self,
        http: RegisterHttp,
        *,
        now: Callable[[], datetime] = utc_now,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(now=now)
        self._http = http
        self._authorised = Kept(self._fetch_authorised, LIST_SECONDS, clock)
        self._warned = Kept(self._fetch_warnings, LIST_SECONDS, clock)

    def normal_number(self, written: str) -> str:
        return swiss_uid(written)

    def search(self, name: str, *, limit: int = 20) -> Page[Hit]:
        asked, lists = query_name(name), self._lists()
        scored = [
            (compare(asked, NameVariant(one.name)).score, one)
            for one in lists.institutions.values()
            if _comparable(asked, one.name)
        ]
        found = sorted(
            (pair for pair in scored if pair[0] >= LIKE), key=lambda pair: (-pair[0], pair[1].name)
        )
        hits = tuple(self._hit(one) for _, one in found[:limit])
        return Page(hits, len(found), len(found) > limit, self.provenance(LIST_PAGE, lists.as_of))

    def record(self, number: str) -> Company:
        one, lists = self._institution(number)
        return Company(
            number=one.number,
            names=names_of(one.name),
            provenance=self.provenance(LIST_PAGE, lists.as_of),
            jurisdiction="CH",
            status="; ".join(one.types),
            address=one.city,
            details={"authorisations": "; ".join(one.types)},
        )

    def authorisation(self, number: str, *, name: str = "") -> Authorisation:
        """The authorisations by UID, and the warnings by name, also for a company that has no UID (number "").

        Not on the list is an answer, and is no judgement. A warning list that cannot be read is told as a notice.
        """
        wanted, lists = swiss_uid(number) if number else "", self._lists()
        one = lists.institutions.get(wanted, Institution(wanted, name, "", ()))
        measures, notices = self._warnings_for(one.name)
        licence: Licence = "authorised" if one.types else "warned" if measures else "not_listed"
        return Authorisation(
            number=wanted,
            name=one.name,
            licence=licence,
            status="; ".join(one.types) or "not on the list of authorised institutions",
            provenance=self.provenance(LIST_PAGE, lists.as_of),
            types=one.types,
            measures=measures,
            notices=notices,
        )

    def warnings(self, name: str) -> tuple[Measure, ...]:
        """Entries of the warning list for this very name, or one spelled a little otherwise."""
        asked = query_name(name)
        return tuple(
            one
            for one in self._warned.get()
            if _comparable(asked, one.text) and compare(asked, NameVariant(one.text)).score >= WARNED
        )

    def _warnings_for(self, name: str) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
        try:
            return (self.warnings(name) if name else ()), ()
        except RegisterError as error:
            return (), (f"The warning list could not be read: {error}",)

    def _institution(self, number: str) -> tuple[Institution, Lists]:
        wanted, lists = swiss_uid(number), self._lists()
        if wanted not in lists.institutions:
            raise RegisterNotFound(f"{wanted} is not on FINMA's list of authorised institutions.")
        return lists.institutions[wanted], lists

    def _hit(self, one: Institution) -> Hit:
        return Hit(
            self.name, one.number, names_of(one.name), "CH", "unknown", "; ".join(one.types), LIST_PAGE
        )

    def _lists(self) -> Lists:
        return self._authorised.get()

    def _fetch_authorised(self) -> Lists:
        answer = self._http.get(LIST_PATH)
        return Lists(_institutions(answer.body), answer.modified)

    def _fetch_warnings(self) -> tuple[Measure, ...]:
        return _warnings(self._http.ask(WARNINGS_PATH, form=WARNINGS_QUESTION).object())


def _institutions(body: bytes) -> dict[str, Institution]:
    """Semicolons, quotes, UTF-8 with a byte order mark; a row without a sound UID is left out."""
    try:
        rows = csv.DictReader(io.StringIO(body.decode("utf-8-sig")), delimiter=";")
        if not set(rows.fieldnames or ()) >= COLUMNS:
            raise RegisterBadAnswer("FINMA's list of authorised institutions has other columns than it had.")
        lines = [row for row in rows if _uid(row)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise RegisterBadAnswer("FINMA's list of authorised institutions cannot be read.") from error
    found: dict[str, Institution] = {}
    for row in lines:
        number, kind = _uid(row), text(row.get("AuthorisationTypeEN"))
        known = found.get(number, Institution(number, text(row.get("Name")), text(row.get("City")), ()))
        types = tuple(dict.fromkeys((*known.types, *([kind] if kind else []))))
        found[number] = Institution(number, known.name, known.city, types)
    return found


def _uid(row: dict[str, Any]) -> str:
    try:
        return swiss_uid(text(row.get("UID")))
    except BadNumber:
        return ""


def _warnings(document: dict[str, Any]) -> tuple[Measure, ...]:
    items = document.get("Items")
    if not isinstance(items, list):
        raise RegisterBadAnswer("FINMA's warning list has another shape than it had.")
    lines = [item for item in items if isinstance(item, dict) and text(item.get("Title"))]
    return tuple(
        Measure(
            "FINMA warning list", text(one["Title"]), day(one.get("Date")), _address(text(one.get("Link")))
        )
        for one in lines
    )


def _address(link: str) -> str:
    return (
        f"{PUBLIC_URL}{link}" if link.startswith("/") else link if link.startswith("https://") else LIST_PAGE
    )


def _comparable(one: str, other: str) -> bool:
    """A cheap test before the costly one: some word in common, or the same letters in front."""
    mine, theirs = normalise_name(one).words, normalise_name(other).words
    return bool(mine and theirs) and (bool(set(mine) & set(theirs)) or mine[0][:3] == theirs[0][:3])
