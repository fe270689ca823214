"""Hard names: companies that never were, and 300 ways in which somebody may have written their names down.

``companies.txt`` and ``queries.txt`` were written before any rule was changed because of them.
"""

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
KINDS = {"PREVIOUS": "PREVIOUS_LEGAL_NAME", "TRADING": "TRADING_OR_OPERATING_NAME"}


@dataclass(frozen=True)
class Company:
    """A company with its other names as (name, type)."""

    id: str
    country: str
    name: str
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Query:
    """A name as somebody wrote it; ``wanted`` is the id of the company meant, "" where nobody is."""

    kind: str
    name: str
    wanted: str


def companies() -> list[Company]:
    """The companies of the register."""
    return [
        Company(id, country, name, tuple(map(_other, filter(None, others.split("; ")))))
        for id, country, name, others in _rows("companies.txt", 4)
    ]


def queries() -> list[Query]:
    """The 300 names asked for."""
    return [Query(kind, name, "" if id == "-" else id) for kind, name, id in _rows("queries.txt", 3)]


def _other(text: str) -> tuple[str, str]:
    kind, _, name = text.partition("=")
    return name, KINDS.get(kind, "AUTO_ASCII_TRANSLITERATED_LEGAL_NAME")


def _rows(file: str, width: int) -> list[list[str]]:
    lines = (HERE / file).read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if not line.startswith("#")]
    return [row + [""] * (width - len(row)) for row in rows]
