"""The Swiss index of company names as linked data: SPARQL without a key, live entities only.

Graph https://lindas.admin.ch/foj/zefix of https://register.ld.admin.ch. There is no status in it: a company that is not
there may never have been, or may have been deleted.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from entities.names.matching import normalise_name
from entities.registers.base import RegisterSource, query_name, utc_now
from entities.registers.errors import BadNumber, RegisterBadAnswer, RegisterNotFound
from entities.registers.http import RegisterHttp
from entities.registers.numbers import swiss_uid, uid_digits
from entities.registers.records import Capability, Company, Hit, Page, names_of, text
from entities.registers.zefix import AUTHORITIES

PUBLIC_URL = "https://register.ld.admin.ch"
MAX_WORDS = 4
SELECT = """PREFIX schema: <http://schema.org/>
PREFIX admin: <https://schema.ld.admin.ch/>
SELECT ?company ?uid ?name ?other ?form ?purpose ?city ?region WHERE {{
  GRAPH <https://lindas.admin.ch/foj/zefix> {{
    ?company a admin:ZefixOrganisation ; schema:legalName ?name ; schema:identifier ?id .
    ?id schema:name "CompanyUID" ; schema:value ?uid .
    {condition}
    OPTIONAL {{ ?company schema:name ?other }}
    OPTIONAL {{ ?company schema:additionalType ?form }}
    OPTIONAL {{ ?company schema:description ?purpose }}
    OPTIONAL {{ ?company schema:address ?address .
      OPTIONAL {{ ?address schema:addressLocality ?city }} OPTIONAL {{ ?address schema:addressRegion ?region }} }}
  }}
}} LIMIT {limit}"""
_FORM = re.compile(r"https://ld\.admin\.ch/ech/97/legalforms/(\d{4})")


class Lindas(RegisterSource):
    """Live Swiss companies by UID or words of the name."""

    name = "lindas"
    label = "Zefix (linked data)"
    jurisdictions = ("CH",)
    authorities = AUTHORITIES
    capabilities = frozenset({Capability.SEARCH, Capability.RECORD})

    def __init__(self, http: RegisterHttp, *, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(now=now)
        self._http = http

    def normal_number(self, written: str) -> str:
        return swiss_uid(written)

    def search(self, name: str, *, limit: int = 20) -> Page[Hit]:
        """Companies whose name holds the words of ``name``, legal forms apart."""
        words = normalise_name(query_name(name)).words[:MAX_WORDS]
        letters = [word for word in query_name(name).lower().split() if _plain(word) in words][:MAX_WORDS]
        if not letters:
            return Page((), 0, truncated=False, provenance=self.provenance(PUBLIC_URL))
        tests = " && ".join(f"CONTAINS(LCASE(?name), {literal(word)})" for word in letters)
        companies = self._select(f"FILTER({tests})", 10 * limit)
        hits = tuple(company.as_hit() for company in companies[:limit])
        return Page(hits, len(companies), len(companies) > limit, self.provenance(PUBLIC_URL))

    def record(self, number: str) -> Company:
        wanted = swiss_uid(number)
        found = self._select(f"FILTER(?uid = {literal(uid_digits(wanted))})", 20)
        if not found:
            raise RegisterNotFound(f"The live companies of Zefix hold none with the UID {wanted}.")
        if found[0].number != wanted:
            raise RegisterBadAnswer(f"{self.label} was asked for {wanted} and sent another company.")
        return found[0]

    def _select(self, condition: str, limit: int) -> list[Company]:
        """One company for all rows with its UID; a company has a row for each name in another language."""
        query = SELECT.format(condition=condition, limit=limit)
        rows = _rows(self._http.ask("/query", form={"query": query}).object())
        by_number: dict[str, list[dict[str, str]]] = {}
        for row in rows:
            by_number.setdefault(_uid(row), []).append(row)
        by_number.pop("", None)
        return [self._company(number, same) for number, same in by_number.items()]

    def _company(self, number: str, rows: list[dict[str, str]]) -> Company:
        row = rows[0]
        form = _FORM.fullmatch(row.get("form", ""))
        details = {key: row.get(key, "") for key in ("purpose", "city", "region")}
        address = row.get("company", "")
        return Company(
            number=number,
            names=names_of(row.get("name", ""), others=tuple(one.get("other", "") for one in rows)),
            provenance=self.provenance(address if address.startswith("https://") else PUBLIC_URL),
            jurisdiction="CH",
            standing="live",  # the data set holds live entities only
            status="in the commercial register",
            legal_form=f"eCH-0097 {form[1]}" if form else "",
            address=row.get("city", ""),
            details={key: value for key, value in details.items() if value},
        )


def literal(written: str) -> str:
    """A SPARQL string literal: nothing in ``written`` can end it (SPARQL 1.1, 19.7: ECHAR)."""
    line = "".join(char if char.isprintable() else " " for char in written)
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _rows(document: dict[str, Any]) -> list[dict[str, str]]:
    results = document.get("results")
    bindings = results.get("bindings") if isinstance(results, dict) else None
    if not isinstance(bindings, list):
        raise RegisterBadAnswer("The linked data of Zefix answered with another shape than SPARQL results.")
    return [
        {key: text(cell.get("value")) for key, cell in row.items() if isinstance(cell, dict)}
        for row in bindings
        if isinstance(row, dict)
    ]


def _uid(row: dict[str, str]) -> str:
    try:
        return swiss_uid(row.get("uid", ""))
    except BadNumber:
        return ""


def _plain(word: str) -> str:
    """The word as it is compared, to tell the words of a name from its legal form."""
    return normalise_name(word).text
