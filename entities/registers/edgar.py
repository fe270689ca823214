"""SEC EDGAR: who files with the Securities and Exchange Commission, under which names, and what came last.

Documented at sec.gov/search-filings/edgar-application-programming-interfaces: no key, a User-Agent with a contact,
at most ten questions a second. By name only companies with a ticker are found (company_tickers.json); everybody else by
CIK. EDGAR knows no owners: reports on Schedules 13D and 13G are documents, and are told as such.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from entities.names.matching import normalise_name
from entities.registers.base import RegisterSource, query_name, utc_now
from entities.registers.errors import RegisterBadAnswer
from entities.registers.http import RegisterHttp
from entities.registers.keeping import Kept
from entities.registers.numbers import cik
from entities.registers.records import Capability, Company, Hit, Page, day, names_of, text

DATA_URL = "https://data.sec.gov"
FILES_URL = "https://www.sec.gov"
TICKERS_SECONDS = 24 * 3600.0
ANNUAL = frozenset({"10-K", "10-K/A", "20-F", "20-F/A", "40-F", "40-F/A"})
OWNERSHIP = ("SC 13D", "SC 13G", "SCHEDULE 13D", "SCHEDULE 13G")
ENDINGS = ("15-12B", "15-12G", "15-15D", "15F-12B", "15F-12G", "15F-15D", "25", "25-NSE")


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list of tickers."""

    number: str
    name: str
    ticker: str


class Edgar(RegisterSource):
    """``US`` and foreign registrants by CIK; those with a ticker by name too."""

    name = "edgar"
    label = "SEC EDGAR"
    jurisdictions = ("US",)
    authorities = ("RA000665",)
    capabilities = frozenset({Capability.SEARCH, Capability.RECORD})

    def __init__(
        self,
        data: RegisterHttp,
        files: RegisterHttp,
        *,
        now: Callable[[], datetime] = utc_now,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(now=now)
        self._data, self._files = data, files
        self._tickers = Kept(self._fetch_tickers, TICKERS_SECONDS, clock)

    def normal_number(self, written: str) -> str:
        return cik(written)

    def search(self, name: str, *, limit: int = 20) -> Page[Hit]:
        """Companies whose names share the first word with ``name``, or whose ticker it is, in the list's order."""
        asked = query_name(name)
        words = normalise_name(asked).words
        found = [one for one in self._tickers.get() if _shares(one, asked, words)]
        unique = {one.number: one for one in found}
        hits = tuple(
            Hit(
                self.name,
                one.number,
                names_of(one.name),
                "US",
                "unknown",
                "files with the SEC",
                _page_of(one.number),
            )
            for one in list(unique.values())[:limit]
        )
        return Page(
            hits, len(unique), len(unique) > limit, self.provenance(f"{FILES_URL}/files/company_tickers.json")
        )

    def record(self, number: str) -> Company:
        wanted = cik(number)
        document = self._data.get(f"/submissions/CIK{wanted}.json").object()
        if text(document.get("cik")).zfill(10) != wanted:
            raise RegisterBadAnswer(f"{self.label} was asked for {wanted} and sent another registrant.")
        former = tuple(text(one.get("name")) for one in _objects(document.get("formerNames")))
        return Company(
            number=wanted,
            names=names_of(text(document.get("name")), previous=former),
            provenance=self.provenance(_page_of(wanted)),
            jurisdiction=_jurisdiction(text(document.get("stateOfIncorporation"))),
            standing="unknown",  # filing, or having stopped to, is no statement on whether a company exists
            status="files with the SEC",
            legal_form=text(document.get("entityType")),
            address=_address(document),
            lei=text(document.get("lei")),
            details=_details(document),
        )

    def _fetch_tickers(self) -> tuple[Listed, ...]:
        return _listed(self._files.get("/files/company_tickers.json").object())


def _listed(document: dict[str, Any]) -> tuple[Listed, ...]:
    """``{"0": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."}, ...}``; other lines are left out."""
    lines = [line for line in document.values() if isinstance(line, dict)]
    if document and not any("cik_str" in line for line in lines):
        raise RegisterBadAnswer("The list of tickers of SEC EDGAR has another shape than it had.")
    known = [(text(line.get("cik_str")), text(line.get("title")), text(line.get("ticker"))) for line in lines]
    return tuple(
        Listed(cik(number), name, ticker) for number, name, ticker in known if number.isdigit() and name
    )


def _shares(one: Listed, asked: str, words: tuple[str, ...]) -> bool:
    if asked.casefold() == one.ticker.casefold():
        return True
    theirs = normalise_name(one.name).words
    return bool(words and theirs) and (words[0] == theirs[0] or "".join(words) == "".join(theirs))


def _details(document: dict[str, Any]) -> dict[str, str]:
    values = {
        "sic": text(document.get("sicDescription")),
        "tickers": _joined(document.get("tickers")),
        "exchanges": _joined(document.get("exchanges")),
        "category": text(document.get("category")),
        "fiscal_year_end": text(document.get("fiscalYearEnd")),
        **_filings(document),
    }
    return {key: value for key, value in values.items() if value}


def _filings(document: dict[str, Any]) -> dict[str, str]:
    """The last annual report, notice of termination and report on owners among the recent filings."""
    filings = document.get("filings")
    recent = filings.get("recent") if isinstance(filings, dict) else None
    columns = recent if isinstance(recent, dict) else {}
    forms, dates = (_texts(columns.get(key)) for key in ("form", "filingDate"))
    lines = [(when, form) for form, when in zip(forms, dates, strict=False) if day(when)]
    told = {
        "last_annual_report": [line for line in lines if line[1] in ANNUAL],
        "last_termination_notice": [line for line in lines if line[1] in ENDINGS],
        "last_ownership_report": [line for line in lines if line[1].startswith(OWNERSHIP)],
    }
    return {key: "{1} of {0}".format(*max(found)) for key, found in told.items() if found}


def _jurisdiction(state: str) -> str:
    """A US state. The SEC's own codes for other countries hold a digit (X0, 2M), are not ISO and are left out."""
    return f"US-{state}" if len(state) == 2 and state.isalpha() and state != "XX" else ""


def _address(document: dict[str, Any]) -> str:
    addresses = document.get("addresses")
    business = addresses.get("business") if isinstance(addresses, dict) else None
    parts = business if isinstance(business, dict) else {}
    keys = ("street1", "street2", "city", "stateOrCountryDescription", "zipCode")
    return ", ".join(part for key in keys if (part := text(parts.get(key))))


def _texts(value: object) -> list[str]:
    return [text(item) for item in value] if isinstance(value, list) else []


def _joined(value: object) -> str:
    return ", ".join(item for item in _texts(value) if item)


def _objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _page_of(number: str) -> str:
    return f"{FILES_URL}/cgi-bin/browse-edgar?action=getcompany&CIK={number}"
