"""A memo as a self-contained HTML page.

All text is escaped here and stands in ``bdi`` elements, so that neither markup nor direction leaks out of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from research.memo.blocks import Block, Document, Line, Span, noted

_TAGS = {"strong": "strong", "em": "em", "code": "code", "old": "del", "new": "ins"}
_CLASSED = ("quiet", "pass", "warn", "fail", "unknown")


def as_html(document: Document) -> str:
    """One page with its style. Notes are at the end."""
    writer = _Writer(document.notes)
    context = {
        "memo": document,
        "facts": _safe(writer.block(document.facts)),
        "sections": [
            {
                "key": section.key,
                "title": section.title,
                "body": _safe("\n".join(map(writer.block, section.blocks))),
            }
            for section in document.sections
        ],
        "notes": _safe(_notes(document, writer)),
        "words": document.words,
    }
    return render_to_string("memo/memo.html", context)


def as_fragment(blocks: Sequence[Block]) -> SafeString:
    """Blocks for a page with its own frame. Headings start at level three."""
    told = (replace(block, level=block.level + 2) if block.kind == "heading" else block for block in blocks)
    return _safe("\n".join(map(_Writer().block, told)))


def _safe(html: str) -> SafeString:
    return mark_safe(html)  # noqa: S308  every text in it went through escape


def _notes(document: Document, writer: "_Writer") -> str:
    items = (
        f'<li id="{key}"><sup>{key}</sup> {writer.line(document.notes[key])}</li>' for key in noted(document)
    )
    return "\n".join(items)


@dataclass
class _Writer:
    notes: Mapping[str, Line] = field(default_factory=dict)

    def block(self, block: Block) -> str:
        if block.kind == "heading":
            level = min(block.level, 6)
            return f"<h{level}>{self.line(block.lines[0])}</h{level}>"
        if block.kind == "code":
            return f"<pre><code>{escape(block.text)}</code></pre>"
        if block.kind in ("table", "picture"):
            return self._table(block) if block.kind == "table" else self._picture(block)
        if block.kind == "pairs":
            rows = (
                f"<dt>{self.line(name)}</dt><dd>{self.line(value)}{self._below(below)}</dd>"
                for name, value, *below in block.rows
            )
            return f"<dl{_role(block)}>{''.join(rows)}</dl>"
        if block.kind == "list":
            return "".join(self._nested(list(block.lines), 0, _role(block)))
        tag = "blockquote" if block.kind == "quote" else "p"
        return f"<{tag}{_role(block)}>{' '.join(map(self.line, block.lines))}</{tag}>"

    def _picture(self, block: Block) -> str:
        title = f"<bdi>{escape(block.text)}</bdi>"
        return f"<figure>{''.join(block.pages)}<figcaption>{title}</figcaption></figure>"

    def line(self, line: Line) -> str:
        return "".join(map(self._span, line.spans))

    def _span(self, span: Span) -> str:
        if span.style == "note":
            return f'<sup><a href="#{span.text}">{span.text}</a></sup>' if span.text in self.notes else ""
        text = f"<bdi>{escape(span.text)}</bdi>"
        if span.style in _CLASSED:
            return f'<span class="{span.style}">{text}</span>'
        if tag := _TAGS.get(span.style):
            return f"<{tag}>{text}</{tag}>"
        return text

    def _below(self, lines: list[Line]) -> str:
        return "".join(f'<p class="point">{self.line(line)}</p>' for line in lines)

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
        return f"<table{_role(block)}><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _padded(row: tuple[Line, ...], width: int) -> tuple[Line, ...]:
    return row + (Line(()),) * (width - len(row))


def _role(block: Block) -> str:
    return f' class="{block.role}"' if block.role else ""
