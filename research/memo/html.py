"""A memo as HTML: one page that needs nothing else, or the pages that are printed to PDF with footnotes.

All text is escaped here and stands in ``bdi`` elements, so that neither markup nor direction leaks out of it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from research.memo.blocks import Block, Document, Line, Section, Span, noted, plain_text

_TAGS = {"strong": "strong", "em": "em", "code": "code", "old": "del", "new": "ins"}
# text that runs from left to right on one line: on paper it is not isolated, since every element takes time to set
_NARROW = re.compile(
    r"[^\n\u0590-\u08ff\u2000-\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]*"
)
LONG_TABLE = 20  # rows: the columns of a longer one are not found by setting every cell of it on every page
# in letters: of a page, between two columns, of a text before it may wrap
PAGE_WIDTH, GUTTER, WIDEST = 120, 3, 45
_CLASSED = ("quiet", "pass", "warn", "fail", "unknown")


def as_html(document: Document) -> str:
    """One page with its style in it; notes stand at its end."""
    return _render(document, _Writer(document.notes), "memo/memo.html", _notes(document))


def as_fragment(blocks: Sequence[Block]) -> SafeString:
    """Blocks of a text for a page that has its own frame; its headings begin at the third level."""
    told = (replace(block, level=block.level + 2) if block.kind == "heading" else block for block in blocks)
    return _safe("\n".join(map(_Writer().block, told)))


def as_pages(document: Document, clean: Callable[[str], str]) -> str:
    """The page that is printed: each note is a footnote where it is first referred to; ``clean`` readies every text."""
    return _render(
        document, _Writer(document.notes, noted(document), printed=True, clean=clean), "memo/print.html", ""
    )


def _render(document: Document, writer: "_Writer", template: str, notes: str) -> str:
    """The frame knows only finished parts; every piece of text in them is escaped by the writer."""
    sections = [
        {"key": section.key, "title": writer.clean(section.title), "body": _safe(writer.section(section))}
        for section in document.sections
    ]
    context = {
        "memo": document,
        "title": writer.clean(document.title),
        "kind": writer.clean(document.kind),
        "header": writer.clean(document.header),
        "facts": _safe(writer.block(document.facts)),
        "sections": sections,
        "notes": _safe(notes),
        "words": document.words,
    }
    return render_to_string(template, context)


def _safe(html: str) -> SafeString:
    return mark_safe(html)  # noqa: S308  every text in it went through escape


def _notes(document: Document) -> str:
    writer = _Writer(document.notes)
    items = (
        f'<li id="{key}"><sup>{key}</sup> {writer.line(document.notes[key])}</li>' for key in noted(document)
    )
    return "\n".join(items)


@dataclass
class _Writer:
    notes: Mapping[str, Line] = field(default_factory=dict)
    order: Sequence[str] = ()
    printed: bool = False
    clean: Callable[[str], str] = str
    told: set[str] = field(default_factory=set)

    def section(self, section: Section) -> str:
        return "\n".join(map(self.block, section.blocks))

    def block(self, block: Block) -> str:
        if block.kind == "heading":
            level = min(block.level, 6)
            return f"<h{level}>{self.line(block.lines[0])}</h{level}>"
        if block.kind == "code":
            return f"<pre><code>{escape(self.clean(block.text))}</code></pre>"
        if block.kind == "table":
            return self._table(block)
        if block.kind == "pairs":
            return self._pairs(block)
        if block.kind == "list":
            return self._list(block)
        tag = "blockquote" if block.kind == "quote" else "p"
        return f"<{tag}{_role(block)}>{' '.join(map(self.line, block.lines))}</{tag}>"

    def line(self, line: Line) -> str:
        return "".join(map(self._span, line.spans))

    def _span(self, span: Span) -> str:
        if span.style == "note":
            return self._note(span.text)
        found = self.clean(span.text)
        text = escape(found) if self.printed and _NARROW.fullmatch(found) else f"<bdi>{escape(found)}</bdi>"
        if span.style in _CLASSED:
            return f'<span class="{span.style}">{text}</span>'
        if tag := _TAGS.get(span.style):
            return f"<{tag}>{text}</{tag}>"
        return text

    def _note(self, key: str) -> str:
        """A footnote at its first place; a reference to it everywhere else."""
        if key not in self.notes:
            return ""
        if not self.printed:
            return f'<sup><a href="#{key}">{key}</a></sup>'
        if key in self.told:
            return f'<a class="again" href="#{key}">{self.order.index(key) + 1}</a>'
        self.told.add(key)
        return f'<span class="footnote" id="{key}">{self.line(self.notes[key])}</span>'

    def _pairs(self, block: Block) -> str:
        rows = (
            f"<dt>{self.line(name)}</dt><dd>{self.line(value)}{self._below(below)}</dd>"
            for name, value, *below in block.rows
        )
        return f"<dl{_role(block)}>{''.join(rows)}</dl>"

    def _below(self, lines: list[Line]) -> str:
        return "".join(f'<p class="point">{self.line(line)}</p>' for line in lines)

    def _list(self, block: Block) -> str:
        """A list nested by depth; marks are written as numbers of the items."""
        return "".join(self._nested(list(block.lines), 0, _role(block)))

    def _nested(self, lines: list[Line], depth: int, role: str) -> Iterator[str]:
        tag = "ol" if lines[0].mark else "ul"
        yield f"<{tag}{role}>"
        at = 0
        while at < len(lines):
            end = at + 1
            while end < len(lines) and lines[end].depth > depth:
                end += 1
            number = f' value="{lines[at].mark}"' if lines[at].mark else ""
            inner = lines[at + 1 : end]
            below = "".join(self._nested(inner, inner[0].depth, "")) if inner else ""
            yield f"<li{number}>{self.line(lines[at])}{below}</li>"
            at = end
        yield f"</{tag}>"

    def _table(self, block: Block) -> str:
        head, *rows = block.rows
        width = max(map(len, block.rows))
        cells = "".join(f'<th scope="col">{self.line(cell)}</th>' for cell in _padded(head, width))
        body = "".join(
            f"<tr>{''.join(f'<td>{self.line(cell)}</td>' for cell in _padded(row, width))}</tr>"
            for row in rows
        )
        columns = _columns(block, width) if self.printed and len(rows) > LONG_TABLE else ""
        role = _role(block, "long" if columns else "")
        return f"<table{role}>{columns}<thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _padded(row: tuple[Line, ...], width: int) -> tuple[Line, ...]:
    return row + (Line(()),) * (width - len(row))


def _columns(block: Block, width: int) -> str:
    """How wide each column is to be, from its texts: to find that out by setting them takes most of the time.

    First the longest word of each, so that no identifier breaks, then what is left to those with longer texts.
    """
    columns = list(zip(*(map(_text, _padded(row, width)) for row in block.rows), strict=True))
    words = [max(map(_length, " ".join(texts).split()), default=1) + GUTTER for texts in columns]
    lines = [
        max(min(max(map(_length, texts)), WIDEST) + GUTTER, word)
        for texts, word in zip(columns, words, strict=True)
    ]
    longer = sum(lines) - sum(words)
    rest = max(PAGE_WIDTH - sum(words), 0) / longer if longer else 0
    shares = [word + (line - word) * min(rest, 1) for word, line in zip(words, lines, strict=True)]
    parts = (f'<col style="width: {100 * share / sum(shares):.1f}%">' for share in shares)
    return f"<colgroup>{''.join(parts)}</colgroup>"


def _text(line: Line) -> str:
    return plain_text([line])


def _length(text: str) -> float:
    """In letters of a usual width; capitals and figures are wider, words beyond all measure may break."""
    return min(len(text) + sum(char.isupper() or char.isdigit() for char in text) / 4, 2 * WIDEST)


def _role(block: Block, more: str = "") -> str:
    classes = " ".join(filter(None, (block.role, more)))
    return f' class="{classes}"' if classes else ""
