"""Zefix, the Swiss index of company names: the REST service of the Federal Office of Justice (user and password on
request) and, without a key, the same index as linked data (LINDAS, SPARQL).

REST knows status, former names and successors; the linked data holds live entities only, with name, form, seat and
purpose, and nothing on their status. Neither knows officers or owners: those stand in the cantonal registers.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from entities.registers.base import RegisterSource, query_name, utc_now
from entities.registers.errors import BadNumber, RegisterBadAnswer, RegisterNotFound
from entities.registers.http import Answer, RegisterHttp
from entities.registers.numbers import swiss_uid, uid_digits
from entities.registers.records import Capability, Company, Hit, Page, Standing, day, names_of, text

REST_URL = "https://www.zefix.admin.ch/ZefixPublicREST/api/v1"
PEOPLE_URL = "https://www.zefix.ch/en/search/entity/list"
STANDING: dict[str, Standing] = {"ACTIVE": "live", "CANCELLED": "ended", "BEING_CANCELLED": "unknown"}
LANGUAGES = ("en", "de", "fr", "it")
AUTHORITIES = ("RA000548", "RA000549", "RA000550")


class Zefix(RegisterSource):
    """Swiss companies by UID or name, over the REST service."""

    name = "zefix"
    label = "Zefix"
    jurisdictions = ("CH",)
    authorities = AUTHORITIES
    capabilities = frozenset({Capability.SEARCH, Capability.RECORD})

    def __init__(self, http: RegisterHttp, *, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(now=now)
        self._http = http

    def normal_number(self, written: str) -> str:
        return swiss_uid(written)

    def search(self, name: str, *, limit: int = 20) -> Page[Hit]:
        asked = query_name(name)
        try:
            answer = self._http.ask("/company/search", body={"name": asked, "activeOnly": False})
        except RegisterNotFound:  # the service's way to say that nothing was found
            return Page((), 0, truncated=False, provenance=self.provenance(PEOPLE_URL))
        items = _list(answer)
        hits = tuple(hit for item in items[:limit] if (hit := self._hit(item)))
        return Page(hits, len(items), len(items) > limit, self.provenance(PEOPLE_URL))

    def record(self, number: str) -> Company:
        wanted = swiss_uid(number)
        items = _list(self._http.get(f"/company/uid/{uid_digits(wanted)}"))
        if not items:
            raise RegisterNotFound(f"Zefix has no company with the UID {wanted}.")
        item = items[0]
        if _uid(item) != wanted:
            raise RegisterBadAnswer(f"Zefix was asked for {wanted} and sent another company.")
        status = text(item.get("status"))
        return Company(
            number=wanted,
            names=names_of(text(item.get("name")), previous=_former(item), others=_translations(item)),
            provenance=self.provenance(_page(item)),
            jurisdiction="CH",
            standing=STANDING.get(status, "unknown"),
            status=status,
            legal_form=_in_language(_part(item, "legalForm").get("name")),
            ended=day(item.get("deletionDate")),
            address=_address(item),
            successor=_successor(item),
            details=_details(item),
        )

    def _hit(self, item: dict[str, Any]) -> Hit | None:
        number, name = _uid(item), text(item.get("name"))
        if not number or not name:
            return None
        status = text(item.get("status"))
        standing = STANDING.get(status, "unknown")
        return Hit(self.name, number, names_of(name), "CH", standing, status, f"{PEOPLE_URL}?name={number}")


def _list(answer: Answer) -> list[dict[str, Any]]:
    """A list of companies; the service wraps some answers in ``{"list": [...]}``."""
    document = answer.json()
    items = document.get("list") if isinstance(document, dict) else document
    if not isinstance(items, list):
        raise RegisterBadAnswer("Zefix sent no list where one belongs.")
    return [item for item in items if isinstance(item, dict)]


def _uid(item: dict[str, Any]) -> str:
    try:
        return swiss_uid(text(item.get("uid")))
    except BadNumber:
        return ""


def _former(item: dict[str, Any]) -> tuple[str, ...]:
    return tuple(text(one.get("name")) for one in _objects(item.get("oldNames")))


def _translations(item: dict[str, Any]) -> tuple[str, ...]:
    value = item.get("translation")
    return tuple(map(text, value)) if isinstance(value, list) else ()


def _successor(item: dict[str, Any]) -> str:
    """The UID of the company that took this one over, else its name."""
    for heir in _objects(item.get("wasTakenOverBy")):
        return _uid(heir) or text(heir.get("name"))
    return ""


def _details(item: dict[str, Any]) -> dict[str, str]:
    capital = " ".join(filter(None, (text(item.get("capitalCurrency")), text(item.get("capitalNominal")))))
    auditors = [text(one.get("name")) for one in _objects(item.get("auditCompanies"))]
    values = {
        "seat": text(item.get("legalSeat")),
        "canton": text(item.get("canton")),
        "purpose": text(item.get("purpose")),
        "capital": capital,
        "auditors": ", ".join(filter(None, auditors)),
        "last_gazette_entry": text(item.get("sogcDate")),
        "cantonal_extract": text(item.get("cantonalExcerptWeb")),
    }
    return {key: value for key, value in values.items() if value}


def _address(item: dict[str, Any]) -> str:
    parts = _part(item, "address")
    street = " ".join(filter(None, (text(parts.get("street")), text(parts.get("houseNumber")))))
    place = " ".join(filter(None, (text(parts.get("swissZipCode")), text(parts.get("city")))))
    return ", ".join(
        filter(None, (text(parts.get("organisation")), text(parts.get("careOf")), street, place))
    )


def _page(item: dict[str, Any]) -> str:
    address = _in_language(item.get("zefixDetailWeb"))
    return address if address.startswith("https://") else PEOPLE_URL


def _in_language(value: object) -> str:
    words = value if isinstance(value, dict) else {}
    return next((word for language in LANGUAGES if (word := text(words.get(language)))), "")


def _part(item: dict[str, Any], key: str) -> dict[str, Any]:
    value = item.get(key)
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
