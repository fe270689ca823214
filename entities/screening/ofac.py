"""OFAC's lists: SDN.XML and CONSOLIDATED.XML of the Sanctions List Service, which have one format.

The key is the ``uid`` of an entry. That it is the number of OFAC's search page is not verified. ``Record_Count`` is the
number of entries in the file.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from entities.screening.dates import read_date
from entities.screening.places import country
from entities.screening.records import ALIAS, FORMER, PRIMARY, Entry, Identifier, ListedName, make_name
from entities.screening.told import Told, moment
from entities.screening.xml import Element, elements, text_of, texts_of

KINDS = {"individual": "person", "vessel": "vessel", "aircraft": "aircraft"}
PLACES = (
    "nationalityList/nationality/country",
    "citizenshipList/citizenship/country",
    "addressList/address/country",
    "vesselInfo/vesselFlag",
)


def read(path: Path, told: Told) -> Iterator[Entry]:
    """The entries of SDN.XML or CONSOLIDATED.XML. Raises BadList."""
    for element in elements(path, ("publshInformation", "sdnEntry")):
        if element.tag == "publshInformation":  # OFAC's own spelling
            told.published = moment(text_of(element, "Publish_Date"), "%m/%d/%Y")
            count = text_of(element, "Record_Count")
            told.stated = int(count) if count.isascii() and count.isdigit() else None
        elif element.tag == "sdnEntry" and (entry := told.entry(**_values(element))):
            yield entry


def _values(element: Element) -> dict[str, Any]:
    kind = KINDS.get(text_of(element, "sdnType").lower(), "entity")
    names = [_name(element, kind, PRIMARY)]
    for aka in element.findall("akaList/aka"):
        former = text_of(aka, "type").lower().startswith("f.k.a")
        weak = text_of(aka, "category").lower() == "weak"
        names.append(_name(aka, kind, FORMER if former else ALIAS, weak=weak))
    return {
        "key": text_of(element, "uid"),
        "kind": kind,
        "names": names,
        "births": [
            read_date(text) for text in texts_of(element, "dateOfBirthList/dateOfBirthItem/dateOfBirth")
        ],
        "countries": [country(text) for path in PLACES for text in texts_of(element, path)],
        "identifiers": [_identifier(one) for one in element.findall("idList/id")],
        "programs": texts_of(element, "programList/program"),
        "remarks": text_of(element, "remarks"),
    }


def _name(element: Element, kind: str, type: str, *, weak: bool = False) -> ListedName:
    first, last = text_of(element, "firstName"), text_of(element, "lastName")
    parts = [("given", first), ("family", last)] if kind == "person" else []
    return make_name(f"{first} {last}", type=type, weak=weak, parts=parts)


def _identifier(element: Element) -> Identifier:
    """The list keeps gender and risk remarks among the numbers; those have no digit."""
    number = text_of(element, "idNumber")[:100]
    if not any(map(str.isdigit, number)):
        number = ""
    return Identifier(text_of(element, "idType")[:100], number, country(text_of(element, "idCountry")))
