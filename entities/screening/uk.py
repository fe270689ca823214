"""The UK Sanctions List (UK-Sanctions-List.csv), the only list of UK designations since 28 January 2026 [reported].

One row for each name and address of a target, put together by Unique ID, wherever they stand. The first line says
``Report Date:``. The file states no number of entries. Column names are compared without blanks and marks, because they
are written in several ways.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from entities.screening.dates import read_date
from entities.screening.errors import BadList
from entities.screening.places import countries
from entities.screening.records import ALIAS, PRIMARY, Entry, Identifier, ListedName, make_name
from entities.screening.told import Told, moment

KINDS = {"individual": "person", "ship": "vessel", "vessel": "vessel"}
GIVEN = tuple(f"name{number}" for number in range(1, 6))
PLACES = ("nationalityies", "nationality", "addresscountry", "currentbelievedflagofship")
NUMBERS = {
    "passportnumber": "Passport",
    "nationalidentifiernumber": "National identifier",
    "businessregistrationnumbers": "Business registration",
    "imonumber": "IMO",
}
NEEDED = ("uniqueid", "name6")
_MARKS = re.compile(r"[^a-z0-9]+")
_NUMBERED = re.compile(r"\(\d+\)\s*")
_DATES = ("%d-%b-%Y", "%d/%m/%Y", "%d %B %Y", "%d-%B-%Y", "%Y-%m-%d")


@dataclass
class _Target:
    """What the rows of one target say together; dictionaries keep the order and each value once."""

    kind: str = "entity"
    names: dict[ListedName, None] = field(default_factory=dict)
    births: dict[str, None] = field(default_factory=dict)
    countries: dict[str, None] = field(default_factory=dict)
    identifiers: dict[Identifier, None] = field(default_factory=dict)
    programs: dict[str, None] = field(default_factory=dict)
    listed_on: str = ""
    remarks: str = ""


def read(path: Path, told: Told) -> Iterator[Entry]:
    """The entries of the CSV file, in the order of their first rows. Raises BadList.

    What all rows of a target say is kept until the end of the file, some kilobytes for each.
    """
    targets: dict[str, _Target] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            told.published = _report_date(file.readline())
            rows = csv.reader(file, strict=True)
            columns = [_MARKS.sub("", cell.lower()) for cell in next(rows, [])]
            if missing := [name for name in NEEDED if name not in columns]:
                raise BadList(f"The file has no column {' and no column '.join(missing)}.")
            for cells in rows:
                if cells:
                    _take(targets, _row(columns, cells, rows.line_num + 1))
    except (csv.Error, UnicodeDecodeError) as error:
        raise BadList(f"The file is cut off or no CSV ({error}).") from None
    for key in list(targets):
        target = targets.pop(key)
        if entry := told.entry(key=key, **vars(target)):
            yield entry


def _report_date(line: str) -> datetime:
    words, _, day = line.strip().strip('",').partition(":")
    found = moment(day.strip(' ",'), *_DATES)
    if words.strip().lower() != "report date" or found is None:
        raise BadList("The file does not begin with “Report Date:” and a date.")
    return found


def _row(columns: Sequence[str], cells: Sequence[str], line: int) -> dict[str, str]:
    if len(cells) != len(columns):
        raise BadList(
            f"Line {line} has {len(cells)} cells where the head has {len(columns)}; the file may be cut off."
        )
    return {column: cell.strip() for column, cell in zip(columns, cells, strict=True)}


def _take(targets: dict[str, _Target], row: dict[str, str]) -> None:
    target = targets.setdefault(row["uniqueid"][:100], _Target())
    kind = row.get("designationtype") or row.get("individualentityship") or ""
    target.kind = KINDS.get(kind.lower(), "entity")
    target.names.update(dict.fromkeys(_names(row, target.kind)))
    target.births.update(dict.fromkeys(map(read_date, _several(row.get("dob", "")))))
    target.countries.update(dict.fromkeys(code for name in PLACES for code in countries(row.get(name))))
    for column, type in NUMBERS.items():
        for number in _several(row.get(column, "")):
            target.identifiers[Identifier(type, number[:100])] = None
    target.programs.update(dict.fromkeys(filter(None, [row.get("regimename", "")])))
    target.listed_on = target.listed_on or read_date(row.get("datedesignated", ""))
    target.remarks = target.remarks or row.get("otherinformation", "")


def _names(row: dict[str, str], kind: str) -> Iterator[ListedName]:
    """Name 6 is the family name, or the whole name of what is no person; 1 is given, 2 to 5 are mixed."""
    family, given = row["name6"], [row.get(name, "") for name in GIVEN]
    type = PRIMARY if row.get("nametype", "").lower() == "primary name" else ALIAS
    weak = row.get("aliasstrength", "").lower().startswith("low")
    parts = []
    if kind == "person":
        parts = [("given", given[0]), *(("other", text) for text in given[1:]), ("family", family)]
    yield make_name(" ".join(filter(None, (*given, family))), type=type, weak=weak, parts=parts)
    yield make_name(
        row.get("namenonlatinscript", ""),
        type=type,
        weak=weak,
        language=row.get("nonlatinscriptlanguage", "")[:20].lower(),
    )


def _several(cell: str) -> list[str]:
    """ "(1) 01/02/1970 (2) dd/mm/1971" are two."""
    return [text for part in _NUMBERED.split(cell) if (text := part.strip(" ;,"))]
