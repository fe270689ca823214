"""Which parts of a Markdown text may be changed: not code, links, autolinks or escaped characters."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$")
_INLINE = re.compile(
    r"""
    (?P<escaped>\\[^\w\s])
  | (?P<code>(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])+?(?<!`)(?P=ticks)(?!`))
  | (?P<link>!?\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+"[^"\n]*")?\))
  | (?P<autolink><[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*>)
  | \[(?P<group>[1-9]\d{0,3}(?:[ ]?[,;][ ]?[1-9]\d{0,3})+)\](?!\()
  | \[(?P<number>(?!(?:19|20)\d\d\])\d{1,4})\](?!\()
    """,
    re.VERBOSE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True)
class Piece:
    """A part of the text. ``numbers`` is not empty for a citation marker."""

    start: int
    text: str
    numbers: tuple[int, ...] = ()
    code: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def pieces(text: str) -> Iterator[Piece]:
    """The whole text in order, split at markers: ``[N]`` that is not a year, a link or code."""
    for start, end, is_code in blocks(text):
        if is_code:
            yield Piece(start, text[start:end], code=True)
        else:
            yield from _inline(text, start, end)


def numbers(text: str) -> list[int]:
    """The numbers of all markers, in reading order."""
    return [number for piece in pieces(text) for number in piece.numbers]


def rewrite(text: str, change: Callable[[Piece], str]) -> str:
    """The text with ``change`` applied to each marker. "" removes it and the blank before it."""
    parts: list[str] = []
    found = list(pieces(text))
    for index, piece in enumerate(found):
        new = change(piece) if piece.numbers else piece.text
        if piece.numbers and not new:
            _close_gap(parts, found[index + 1].text if index + 1 < len(found) else "")
        parts.append(new)
    return "".join(parts)


def blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Spans (start, end, is_code) that cover the text. Code is text between fences."""
    at = start = 0
    fence = ""
    for line in text.splitlines(keepends=True):
        found = _FENCE.match(line.rstrip("\r\n"))
        if not fence and found and not ("`" in found[1] and "`" in found[2]):
            if at > start:
                yield start, at, False
            start, fence = at, found[1]
        elif fence and found and found[1].startswith(fence) and not found[2].strip():
            yield start, at + len(line), True
            start, fence = at + len(line), ""
        at += len(line)
    if at > start:
        yield start, at, bool(fence)


def closed(text: str) -> str:
    """The text with an open fence closed, so that what follows is not code."""
    last = (0, 0, False)
    for last in blocks(text):  # noqa: B007 - the last one is wanted
        pass
    start, end, is_code = last
    if not is_code:
        return text
    lines = text[start:end].splitlines()
    mark = _FENCE.match(lines[0])
    ends = _FENCE.match(lines[-1]) if len(lines) > 1 else None
    if mark is None or (ends and ends[1].startswith(mark[1]) and not ends[2].strip()):
        return text
    return f"{text.rstrip()}\n{mark[1]}"


def _inline(text: str, start: int, end: int) -> Iterator[Piece]:
    at = start
    for found in _INLINE.finditer(text, start, end):
        cited = _numbers(found)
        if not cited:
            continue
        if found.start() > at:
            yield Piece(at, text[at : found.start()])
        yield Piece(found.start(), found[0], cited)
        at = found.end()
    if end > at:
        yield Piece(at, text[at:end])


def _numbers(found: re.Match[str]) -> tuple[int, ...]:
    if found["number"]:
        return (int(found["number"]),)
    each = re.split(r"\D+", found["group"] or "")
    return () if any(_YEAR.fullmatch(one) for one in each) or each == [""] else tuple(map(int, each))


def _close_gap(parts: list[str], following: str) -> None:
    """Remove blanks before a removed marker, if a word precedes them and no blank follows."""
    if following and following[0] not in " \t\r\n.,;:!?)":
        return
    while parts and parts[-1] == "":
        parts.pop()
    kept = parts[-1].rstrip(" \t") if parts else ""
    before = kept or "".join(parts[-2:-1])
    if before and not before.endswith("\n"):
        parts[-1] = kept
