"""UK Companies House: the public data API, with officers and persons with significant control (PSC).

Documented at developer-specs.company-information.service.gov.uk; basic auth with the key as user name and no password;
600 questions in five minutes.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from urllib.parse import quote

from entities.registers.base import RegisterSource, query_name, utc_now
from entities.registers.errors import RegisterBadAnswer, RegisterNotFound
from entities.registers.http import RegisterHttp
from entities.registers.numbers import company_number
from entities.registers.psc import control_of, owner_kind
from entities.registers.records import (
    Capability,
    Company,
    Hit,
    Officer,
    Officers,
    Owner,
    Owners,
    Page,
    Standing,
    day,
    names_of,
    text,
)

PAGE = 100
MAX_PAGES = 20
PUBLIC_URL = "https://api.company-information.service.gov.uk"
PEOPLE_URL = "https://find-and-update.company-information.service.gov.uk"
ENDED = frozenset({"dissolved", "closed", "converted-closed", "removed"})
LIVE = frozenset({"active", "open", "registered"})
JURISDICTIONS = {"northern-ireland": "GB-NIR", "scotland": "GB-SCT", "wales": "GB-WLS", "england": "GB-ENG"}
PROTECTED = "(name protected by the register)"


class CompaniesHouse(RegisterSource):
    """``GB`` companies by number or name."""

    name = "companies_house"
    label = "Companies House"
    jurisdictions = ("GB",)
    authorities = ("RA000585", "RA000586", "RA000587")
    capabilities = frozenset({Capability.SEARCH, Capability.RECORD, Capability.OFFICERS, Capability.OWNERS})

    def __init__(self, http: RegisterHttp, *, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(now=now)
        self._http = http

    def normal_number(self, written: str) -> str:
        return company_number(written)

    def search(self, name: str, *, limit: int = 20) -> Page[Hit]:
        asked = {"q": query_name(name), "items_per_page": str(limit), "start_index": "0"}
        document = self._http.get("/search/companies", asked).object()
        items = _items(document)
        hits = tuple(hit for item in items[:limit] if (hit := self._hit(item)))
        total = _count(document, "total_results", len(items))
        return Page(
            hits,
            total,
            total > len(hits),
            self.provenance(f"{PEOPLE_URL}/search/companies?q={quote(asked['q'])}"),
        )

    def record(self, number: str) -> Company:
        wanted = company_number(number)
        document = self._http.get(f"/company/{wanted}").object()
        if text(document.get("company_number")) != wanted:
            raise RegisterBadAnswer(f"{self.label} was asked for {wanted} and sent another company.")
        status = text(document.get("company_status"))
        detail = text(document.get("company_status_detail"))
        return Company(
            number=wanted,
            names=names_of(text(document.get("company_name")), previous=_former(document)),
            provenance=self.provenance(_page_of(wanted)),
            jurisdiction=_jurisdiction(text(document.get("jurisdiction"))),
            standing=_standing(status),
            status=f"{status} ({detail})" if detail else status,
            legal_form=text(document.get("type")),
            founded=day(document.get("date_of_creation")),
            ended=day(document.get("date_of_cessation")),
            address=_address(document.get("registered_office_address")),
            details=_details(document),
        )

    def officers(self, number: str, *, limit: int = 100) -> Officers:
        wanted = company_number(number)
        items, more = self._list(wanted, "officers", limit)
        officers = tuple(_officer(item) for item in items)
        return Officers(wanted, officers, self.provenance(f"{_page_of(wanted)}/officers"), more)

    def owners(self, number: str, *, limit: int = 100) -> Owners:
        wanted = company_number(number)
        part = "persons-with-significant-control"
        items, more = self._list(wanted, part, limit)
        stated, _ = self._list(wanted, f"{part}-statements", limit)
        statements = tuple(
            text(one.get("statement"))
            for one in stated
            if not day(one.get("ceased_on")) and text(one.get("statement"))
        )
        owners = tuple(_owner(item) for item in items)
        return Owners(wanted, owners, statements, self.provenance(f"{_page_of(wanted)}/{part}"), more)

    def _list(self, number: str, part: str, limit: int) -> tuple[list[dict[str, Any]], bool]:
        """All items of a list, page after page, up to ``limit``; and whether there are more.

        A 404 means that the register has none only if it has the company: that is asked.
        """
        found: list[dict[str, Any]] = []
        for _ in range(MAX_PAGES):
            asked = {"items_per_page": str(min(PAGE, limit)), "start_index": str(len(found))}
            try:
                document = self._http.get(f"/company/{number}/{part}", asked).object()
            except RegisterNotFound:
                self.record(number)
                return found, False
            items = _items(document)
            found += items
            total = _count(document, "total_results", len(found))
            if not items or len(found) >= min(total, limit):
                return found[:limit], total > limit
        raise RegisterBadAnswer(f"The pages of {self.label} do not come to an end.")

    def _hit(self, item: dict[str, Any]) -> Hit | None:
        number, name = text(item.get("company_number")), text(item.get("title"))
        if not number or not name:
            return None
        status = text(item.get("company_status"))
        former = (text(item.get("snippet")),) if _matched_former(item) else ()
        return Hit(
            self.name,
            number,
            names_of(name, previous=former),
            "GB",
            _standing(status),
            status,
            _page_of(number),
        )


def _former(document: dict[str, Any]) -> tuple[str, ...]:
    return tuple(text(one.get("name")) for one in _objects(document.get("previous_company_names")))


def _matched_former(item: dict[str, Any]) -> bool:
    """The snippet of a hit is the former name that matched, when the title itself did not."""
    matches = item.get("matches")
    snippet = matches.get("snippet") if isinstance(matches, dict) else None
    return bool(snippet)


def _details(document: dict[str, Any]) -> dict[str, str]:
    codes = document.get("sic_codes")
    values = {
        "sic_codes": ", ".join(map(text, codes)) if isinstance(codes, list) else "",
        "has_been_liquidated": _yes(document.get("has_been_liquidated")),
        "has_insolvency_history": _yes(document.get("has_insolvency_history")),
        "has_charges": _yes(document.get("has_charges")),
        "registered_office_is_in_dispute": _yes(document.get("registered_office_is_in_dispute")),
    }
    return {key: value for key, value in values.items() if value}


def _officer(item: dict[str, Any]) -> Officer:
    role = text(item.get("officer_role"))
    identification = item.get("identification")
    number = text(identification.get("registration_number")) if isinstance(identification, dict) else ""
    return Officer(
        name=text(item.get("name")) or "(no name stated)",
        role=role,
        natural_person=not role.startswith("corporate-") if role else None,
        since=day(item.get("appointed_on")),
        ended=day(item.get("resigned_on")),
        nationality=text(item.get("nationality")),
        country=text(item.get("country_of_residence")),
        number=number,
    )


def _owner(item: dict[str, Any]) -> Owner:
    kind = text(item.get("kind"))
    withheld = kind.startswith("super-secure")
    identification = item.get("identification")
    papers = identification if isinstance(identification, dict) else {}
    natures = item.get("natures_of_control")
    return Owner(
        name=PROTECTED if withheld else text(item.get("name")) or "(no name stated)",
        kind=owner_kind(kind),
        control=tuple(control_of(text(word)) for word in natures) if isinstance(natures, list) else (),
        since=day(item.get("notified_on")),
        ended=day(item.get("ceased_on")),
        nationality=text(item.get("nationality")),
        country=text(item.get("country_of_residence")) or text(papers.get("country_registered")),
        number=text(papers.get("registration_number")),
        registered_at=text(papers.get("place_registered")),
        withheld=withheld,
    )


def _standing(status: str) -> Standing:
    """In liquidation or administration is neither: the register's own word stands beside it."""
    return "live" if status in LIVE else "ended" if status in ENDED else "unknown"


def _jurisdiction(word: str) -> str:
    return JURISDICTIONS.get(word, "GB")


def _address(value: object) -> str:
    parts = value if isinstance(value, dict) else {}
    keys = (
        "care_of",
        "po_box",
        "premises",
        "address_line_1",
        "address_line_2",
        "locality",
        "postal_code",
        "country",
    )
    return ", ".join(part for key in keys if (part := text(parts.get(key))))


def _yes(value: object) -> str:
    return "yes" if value is True else ""


def _items(document: dict[str, Any]) -> list[dict[str, Any]]:
    if not isinstance(document.get("items"), list):
        raise RegisterBadAnswer("Companies House sent no list where one belongs.")
    return list(_objects(document["items"]))


def _objects(value: object) -> Iterator[dict[str, Any]]:
    yield from (item for item in (value if isinstance(value, list) else []) if isinstance(item, dict))


def _count(document: dict[str, Any], key: str, least: int) -> int:
    value = document.get(key)
    return max(value, least) if isinstance(value, int) and not isinstance(value, bool) else least


def _page_of(number: str) -> str:
    return f"{PEOPLE_URL}/company/{number}"
