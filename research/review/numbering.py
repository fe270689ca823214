"""Source numbers as a document shows them: a report numbers its sources in reading order, the run as they came."""

import re
from collections.abc import Iterable, Mapping

from research.jsontext import Json, JsonObject

_NAMED = re.compile(r"\b([Ss]ource )(\d+)\b")


def shown_numbers(data: Json, sources: Iterable[tuple[int, str]]) -> dict[int, int]:
    """The run's number of each source to that of the document; sources it does not list follow after those it does.

    Empty when the document numbers no sources, or all as the run does. ``sources`` are (number, address).
    """
    listed = data.get("sources") if isinstance(data, dict) else None
    by_address = {
        item["url"]: item["number"]
        for item in (listed if isinstance(listed, list) else ())
        if isinstance(item, dict) and isinstance(item.get("number"), int) and isinstance(item.get("url"), str)
    }
    if not by_address:
        return {}
    numbers: dict[int, int] = {}
    free = max(by_address.values())
    for number, address in sorted(sources):
        if address in by_address:
            numbers[number] = by_address[address]
        else:
            free += 1
            numbers[number] = free
    return {} if all(number == shown for number, shown in numbers.items()) else numbers


def renumbered(check: JsonObject, numbers: Mapping[int, int]) -> JsonObject:
    """A check of the kind "quote" that names its source as the document does."""
    if check.get("kind") != "quote" or not numbers:
        return check
    evidence = dict(check.get("evidence") or {})
    if evidence.get("source") in numbers:
        evidence["source"] = numbers[evidence["source"]]
    return {**check, "evidence": evidence, "message": _renamed(str(check["message"]), numbers)}


def _renamed(message: str, numbers: Mapping[int, int]) -> str:
    def shown(found: re.Match[str]) -> str:
        number = int(found[2])
        return f"{found[1]}{numbers.get(number, number)}"

    return _NAMED.sub(shown, message)
