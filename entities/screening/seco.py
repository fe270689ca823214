"""The list of all sanctions of SECO (SESAM, downloadXmlGesamtliste).

The file keeps its history: delisted targets stay in it, and each ``modification`` repeats what it added and removed.
Only the current state is read: a target whose last modification is a delisting is left out, and nothing inside a
modification is. The key is the ``ssid`` of a target. The file states no number of targets.
"""

from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

from entities.screening.dates import join_date
from entities.screening.places import country
from entities.screening.records import ALIAS, FORMER, PRIMARY, Entry, Identifier, ListedName, make_name
from entities.screening.told import Told, moment
from entities.screening.xml import Element, elements, text_of

MAX_SPELLINGS = 64  # of one name in one language and script
KINDS = {"individual": "person", "entity": "entity", "object": "vessel"}
TYPES = {"primary-name": PRIMARY, "formerly-known-as": FORMER}
PARTS = {
    "given-name": "given",
    "further-given-name": "given",
    "father-name": "patronymic",
    "grand-father-name": "patronymic",
    "family-name": "family",
    "maiden-name": "family",
}
LEFT_OUT = ("title", "suffix")


def read(path: Path, told: Told) -> Iterator[Entry]:
    """The targets that are listed now. Raises BadList.

    The file is read twice: targets refer to programs and places, which may stand behind them.
    """
    programs: dict[str, str] = {}
    places: dict[str, str] = {}
    for element in elements(path, ("sanctions-program", "place", "target")):
        if element.tag == "swiss-sanctions-list":
            told.published = moment(element.get("date", ""))
        elif element.tag == "sanctions-program":
            name = text_of(element, "program-name[@lang='eng']") or text_of(element, "program-name")
            programs.update({one.get("ssid", ""): name for one in element.findall("sanctions-set")})
        elif element.tag == "place":
            places[element.get("ssid", "")] = _country(element.find("country"))
    for element in elements(path, ("sanctions-program", "place", "target")):
        if element.tag != "target":
            continue
        if _is_delisted(element):
            told.delisted += 1
        elif entry := told.entry(**_values(element, programs, places)):
            yield entry


def _is_delisted(element: Element) -> bool:
    """By the modification that took effect last; of several of one day the one that stands last in the file."""
    changes = [
        (one.get("effective-date") or one.get("publication-date") or "", at, one.get("modification-type"))
        for at, one in enumerate(element.findall("modification"))
    ]
    return bool(changes) and max(changes)[2] == "de-listed"


def _values(element: Element, programs: dict[str, str], places: dict[str, str]) -> dict[str, Any]:
    who = next((found for tag in KINDS if (found := element.find(tag)) is not None), None)
    identities = [] if who is None else who.findall("identity")
    kind = "entity" if who is None else KINDS[who.tag]
    if who is not None and who.get("object-type") == "aircraft":
        kind = "aircraft"
    set_id = element.get("sanctions-set-id") or text_of(element, "sanctions-set-id")
    stated = [one.get("publication-date") or "" for one in element.findall("modification")]
    return {
        "key": element.get("ssid", ""),
        "kind": kind,
        "names": [name for one in identities for name in _names(one)],
        "births": [
            join_date(day.get("year"), day.get("month"), day.get("day"))
            for one in identities
            for day in one.findall("day-month-year")
        ],
        "countries": [code for one in identities for code in _countries(one, places)],
        "identifiers": [
            _identifier(found) for one in identities for found in one.findall("identification-document")
        ],
        "programs": [programs.get(set_id, "")],
        "listed_on": min(filter(None, stated), default=""),
        "remarks": text_of(element, "foreign-identifier"),
    }


def _names(identity: Element) -> Iterator[ListedName]:
    main = identity.get("main") == "true"
    for name in identity.findall("name"):
        type = TYPES.get(name.get("name-type", ""), ALIAS)
        weak = name.get("quality") == "low"
        parts = sorted(name.findall("name-part"), key=lambda part: int(part.get("order") or 0))
        parts = [part for part in parts if part.get("name-part-type") not in LEFT_OUT]
        yield _whole(parts, [text_of(part, "value") for part in parts], type if main else ALIAS, weak)
        variants = dict.fromkeys(
            (one.get("lang") or "", one.get("script") or "")
            for part in parts
            for one in part.findall("spelling-variant")
        )
        for language, script in variants:
            spellings = [_spellings(part, language, script) for part in parts]
            for chosen in islice(product(*spellings), MAX_SPELLINGS):
                yield _whole(parts, chosen, ALIAS if type == PRIMARY else type, weak, language)


def _spellings(part: Element, language: str, script: str) -> list[str]:
    """How a part is written in a language and script; as it is written otherwise where it is in none."""
    found = [
        one.text.strip()
        for one in part.findall("spelling-variant")
        if (one.get("lang") or "", one.get("script") or "") == (language, script) and one.text
    ]
    return found or [text_of(part, "value")]


def _whole(parts: list[Element], texts: Any, type: str, weak: bool, language: str = "") -> ListedName:
    kinds = [PARTS.get(part.get("name-part-type", ""), "other") for part in parts]
    told = list(zip(kinds, texts, strict=True)) if any(kind != "other" for kind in kinds) else []
    return make_name(" ".join(filter(None, texts)), type=type, weak=weak, language=language[:20], parts=told)


def _countries(identity: Element, places: dict[str, str]) -> Iterator[str]:
    for found in identity.findall("nationality"):
        yield _country(found.find("country"))
    for found in identity.findall("address"):
        yield places.get(found.get("place-id", ""), "") or _country(found.find("country"))


def _identifier(element: Element) -> Identifier:
    issuer = element.find("issuer")
    code = "" if issuer is None else country(issuer.get("code") or issuer.text)
    return Identifier((element.get("document-type") or "")[:100], text_of(element, "number")[:100], code)


def _country(element: Element | None) -> str:
    return "" if element is None else country(element.get("iso-code") or element.text)
