"""The UK Financial Services Register of the FCA: who is authorised, for what, and what was done about them.

Documented at register.fca.org.uk/Developer (V0.1): free account, e-mail and key in headers. Every answer is an envelope
``{Status, Message, ResultInfo, Data}``; that something was not found is said there, mostly under HTTP 200.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from entities.registers.base import RegisterSource, query_name, utc_now
from entities.registers.errors import (
    RegisterBadAnswer,
    RegisterBadRequest,
    RegisterDenied,
    RegisterNotFound,
)
from entities.registers.http import RegisterHttp
from entities.registers.numbers import firm_reference
from entities.registers.records import (
    Authorisation,
    Capability,
    Company,
    Hit,
    Licence,
    Measure,
    Officer,
    Officers,
    Page,
    day,
    names_of,
    text,
)

PUBLIC_URL = "https://register.fca.org.uk/services/V0.1"
PEOPLE_URL = "https://register.fca.org.uk/s"
MAX_PAGES = 20
_POSTCODE = re.compile(r"\s*\(Postcode:[^()]{0,20}\)$")
FORMER = ("no longer", "cancelled", "revoked", "former", "lapsed")
AUTHORISED = ("authorised", "registered", "eea authorised", "appointed representative")


class Fca(RegisterSource):
    """Firms by firm reference number or name."""

    name = "fca"
    label = "FCA register"
    jurisdictions = ("GB",)
    authorities = ()
    capabilities = frozenset(
        {Capability.SEARCH, Capability.RECORD, Capability.OFFICERS, Capability.AUTHORISATION}
    )

    def __init__(self, http: RegisterHttp, *, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(now=now)
        self._http = http

    def normal_number(self, written: str) -> str:
        return firm_reference(written)

    def search(self, name: str, *, limit: int = 20) -> Page[Hit]:
        items, total = self._list("/Search", {"q": query_name(name), "type": "firm"}, limit)
        hits = tuple(hit for item in items if (hit := self._hit(item)))
        return Page(hits, total, total > len(hits), self.provenance(PEOPLE_URL))

    def record(self, number: str) -> Company:
        wanted, firm = self._firm(number)
        company = text(firm.get("Companies House Number"))
        details = {
            "companies_house_number": company.zfill(8) if company.isdigit() else company,
            "business_type": text(firm.get("Business Type")),
            "sub_status": text(firm.get("Sub-Status")),
            "client_money": text(firm.get("Client Money Permission")),
        }
        return Company(
            number=wanted,
            names=names_of(text(firm.get("Organisation Name"))),
            provenance=self.provenance(_page_of(wanted)),
            jurisdiction="GB",
            status=text(firm.get("Status")),
            details={key: value for key, value in details.items() if value},
        )

    def officers(self, number: str, *, limit: int = 100) -> Officers:
        """Approved and certified persons, former ones included."""
        wanted = firm_reference(number)
        items, total = self._list(f"/Firm/{wanted}/Individuals", {}, limit)
        people = tuple(
            Officer(
                name=text(item.get("Name")) or "(no name stated)",
                role="approved or certified person",
                natural_person=True,
                status=text(item.get("Status")),
                number=text(item.get("IRN")),
            )
            for item in items
        )
        return Officers(wanted, people, self.provenance(_page_of(wanted)), total > len(people))

    def authorisation(self, number: str, *, name: str = "") -> Authorisation:
        wanted, firm = self._firm(number)
        history, _ = self._list(f"/Firm/{wanted}/DisciplinaryHistory", {}, 100)
        status = text(firm.get("Status"))
        sub_status = text(firm.get("Sub-Status"))
        return Authorisation(
            number=wanted,
            name=text(firm.get("Organisation Name")),
            licence=_licence(status),
            status=f"{status} ({sub_status})" if sub_status else status,
            provenance=self.provenance(_page_of(wanted)),
            since=day(firm.get("Status Effective Date")),
            types=tuple(filter(None, (text(firm.get("Business Type")), text(firm.get("PSD / EMD Status"))))),
            measures=tuple(_measure(item, wanted) for item in history),
            notices=_notices(firm),
        )

    def _firm(self, number: str) -> tuple[str, dict[str, Any]]:
        wanted = firm_reference(number)
        items, _ = self._list(f"/Firm/{wanted}", {}, 1, empty=False)
        if text(items[0].get("FRN")) != wanted:
            raise RegisterBadAnswer(f"{self.label} was asked for {wanted} and sent another firm.")
        return wanted, items[0]

    def _list(
        self, path: str, query: dict[str, str], limit: int, *, empty: bool = True
    ) -> tuple[list[dict[str, Any]], int]:
        """The lines of a list up to ``limit``, page after page, and how many there are."""
        found: list[dict[str, Any]] = []
        for page in range(1, MAX_PAGES + 1):
            try:
                document = self._http.get(
                    path, {**query, **({"pgnp": str(page)} if page > 1 else {})}
                ).object()
                items, total = _data(document), _total(document)
            except RegisterNotFound:
                if not empty:
                    raise
                return found, len(found)
            found += items
            if not items or len(found) >= min(total, limit):
                break
        if not found and not empty:
            raise RegisterBadAnswer(f"{self.label} found a firm and sent none.")
        return found[:limit], max(total, len(found))

    def _hit(self, item: dict[str, Any]) -> Hit | None:
        number, name = text(item.get("Reference Number")), _without_postcode(text(item.get("Name")))
        if (
            not number.isdigit()
            or not name
            or text(item.get("Type of business or Individual")) not in ("Firm", "")
        ):
            return None
        return Hit(
            self.name, number, names_of(name), "GB", "unknown", text(item.get("Status")), _page_of(number)
        )


def _without_postcode(name: str) -> str:
    """Search tells firms of one name apart by "(Postcode: EC1A 1AA)" behind it."""
    return _POSTCODE.sub("", name)


def _data(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of an envelope. What its status says decides, and above all its sentence: the codes for "not found" and
    "bad input" are documented one way and used another."""
    status, message = text(document.get("Status")), text(document.get("Message"))
    if not status.startswith("FSR-API-"):
        raise RegisterBadAnswer("The FCA register answered with JSON that is not its own.")
    if status.startswith("FSR-API-01-01-"):
        raise RegisterDenied(f"The FCA register refused our key: {message}")
    if not status.endswith("-00"):
        if "not found" in message.lower() or "no search result" in message.lower():
            raise RegisterNotFound(f"The FCA register has no such record ({message}).")
        raise RegisterBadRequest(f"The FCA register refused the question ({status} {message}).")
    data = document.get("Data")
    if not isinstance(data, list):
        raise RegisterBadAnswer("The FCA register sent no list where one belongs.")
    return [item for item in data if isinstance(item, dict)]


def _total(document: dict[str, Any]) -> int:
    info = document.get("ResultInfo")
    total = text(info.get("total_count")) if isinstance(info, dict) else ""
    return int(total) if total.isascii() and total.isdigit() else 0


def _licence(status: str) -> Licence:
    """The firm's status in our words; "former" first, since "No longer authorised" holds the other word as well."""
    said = status.casefold()
    if any(word in said for word in FORMER):
        return "formerly"
    if "unauthorised" in said:
        return "warned"
    return "authorised" if said.startswith(AUTHORISED) else "unknown"


def _measure(item: dict[str, Any], number: str) -> Measure:
    kind = ", ".join(filter(None, (text(item.get("TypeofAction")), text(item.get("EnforcementType")))))
    return Measure(
        kind or "disciplinary measure",
        text(item.get("TypeofDescription")),
        day(item.get("ActionEffectiveFrom")),
        _page_of(number),
    )


def _notices(firm: dict[str, Any]) -> tuple[str, ...]:
    value = firm.get("Exceptional Info Details")
    lines = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    told = (
        ": ".join(
            filter(None, map(text, (one.get("Exceptional Info Title"), one.get("Exceptional Info Body"))))
        )
        for one in lines
    )
    return tuple(filter(None, told))


def _page_of(number: str) -> str:
    return f"{PEOPLE_URL}/firm?id={number}"
