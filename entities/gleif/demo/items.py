"""Rows of the demo table in the documented shape of GLEIF's API v1: records, relationships, reporting exceptions."""

from entities.gleif.demo.facts import Entity, OtherName
from entities.gleif.records import EXCEPTION_CATEGORY, JsonObject, Level

TRANSLITERATED = "TRANSLITERATED_LEGAL_NAME"  # the end of both type names
PARENTS: tuple[Level, ...] = ("direct", "ultimate")


def record_item(entity: Entity, relations: list[str], base: str) -> JsonObject:
    """A ``lei-records`` item; ``relations`` are the related lists it links to besides its parents."""
    item: JsonObject = {
        "type": "lei-records",
        "id": entity.lei,
        "attributes": {
            "lei": entity.lei,
            "entity": _entity(entity),
            "registration": _registration(entity),
            "bic": entity.bic.split(",") if entity.bic else None,
            "conformityFlag": entity.conformity or None,
        },
        "relationships": _relationships(entity, relations, f"{base}/lei-records/{entity.lei}"),
        "links": {"self": f"{base}/lei-records/{entity.lei}"},
        "meta": {"seen": entity.seen or None},
    }
    if entity.synthetic:
        item["meta"]["synthetic"] = True
    return item


def relationship_item(start: str, end: str, type_: str) -> JsonObject:
    """A ``relationship-records`` item. The table keeps the relation alone, so its registration is empty."""
    return {
        "type": "relationship-records",
        "id": f"{start}|{end}|{type_}",
        "attributes": {
            "relationship": {
                "startNode": {"id": start, "type": "LEI"},
                "endNode": {"id": end, "type": "LEI"},
                "type": type_,
                "status": "ACTIVE",
                "periods": [],
            },
            "registration": {"status": None, "corroborationLevel": None},
        },
    }


def exception_item(entity: Entity, level: Level, reason: str) -> JsonObject:
    category = EXCEPTION_CATEGORY[level]
    return {
        "type": "reporting-exceptions",
        "id": f"{entity.lei}|{category}",
        "attributes": {
            "lei": entity.lei,
            "category": category,
            "reason": reason or None,
            "reference": None,
        },
    }


def _entity(entity: Entity) -> JsonObject:
    other = [name for name in entity.names if not name.type.endswith(TRANSLITERATED)]
    transliterated = [name for name in entity.names if name.type.endswith(TRANSLITERATED)]
    headquarters = entity.seat if entity.headquarters == "=" else entity.headquarters
    form, _, form_text = entity.form.partition(":")
    authority, _, number = entity.register.partition(":")
    expired, _, reason = entity.expired.partition(" ")
    return {
        "legalName": {"name": entity.name, "language": entity.language or None},
        "otherNames": [_name(name) for name in other],
        "transliteratedOtherNames": [_name(name) for name in transliterated],
        "legalAddress": _address(entity.seat),
        "headquartersAddress": _address(headquarters) if headquarters else None,
        "registeredAt": {"id": authority or None, "other": None},
        "registeredAs": number or None,
        "jurisdiction": entity.jurisdiction or None,
        "category": entity.category or None,
        "legalForm": {"id": form or None, "other": form_text or None},
        "status": entity.entity or None,
        "expiration": {"date": _time(expired), "reason": reason or None},
        **_successor(entity.successor),
    }


def _registration(entity: Entity) -> JsonObject:
    return {
        "status": entity.registration or None,
        "initialRegistrationDate": _time(entity.initial),
        "lastUpdateDate": _time(entity.updated),
        "nextRenewalDate": _time(entity.renewal),
        "managingLou": entity.issuer or None,
        "corroborationLevel": entity.corroboration or None,
    }


def _relationships(entity: Entity, relations: list[str], own: str) -> JsonObject:
    links: JsonObject = {}
    for level in PARENTS:
        if entity.up(level):
            links[f"{level}-parent"] = {
                "links": {
                    "lei-record": f"{own}/{level}-parent",
                    "relationship-record": f"{own}/{level}-parent-relationship",
                }
            }
        elif entity.exception(level) is not None:
            links[f"{level}-parent"] = {
                "links": {"reporting-exception": f"{own}/{level}-parent-reporting-exception"}
            }
    for relation in relations:
        links[relation] = {"links": {"related": f"{own}/{relation}"}}
    return links


def _successor(successor: str) -> JsonObject:
    by_name = successor.strip('"') if successor.startswith('"') else None
    one = {"lei": (successor or None) if by_name is None else None, "name": by_name}
    return {"successorEntity": one, "successorEntities": [one] if successor else []}


def _name(other: OtherName) -> JsonObject:
    return {"name": other.name, "language": other.language or None, "type": other.type}


def _address(place: str) -> JsonObject:
    city, _, region = place.rpartition(" ")
    return {"city": city or None, "region": region or None, "country": region[:2] or None}


def _time(day: str) -> str | None:
    return f"{day}T00:00:00Z" if day else None
