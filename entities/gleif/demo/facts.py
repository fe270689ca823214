"""The facts of the demo register: real entities as GLEIF's register had them, one row each.

``entities.tsv`` holds what an LEI record says, by columns:

- ``seat`` and ``headquarters``: "City REGION" ("München DE-BY"); "=" the same as the seat
- ``form``: ISO 20275 code, after a colon the free text of the codes 8888 and 9999
- ``register``: registration authority, a colon, the number there
- ``direct`` and ``ultimate``: LEI of the accounting parent; "!REASON" the reporting exception; "!" an exception
  whose reason our source does not carry; "=" (ultimate only) the direct parent, which itself reports an exception
- ``manager`` and ``umbrella``: of a fund, the LEI of its manager and of the fund it is a part of
- ``expired``: date and reason; ``successor``: an LEI, or a name in quotes where the register knows no more
- ``seen``: the day of the golden copy the row is taken from; rows are as old as that, and an empty field means
  that the source was silent, not that the register is

``names.tsv`` holds the other names, ``isins.tsv`` the ISINs of the entities whose list is complete. LEI data is
published by GLEIF under CC0 1.0.
"""

import csv
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

AS_OF = "2026-01-02T00:00:00Z"  # the newest golden copy that any row is taken from
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class OtherName:
    type: str
    language: str
    name: str


@dataclass(frozen=True, slots=True)
class Entity:
    """One row of the table; ``synthetic`` marks what a test made up."""

    lei: str
    name: str
    language: str = ""
    jurisdiction: str = ""
    seat: str = ""
    headquarters: str = ""
    category: str = ""
    form: str = ""
    register: str = ""
    entity: str = ""
    registration: str = ""
    initial: str = ""
    updated: str = ""
    renewal: str = ""
    issuer: str = ""
    corroboration: str = ""
    conformity: str = ""
    bic: str = ""
    direct: str = ""
    ultimate: str = ""
    manager: str = ""
    umbrella: str = ""
    expired: str = ""
    successor: str = ""
    seen: str = ""
    names: tuple[OtherName, ...] = ()
    isins: tuple[str, ...] = ()
    synthetic: bool = False

    def up(self, column: str) -> str:
        """The LEI that ``direct``, ``ultimate``, ``manager`` or ``umbrella`` points to, or ""."""
        value: str = getattr(self, column)
        if value == "=":
            value = self.direct
        return "" if value.startswith("!") else value

    def exception(self, column: str) -> str | None:
        """The reason of a reporting exception ("" when our source has none), or None without an exception."""
        value: str = getattr(self, column)
        return value[1:] if value.startswith("!") else None


@cache
def load() -> tuple[Entity, ...]:
    """The whole table, in its own order."""
    names: dict[str, list[OtherName]] = defaultdict(list)
    for row in _rows("names.tsv"):
        names[row["lei"]].append(OtherName(row["type"], row["language"], row["name"]))
    isins: dict[str, list[str]] = defaultdict(list)
    for row in _rows("isins.tsv"):
        isins[row["lei"]].append(row["isin"])
    return tuple(
        Entity(**row, names=tuple(names[row["lei"]]), isins=tuple(isins[row["lei"]]))
        for row in _rows("entities.tsv")
    )


def _rows(file: str) -> Iterator[dict[str, Any]]:
    lines = (HERE / file).read_text(encoding="utf-8").splitlines()
    kept = (line for line in lines if line and not line.startswith("#"))
    return csv.DictReader(kept, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
