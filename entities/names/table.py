"""Which table of names an index is of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NameTable:
    """A table with one row for each name: ``holder`` is the column of whose name it is, ``key`` that of its key.

    ``prefix`` begins the names of what the index consists of. All four are ours, so they may stand in statements.
    """

    name: str
    holder: str
    key: str
    prefix: str
