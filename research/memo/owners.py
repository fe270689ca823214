"""Charts of the ownership that a document states, computed and drawn as on the page of an entity.

Everything comes from the document and the day of the memo, so that the same rows give the same pictures.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from entities.ownership.assessment import assess
from entities.ownership.chart import make_chart
from entities.ownership.drawing import draw_pages, outline
from entities.ownership.interests import Structure
from entities.ownership.thresholds import threshold_for
from research.checks.ownership import stated_structure
from research.jsontext import Json

MAX_CHARTS = 5


@dataclass(frozen=True)
class OwnersChart:
    """The owners of one company: what was computed by which rule, each row in words, and its pages as SVG."""

    title: str
    rule: str
    rows: list[tuple[int, str]]
    pages: list[str] = field(repr=False)


def charts_of(data: Json, day: date, jurisdiction: str) -> list[OwnersChart]:
    """One chart for each company that is owned and owns nothing that is stated; at most MAX_CHARTS."""
    structure, rule = stated_structure(data, today=day), threshold_for(jurisdiction, day)
    charts: list[OwnersChart] = []
    for subject in _subjects(structure):
        chart = make_chart(structure, assess(structure, subject, rule))
        told = f"{rule.title}, {rule.words}"
        charts.append(OwnersChart(chart.title, told, outline(chart), draw_pages(chart)))
        if len(charts) == MAX_CHARTS:
            break
    return charts


def _subjects(structure: Structure) -> Iterator[str]:
    """Those at the foot of a structure; of companies that only own each other in a circle, the first."""
    holders = {each.holder for held in structure.held.values() for each in held}
    seen: set[str] = set()
    for subject in sorted(structure.held, key=lambda held: held in holders):
        if subject not in seen:
            seen |= set(structure.above(subject))
            yield subject
