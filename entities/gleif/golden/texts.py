"""Rows of a CSV file straight as the text that PostgreSQL's COPY reads, per table.

A row of a known shape with plain cells is one filled template; any other goes the long way, as every row does where no
COPY is.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from entities.gleif.golden.cdf import utc
from entities.gleif.golden.columns import Header, Row, getter
from entities.gleif.golden.rows import CsvRows, Fill, Shape, checked, day
from entities.gleif.golden.values import Stamp, lines, values
from entities.gleif.names import search_key

Texts: TypeAlias = tuple[str, ...]  # per table the lines of one row of the file
_LINE = "%s\t%s\t%.10s\t%.40s\t%.20s\t%.30s\t%s\t%.20s\t"  # the columns of an LEI record before its document
_RENEWAL = 6


class CsvTexts:
    """Makes text for COPY of the rows of one CSV file."""

    def __init__(self, kind: str, header: Header, stamp: Stamp) -> None:
        self.width = header.width
        self._kind, self._stamp, self._rows = kind, stamp, CsvRows(kind, header)

    def __call__(self, row: Row) -> Texts:
        return self._of(self._rows(row))

    def filling(self, columns: Sequence[int]) -> Fill[Texts]:
        """How the text of a row is made of the cells of these columns, all others being empty."""
        shape = self._rows.shape(columns)
        quick = _Quick(shape, self._stamp) if shape else None
        make = shape.fill if shape else self._rows.filling(columns)

        def fill(cells: list[str], plain: bool) -> Texts:
            return quick(cells) if plain and quick else self._of(make(cells, plain))

        return fill

    def _of(self, row: Any) -> Texts:
        return tuple(lines(table) for table in values(self._kind, [row], self._stamp))


class _Quick:
    """Fills in what COPY reads of LEI records of one shape, with cells in which nothing need be escaped."""

    def __init__(self, shape: Shape, stamp: Stamp) -> None:
        main = len(shape.main)
        self._template = _LINE + shape.template + "\t" + "\t".join(stamp).replace("%", "%%") + "\n"
        self._cells = getter([*shape.main, *shape.places])
        self._dates = [_RENEWAL, *(main + place for place in shape.dates)]
        self._names = shape.names

    def __call__(self, filled: list[str]) -> Texts:
        filled.append("")  # what is not there is the last
        cells = list(self._cells(filled))
        lei = checked(cells[0])
        for place in self._dates:
            if len(date := cells[place]) != 20 or date[-1] != "Z":  # else it is as ``utc`` would write it
                cells[place] = utc(date)
        cells[_RENEWAL] = day(cells[_RENEWAL]) or "\\N"
        names = [
            f"{lei}\t{(text := filled[name])}\t{word or filled[kind][:60]}\t{filled[tongue][:20]}\t{search_key(text)}\n"
            for name, word, kind, tongue in self._names
        ]
        return self._template % tuple(cells), "".join(names)
