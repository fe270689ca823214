"""Tables: unbreakable rows, a repeated head, widths that fit the page."""

from collections.abc import Iterator, Sequence

from docx.oxml.xmlchemy import BaseOxmlElement

from research.memo.docx.xml import element, paragraph

WIDTH = 8950  # width of the text on A4, in twentieths of a point
NAME = 2150
NARROWEST, WIDEST = 8, 36  # width of a column, in characters
LINE = "C5CCD3"
Runs = Sequence[BaseOxmlElement]


def pairs_table(rows: Sequence[Sequence[Runs]]) -> Iterator[BaseOxmlElement]:
    """Names and values side by side, without lines. Details of a value are below it."""
    made = [
        _row(
            [
                _cell(NAME, [paragraph("MemoName", name)]),
                _cell(WIDTH - NAME, [paragraph("MemoValue", runs) for runs in value]),
            ]
        )
        for name, *value in rows
    ]
    yield _table([NAME, WIDTH - NAME], made, lines=False)
    yield _after()


def table(rows: Sequence[Sequence[Runs]]) -> Iterator[BaseOxmlElement]:
    """A table with the first row as its head. Column widths follow the longest texts, within bounds."""
    count = max(map(len, rows))
    widths = _widths(rows, count)
    made = []  # keep the head with the first row, and the last row with the one before it
    for place, row in enumerate(rows):
        style, kept = "MemoCell" if place else "MemoCellHead", place in (0, len(rows) - 2)
        cells = [
            _cell(width, [paragraph(style, runs, *([element("keepNext")] if kept else []))])
            for width, runs in zip(widths, [*row, *[[]] * (count - len(row))], strict=True)
        ]
        made.append(_row(cells, head=not place))
    yield _table(widths, made, lines=True)
    yield _after()


def _widths(rows: Sequence[Sequence[Runs]], count: int) -> list[int]:
    """The page width divided by the longest text of each column."""
    wanted = [NARROWEST] * count
    for row in rows:
        for place, runs in enumerate(row):
            length = sum(len(run.text or "") for run in runs)
            wanted[place] = max(wanted[place], min(length, WIDEST))
    return [WIDTH * each // sum(wanted) for each in wanted]


def _table(widths: Sequence[int], rows: Sequence[BaseOxmlElement], *, lines: bool) -> BaseOxmlElement:
    edges = [
        element(side, val="single" if lines else "nil", sz="4", space="0", color=LINE)
        for side in ("top", "bottom", "insideH")
    ]
    properties = element(
        "tblPr",
        [
            element("tblW", w=str(WIDTH), type="dxa"),
            element("tblBorders", edges),
            element("tblLayout", type="fixed"),
            element(
                "tblCellMar", [element("left", w="0", type="dxa"), element("right", w="110", type="dxa")]
            ),
        ],
    )
    grid = element("tblGrid", [element("gridCol", w=str(width)) for width in widths])
    return element("tbl", [properties, grid, *rows])


def _row(cells: Sequence[BaseOxmlElement], *, head: bool = False) -> BaseOxmlElement:
    properties = [element("cantSplit"), *([element("tblHeader")] if head else [])]
    return element("tr", [element("trPr", properties), *cells])


def _cell(width: int, paragraphs: Sequence[BaseOxmlElement]) -> BaseOxmlElement:
    return element("tc", [element("tcPr", [element("tcW", w=str(width), type="dxa")]), *paragraphs])


def _after() -> BaseOxmlElement:
    """A small gap, which also keeps adjacent tables separate."""
    spacing = element("spacing", before="0", after="0", line="120", lineRule="exact")
    return paragraph("Normal", [], spacing)
