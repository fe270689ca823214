"""Records of the Common Data File formats (LEI-CDF, RR-CDF, RepEx) as records of GLEIF's API, and back.

A CDF record is a tree as GLEIF's JSON files write it: text under ``$``, attributes under ``@type`` and ``@xml:lang``,
what may repeat as one node or a list. The API's shape is that of ``attributes`` of its items. ``fields.py`` says which
field is which; what the dictionary leaves open (first address lines, other addresses, events, extensions) is here, as
the API was seen to answer it. Empty parts are left out; ``completed`` puts back what the API always sends.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from entities.gleif.golden import fields
from entities.gleif.records import JsonObject

TEXT, LANGUAGE = "$", "@xml:lang"
ADDRESSES = (("legalAddress", "LegalAddress"), ("headquartersAddress", "HeadquartersAddress"))
OTHER_ADDRESSES = (
    ("OtherAddress", ("Entity", "OtherAddresses")),
    ("TransliteratedOtherAddress", ("Entity", "TransliteratedOtherAddresses")),
)
EVENT = {
    "type": "LegalEntityEventType",
    "effectiveDate": "LegalEntityEventEffectiveDate",
    "recordedDate": "LegalEntityEventRecordedDate",
    "status": "@event_status",
    "validationDocuments": "ValidationDocuments",
    "validationReference": "ValidationReference",
}
EVENT_DATES = ("effectiveDate", "recordedDate")
ALWAYS: JsonObject = {
    "bic": None,
    "mic": None,
    "ocid": None,
    "qcc": None,
    "spglobal": None,
    "conformityFlag": None,
}
_LISTS = ("otherNames", "transliteratedOtherNames", "successorEntities", "otherAddresses", "eventGroups")


@dataclass(frozen=True)
class Field:
    """One row of ``fields.py``; ``api`` and ``cdf`` as steps. ``item`` is what follows the ``[]`` of each."""

    api: tuple[str, ...]
    cdf: tuple[str, ...]
    api_item: tuple[str, ...]
    cdf_item: tuple[str, ...]
    repeats: bool
    date: bool


def field_of(row: Sequence[str]) -> Field:
    """A row of ``fields.py`` taken apart."""
    api, _, api_item = row[0].partition("[]")
    cdf, _, cdf_item = row[1].partition("[]")
    return Field(
        tuple(api.split(".")),
        tuple(cdf.split("/")),
        tuple(filter(None, api_item.split("."))),
        tuple(filter(None, cdf_item.split("/"))),
        "[]" in row[0],
        row[2] == "date",
    )


LEI, RELATIONSHIP, EXCEPTION = (
    [field_of(row) for row in rows] for rows in (fields.LEI, fields.RELATIONSHIP, fields.EXCEPTION)
)
ADDRESS_FIELDS = {
    field.api[2]: field.cdf[2]
    for field in LEI
    if field.api[:2] == ("entity", "legalAddress") and not field.repeats
}


def utc(text: str) -> str:
    """A date of a file as the API writes it: UTC, whole seconds. What is no date stays as it is."""
    if text.endswith("Z") and len(text) >= 20:
        return text if len(text) == 20 else text[:19] + "Z"
    return _shifted(text)


@lru_cache(maxsize=20_000)
def _shifted(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    if len(text) <= 10:
        return text + "T00:00:00Z"
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_lei(node: JsonObject) -> JsonObject:
    """The API's ``attributes`` of an LEI record."""
    found = _read(node, LEI)
    entity: JsonObject = found.setdefault("entity", {})
    for name, element in ADDRESSES:
        address = _at(node, ("Entity", element))
        _put(entity, (name, "addressLines"), _lines(address))
    _put(entity, ("otherAddresses",), list(_other_addresses(node)))
    _put(entity, ("eventGroups",), groups(_events(node)))
    add_successor(entity)
    _put(found, ("conformityFlag",), _text(_extension(node, "conformity", "conformityflag")))
    return found


def read_relationship(node: JsonObject) -> JsonObject:
    """The API's ``attributes`` of a relationship record; ``extension.deletedAt`` when it has been deleted."""
    return _with_deletion(_read(node, RELATIONSHIP), node)


def read_exception(node: JsonObject) -> JsonObject:
    """The API's ``attributes`` of a reporting exception; ``extension.deletedAt`` when it has been deleted."""
    return _with_deletion(_read(node, EXCEPTION), node)


def write_lei(attributes: JsonObject) -> JsonObject:
    """The CDF record of an LEI record's ``attributes``; BIC and other mapped codes have no place in it."""
    node = _write(attributes, LEI)
    entity = attributes.get("entity") or {}
    for name, element in ADDRESSES:
        _write_lines(_grown(node, ("Entity", element)), (entity.get(name) or {}).get("addressLines") or [])
    for address in entity.get("otherAddresses") or []:
        kind = address.get("fieldType") or "OtherAddress"
        path = dict(OTHER_ADDRESSES).get(kind, OTHER_ADDRESSES[0][1])
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


def completed(attributes: JsonObject) -> JsonObject:
    """An LEI record's ``attributes`` with the nulls and empty lists that the API always sends."""
    entity, registration = dict(attributes.get("entity") or {}), dict(attributes.get("registration") or {})
    for target, name in ((entity, "entity"), (registration, "registration")):
        for field in LEI:
            if field.api[0] == name and not field.repeats:
                _default(target, field.api[1:])
    for name, _ in ADDRESSES:
        entity[name].setdefault("addressLines", [])
    for name in _LISTS:
        entity.setdefault(name, [])
    entity.setdefault("successorEntity", {"lei": None, "name": None})
    registration.setdefault("otherValidationAuthorities", [])
    return {**ALWAYS, **attributes, "entity": entity, "registration": registration}


def add_successor(entity: JsonObject) -> None:
    """``successorEntity`` is the first of ``successorEntities``."""
    if successors := entity.get("successorEntities"):
        entity["successorEntity"] = {"lei": successors[0].get("lei"), "name": successors[0].get("name")}


def groups(events: Iterable[tuple[str, str, JsonObject]]) -> list[JsonObject]:
    """(group type, group id, event) as the API's ``eventGroups``: events of one id are one group, in order."""
    found: list[JsonObject] = []
    known: dict[str, JsonObject] = {}
    for kind, group_id, event in events:
        group = known.get(group_id) if group_id else None
        if group is None:
            group = {"groupType": kind, "events": []}
            found.append(group)
            known[group_id] = group
        group["events"].append(event)
    return found


def _read(node: JsonObject, table: Iterable[Field]) -> JsonObject:
    found: JsonObject = {}
    for field in table:
        if not field.repeats:
            _put(found, field.api, _value(_text(_at(node, field.cdf)), field))
        elif field.api_item:
            for number, item in enumerate(_nodes(_at(node, field.cdf))):
                if value := _value(_text(_at(item, field.cdf_item)), field):
                    _put(_item(found, field.api, number), field.api_item, value)
    return found


def _value(text: str, field: Field) -> str:
    return utc(text) if field.date and text else text


def _item(found: JsonObject, path: tuple[str, ...], number: int) -> JsonObject:
    """Element ``number`` of a list, which grows by empty ones."""
    items: list[JsonObject] = _grown(found, path[:-1]).setdefault(path[-1], [])
    items += ({} for _ in range(number + 1 - len(items)))
    return items[number]


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


def _lines(address: JsonObject) -> list[str]:
    nodes = [*_nodes(address.get("FirstAddressLine")), *_nodes(address.get("AdditionalAddressLine"))]
    return [text for text in map(_text, nodes) if text]


def _write_lines(address: JsonObject, lines: Sequence[str]) -> None:
    if lines:
        address["FirstAddressLine"] = {TEXT: lines[0]}
    if lines[1:]:
        address["AdditionalAddressLine"] = [{TEXT: line} for line in lines[1:]]


def _other_addresses(node: JsonObject) -> Iterator[JsonObject]:
    for kind, path in OTHER_ADDRESSES:
        for address in _nodes(_at(node, (*path, kind))):
            parts: JsonObject = {
                name: _text(_at(address, (element,))) for name, element in ADDRESS_FIELDS.items()
            }
            parts |= {"type": _text(address.get("@type")), "addressLines": _lines(address)}
            yield {"fieldType": kind} | {name: value for name, value in parts.items() if value}


def _write_address(address: JsonObject) -> JsonObject:
    node: JsonObject = {}
    for name, element in {**ADDRESS_FIELDS, "type": "@type"}.items():
        _write_text(node, (element,), address.get(name))
    _write_lines(node, address.get("addressLines") or [])
    return node


def _events(node: JsonObject) -> Iterator[tuple[str, str, JsonObject]]:
    for event in _nodes(_at(node, ("Entity", "LegalEntityEvents", "LegalEntityEvent"))):
        parts: JsonObject = {name: _text(_at(event, (element,))) for name, element in EVENT.items()}
        affected = [
            {"value": _text(field), "xpath": _text(field.get("@field_xpath"))}
            for field in _nodes(_at(event, ("AffectedFields", "AffectedField")))
        ]
        yield _text(event.get("@group_type")), _text(event.get("@group_id")), clean_event(parts, affected)


def clean_event(parts: JsonObject, affected: list[JsonObject]) -> JsonObject:
    """An event of the API from its texts: dates in UTC, empty ones left out."""
    event = {name: utc(value) if name in EVENT_DATES else value for name, value in parts.items() if value}
    return {**event, "affectedFields": affected} if affected else event


def _write_event(event: JsonObject, group: JsonObject, number: int) -> JsonObject:
    node: JsonObject = {"@group_type": group["groupType"]} if group.get("groupType") else {}
    if len(group["events"]) > 1:
        node["@group_id"] = str(number)
    for name, element in EVENT.items():
        _write_text(node, (element,), event.get(name))
    if affected := event.get("affectedFields"):
        node["AffectedFields"] = {
            "AffectedField": [{"@field_xpath": one["xpath"], TEXT: one["value"]} for one in affected]
        }
    return node


def _extension(node: JsonObject, *names: str) -> Any:
    """A part of the extension, whatever its prefix and case."""
    found: Any = node.get("Extension")
    for name in names:
        parts = _nodes(found)
        found = next(
            (
                value
                for key, value in (parts[0] if parts else {}).items()
                if key.rpartition(":")[2].lower() == name
            ),
            None,
        )
    return found


def _with_deletion(attributes: JsonObject, node: JsonObject) -> JsonObject:
    if deleted := _text(_extension(node, "deletion", "deletedat")):
        attributes["extension"] = {"deletedAt": utc(deleted)}
    return attributes


def _write_deletion(node: JsonObject, attributes: JsonObject) -> JsonObject:
    if deleted := (attributes.get("extension") or {}).get("deletedAt"):
        node["Extension"] = {"gleif:Deletion": {"gleif:DeletedAt": {TEXT: deleted}}}
    return node


def _at(node: JsonObject, path: Iterable[str]) -> Any:
    found: Any = node
    for step in path:
        if isinstance(found, list):
            found = found[0] if found else None
        if not isinstance(found, dict):
            return {}
        found = found.get(step)
    return found if found is not None else {}


def _plain_at(attributes: JsonObject, path: Iterable[str]) -> Any:
    found: Any = attributes
    for step in path:
        found = found.get(step) if isinstance(found, dict) else None
    return found


def _nodes(value: Any) -> list[JsonObject]:
    """What may repeat: nothing, one node, or a list of them."""
    nodes = value if isinstance(value, list) else [value]
    return [node if isinstance(node, dict) else {TEXT: node} for node in nodes if node]


def _text(node: Any) -> str:
    if isinstance(node, list):
        node = node[0] if node else ""
    value = node.get(TEXT) if isinstance(node, dict) else node
    return value.strip() if isinstance(value, str) else ""


def _grown(parent: JsonObject, path: Iterable[str]) -> JsonObject:
    for step in path:
        parent = parent.setdefault(step, {})
    return parent


def _put(parent: JsonObject, path: tuple[str, ...], value: Any) -> None:
    if value:
        _grown(parent, path[:-1])[path[-1]] = value


def _default(target: JsonObject, path: tuple[str, ...]) -> None:
    """A null at the end of the path, where there is nothing; parts on the way are copied, not shared."""
    if len(path) == 1:
        target.setdefault(path[0], None)
        return
    target[path[0]] = dict(target.get(path[0]) or {})
    _default(target[path[0]], path[1:])


READ: dict[str, Callable[[JsonObject], JsonObject]] = {
    "lei2": read_lei,
    "rr": read_relationship,
    "repex": read_exception,
}
WRITE: dict[str, Callable[[JsonObject], JsonObject]] = {
    "lei2": write_lei,
    "rr": write_relationship,
    "repex": write_exception,
}
