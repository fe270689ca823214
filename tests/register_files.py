"""Small files of the golden copy with invented records, in all three formats."""

import csv
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.golden_file import columns, flat, write_json, write_xml
from entities.lei import complete
from tests import cdf

MORNING = datetime(2026, 2, 10, 8, tzinfo=UTC)


def lei_of(number: int) -> str:
    return complete(f"GOLDEN{number:012d}")


def attributes_of(number: int, name: str = "", **entity: Any) -> dict[str, Any]:
    """An LEI record as the API has it."""
    return {
        "lei": lei_of(number),
        "entity": {
            "legalName": {"name": name or f"Muster {number} GmbH", "language": "de"},
            "legalAddress": {
                "addressLines": ["Weg 1", "Hof 2"],
                "city": "Köln",
                "country": "DE",
                "region": "DE-NW",
            },
            "jurisdiction": "DE",
            "category": "GENERAL",
            "status": "ACTIVE",
            "creationDate": "2012-05-29T06:00:00Z",
            **entity,
        },
        "registration": {
            "status": "ISSUED",
            "lastUpdateDate": "2026-01-05T10:11:12Z",
            "nextRenewalDate": "2027-01-05T08:31:20Z",
            "managingLou": lei_of(999),
        },
        "conformityFlag": "CONFORMING",
    }


def rich_attributes(number: int) -> dict[str, Any]:
    """A record with everything that may repeat."""
    found = attributes_of(
        number,
        otherNames=[
            {"name": "Früher & Söhne", "language": "de", "type": "PREVIOUS_LEGAL_NAME"},
            {"name": "Muster “M”", "language": "en", "type": "TRADING_OR_OPERATING_NAME"},
        ],
        transliteratedOtherNames=[
            {"name": "Frueher", "language": "en", "type": "AUTO_ASCII_TRANSLITERATED_LEGAL_NAME"}
        ],
        otherAddresses=[
            {
                "fieldType": "TransliteratedOtherAddress",
                "language": "en",
                "type": "AUTO_ASCII_TRANSLITERATED_LEGAL_ADDRESS",
                "addressLines": ["Weg 1"],
                "city": "Koeln",
                "country": "DE",
            }
        ],
        successorEntities=[{"lei": lei_of(77)}, {"name": "Erbe AG", "lang": "de"}],
        successorEntity={"lei": lei_of(77), "name": None},
        expiration={"date": "2025-01-01T00:00:00Z", "reason": "CORPORATE_ACTION"},
        eventGroups=[
            {
                "groupType": "STANDALONE",
                "events": [
                    {
                        "type": "MERGERS_AND_ACQUISITIONS",
                        "effectiveDate": "2024-08-19T22:00:00Z",
                        "recordedDate": "2024-09-29T11:12:18Z",
                        "status": "COMPLETED",
                        "affectedFields": [{"value": lei_of(77), "xpath": "/lei:LEIData/lei:SuccessorLEI"}],
                    }
                ],
            },
            {
                "groupType": "CHANGE_LEGAL_FORM_AND_NAME",
                "events": [{"type": "CHANGE_LEGAL_NAME"}, {"type": "CHANGE_LEGAL_FORM"}],
            },
        ],
    )
    found["registration"]["otherValidationAuthorities"] = [
        {"validatedAt": {"id": "RA000001"}, "validatedAs": "7"}
    ]
    return found


def relationship_of(
    start: int, end: int, kind: str = "IS_DIRECTLY_CONSOLIDATED_BY", **changes: Any
) -> dict[str, Any]:
    """A relationship as the API has it; ``status``, ``updated`` and ``deleted`` can be given."""
    found: dict[str, Any] = {
        "relationship": {
            "startNode": {"id": lei_of(start), "type": "LEI"},
            "endNode": {"id": lei_of(end), "type": "LEI"},
            "type": kind,
            "status": changes.get("status", "ACTIVE"),
            "periods": [{"startDate": "2020-01-01T00:00:00Z", "type": "RELATIONSHIP_PERIOD"}],
        },
        "registration": {
            "status": "PUBLISHED",
            "lastUpdateDate": changes.get("updated", "2026-01-01T00:00:00Z"),
        },
    }
    return found | ({"extension": {"deletedAt": "2026-02-01T00:00:00Z"}} if changes.get("deleted") else {})


def exception_of(number: int, reason: str = "NO_KNOWN_PERSON", *, deleted: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = {
        "lei": lei_of(number),
        "category": "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT",
        "reason": reason,
    }
    return found | ({"extension": {"deletedAt": "2026-02-01T00:00:00Z"}} if deleted else {})


class Folder:
    """Writes files of the golden copy under names like GLEIF's."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(
        self,
        records: list[dict[str, Any]],
        *,
        kind: str = "lei2",
        form: str = "csv",
        name: str = "",
        count: int | None = None,
    ) -> Path:
        """``count`` is what the header of an XML file claims, if not the number of records."""
        nodes = [cdf.WRITE[kind](record) for record in records]
        path = self.path / (name or f"20260210-0800-gleif-goldencopy-{kind}-golden-copy.{form}")
        if form == "json":
            write_json(path, nodes)
        elif form == "xml":
            full = "delta" if "-last-" in path.name or "-intra-" in path.name else "full"
            header = {
                "ContentDate": MORNING.isoformat(),
                "FileContent": f"GLEIF_{full.upper()}_PUBLISHED",
                "RecordCount": str(len(records) if count is None else count),
            }
            write_xml(path, kind, nodes, header)
        else:
            self._write_csv(path, kind, [flat(node) for node in nodes])
        return path

    def _write_csv(self, path: Path, kind: str, rows: list[dict[str, str]]) -> None:
        header = columns() if kind == "lei2" else sorted({name for row in rows for name in row})
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerow(header)
            writer.writerows([row.get(name, "") for name in header] for row in rows)

    def text(
        self, text: str | bytes, name: str = "20260210-0800-gleif-goldencopy-lei2-golden-copy.csv"
    ) -> Path:
        path = self.path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def zipped(self, path: Path, *more: Path) -> Path:
        archive = path.with_name(path.name + ".zip")
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for each in (path, *more):
                file.write(each, each.name)
        return archive
