"""The columns of the golden copy as ``attributes`` of GLEIF's API.

A column of GLEIF's CSV files is the path of an element in the Common Data File formats (LEI-CDF, RR-CDF, RepEx) with
dots for slashes, ``xmllang`` and ``type`` for the attributes of XML, and a number behind what repeats. Records of JSON
and XML are read into the same columns. ``fields.csv``, made by ``dictionary.py``, says which column is which field of
the API. What GLEIF's dictionary leaves open (first address lines, other addresses, events, extensions) is here, as the
API was seen to answer it. Empty fields are left out; ``completed`` puts back those that the API always sends.
"""

import csv
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from entities.gleif.records import JsonObject

Steps: TypeAlias = tuple[str | int, ...]
FIELDS = Path(__file__).with_name("fields.csv")
ADDRESSES = {"LegalAddress": "legalAddress", "HeadquartersAddress": "headquartersAddress"}
OTHER_ADDRESSES = ("OtherAddress", "TransliteratedOtherAddress")
EVENT = {
    "LegalEntityEventType": "type",
    "LegalEntityEventEffectiveDate": "effectiveDate",
    "LegalEntityEventRecordedDate": "recordedDate",
    "event_status": "status",
    "ValidationDocuments": "validationDocuments",
    "ValidationReference": "validationReference",
    "group_type": "groupType",
    "group_id": "groupId",
}
ALWAYS: JsonObject = dict.fromkeys(("bic", "mic", "ocid", "qcc", "spglobal", "conformityFlag"))
LISTS = ("otherNames", "transliteratedOtherNames", "successorEntities", "otherAddresses", "eventGroups")
_FIRST = -1  # as the number of an address line: before all that are numbered
_RENAMED = (
    (re.compile(r"^Exception\.(?=Category|Reason|Reference)"), "Exception"),
    (re.compile(r"^Relationship\.Period\b"), "Relationship.RelationshipPeriods.RelationshipPeriod"),
    (re.compile(r"\bAffectedFields\.(\d+)\.AffectedField$"), r"AffectedFields.AffectedField.\1"),
    (re.compile(r"\bAffectedFields\.(\d+)\.(?=field_xpath$)"), r"AffectedFields.AffectedField.\1."),
)
_PART = re.compile(r"([^.]+)(?:\.(\d{1,6})(?=\.|$))?")


class Column(NamedTuple):
    """A column: its ``name`` in small letters without numbers, and the number of each step, 1 if it has none."""

    name: str
    numbers: tuple[int, ...]


class Field(NamedTuple):
    """A field of the API: the keys that lead to it, a number for an element of a list; whether it is a date."""

    path: Steps
    is_date: bool


@lru_cache(maxsize=4_096)
def column(text: str) -> Column:
    """A column's name taken apart, whichever of its spellings the file uses."""
    text = text.strip()
    for pattern, name in _RENAMED:
        text = pattern.sub(name, text)
    parts = _PART.findall(text)
    name = ".".join(step.rpartition(":")[2] for step, _ in parts).lower()
    return Column(name, tuple(int(number or 1) for _, number in parts))


@lru_cache(maxsize=4_096)
def field_of(kind: str, text: str) -> Field | None:
    """The field of the API that a column holds; None for what the API does not have."""
    name, numbers = column(text)
    last = name.rpartition(".")[2]
    if last == "deletedat":
        return Field(("extension", "deletedAt"), True)
    if last == "conformityflag":
        return Field(("conformityFlag",), False)
    known = _fields(kind).get(name)
    if known is None:
        return None
    steps = (numbers[step] if isinstance(step, int) and step != _FIRST else step for step in known.path)
    return Field(tuple(steps), known.is_date)


def attributes_of(kind: str, cells: Iterable[tuple[str, str]]) -> JsonObject:
    """The API's ``attributes`` of a record, given as pairs of a column and its text.

    A relationship or exception that a delta deletes has ``extension.deletedAt``.
    """
    found: JsonObject = {}
    for name, text in cells:
        field = field_of(kind, name)
        if field and text:
            *path, last = field.path
            parent: dict[Any, Any] = found
            for step in path:
                parent = parent.setdefault(step, {})
            parent.setdefault(last, utc(text) if field.is_date else text)
    found = _with_lists(found)
    entity = found.get("entity", {})
    addresses = [
        {"fieldType": kind} | address for kind in OTHER_ADDRESSES for address in entity.pop(kind, ())
    ]
    if addresses:
        entity["otherAddresses"] = addresses
    if events := entity.pop("events", None):
        entity["eventGroups"] = _groups(events)
    if successors := entity.get("successorEntities"):
        entity["successorEntity"] = {key: successors[0].get(key) for key in ("lei", "name")}
    return found


def completed(attributes: JsonObject) -> JsonObject:
    """An LEI record's ``attributes`` with the nulls and empty lists that the API always sends."""
    found = ALWAYS | attributes
    for field in _fields("lei2").values():
        path = [str(step) for step in field.path]
        if path[0] in ("entity", "registration") and not any(isinstance(step, int) for step in field.path):
            _put_null(found, path)
    for address in ADDRESSES.values():
        found["entity"][address].setdefault("addressLines", [])
    for name in LISTS:
        found["entity"].setdefault(name, [])
    found["entity"].setdefault("successorEntity", {"lei": None, "name": None})
    found["registration"].setdefault("otherValidationAuthorities", [])
    return found


def utc(text: str) -> str:
    """A date of a file as the API writes it: UTC, whole seconds. What is no date stays as it is."""
    if text.endswith("Z") and len(text) >= 20:
        return text if len(text) == 20 else text[:19] + "Z"
    return _in_utc(text)


@lru_cache(maxsize=20_000)
def _in_utc(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    if len(text) <= 10:
        return text + "T00:00:00Z"
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@cache
def _fields(kind: str) -> dict[str, Field]:
    """Fields of a kind of record by column; a number in a path is the step of the column whose number it takes."""
    found: dict[str, Field] = {}
    with FIELDS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] == kind:
                steps = row["cdf"].replace("@xml:lang", "xmllang").replace("@", "").split("/")
                repeats = next((place for place, step in enumerate(steps) if step.endswith("[]")), 0)
                path: list[str | int] = []
                for key in row["api"].split("."):
                    path += (key.removesuffix("[]"), repeats) if key.endswith("[]") else (key,)
                name = ".".join(steps).replace("[]", "").lower()
                found[name] = Field(tuple(path), row["type"] == "date")
    return found | (_other_fields(found) if kind == "lei2" else {})


def _other_fields(known: dict[str, Field]) -> dict[str, Field]:
    """What the dictionary does not map: first address lines, other addresses, and events."""
    found = {
        f"entity.{element}.firstaddressline".lower(): Field(("entity", key, "addressLines", _FIRST), False)
        for element, key in ADDRESSES.items()
    }
    legal = "entity.legaladdress."
    for name, field in (known | found).items():
        if name.startswith(legal):
            rest = tuple(3 if step == 2 else step for step in field.path[2:])
            for kind in OTHER_ADDRESSES:
                other = f"entity.{kind}es.{kind}.".lower()
                found[other + name.removeprefix(legal)] = Field(("entity", kind, 2, *rest), False)
    for kind in OTHER_ADDRESSES:
        found[f"entity.{kind}es.{kind}.type".lower()] = Field(("entity", kind, 2, "type"), False)
    event, affected = "entity.legalentityevents.legalentityevent.", "affectedfields.affectedfield"
    for element, key in EVENT.items():
        found[event + element.lower()] = Field(("entity", "events", 2, key), key.endswith("Date"))
    for name, key in ((affected, "value"), (f"{affected}.field_xpath", "xpath")):
        found[event + name] = Field(("entity", "events", 2, "affectedFields", 4, key), False)
    return found


def _with_lists(value: Any) -> Any:
    """A list in place of each object whose keys are numbers."""
    if not isinstance(value, dict):
        return value
    parts = {key: _with_lists(part) for key, part in value.items()}
    return [parts[number] for number in sorted(parts)] if isinstance(next(iter(parts), ""), int) else parts


def _groups(events: list[JsonObject]) -> list[JsonObject]:
    """Events as the API groups them: those with one group id are a group, any other is alone."""
    groups: list[JsonObject] = []
    by_id: dict[str, JsonObject] = {}
    for event in events:
        kind, group_id = event.pop("groupType", ""), event.pop("groupId", "")
        affected = [{"xpath": "", **part} for part in event.pop("affectedFields", ()) if "value" in part]
        if affected:
            event["affectedFields"] = affected
        group = by_id.get(group_id) if group_id else None
        if group is None:
            group = by_id[group_id] = {"groupType": kind, "events": []}
            groups.append(group)
        group["events"].append(event)
    return groups


def _put_null(target: JsonObject, path: list[str]) -> None:
    """Null at the end of the path, unless there is something; the objects on the way are copied, not shared."""
    *parents, last = path
    for key in parents:
        target[key] = target = dict(target.get(key) or {})
    target.setdefault(last, None)
