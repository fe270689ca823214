"""The consolidated list of the UN Security Council (consolidated.xml).

The key is REFERENCE_NUMBER, else DATAID; that either is permanent is not verified. The file states no number of
entries.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from entities.screening.dates import join_date, read_date
from entities.screening.places import country
from entities.screening.records import ALIAS, FORMER, PRIMARY, Entry, Identifier, ListedName, make_name
from entities.screening.told import Told, moment
from entities.screening.xml import Element, elements, text_of, texts_of

NAMES = ("FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME")
PLACES = ("NATIONALITY/VALUE", "INDIVIDUAL_ADDRESS/COUNTRY", "ENTITY_ADDRESS/COUNTRY")


def read(path: Path, told: Told) -> Iterator[Entry]:
    """The entries of consolidated.xml. Raises BadList."""
    for element in elements(path, ("INDIVIDUAL", "ENTITY")):
        if element.tag == "CONSOLIDATED_LIST":
            told.published = moment(element.get("dateGenerated", ""))
        elif element.tag in ("INDIVIDUAL", "ENTITY") and (entry := told.entry(**_values(element))):
            yield entry


def _values(element: Element) -> dict[str, Any]:
    kind = "person" if element.tag == "INDIVIDUAL" else "entity"
    return {
        "key": text_of(element, "REFERENCE_NUMBER") or text_of(element, "DATAID"),
        "kind": kind,
        "names": list(_names(element, kind)),
        "births": [_birth(one) for one in element.findall("INDIVIDUAL_DATE_OF_BIRTH")],
        "countries": [country(text) for path in PLACES for text in texts_of(element, path)],
        "identifiers": [
            Identifier(
                text_of(one, "TYPE_OF_DOCUMENT")[:100],
                text_of(one, "NUMBER")[:100],
                country(text_of(one, "ISSUING_COUNTRY")),
            )
            for one in element.findall("INDIVIDUAL_DOCUMENT")
        ],
        "programs": texts_of(element, "UN_LIST_TYPE"),
        "listed_on": read_date(text_of(element, "LISTED_ON")),
        "remarks": text_of(element, "COMMENTS1"),
    }


def _names(element: Element, kind: str) -> Iterator[ListedName]:
    yield make_name(" ".join(filter(None, (text_of(element, name) for name in NAMES))), type=PRIMARY)
    yield make_name(text_of(element, "NAME_ORIGINAL_SCRIPT"), type=PRIMARY)
    for alias in element.findall("INDIVIDUAL_ALIAS" if kind == "person" else "ENTITY_ALIAS"):
        quality = text_of(alias, "QUALITY").lower()
        type = FORMER if quality.startswith("f.k.a") else ALIAS
        for text in text_of(alias, "ALIAS_NAME").split(";"):
            yield make_name(text, type=type, weak=quality == "low")


def _birth(element: Element) -> str:
    """TYPE_OF_DATE is EXACT, APPROXIMATELY or BETWEEN."""
    about = text_of(element, "TYPE_OF_DATE").upper() == "APPROXIMATELY"
    first, last = join_date(text_of(element, "FROM_YEAR")), join_date(text_of(element, "TO_YEAR"))
    if first and last:
        return f"{first}/{last}"
    found = read_date(text_of(element, "DATE")) or join_date(text_of(element, "YEAR"))
    return f"{found}~" if found and about else found
