"""The official collections: a BGE against the list of start pages; a BVGE or TPF by its year."""

import re
from datetime import date

from citations.authority.bge import FIRST_YEAR, BgeIndex, Existence, newest_volume
from citations.verify.judgement import Finding, Standing

AUTHORITY = "bge-index"
TABLE = "built-in table"
_LOCUS = re.compile(r"BGE (\d+) ([IVX]+[ab]?) (\d+)")
_YEARLY = re.compile(r"(BVGE|TPF) (\d{4})\b")
_FIRST = {"BVGE": 2007, "TPF": 2004}  # their courts began in 2007 and 2004
YEARS_BACK, YEARS_ON = (
    2,
    1,
)  # a volume prints decisions of its year, of the end of the one before and rarely others
_PAGE = re.compile(r"S\. (\d+)")


def judge_bge(normalized: str, index: BgeIndex, *, today: date, as_of: str = "") -> Standing:
    """How a BGE stands with the list; without a list only what is impossible is decided."""
    found = index.find(normalized, today=today)
    say = {"start": _start, "interior": _interior, "nonexistent": _nonexistent, "undecidable": _undecidable}
    reason, message = say[found.status](normalized, found, index, today)
    listed = found.status in ("start", "interior") or (found.reason == "page" and bool(index.series))
    return Standing(
        verdict=found.status,
        reason=reason,
        message=message,
        authority=AUTHORITY if listed or index.series else TABLE,
        as_of=as_of if index.series else "",
        evidence={"list_ends_with_volume": index.newest} if index.series else {},
        suggestions=found.suggestions,
    )


def _start(name: str, found: Existence, index: BgeIndex, today: date) -> tuple[str, str]:
    return "start_page", f"A decision begins at {name}."


def _interior(name: str, found: Existence, index: BgeIndex, today: date) -> tuple[str, str]:
    volume, division, _ = _parts(name)
    bounds = index.bounds(name)
    within = f"; the page may lie within BGE {volume} {division} {bounds[0]}" if bounds else ""
    return "interior_page", f"No decision begins at {name}{within}."


def _nonexistent(name: str, found: Existence, index: BgeIndex, today: date) -> tuple[str, str]:
    volume, division, _ = _parts(name)
    why = {
        "volume": f"the volumes go from 1 to {newest_volume(today)}",
        "division": f"volume {volume} has no division {division}",
        "page": f"volume {volume} {division} has no decision there",
    }
    return found.reason or "page", f"{name} does not exist: {why[found.reason or 'page']}."


def _undecidable(name: str, found: Existence, index: BgeIndex, today: date) -> tuple[str, str]:
    if not _LOCUS.fullmatch(name):
        return "roman_volume", f"{name} is cited as before 1898; the list does not go by these names."
    if not index.series:
        return "no_list", "No list of the official collection was imported, so the page cannot be looked up."
    volume, division, _ = _parts(name)
    if int(volume) >= index.newest - 1:
        return "open_volume", f"Volume {volume} was still growing when the list was made."
    return "no_series", f"The list has no volume {volume} {division}, though there may be one."


def _parts(name: str) -> tuple[str, str, str]:
    found = _LOCUS.fullmatch(name)
    return (found[1], found[2], found[3]) if found else (name, "", "")


def judge_yearly(normalized: str, *, today: date) -> Standing:
    """A BVGE or TPF: impossible before its court began and after today, else to be asked for."""
    found = _YEARLY.match(normalized)
    if found and not _FIRST[found[1]] <= int(found[2]) <= today.year:
        first = _FIRST[found[1]]
        message = f"{normalized} does not exist: the collection goes from {first} to {today.year}."
        return Standing("nonexistent", "year", message, TABLE)
    return Standing("unknown", "not_asked", "No list of this collection is at hand.")


def date_of_volume(normalized: str, stated: str) -> Finding | None:
    """What a stated date (ISO, or a year) says against the volume: its year is the volume and 1874."""
    volume, _, _ = _parts(normalized)
    if not volume.isdigit() or not stated[:4].isdigit():
        return None
    year, said = int(volume) + FIRST_YEAR, int(stated[:4])
    if year - YEARS_BACK <= said <= year + YEARS_ON:
        return None
    message = f"Volume {volume} is of {year}, but the text dates the decision {stated}."
    return Finding("date", "warn", message, {"stated": stated, "volume_year": year})


def pages_of(normalized: str, pinpoints: list[str], index: BgeIndex) -> Finding | None:
    """A cited page before the decision begins or behind the beginning of the next one."""
    bounds = index.bounds(normalized)
    if bounds is None:
        return None
    for pin in pinpoints:
        cited = _PAGE.match(pin)
        if cited and not bounds[0] <= int(cited[1]) <= bounds[1]:
            message = f"{normalized} stands on pages {bounds[0]} to {bounds[1]} at most, not on {pin}."
            return Finding("pinpoint", "warn", message, {"pinpoint": pin, "pages": list(bounds)})
    return None
