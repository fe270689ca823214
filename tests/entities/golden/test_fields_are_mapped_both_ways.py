"""A record of the API, written as the Common Data File and read again, is the same record."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.golden_file import flat
from entities.gleif.golden.attributes import FIELDS, completed, utc
from entities.gleif.golden.attributes import attributes_of as read
from entities.gleif.golden.dictionary import as_csv
from entities.gleif.records import parse_record
from tests import cdf
from tests.cases import cases
from tests.register_files import attributes_of, exception_of, lei_of, relationship_of, rich_attributes

SHARED = Path(os.environ.get("DOSSIER_SHARED_DATA", "../shared/data")) / "gleif"
UNMAPPED = {"bic", "mic", "ocid", "qcc", "spglobal"}  # other registers' codes, which no CDF file carries
shared = pytest.mark.skipif(not SHARED.is_dir(), reason="no real records: set DOSSIER_SHARED_DATA")


def read_lei(node):
    return read("lei2", flat(node).items())


@pytest.mark.parametrize("attributes", [attributes_of(1), rich_attributes(2)], ids=["plain", "rich"])
def test_it_brings_a_record_back_as_it_was(attributes):
    assert read_lei(cdf.write_lei(attributes)) == attributes


@pytest.mark.parametrize("deleted", [False, True])
def test_it_brings_relationships_and_exceptions_back(deleted):
    relationship, exception = relationship_of(1, 2, deleted=deleted), exception_of(1, deleted=deleted)
    assert read("rr", flat(cdf.write_relationship(relationship)).items()) == relationship
    assert read("repex", flat(cdf.write_exception(exception)).items()) == exception


def test_it_fills_in_what_the_api_always_sends():
    full = completed(attributes_of(1))
    assert full["entity"]["expiration"] == {"date": None, "reason": None}
    assert full["entity"]["headquartersAddress"]["addressLines"] == []
    assert full["registration"]["otherValidationAuthorities"] == []
    assert full["bic"] is None
    assert full["entity"]["legalName"]["name"] == "Muster 1 GmbH"


def test_it_leaves_the_record_alone_that_it_completes():
    attributes = attributes_of(1)
    completed(attributes)
    assert attributes == attributes_of(1)


@cases(
    ("text", "expected"),
    [
        ("2024-05-03T08:31:20.554+02:00", "2024-05-03T06:31:20Z"),
        ("2024-05-04T00:00:00+02:00", "2024-05-03T22:00:00Z"),
        ("2024-05-04T10:11:12.345Z", "2024-05-04T10:11:12Z"),
        ("2024-05-04T10:11:12Z", "2024-05-04T10:11:12Z"),
        ("2024-05-04", "2024-05-04T00:00:00Z"),
        ("soon", "soon"),
        ("", ""),
    ],
)
def test_it_writes_dates_in_utc_as_the_api_does(text, expected):
    assert utc(text) == expected


def test_what_may_repeat_may_come_alone():
    node = cdf.write_lei(rich_attributes(1))
    names = node["Entity"]["OtherEntityNames"]
    names["OtherEntityName"] = names["OtherEntityName"][0]
    node["Entity"]["SuccessorEntity"] = node["Entity"]["SuccessorEntity"][0]
    found = read_lei(node)
    assert [name["name"] for name in found["entity"]["otherNames"]] == ["Früher & Söhne"]
    assert found["entity"]["successorEntities"] == [{"lei": lei_of(77)}]


def test_what_is_read_parses_as_a_record():
    record = parse_record({"attributes": read_lei(cdf.write_lei(rich_attributes(1)))})
    assert [name.name for name in record.names] == [
        "Muster 1 GmbH",
        "Früher & Söhne",
        "Muster “M”",
        "Frueher",
    ]
    assert [(one.lei, one.name) for one in record.successors] == [(lei_of(77), None), (None, "Erbe AG")]


@shared
def test_recorded_answers_of_the_api_come_back_as_they_were():
    records = [
        item["attributes"] for file in SHARED.glob("api-v1/**/*.json") for item in _lei_items(_json(file))
    ]
    records += [
        item["attributes"]
        for file in SHARED.glob("recorded-2026-01/*.json")
        for item in _lei_items(_json(file))
    ]
    assert len(records) > 100
    for attributes in records:
        there_and_back = completed(read_lei(cdf.write_lei(attributes)))
        assert _mapped(there_and_back) == _mapped(attributes)


@shared
def test_the_table_is_what_the_dictionary_gives():
    dictionary = _json(SHARED / "api-v1/fields/fields_all.json")["data"]
    assert as_csv(dictionary) == FIELDS.read_text("utf-8")


def _mapped(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if name not in UNMAPPED}


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _lei_items(document: Any) -> Iterator[dict[str, Any]]:
    if isinstance(document, list):
        for part in document:
            yield from _lei_items(part)
    elif isinstance(document, dict):
        if document.get("type") == "lei-records" and "attributes" in document:
            yield document
        for part in document.values():
            yield from _lei_items(part)
