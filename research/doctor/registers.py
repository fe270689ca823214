"""One question to each register: the LEI register, its golden copy, and the national ones."""

from collections.abc import Callable
from functools import partial
from typing import cast

from django.conf import settings

from common.outside.client import Traffic
from entities.gleif.client import PUBLIC_URL, GleifClient
from entities.gleif.golden.publishes import latest
from entities.gleif.golden.syncing import new_session
from entities.gleif.records import parse_completion, parse_relationship
from entities.gleif.register import Register
from entities.registers import setup
from entities.registers.base import RegisterSource
from entities.registers.finma import Finma
from research.doctor.source_questions import Question

ROOM = "Registers"
ALLIANZ, ITS_FUNDS = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658"
UBS = "CHE-101.329.561"

RECORDS = """
data[].id: text
data[].attributes.lei: text
data[].attributes.entity.legalName.name: text
data[].attributes.entity.otherNames: list
data[].attributes.entity.jurisdiction: text
data[].attributes.entity.legalAddress.country: text
data[].attributes.entity.headquartersAddress.country: text
data[].attributes.entity.category: text
data[].attributes.entity.legalForm.id: text
data[].attributes.entity.registeredAt.id: text
data[].attributes.entity.registeredAs: text
data[].attributes.entity.status: text
data[].attributes.registration.status: text
data[].attributes.registration.initialRegistrationDate: text
data[].attributes.registration.lastUpdateDate: text
data[].attributes.registration.nextRenewalDate: text
data[].attributes.registration.managingLou: text
data[].attributes.registration.corroborationLevel: text
data[].relationships.direct-parent.links: object
data[].relationships.ultimate-parent.links: object
meta.pagination.total: number
meta.goldenCopy.publishDate: text
"""
RELATIONSHIP = """
data.attributes.relationship.startNode.id: text
data.attributes.relationship.endNode.id: text
data.attributes.relationship.type: text
data.attributes.relationship.status: text
"""
COMPLETIONS = """
data[].attributes.value: text
data[].relationships.lei-records.data.id: text
"""
_FILE = """
data.{0}.publish_date: text
data.{0}.full_file.csv.url: text
"""
PUBLISHES = "".join(_FILE.format(kind) for kind in ("lei2", "rr", "repex"))
COMPANIES_HOUSE = """
company_number: text
company_name: text
company_status: text
type: text
jurisdiction: text
date_of_creation: text
registered_office_address: object
"""
EDGAR = """
cik: text|number
name: text
entityType: text
stateOfIncorporation: text
formerNames: list
filings.recent.form[]: text
filings.recent.filingDate[]: text
"""
FCA = """
Status: text
Data[].FRN: text
Data[].Organisation Name: text
Data[].Status: text
Data[].Business Type: text
"""
FINMA_WARNINGS = """
Items[].Title: text
Items[].Date: text
Items[].Link: text
"""
ZEFIX = """
[].uid: text
[].name: text
[].status: text
[].legalForm.name: object
[].legalSeat: text
"""
LINDAS = """
results.bindings[].company.value: text
results.bindings[].uid.value: text
results.bindings[].name.value: text
"""


def questions() -> list[Question]:
    gleif = (("records", _lei_record, RECORDS), ("relationships", _relationship, RELATIONSHIP))
    off = "DOSSIER_REGISTER is demo: what comes with Dossier is asked." * (
        settings.DOSSIER_REGISTER == "demo"
    )
    return [
        *(
            Question(ROOM, f"LEI {name}", partial(_gleif, ask), (shape,), off=off)
            for name, ask, shape in (*gleif, ("names", _completions, COMPLETIONS))
        ),
        Question(ROOM, "LEI golden copy", _publishes, (PUBLISHES,)),
        *(_national(name) for name in setup.KINDS),
    ]


def _gleif(ask: Callable[[GleifClient], str]) -> str:
    return ask(GleifClient(settings.GLEIF_BASE_URL or PUBLIC_URL, traffic=Traffic()))


def _lei_record(client: GleifClient) -> str:
    found = Register(client).records([ALLIANZ]).get(ALLIANZ)
    return "" if found else f"the record of {ALLIANZ} is not in the answer"


def _relationship(client: GleifClient) -> str:
    parse_relationship(client.get(f"lei-records/{ITS_FUNDS}/direct-parent-relationship")["data"])
    return ""


def _completions(client: GleifClient) -> str:
    items = client.get("fuzzycompletions", {"field": "entity.legalName", "q": "Allianz SE"})["data"]
    return "" if any(parse_completion(item)[1] for item in items) else "no completion names an LEI"


def _publishes() -> str:
    """It is always there to be asked, also where no copy is imported."""
    with new_session() as session:
        latest(settings.GOLDEN_COPY_BASE_URL, session)
    return ""


def _record(number: str) -> Callable[[RegisterSource], str]:
    def ask(source: RegisterSource) -> str:
        company = source.record(number)
        return "" if company.names else f"the record of {number} has no name"

    return ask


def _finma(source: RegisterSource) -> str:
    """The list of institutions, and the search of FINMA's site, which is documented nowhere."""
    if not source.search("UBS").items:
        return "the list of authorised institutions holds no UBS"
    cast(Finma, source).warnings("UBS")
    return ""


_NATIONAL: dict[str, tuple[Callable[[RegisterSource], str], tuple[str, ...]]] = {
    "companies_house": (_record("00445790"), (COMPANIES_HOUSE,)),  # Tesco PLC
    "edgar": (_record("320193"), (EDGAR,)),  # Apple Inc.
    "fca": (_record("122702"), (FCA,)),  # Barclays Bank Plc
    "finma": (_finma, ("", FINMA_WARNINGS)),
    "zefix": (_record(UBS), (ZEFIX,)),
    "lindas": (_record(UBS), (LINDAS,)),
}


def _national(name: str) -> Question:
    """Opened anew, so that what a client keeps of earlier answers and pauses does not count."""
    kind, (ask, shapes) = setup.KINDS[name], _NATIONAL[name]
    missing = setup.missing(name)
    off = "" if missing or name in setup.configured() else f"Name {name} in DOSSIER_REGISTERS."
    needs = kind.needs or ("DOSSIER_REGISTERS",)
    return Question(ROOM, kind.source.label, lambda: ask(kind.open(Traffic())), shapes, needs, missing, off)
