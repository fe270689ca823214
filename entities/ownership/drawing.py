"""A chart of owners as SVG: escaped text, no script, no style attribute, so that it stands under the strict policy.

Colours come from classes: the page's style sheet has them, and a file for export carries them within. Where no style
sheet reaches, the attributes draw it in black and white, which is also how it prints.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

from common.text import cut_in_the_middle
from entities.ownership.chart import Chart, Row, RowKind
from entities.ownership.ends import GAPS
from entities.ownership.interests import PartyKind
from entities.ownership.shares import Share

FAMILY = "Source Sans 3, Noto Sans Hebrew, DejaVu Sans, sans-serif"  # those of memos on paper, else the reader's own
Link: TypeAlias = Callable[[Row], str]
HEIGHT, TOP, INDENT, BAR = 44, 10, 22, 72


@dataclass(frozen=True)
class Size:
    """``width`` in pixels, how many columns of text that is, how many levels are indented, and whether bars fit."""

    width: int
    columns: int
    deepest: int
    bars: bool


WIDE, NARROW = Size(1040, 130, 14, True), Size(364, 49, 5, False)
PAPER, ROWS_OF_A_PAGE = Size(640, 96, 8, True), 19

STYLE = """
.owners{font:13px system-ui,sans-serif;background:#fff}
.owners text{fill:#1d2733}.owners .quiet{fill:#566}.owners .line{stroke:#9aa7b4;fill:none}
.owners .mark{fill:#fff;stroke:#56657a}.owners .on .line,.owners .on .mark{stroke:#0b57a4;stroke-width:2.5}
.owners .on .name{font-weight:600}.owners .gap text{fill:#8a4b00}.owners .gap .mark{stroke:#8a4b00;stroke-dasharray:3 2}
.owners .track{fill:#e4e9ee}.owners .least{fill:#0b57a4}.owners .band{fill:#9cc3ea}
.owners .met{fill:#0a6b2e;font-weight:600}.owners .undecided{fill:#8a4b00;font-weight:600}
@media (prefers-color-scheme:dark){.owners{background:#11181f}.owners text{fill:#e7edf3}.owners .quiet{fill:#a9b6c3}
.owners .mark{fill:#11181f;stroke:#a9b6c3}.owners .on .line,.owners .on .mark{stroke:#7db8f5}
.owners .track{fill:#33414e}
.owners .least{fill:#7db8f5}.owners .band{fill:#34679a}
.owners .gap text,.owners .undecided{fill:#f0b35c}.owners .met{fill:#6fd08c}}
@media print{.owners{background:#fff}.owners text{fill:#000}}
"""


def draw_chart(chart: Chart, *, link: Link | None = None, size: Size = WIDE, styled: bool = False) -> str:
    """The chart as an SVG element. ``link`` gives the address of a row or ""; ``styled`` is for a file of its own."""
    return _element(chart, range(len(chart.rows)), link, size, styled)


def draw_pages(chart: Chart) -> list[str]:
    """The chart for paper, as SVG elements of at most ROWS_OF_A_PAGE rows each."""
    starts = range(0, len(chart.rows), ROWS_OF_A_PAGE)
    pages = [range(start, min(start + ROWS_OF_A_PAGE, len(chart.rows))) for start in starts]
    return [_element(chart, page, None, PAPER, False) for page in pages]


def outline(chart: Chart) -> list[tuple[int, str]]:
    """The chart in words: for each row its level above the subject, and what it says."""
    return [(row.level, _title(row)) for row in chart.rows]


def _element(chart: Chart, shown: range, link: Link | None, size: Size, styled: bool) -> str:
    """Rows of the chart; lines that lead to rows of another page end at its edge."""
    top, height = HEIGHT * shown.start, TOP * 2 + HEIGHT * len(shown)
    rows = "".join(_row(chart, place, link, size) for place in shown)
    style = f"<style>{STYLE}</style>" if styled else ""
    title = escape(chart.title)
    return (
        f'<svg class="owners" xmlns="http://www.w3.org/2000/svg" width="{size.width}" height="{height}" '
        f'viewBox="0 {top} {size.width} {height}" font-family="{FAMILY}" font-size="13" role="group" '
        f'aria-label="{title}"><title>{title}</title>{style}{rows}</svg>'
    )


def _row(chart: Chart, place: int, link: Link | None, size: Size) -> str:
    row = chart.rows[place]
    x, y = _x(row, size), TOP + place * HEIGHT
    parts = [_line(chart, place, size), _mark(row, x, y), *_words(row, x, y, size)]
    classes = " ".join(["row", *(["on"] if row.marked else []), *(["gap"] if row.gap in GAPS else [])])
    address = link(row) if link else ""
    body = "".join(parts)
    if address:
        body = f'<a href="{escape(address)}">{body}</a>'
    return f'<g class="{classes}"><title>{escape(_title(row))}</title>{body}</g>'


def _x(row: Row, size: Size) -> int:
    """Below the deepest level that is indented, rows stand under each other."""
    return 14 + INDENT * min(row.level, size.deepest)


def _line(chart: Chart, place: int, size: Size) -> str:
    """From the mark of the held party down, and to the right to the mark of its holder."""
    row = chart.rows[place]
    if row.below is None:
        return ""
    below = chart.rows[row.below]
    x1, x2 = _x(below, size), _x(row, size) - 7
    y1, y2 = TOP + row.below * HEIGHT + 21, TOP + place * HEIGHT + 14
    dashed = ' stroke-dasharray="4 3"' if row.kind in (RowKind.AGAIN, RowKind.GAP) else ""
    return f'<path class="line" d="M{x1} {y1}V{y2}H{max(x1, x2)}" stroke="#888" fill="none"{dashed}/>'


def _mark(row: Row, x: int, y: int) -> str:
    """A circle is a person, a square a company, a diamond an arrangement, a triangle a state; dashed is a gap."""
    look, y = 'class="mark" fill="#fff" stroke="#444"', y + 14
    if row.kind == RowKind.MORE:
        return f'<path {look} d="M{x - 6} {y}H{x + 6}M{x} {y - 6}V{y + 6}"/>'
    if row.kind == RowKind.GAP or row.party.kind == PartyKind.UNKNOWN:
        return f'<circle {look} stroke-dasharray="3 2" cx="{x}" cy="{y}" r="6"/>'
    if row.party.kind == PartyKind.PERSON:
        return f'<circle {look} cx="{x}" cy="{y}" r="6"/>'
    if row.party.kind == PartyKind.ARRANGEMENT:
        return f'<path {look} d="M{x} {y - 7}L{x + 7} {y}L{x} {y + 7}L{x - 7} {y}Z"/>'
    if row.party.kind == PartyKind.STATE:
        return f'<path {look} d="M{x} {y - 7}L{x + 7} {y + 6}H{x - 7}Z"/>'
    return f'<rect {look} x="{x - 6}" y="{y - 6}" width="12" height="12"/>'


def _words(row: Row, x: int, y: int, size: Size) -> list[str]:
    """The name in the first line; the share with its bar, what it comes to and the rest in the second."""
    columns = size.columns - (x + 14) // 7
    start = x + 14
    found = [_text(start, y + 18, cut_in_the_middle(_name(row), columns - 6 * row.marked), "name")]
    if row.share and size.bars:
        found.append(_bar(row.share, start, y + 27))
        start += BAR + 8
    told = _second(row)
    columns -= (start - x - 14) // 7
    found.append(_text(start, y + 35, cut_in_the_middle(told, max(columns, 12)), _look(row)))
    return found


def _name(row: Row) -> str:
    if row.kind == RowKind.MORE:
        return f"{row.hidden} more"
    if row.kind == RowKind.GAP:
        return f"{row.effective}: {row.words[0]}"
    return row.party.name


def _second(row: Row) -> str:
    told = [str(row.share)] if row.share else []
    if row.kind == RowKind.GAP:
        return row.words[1]
    if row.effective and row.level > 1:
        told.append(f"in all {row.effective}")
    if row.answer in ("met", "undecided"):
        told.append(row.answer)
    return " · ".join([*told, *row.words])


def _look(row: Row) -> str:
    return f"quiet {row.answer.replace(' ', '-')}" if row.answer in ("met", "undecided") else "quiet"


def _title(row: Row) -> str:
    return ", ".join(part for part in (_name(row), _second(row)) if part)[:300]


def _text(x: int, y: int, words: str, look: str) -> str:
    return f'<text class="{look}" x="{x}" y="{y}">{escape(words)}</text>'


def _bar(share: Share, x: int, y: int) -> str:
    """From 0 to 100 percent: full up to the least, light from there to the most."""
    least, most = (round(float(end) * BAR / 100, 1) for end in (share.low, share.high))
    return (
        f'<rect class="track" fill="#ddd" x="{x}" y="{y}" width="{BAR}" height="8"/>'
        f'<rect class="band" fill="#aaa" x="{x}" y="{y}" width="{most}" height="8"/>'
        f'<rect class="least" fill="#333" x="{x}" y="{y}" width="{least}" height="8"/>'
    )
