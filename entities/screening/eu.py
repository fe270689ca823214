"""The consolidated list of the EU's financial sanctions (xmlFullSanctionsList_1_1).

The key is euReferenceNumber, else logicalId. Only the Official Journal is authentic. The file states no number of
entries.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from entities.screening.dates import join_date, read_date
from entities.screening.places import country
from entities.screening.records import ALIAS, PRIMARY, Entry, Identifier, ListedName, make_name
from entities.screening.told import Told, moment
from entities.screening.xml import Element, elements, text_of, texts_of

_LOW = re.compile(r"low\s+quality", re.IGNORECASE)
_PARTS = (("firstName", "given"), ("middleName", "other"), ("lastName", "family"))


def read(path: Path, told: Told) -> Iterator[Entry]:
    """The entries of the full list. Raises BadList."""
    for element in elements(path, ("sanctionEntity",)):
        if element.tag == "export":
            told.published = moment(element.get("generationDate", ""))
        elif element.tag == "sanctionEntity" and (entry := told.entry(**_values(element))):
            yield entry


def _values(element: Element) -> dict[str, Any]:
    subject = element.find("subjectType")
    codes = {} if subject is None else subject.attrib
    person = codes.get("classificationCode") == "P" or codes.get("code") == "person"
    regulations = element.findall("regulation")
    return {
        "key": element.get("euReferenceNumber") or element.get("logicalId") or "",
        "kind": "person" if person else "entity",
        "names": [
            _name(one, first=at == 0, person=person) for at, one in enumerate(element.findall("nameAlias"))
        ],
        "births": [_birth(one) for one in element.findall("birthdate")],
        "countries": [
            country(one.get("countryIso2Code"))
            for tag in ("citizenship", "address")
            for one in element.findall(tag)
            if one.get("countryIso2Code") != "00"
        ],
        "identifiers": [
            Identifier(
                (one.get("identificationTypeDescription") or one.get("identificationTypeCode") or "")[:100],
                (one.get("number") or "")[:100],
                country(one.get("countryIso2Code")),
            )
            for one in element.findall("identification")
        ],
        "programs": dict.fromkeys(one.get("programme") or "" for one in regulations),
        "listed_on": min((one.get("publicationDate") or "9999" for one in regulations), default="").replace(
            "9999", ""
        ),
        "remarks": text_of(element, "remark"),
    }


def _name(element: Element, *, first: bool, person: bool) -> ListedName:
    """Low quality is the attribute ``strong``, or a remark in words."""
    weak = element.get("strong") == "false" or any(_LOW.search(text) for text in texts_of(element, "remark"))
    whole = element.get("wholeName") or " ".join(filter(None, (element.get(name) for name, _ in _PARTS)))
    parts = [(kind, element.get(name)) for name, kind in _PARTS] if person else []
    language = (element.get("nameLanguage") or "")[:20].lower()
    return make_name(whole, type=PRIMARY if first else ALIAS, weak=weak, language=language, parts=parts)


def _birth(element: Element) -> str:
    about = element.get("circa") == "true"
    first, last = join_date(element.get("yearRangeFrom")), join_date(element.get("yearRangeTo"))
    if first and last:
        return f"{first}/{last}"
    if stated := read_date(element.get("birthdate") or ""):
        return f"{stated}~" if about else stated
    return join_date(element.get("year"), element.get("monthOfYear"), element.get("dayOfMonth"), about=about)
