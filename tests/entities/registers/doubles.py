"""Registers on loopback, of the documented shapes, with invented companies and people.

Each ``*_fake`` fills a ``Fake`` with what the real service would say, checks the key as the service does, and pages as
it does.
"""

import base64
import json
from urllib.parse import parse_qsl

from tests.entities.registers.fake import Fake, Question, Reply

# -- Companies House ---------------------------------------------------------------------------------------------------

CH_KEY = "companies-house-key"


def companies_house_fake(fake: Fake) -> Fake:
    """Three companies: a live one with owners, a dissolved one, and one that nobody has told of."""
    expected = "Basic " + base64.b64encode(f"{CH_KEY}:".encode()).decode()
    fake.guard = lambda q: None if q.headers.get("authorization") == expected else Reply({"error": "no"}, 401)
    fake.route("/search/companies", _search_companies)
    fake.route("/company/00012345", company("00012345", "LONDON LAMPS LIMITED"))
    fake.route(
        "/company/SC000077",
        company(
            "SC000077",
            "THISTLE TRADING LTD",
            company_status="dissolved",
            date_of_cessation="2019-03-05",
            jurisdiction="scotland",
        ),
    )
    fake.route("/company/00099999", company("00099999", "SILENT HOLDINGS PLC"))
    fake.route("/company/00012345/officers", lambda q: paged(q, OFFICERS, active_count=2, resigned_count=1))
    fake.route(
        "/company/00012345/persons-with-significant-control",
        lambda q: paged(q, OWNERS, active_count=3, ceased_count=1),
    )
    fake.route(
        "/company/00012345/persons-with-significant-control-statements",
        lambda q: paged(q, [{"statement": "psc-details-not-confirmed", "notified_on": "2020-01-01"}]),
    )
    return fake


def company(number: str, name: str, **changes: object) -> dict[str, object]:
    return {
        "company_name": name,
        "company_number": number,
        "company_status": "active",
        "type": "ltd",
        "jurisdiction": "england-wales",
        "date_of_creation": "1990-02-01",
        "registered_office_address": {
            "address_line_1": "1 Lantern Street",
            "locality": "London",
            "postal_code": "EC1A 1AA",
        },
        "previous_company_names": [
            {"name": "CANDLE WORKS LIMITED", "effective_from": "1990-02-01", "ceased_on": "2001-05-09"}
        ],
        "sic_codes": ["27400"],
        "has_charges": True,
        "etag": "e",
        "links": {"self": f"/company/{number}"},
        **changes,
    }


OFFICERS: list[dict[str, object]] = [
    {
        "name": "LUMEN, Ada",
        "officer_role": "director",
        "appointed_on": "2010-01-01",
        "nationality": "British",
        "country_of_residence": "England",
        "date_of_birth": {"month": 4, "year": 1970},
    },
    {
        "name": "WICK SERVICES LTD",
        "officer_role": "corporate-secretary",
        "appointed_on": "2011-01-01",
        "identification": {"identification_type": "uk-limited-company", "registration_number": "00000777"},
    },
    {
        "name": "TALLOW, Ben",
        "officer_role": "director",
        "appointed_on": "2000-01-01",
        "resigned_on": "2009-12-31",
    },
]
OWNERS: list[dict[str, object]] = [
    {
        "kind": "individual-person-with-significant-control",
        "name": "Ms Ada Lumen",
        "natures_of_control": [
            "ownership-of-shares-25-to-50-percent",
            "voting-rights-50-to-75-percent-as-trust",
        ],
        "notified_on": "2016-04-06",
        "nationality": "British",
        "country_of_residence": "England",
    },
    {
        "kind": "corporate-entity-person-with-significant-control",
        "name": "Beacon Holdings S.A.",
        "natures_of_control": [
            "ownership-of-shares-75-to-100-percent",
            "right-to-appoint-and-remove-directors",
        ],
        "notified_on": "2018-01-01",
        "identification": {
            "registration_number": "B12345",
            "place_registered": "RCS",
            "country_registered": "Luxembourg",
        },
    },
    {
        "kind": "super-secure-person-with-significant-control",
        "description": "super-secure-persons-with-significant-control",
    },
    {
        "kind": "individual-person-with-significant-control",
        "name": "Mr Ben Tallow",
        "natures_of_control": ["significant-influence-or-control"],
        "notified_on": "2016-04-06",
        "ceased_on": "2017-01-01",
    },
]


def paged(question: Question, items: list[dict[str, object]], **counts: int) -> Reply:
    """A page as the register cuts it: never more than asked for, from ``start_index`` on."""
    start = int(question.query.get("start_index", 0))
    size = min(int(question.query.get("items_per_page", 25)), 100)
    return Reply(
        {
            "items": items[start : start + size],
            "start_index": start,
            "items_per_page": size,
            "total_results": len(items),
            **counts,
        }
    )


def _search_companies(question: Question) -> Reply:
    lines = [
        ("LONDON LAMPS LIMITED", "00012345", "active"),
        ("LONDON LAMPS (EXPORT) LIMITED", "00012346", "active"),
        ("THISTLE TRADING LTD", "SC000077", "dissolved"),
        ("TWIN TRADING LIMITED", "00000001", "active"),
        ("TWIN TRADING LIMITED", "00000002", "active"),
    ]
    word = question.query["q"].split()[0].upper() if question.query["q"].split() else "?"
    found = [
        {
            "kind": "searchresults#company",
            "title": name,
            "company_number": number,
            "company_status": status,
            "address_snippet": "1 Lantern Street",
        }
        for name, number, status in lines
        if name.startswith(word)
    ]
    return paged(question, found)


# -- SEC EDGAR ---------------------------------------------------------------------------------------------------------

CONTACT = "Example Ltd compliance@example.org"


def edgar_fake(fake: Fake) -> Fake:
    """One registrant; without a contact in the User-Agent the SEC answers with a page in HTML."""
    page = Reply(b"<html><title>Undeclared Automated Tool</title></html>", 403)
    fake.guard = lambda q: None if "@" in q.headers.get("user-agent", "") else page
    fake.route(
        "/files/company_tickers.json",
        {
            "0": {"cik_str": 1234567, "ticker": "HLIO", "title": "Helios Lanterns Inc."},
            "1": {"cik_str": 1234567, "ticker": "HLIO-P", "title": "Helios Lanterns Inc."},
            "2": {"cik_str": 42, "ticker": "HLTH", "title": "Health Lanterns Corp"},
        },
    )
    fake.route(
        "/submissions/CIK0001234567.json",
        {
            "cik": "0001234567",
            "entityType": "operating",
            "sicDescription": "Electric Lighting",
            "name": "Helios Lanterns Inc.",
            "tickers": ["HLIO"],
            "exchanges": ["NYSE"],
            "category": "Large accelerated filer",
            "fiscalYearEnd": "1231",
            "stateOfIncorporation": "DE",
            "lei": None,
            "addresses": {"business": {"street1": "1 Sun Road", "city": "Dover", "zipCode": "19901"}},
            "formerNames": [{"name": "Candle Corp", "from": "1999-01-01", "to": "2004-01-01"}],
            "filings": {
                "recent": {
                    "form": ["8-K", "10-K", "SC 13G/A", "10-K"],
                    "filingDate": ["2026-03-01", "2026-02-20", "2026-02-10", "2025-02-20"],
                },
                "files": [],
            },
        },
    )
    return fake


# -- FCA ---------------------------------------------------------------------------------------------------------------

FCA_EMAIL, FCA_KEY = "me@example.org", "fca-key"


def envelope(status: str, message: str, data: object = None, total: int | None = None) -> dict[str, object]:
    count = len(data) if isinstance(data, list) and total is None else total or 0
    info = {"page": "1", "per_page": "20", "total_count": str(count)}
    return {"Status": status, "Message": message, "ResultInfo": info, "Data": data}


def fca_fake(fake: Fake) -> Fake:
    """Two firms, one of them no longer authorised and with a history; refusals come under HTTP 200."""

    def guard(question: Question) -> Reply | None:
        known = (question.headers.get("x-auth-email"), question.headers.get("x-auth-key")) == (
            FCA_EMAIL,
            FCA_KEY,
        )
        told = envelope("FSR-API-01-01-11", "Unauthorised: Please include a valid API key and Email address")
        return None if known else Reply(told)

    fake.guard = guard
    fake.route("/Search", _search_firms)
    fake.route(
        "/Firm/100001", envelope("FSR-API-02-01-00", "Ok. Firm Found", [firm("100001", "Lamp Bank plc")])
    )
    fake.route(
        "/Firm/100002",
        envelope(
            "FSR-API-02-01-00",
            "Ok. Firm Found",
            [
                firm(
                    "100002",
                    "Old Lamp Brokers Ltd",
                    Status="No longer authorised",
                    **{
                        "Exceptional Info Details": [
                            {"Exceptional Info Title": "CAUTION", "Exceptional Info Body": "Dissolved."}
                        ]
                    },
                )
            ],
        ),
    )
    fake.route("/Firm/100003", envelope("FSR-API-02-01-11", "Firm not found"))
    none = envelope("FSR-API-02-11-11", "Disciplinary history information not found")
    fake.route("/Firm/100001/DisciplinaryHistory", none)
    fake.route(
        "/Firm/100002/DisciplinaryHistory",
        envelope(
            "FSR-API-02-11-00",
            "Ok. Disciplinary history information found",
            [
                {
                    "TypeofDescription": "A fine for dim lamps.",
                    "TypeofAction": "Fine",
                    "EnforcementType": "FSMA",
                    "ActionEffectiveFrom": "12/08/2019",
                }
            ],
        ),
    )
    fake.route("/Firm/100001/Individuals", _individuals)
    return fake


def firm(number: str, name: str, **changes: object) -> dict[str, object]:
    return {
        "FRN": number,
        "Organisation Name": name,
        "Status": "Authorised",
        "Status Effective Date": "01/12/2001",
        "Business Type": "Regulated",
        "Companies House Number": "12345",
        "Client Money Permission": "Hold and control client money",
        "Sub-Status": "",
        **changes,
    }


def _search_firms(question: Question) -> Reply:
    lines = [("Lamp Bank plc (Postcode: EC1A 1AA)", "100001", "Authorised")]
    if not question.query["q"].casefold().startswith("lamp"):
        return Reply(envelope("FSR-API-04-01-11", "No search result found"))
    data = [
        {
            "Name": name,
            "Reference Number": number,
            "Status": status,
            "Type of business or Individual": "Firm",
            "URL": f"https://example.org/{number}",
        }
        for name, number, status in lines
    ]
    data.append(
        {
            "Name": "Lampy Person",
            "Reference Number": "LAM00001",
            "Type of business or Individual": "Individual",
        }
    )
    return Reply(envelope("FSR-API-04-01-00", "Ok. Search successful", data))


def _individuals(question: Question) -> Reply:
    people = [
        {"Name": f"Person {number}", "IRN": f"PER{number:05d}", "Status": "Approved by regulator"}
        for number in range(25)
    ]
    page = int(question.query.get("pgnp", 1))
    part = people[(page - 1) * 20 : page * 20]
    return Reply(envelope("FSR-API-02-05-00", "Ok. Firm Individuals found", part, total=len(people)))


# -- FINMA -------------------------------------------------------------------------------------------------------------

FINMA_LIST = "/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv"
FINMA_WARNINGS = "/en/api/search/getresult"
FINMA_CSV = (
    '\ufeff"Name";"City";"AuthorisationTypeDE";"AuthorisationTypeFR";"AuthorisationTypeIT";"AuthorisationTypeEN";"UID"\r\n'
    '"Laternen Bank AG";"Bern";"Bank";"Banque";"Banca";"Bank";"CHE-123.456.788"\r\n'
    '"Laternen Bank AG";"Bern";"Wertpapierhaus";"";"";"Securities firm";"CHE-123.456.788"\r\n'
    '"Kerzen ""Licht"" Fondsleitung; AG";"Zürich";"Fondsleitung";"";"";"Fund management company";"CHE-999.999.996"\r\n'
    '"Ohne Nummer GmbH";"Chur";"Bank";"";"";"Bank";""\r\n'
)


def finma_fake(fake: Fake) -> Fake:
    modified = {"Last-Modified": "Sun, 15 Nov 2026 03:05:12 GMT"}
    fake.route(FINMA_LIST, Reply(FINMA_CSV.encode(), headers=modified))
    fake.route(
        FINMA_WARNINGS,
        {
            "Items": [
                {
                    "Title": "Dunkel Invest Group",
                    "Link": "/en/finma-public/warnungen/warning-list/dunkel/",
                    "Date": "17.05.2024",
                    "Timestamp": 1,
                    "FacetColumn": "2024",
                },
                {"Title": "Laternen Bank Online", "Link": "javascript:alert(1)", "Date": "", "Timestamp": 2},
            ],
            "Count": 2,
        },
    )
    return fake


# -- Zefix and LINDAS --------------------------------------------------------------------------------------------------

ZEFIX_USER, ZEFIX_PASSWORD = "me", "zefix-password"


def zefix_fake(fake: Fake) -> Fake:
    expected = "Basic " + base64.b64encode(f"{ZEFIX_USER}:{ZEFIX_PASSWORD}".encode()).decode()
    fake.guard = lambda q: None if q.headers.get("authorization") == expected else Reply(b"", 401)
    fake.route("/company/search", _search_zefix)
    fake.route("/company/uid/CHE123456788", [zefix_company()])
    fake.route(
        "/company/uid/CHE999999996",
        [
            zefix_company(
                "CHE999999996",
                "Kerzen AG",
                status="CANCELLED",
                deletionDate="2015-06-30",
                wasTakenOverBy=[{"name": "Laternen Bank AG", "uid": "CHE123456788"}],
            )
        ],
    )
    return fake


def zefix_company(
    uid: str = "CHE123456788", name: str = "Laternen Bank AG", **changes: object
) -> dict[str, object]:
    return {
        "name": name,
        "ehraid": 1,
        "uid": uid,
        "chid": "CH03530000000",
        "legalSeat": "Bern",
        "canton": "BE",
        "legalForm": {
            "id": 3,
            "uid": "0106",
            "name": {"de": "Aktiengesellschaft", "en": "Company limited by shares"},
        },
        "status": "ACTIVE",
        "sogcDate": "2026-01-02",
        "deletionDate": None,
        "translation": ["Banque des Lanternes SA"],
        "oldNames": [{"name": "Öllampen Bank AG", "sequenceNr": 1, "translation": []}],
        "purpose": "Betrieb einer Bank",
        "capitalNominal": "1000000",
        "capitalCurrency": "CHF",
        "auditCompanies": [{"name": "Prüf AG", "uid": "CHE000000000"}],
        "address": {"street": "Laternengasse", "houseNumber": "1", "swissZipCode": "3011", "city": "Bern"},
        "zefixDetailWeb": {"de": "https://www.zefix.ch/de/search/entity/list/firm/1"},
        **changes,
    }


def _search_zefix(question: Question) -> Reply:
    asked = json.loads(question.body)["name"].casefold()
    companies = [zefix_company(), zefix_company("CHE999999996", "Kerzen AG", status="CANCELLED")]
    found = [one for one in companies if str(one["name"]).casefold().startswith(asked.split(" ")[0])]
    return Reply(found) if found else Reply({"error": {"code": "RESOURCE_NOT_FOUND"}}, 404)


def lindas_fake(fake: Fake) -> Fake:
    """Answers one company to any question that holds its number or a word of its name."""

    def query(question: Question) -> Reply:
        written = dict(parse_qsl(question.body))["query"]
        found = '"CHE123456788"' in written or '"laternen"' in written
        rows = [_row("Banque des Lanternes SA"), _row("Laternen Bank AG")] if found else []
        return Reply({"head": {"vars": ["company", "uid", "name"]}, "results": {"bindings": rows}})

    fake.route("/query", query)
    return fake


def _row(other: str) -> dict[str, dict[str, str]]:
    values = {
        "company": "https://register.ld.admin.ch/zefix/company/1",
        "uid": "CHE123456788",
        "name": "Laternen Bank AG",
        "other": other,
        "form": "https://ld.admin.ch/ech/97/legalforms/0106",
        "purpose": "Betrieb einer Bank",
        "city": "Bern",
        "region": "BE",
    }
    return {key: {"type": "literal", "value": value} for key, value in values.items()}
