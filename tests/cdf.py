"""Records of GLEIF's API written as records of the Common Data File formats, as its JSON files hold them.

Text stands under ``$``, attributes under ``@type`` and ``@xml:lang``, what may repeat in lists.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from entities.gleif.golden.attributes import ADDRESSES, EVENT, FIELDS
from entities.gleif.records import JsonObject

TEXT = "$"
OTHER_ADDRESSES = {
    "OtherAddress": ("Entity", "OtherAddresses"),
    "TransliteratedOtherAddress": ("Entity", "TransliteratedOtherAddresses"),
}


@dataclass(frozen=True)
class Field:
    """One row of ``fields.csv``; ``api`` and ``cdf`` as steps. ``item`` is what follows the ``[]`` of each."""

    api: tuple[str, ...]
    cdf: tuple[str, ...]
    api_item: tuple[str, ...]
    cdf_item: tuple[str, ...]
    repeats: bool


def field_of(row: Sequence[str]) -> Field:
    """A row of ``fields.csv`` taken apart."""
    api, _, api_item = row[0].partition("[]")
    cdf, _, cdf_item = row[1].partition("[]")
    return Field(
        tuple(api.split(".")),
        tuple(cdf.split("/")),
        tuple(filter(None, api_item.split("."))),
        tuple(filter(None, cdf_item.split("/"))),
        "[]" in row[0],
    )


def _table(kind: str) -> list[Field]:
    with FIELDS.open(encoding="utf-8", newline="") as file:
        return [field_of((row["api"], row["cdf"])) for row in csv.DictReader(file) if row["kind"] == kind]


LEI, RELATIONSHIP, EXCEPTION = map(_table, ("lei2", "rr", "repex"))
ADDRESS_FIELDS = {
    field.api[2]: field.cdf[2]
    for field in LEI
    if field.api[:2] == ("entity", "legalAddress") and not field.repeats
}


def write_lei(attributes: JsonObject) -> JsonObject:
    """The CDF record of an LEI record's ``attributes``; BIC and other mapped codes have no place in it."""
    node = _write(attributes, LEI)
    entity = attributes.get("entity") or {}
    for element, name in ADDRESSES.items():
        _write_lines(_grown(node, ("Entity", element)), (entity.get(name) or {}).get("addressLines") or [])
    for address in entity.get("otherAddresses") or []:
        kind = address.get("fieldType") or "OtherAddress"
        path = OTHER_ADDRESSES.get(kind, OTHER_ADDRESSES["OtherAddress"])
        _grown(node, path).setdefault(kind, []).append(_write_address(address))
    for number, group in enumerate(entity.get("eventGroups") or []):
        events = _grown(node, ("Entity", "LegalEntityEvents")).setdefault("LegalEntityEvent", [])
        events += (_write_event(event, group, number) for event in group["events"])
    if flag := attributes.get("conformityFlag"):
        node["Extension"] = {"gleif:conformity": {"gleif:conformityflag": {TEXT: flag}}}
    return node


def write_relationship(attributes: JsonObject) -> JsonObject:
    """The CDF record of a relationship's ``attributes``."""
    return _write_deletion(_write(attributes, RELATIONSHIP), attributes)


def write_exception(attributes: JsonObject) -> JsonObject:
    """The CDF record of a reporting exception's ``attributes``."""
    return _write_deletion(_write(attributes, EXCEPTION), attributes)


def _write(attributes: JsonObject, table: Iterable[Field]) -> JsonObject:
    node: JsonObject = {}
    for field in table:
        value = _plain_at(attributes, field.api)
        if not field.repeats:
            _write_text(node, field.cdf, value)
        elif field.api_item:
            for number, item in enumerate(value or []):
                target = _item(node, field.cdf, number)
                _write_text(target, field.cdf_item, _plain_at(item, field.api_item))
    return node


def _write_text(node: JsonObject, path: tuple[str, ...], value: Any) -> None:
    if value:
        name = path[-1] if path else TEXT
        parent = _grown(node, path[:-1])
        if name.startswith("@") or not path:
            parent[name] = value
        else:
            _grown(parent, (name,))[TEXT] = value


def _write_lines(address: JsonObject, lines: Sequence[str]) -> None:
    if lines:
        address["FirstAddressLine"] = {TEXT: lines[0]}
    if lines[1:]:
        address["AdditionalAddressLine"] = [{TEXT: line} for line in lines[1:]]


def _write_address(address: JsonObject) -> JsonObject:
    node: JsonObject = {}
    for name, element in {**ADDRESS_FIELDS, "type": "@type"}.items():
        _write_text(node, (element,), address.get(name))
    _write_lines(node, address.get("addressLines") or [])
    return node


def _write_event(event: JsonObject, group: JsonObject, number: int) -> JsonObject:
    node: JsonObject = {"@group_type": group["groupType"]} if group.get("groupType") else {}
    if len(group["events"]) > 1:
        node["@group_id"] = str(number)
    for element, name in EVENT.items():
        _write_text(node, (element if element[0].isupper() else f"@{element}",), event.get(name))
    if affected := event.get("affectedFields"):
        node["AffectedFields"] = {
            "AffectedField": [{"@field_xpath": one["xpath"], TEXT: one["value"]} for one in affected]
        }
    return node


def _write_deletion(node: JsonObject, attributes: JsonObject) -> JsonObject:
    if deleted := (attributes.get("extension") or {}).get("deletedAt"):
        node["Extension"] = {"gleif:Deletion": {"gleif:DeletedAt": {TEXT: deleted}}}
    return node


def _item(found: JsonObject, path: tuple[str, ...], number: int) -> JsonObject:
    """Element ``number`` of a list, which grows by empty ones."""
    items: list[JsonObject] = _grown(found, path[:-1]).setdefault(path[-1], [])
    items += ({} for _ in range(number + 1 - len(items)))
    return items[number]


def _plain_at(attributes: JsonObject, path: Iterable[str]) -> Any:
    found: Any = attributes
    for step in path:
        found = found.get(step) if isinstance(found, dict) else None
    return found


def _grown(parent: JsonObject, path: Iterable[str]) -> JsonObject:
    for step in path:
        parent = parent.setdefault(step, {})
    return parent


WRITE: dict[str, Callable[[JsonObject], JsonObject]] = {
    "lei2": write_lei,
    "rr": write_relationship,
    "repex": write_exception,
}
