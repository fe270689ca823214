"""The Markdown of a report as blocks: a safe subset.

Headings, paragraphs, quotations, lists, tables, code, and within them strong, emphasised and code text. Everything else
is text: HTML stays text, a link is its words and its address, an image its words. Formats write blocks their own way.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from research.memo.blocks import Block, Line, Span, plain_text

MAX_TEXT = 400_000
MAX_LINES = 10_000
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_ITEM = re.compile(r"^(\s*)(?:[-*+]|(\d{1,9})[.)])[ \t]+(.*)$")
_ROW = re.compile(r"^\s*\|(.*)\|\s*$")
_RULE = re.compile(r"^ {0,3}(?:[-*_][ \t]*){3,}$|^\s*\|[\s:|-]+\|\s*$")
_QUOTE = re.compile(r"^ {0,3}>[ \t]?(.*)$")
_SEVERAL: tuple[tuple[Literal["table", "list", "quote"], re.Pattern[str]], ...] = (
    ("table", _ROW),
    ("list", _ITEM),
    ("quote", _QUOTE),
)
_INLINE = re.compile(
    r"\\(?P<escaped>[^\w\s])"
    r"|(?P<ticks>`+)(?P<code>[^`\n]+)(?P=ticks)(?!`)"
    r"|!?\[(?P<words>[^\[\]\n]{0,500})\]\((?P<address>[^()\s]{1,2000})\)"
    r"|<(?P<url>https?://[^<>\s]{1,2000})>"
    r"|\*\*(?P<strong>[^*\n]{1,2000})\*\*"
    r"|(?<![\w*])\*(?P<em>[^*\s][^*\n]{0,2000})\*(?![\w*])"
)


def read_prose(markdown: str) -> list[Block]:
    """The blocks of a text, in order."""
    lines = markdown[:MAX_TEXT].splitlines()[:MAX_LINES]
    found: list[Block] = []
    while lines:
        block, used = _block(lines)
        lines = lines[used:]
        if block:
            found.append(block)
    return found


def without_sources(blocks: Sequence[Block], headings: Sequence[str]) -> list[Block]:
    """Remove a final section under one of these headings: the memo has its own list of sources."""
    last = max((place for place, block in enumerate(blocks) if block.kind == "heading"), default=-1)
    if last >= 0 and plain_text(blocks[last].lines) in headings:
        return list(blocks[:last])
    return list(blocks)


def _block(lines: Sequence[str]) -> tuple[Block | None, int]:
    """The first block, and its number of lines."""
    first = lines[0]
    if not first.strip() or (_RULE.match(first) and not _ROW.match(first)):
        return None, 1
    if fence := _FENCE.match(first):
        ends = (n for n, line in enumerate(lines[1:], start=1) if line.strip().startswith(fence[1]))
        end = next(ends, len(lines))
        return Block("code", text="\n".join(lines[1:end])), end + 1
    if heading := _HEADING.match(first):
        return Block("heading", (Line(_spans(heading[2])),), level=len(heading[1])), 1
    for kind, pattern in _SEVERAL:
        if pattern.match(first):
            return _several(kind, lines)
    taken = [lines[0]]
    for line in lines[1:]:
        if not line.strip() or _starts_other(line) or _ITEM.match(line):
            break
        taken.append(line)
    return Block("paragraph", (Line(_spans(" ".join(line.strip() for line in taken))),)), len(taken)


def _several(kind: Literal["table", "list", "quote"], lines: Sequence[str]) -> tuple[Block | None, int]:
    if kind == "table":
        rows = list(_while(lines, _ROW))
        cells = [row[1] for row in rows if not _RULE.match(row[0])]
        return Block("table", rows=tuple(map(_cells, cells))) if cells else None, len(rows)
    if kind == "quote":
        quoted = list(_while(lines, _QUOTE))
        return Block("quote", (Line(_spans(" ".join(line[1] for line in quoted))),)), len(quoted)
    return _list(lines)


def _while(lines: Sequence[str], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for line in lines:
        found = pattern.match(line)
        if found is None:
            return
        yield found


def _cells(row: str) -> tuple[Line, ...]:
    return tuple(Line(_spans(cell.strip().replace(r"\|", "|"))) for cell in re.split(r"(?<!\\)\|", row))


def _list(lines: Sequence[str]) -> tuple[Block, int]:
    """Items with their continuation lines."""
    items: list[list[str]] = []
    used = 0
    for line in lines:
        found = _ITEM.match(line)
        if found:
            items.append([found[1], found[2] or "", found[3]])
        elif line.strip() and line[:1] in " \t" and not _starts_other(line):
            items[-1][2] += f" {line.strip()}"
        else:
            break
        used += 1
    told = tuple(
        Line(_spans(text), depth=min(len(indent) // 2, 4), mark=mark) for indent, mark, text in items
    )
    return Block("list", told), used


def _starts_other(line: str) -> bool:
    return bool(_FENCE.match(line) or _HEADING.match(line) or _ROW.match(line) or _QUOTE.match(line))


def _spans(text: str) -> tuple[Span, ...]:
    spans: list[Span] = []
    at = 0
    for found in _INLINE.finditer(text):
        _add(spans, Span(text[at : found.start()]))
        _add(spans, _span(found))
        at = found.end()
    _add(spans, Span(text[at:]))
    return tuple(spans)


def _span(found: re.Match[str]) -> Span:
    if found["code"]:
        return Span(found["code"].strip(), "code")
    if found["strong"]:
        return Span(_unescaped(found["strong"]), "strong")
    if found["em"]:
        return Span(_unescaped(found["em"]), "em")
    if found["address"]:
        return Span(f"{found['words']} ({found['address']})" if found["words"] else found["address"])
    return Span(found["url"] or found["escaped"])


def _add(spans: list[Span], span: Span) -> None:
    """Merge adjacent spans in plain style."""
    if not span.text:
        return
    if spans and spans[-1].style == span.style == "plain":
        spans[-1] = Span(spans[-1].text + span.text)
    else:
        spans.append(span)


def _unescaped(text: str) -> str:
    return re.sub(r"\\([^\w\s])", r"\1", text)
