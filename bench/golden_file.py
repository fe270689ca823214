"""Files as GLEIF writes them, with invented records: the 338 columns of an LEI record, every cell in quotes.

Relationships and reporting exceptions too, in the columns that GLEIF gives them.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from entities.lei import complete

TIMES = 5  # how often each repeating element of an LEI record has columns
ADDRESS = [
    "xmllang",
    "FirstAddressLine",
    "AddressNumber",
    "AddressNumberWithinBuilding",
    "MailRouting",
    "AdditionalAddressLine.1",
    "AdditionalAddressLine.2",
    "AdditionalAddressLine.3",
    "City",
    "Region",
    "Country",
    "PostalCode",
]
NAMED = ("", ".xmllang", ".type")
AUTHORITY = ("ValidationAuthorityID", "OtherValidationAuthorityID", "ValidationAuthorityEntityID")
EVENT = [
    "group_type",
    "event_status",
    "group_id",
    "group_sequence_no",
    "LegalEntityEventType",
    "LegalEntityEventEffectiveDate",
    "LegalEntityEventRecordedDate",
    "ValidationDocuments",
    "ValidationReference",
]
ROOTS = {
    "lei2": ("lei", "leidata/2016", "LEIData", "LEIHeader", "LEIRecords", "LEIRecord"),
    "rr": ("rr", "rr/2016", "RelationshipData", "Header", "RelationshipRecords", "RelationshipRecord"),
    "repex": ("repex", "repex/2016", "ReportingExceptionData", "Header", "ReportingExceptions", "Exception"),
}
WORDS = [
    "Alpha",
    "Beta",
    "Gamma",
    "Delta",
    "Omega",
    "Nord",
    "Süd",
    "Rhône",
    "Énergie",
    "Capital",
    "Partners",
    "Holding",
    "Trust",
    "River",
    "Stone",
    "Fonds",
    "Société",
    "Générale",
    "Müller",
    "Wärme",
    "Invest",
    "Global",
    "Finance",
    "Marine",
    "Solar",
]


def columns() -> list[str]:
    """The header of a full-width LEI file."""
    names = ["LEI", "Entity.LegalName", "Entity.LegalName.xmllang"]
    for element in ("OtherEntityName", "TransliteratedOtherEntityName"):
        names += (f"Entity.{element}s.{element}.{n}{part}" for n in _numbers() for part in NAMED)
    names += (f"Entity.{kind}.{part}" for kind in ("LegalAddress", "HeadquartersAddress") for part in ADDRESS)
    for element in ("OtherAddress", "TransliteratedOtherAddress"):
        names += (
            f"Entity.{element}es.{element}.{n}.{part}" for n in _numbers() for part in (*ADDRESS, "type")
        )
    names += (
        f"Entity.RegistrationAuthority.{part}"
        for part in (
            "RegistrationAuthorityID",
            "OtherRegistrationAuthorityID",
            "RegistrationAuthorityEntityID",
        )
    )
    names += [
        "Entity.LegalJurisdiction",
        "Entity.EntityCategory",
        "Entity.EntitySubCategory",
        "Entity.LegalForm.EntityLegalFormCode",
        "Entity.LegalForm.OtherLegalForm",
        "Entity.AssociatedEntity.type",
        "Entity.AssociatedEntity.AssociatedLEI",
        "Entity.AssociatedEntity.AssociatedEntityName",
        "Entity.AssociatedEntity.AssociatedEntityName.xmllang",
        "Entity.EntityStatus",
        "Entity.EntityCreationDate",
        "Entity.EntityExpirationDate",
        "Entity.EntityExpirationReason",
    ]
    parts = ("SuccessorLEI", "SuccessorEntityName", "SuccessorEntityName.xmllang")
    names += (f"Entity.SuccessorEntity.{n}.{part}" for n in _numbers() for part in parts)
    names += (name for n in _numbers() for name in _event_columns(n))
    names += [
        "Registration.InitialRegistrationDate",
        "Registration.LastUpdateDate",
        "Registration.RegistrationStatus",
        "Registration.NextRenewalDate",
        "Registration.ManagingLOU",
        "Registration.ValidationSources",
    ]
    names += (f"Registration.ValidationAuthority.{part}" for part in AUTHORITY)
    many = "Registration.OtherValidationAuthorities.OtherValidationAuthority"
    names += (f"{many}.{n}.{part}" for n in _numbers() for part in AUTHORITY)
    return [*names, "ConformityFlag"]


def _event_columns(number: int) -> Iterator[str]:
    base = f"Entity.LegalEntityEvents.LegalEntityEvent.{number}"
    yield from (f"{base}.{part}" for part in EVENT)
    for n in _numbers():
        yield from (f"{base}.AffectedFields.{n}.{part}" for part in ("AffectedField", "field_xpath"))


def _numbers() -> range:
    return range(1, TIMES + 1)


def made_up_cells(number: int, choice: Random) -> dict[str, str]:
    """The cells of one invented record that are not empty, under their columns' names."""
    day = f"20{choice.randint(12, 24)}-{choice.randint(1, 12):02}-{choice.randint(1, 28):02}"
    cells = {
        "LEI": complete(f"BENCH{number:013d}"),
        "Entity.LegalName": f"{' '.join(choice.choices(WORDS, k=4))} {number} GmbH",
        "Entity.LegalName.xmllang": "de",
        "Entity.RegistrationAuthority.RegistrationAuthorityID": "RA000304",
        "Entity.RegistrationAuthority.RegistrationAuthorityEntityID": f"HRB {number}",
        "Entity.LegalJurisdiction": "DE",
        "Entity.EntityCategory": "GENERAL",
        "Entity.LegalForm.EntityLegalFormCode": "2HBR",
        "Entity.EntityStatus": "ACTIVE",
        "Entity.EntityCreationDate": f"{day}T08:00:00+02:00",
        "Registration.InitialRegistrationDate": f"{day}T00:00:00Z",
        "Registration.LastUpdateDate": "2026-01-05T10:11:12.345Z",
        "Registration.RegistrationStatus": choice.choice(("ISSUED", "ISSUED", "LAPSED")),
        "Registration.NextRenewalDate": "2027-01-05T08:31:20.554Z",
        "Registration.ManagingLOU": complete("BENCHLOU0000000000"),
        "Registration.ValidationSources": "FULLY_CORROBORATED",
        "Registration.ValidationAuthority.ValidationAuthorityID": "RA000304",
        "Registration.ValidationAuthority.ValidationAuthorityEntityID": f"HRB {number}",
        "ConformityFlag": "CONFORMING",
    }
    for kind in ("LegalAddress", "HeadquartersAddress"):
        cells |= {f"Entity.{kind}.{part}": text for part, text in _made_up_address(choice).items()}
    if number % 4 == 0:
        cells |= _made_up_name("OtherEntityName", "PREVIOUS_LEGAL_NAME", choice)
    if number % 5 == 0:
        cells |= _made_up_name(
            "TransliteratedOtherEntityName", "AUTO_ASCII_TRANSLITERATED_LEGAL_NAME", choice
        )
    return cells


def _made_up_address(choice: Random) -> dict[str, str]:
    address = {
        "xmllang": "de",
        "FirstAddressLine": f"Hauptstraße {choice.randint(1, 300)}",
        "City": "München",
    }
    address |= {"Region": "DE-BY", "Country": "DE", "PostalCode": f"{choice.randint(80000, 90000)}"}
    return address | ({"AdditionalAddressLine.1": "c/o Verwaltung"} if choice.random() < 0.3 else {})


def _made_up_name(element: str, kind: str, choice: Random) -> dict[str, str]:
    name = f"Entity.{element}s.{element}.1"
    return {name: f"{' '.join(choice.choices(WORDS, k=3))} AG", f"{name}.xmllang": "de", f"{name}.type": kind}


def relationship_columns() -> list[str]:
    """The header of a file of relationships."""
    names = [f"Relationship.{end}Node.NodeID{part}" for end in ("Start", "End") for part in ("", "Type")]
    names += ["Relationship.RelationshipType", "Relationship.RelationshipStatus"]
    names += (
        f"Relationship.Period.{n}.{part}"
        for n in _numbers()
        for part in ("startDate", "endDate", "periodType")
    )
    names += (
        f"Relationship.Quantifiers.{n}.{part}"
        for n in _numbers()
        for part in ("MeasurementMethod", "QuantifierAmount", "QuantifierUnits")
    )
    dates = (
        "InitialRegistrationDate",
        "LastUpdateDate",
        "RegistrationStatus",
        "NextRenewalDate",
        "ManagingLOU",
    )
    proofs = ("ValidationSources", "ValidationDocuments", "ValidationReference")
    return [*names, *(f"Registration.{part}" for part in (*dates, *proofs))]


def made_up_relationship(number: int, choice: Random) -> dict[str, str]:
    """The filled cells of an invented relationship; no two are of the same three LEIs and type."""
    return {
        "Relationship.StartNode.NodeID": complete(f"BENCH{number:013d}"),
        "Relationship.StartNode.NodeIDType": "LEI",
        "Relationship.EndNode.NodeID": complete(f"BENCH{number // 7:013d}"),
        "Relationship.EndNode.NodeIDType": "LEI",
        "Relationship.RelationshipType": choice.choice(
            ("IS_DIRECTLY_CONSOLIDATED_BY", "IS_ULTIMATELY_CONSOLIDATED_BY", "IS_FUND-MANAGED_BY")
        ),
        "Relationship.RelationshipStatus": choice.choice(("ACTIVE", "ACTIVE", "ACTIVE", "INACTIVE")),
        "Relationship.Period.1.startDate": "2024-01-01T00:00:00.000Z",
        "Relationship.Period.1.endDate": "2024-12-31T00:00:00.000Z",
        "Relationship.Period.1.periodType": "ACCOUNTING_PERIOD",
        "Relationship.Period.2.startDate": "2015-06-30T00:00:00.000+02:00",
        "Relationship.Period.2.periodType": "RELATIONSHIP_PERIOD",
        "Registration.InitialRegistrationDate": "2017-05-09T10:11:12.345Z",
        "Registration.LastUpdateDate": "2026-01-05T10:11:12.345Z",
        "Registration.RegistrationStatus": "PUBLISHED",
        "Registration.NextRenewalDate": "2027-01-05T08:31:20.554Z",
        "Registration.ManagingLOU": complete("BENCHLOU0000000000"),
        "Registration.ValidationSources": "FULLY_CORROBORATED",
        "Registration.ValidationDocuments": "ACCOUNTS_FILING",
        "Registration.ValidationReference": f"https://register.example/{number}",
    }


def exception_columns() -> list[str]:
    """The header of a file of reporting exceptions."""
    many = (f"Exception.{part}.{n}" for part in ("Reason", "Reference") for n in _numbers())
    return ["LEI", "Exception.Category", *many]


def made_up_exception(number: int, choice: Random) -> dict[str, str]:
    """The filled cells of an invented reporting exception: two for each LEI."""
    level = ("DIRECT", "ULTIMATE")[number % 2]
    return {
        "LEI": complete(f"BENCH{number // 2:013d}"),
        "Exception.Category": f"{level}_ACCOUNTING_CONSOLIDATION_PARENT",
        "Exception.Reason.1": choice.choice(("NATURAL_PERSONS", "NO_KNOWN_PERSON", "NON_CONSOLIDATING")),
        "Exception.Reference.1": "" if number % 3 else f"Note {number} of the issuer, “as stated”",
    }


MADE_UP: dict[str, tuple[Callable[[], list[str]], Callable[[int, Random], dict[str, str]]]] = {
    "lei2": (columns, made_up_cells),
    "rr": (relationship_columns, made_up_relationship),
    "repex": (exception_columns, made_up_exception),
}


def write_made_up(path: Path, count: int, seed: int = 1, kind: str = "lei2") -> None:
    """A full-width CSV file of ``count`` invented records; the same for the same seed."""
    header, make = MADE_UP[kind]
    choice, names = Random(seed), header()  # noqa: S311 - the same file each time, nothing secret
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(names)
        for number in range(count):
            cells = make(number, choice)
            writer.writerow([cells.get(name, "") for name in names])


def flat(node: Mapping[str, Any]) -> dict[str, str]:
    """A CDF record as the cells of a CSV row: repeating elements numbered, attributes without their sign."""
    found: dict[str, str] = {}
    _flatten(node, "", found)
    return {_csv_name(name): text for name, text in found.items()}


def _csv_name(name: str) -> str:
    """What the CSV files call otherwise."""
    name = re.sub(r"AffectedFields\.AffectedField\.(\d)\.", r"AffectedFields.\1.", name)
    name = re.sub(r"AffectedFields\.AffectedField\.(\d)$", r"AffectedFields.\1.AffectedField", name)
    return {
        "Extension.gleif:conformity.gleif:conformityflag": "ConformityFlag",
        "ExceptionCategory": "Exception.Category",
        "ExceptionReason": "Exception.Reason.1",
        "ExceptionReference": "Exception.Reference.1",
    }.get(name, name)


def _flatten(value: Any, name: str, found: dict[str, str]) -> None:
    if isinstance(value, str):
        found[name] = value
    elif isinstance(value, list):
        for number, each in enumerate(value, start=1):
            _flatten(each, f"{name}.{number}", found)
    else:
        for key, part in value.items():
            step = key.removeprefix("@").replace("xml:lang", "xmllang")
            _flatten(part, name if key == "$" else f"{name}.{step}".removeprefix("."), found)


def write_json(path: Path, nodes: Iterable[Mapping[str, Any]]) -> None:
    """A JSON file of CDF records."""
    path.write_text(json.dumps({"records": list(nodes)}, ensure_ascii=False, indent=1), encoding="utf-8")


def write_xml(path: Path, kind: str, nodes: list[Mapping[str, Any]], header: Mapping[str, str]) -> None:
    """An XML file of CDF records; ``header`` takes ContentDate, FileContent and RecordCount."""
    prefix, schema, root, head, records, record = ROOTS[kind]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<{prefix}:{root} xmlns:{prefix}="http://www.gleif.org/data/schema/{schema}" '
        'xmlns:gleif="http://www.gleif.org/data/schema/golden-copy/extensions/1.0">',
        f"<{prefix}:{head}>",
        *(f"<{prefix}:{name}>{escape(text)}</{prefix}:{name}>" for name, text in header.items()),
        f"</{prefix}:{head}>",
        f"<{prefix}:{records}>",
        *(_element(prefix, record, node) for node in nodes),
        f"</{prefix}:{records}></{prefix}:{root}>",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")


def _element(prefix: str, name: str, value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(_element(prefix, name, each) for each in value)
    tag = name if ":" in name else f"{prefix}:{name}"
    attributes = "".join(
        f" {key[1:]}={quoteattr(text)}" for key, text in value.items() if key.startswith("@")
    )
    inner = escape(value.get("$", "")) + "".join(
        "\n" + _element(prefix, key, part)
        for key, part in value.items()
        if key != "$" and not key.startswith("@")
    )
    return f"<{tag}{attributes}>{inner}</{tag}>"
