"""The picture as SVG: no style attribute and no script, so that it stands under the strict policy; every text escaped.

Colours come from the page's style sheet by class, so the picture follows the theme.
"""

from collections.abc import Callable
from typing import TypeAlias
from uuid import UUID

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common.text import cut_in_the_middle, one_line, width
from entities.admin.graph.layout import ARC, HEIGHT, WIDTH, Box, Line, Picture
from entities.models import Entity

NAME_COLUMNS, WORDS_COLUMNS, TITLE = 26, 38, 300
EntityUrl: TypeAlias = Callable[[Entity], str]
MoreUrl: TypeAlias = Callable[[UUID, int], str]


def draw(picture: Picture, *, entity_url: EntityUrl, more_url: MoreUrl, title: str) -> SafeString:
    """The whole picture. Names may be of any script and any length."""
    parts = [*map(_line, picture.lines), *(_box(box, entity_url, more_url) for box in picture.boxes)]
    return format_html(
        '<svg class="graph" xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 {2} {0} {1}" '
        'role="group" aria-label="{3}">{4}</svg>',
        round(picture.width),
        round(picture.height + picture.arc),
        -round(picture.arc),
        one_line(title)[:TITLE],
        format_html_join("", "{}", ((part,) for part in parts)),
    )


def cut(text: str, columns: int) -> str:
    """A text that takes at most so many columns; wide characters take two, marks above others none."""
    text, taken = one_line(text), 0
    for place, char in enumerate(text):
        taken += width(char)
        if taken > columns:
            return f"{text[: _fitting(text, place, columns - 1)].rstrip()}…"
    return text


def _fitting(text: str, end: int, columns: int) -> int:
    taken = sum(map(width, text[:end]))
    while end and taken > columns:
        end -= 1
        taken -= width(text[end])
    return end


def _line(line: Line) -> SafeString:
    words = format_html("<title>{}</title>", ", ".join(line.words)) if line.words else ""
    path, kind = (_arc(line), "line extra") if line.extra else (_curve(line), "line")
    return format_html('<path class="{}" d="{}">{}</path>', kind, path, words)


def _curve(line: Line) -> str:
    """From the right side of the left box to the left side of the right one."""
    x1, x2 = line.start.x + WIDTH, line.end.x
    y1, y2 = line.start.y + HEIGHT / 2, line.end.y + HEIGHT / 2
    bend = max(36.0, abs(x2 - x1) / 2)
    return f"M{x1:g} {y1:g}C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}"


def _arc(line: Line) -> str:
    """From top to top, above what stands between them."""
    x1, x2 = line.start.x + WIDTH / 2, line.end.x + WIDTH / 2
    top = min(line.start.y, line.end.y) - ARC * 4 / 3
    return f"M{x1:g} {line.start.y:g}C{x1:g} {top:g} {x2:g} {top:g} {x2:g} {line.end.y:g}"


def _box(box: Box, entity_url: EntityUrl, more_url: MoreUrl) -> SafeString:
    if box.node is None:
        url = more_url(box.of, box.side) if box.of else ""
        text = _texts(box, f"{box.more:,} more", "show them all")
        return _linked(box, url, "box more", f"{box.more:,} more", text)
    entity = box.node.entity
    words = ", ".join(box.words) or entity.type
    name = f"{entity.name} ✓" if entity.verified else entity.name
    text = _texts(box, name, words)
    return _linked(box, entity_url(entity), _classes(box), f"{entity.name} – {words}", text)


def _classes(box: Box) -> str:
    assert box.node is not None  # noqa: S101 - for the type checker
    entity = box.node.entity
    marks = {"root": box.node.level == 0, "verified": entity.verified, "pending": entity.pending_verification}
    return " ".join(["box", f"type-{entity.type}", *(mark for mark, holds in marks.items() if holds)])


def _texts(box: Box, name: str, words: str) -> SafeString:
    return format_html(
        '<text class="name" x="{0}" y="{1}">{2}</text><text class="words" x="{0}" y="{3}">{4}</text>',
        f"{box.x + WIDTH / 2:g}",
        f"{box.y + 20:g}",
        cut_in_the_middle(name, NAME_COLUMNS),
        f"{box.y + 36:g}",
        cut(words, WORDS_COLUMNS),
    )


def _linked(box: Box, url: str, classes: str, title: str, text: SafeString) -> SafeString:
    return format_html(
        '<a href="{}" class="{}"><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="6"/>{}</a>',
        url,
        classes,
        one_line(title)[:TITLE],
        f"{box.x:g}",
        f"{box.y:g}",
        WIDTH,
        HEIGHT,
        text,
    )
