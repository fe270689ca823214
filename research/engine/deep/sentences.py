"""The numbered sentences of a report with their sources, to which claims are tied."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from research.engine.deep.markup import Piece, blocks, numbers, pieces

_SPLIT = re.compile(r"[.!?…]+[\"'”’»)\]]*(?:[ ]?\[\d{1,4}\])*(?=\s|$)")
_SHORT = re.compile(
    r"(?:^|[\s(])(?:\w|e\.g|i\.e|vs|no|nos|nr|inc|ltd|corp|co|st|dr|mr|mrs|ca|approx|art|fig|cf|al|z\.b|bzw|u\.a|d\.h|usw)\.$",
    re.IGNORECASE,
)
LONGEST_SHORT = 12  # more characters than any abbreviation has
_SEEN = re.compile(r"\S")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|$)")
_RULE = re.compile(r"^[\s|:=*_-]+$")
_LEAD = re.compile(r"^\s*(?:>\s*)*(?:[-*+]\s+|\d{1,9}[.)]\s+)?")
_NEW_BLOCK = re.compile(r"^\s*(?:>|[-*+]\s|\d{1,9}[.)]\s|\|)")


@dataclass(frozen=True)
class Sentence:
    """``sources`` are the markers of the sentence, or of its paragraph if it has none (``own`` is False)."""

    number: int
    start: int
    end: int
    text: str
    sources: tuple[int, ...]
    own: bool = True


def sentences(report: str) -> list[Sentence]:
    """Every sentence, list item and table row, in reading order, without headings and code."""
    found: list[Sentence] = []
    for start, end in _paragraphs(report):
        cited = tuple(dict.fromkeys(numbers(report[start:end])))
        for left, right in _split(report, start, end):
            text = report[left:right]
            own = tuple(dict.fromkeys(numbers(text)))
            found.append(Sentence(len(found) + 1, left, right, text, own or cited, bool(own)))
    return found


def marks(report: str, sentence: Sentence) -> Iterator[Piece]:
    """The markers inside a sentence, and their places in the report."""
    for piece in pieces(report):
        if piece.numbers and sentence.start <= piece.start < sentence.end:
            yield piece


def _paragraphs(report: str) -> Iterator[tuple[int, int]]:
    """Spans of paragraphs, list items and table rows."""
    for start, end, is_code in blocks(report):
        if not is_code:
            yield from _lines(report, start, end)


def _lines(report: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first, at = -1, start
    for line in report[start:end].splitlines(keepends=True):
        blank = not line.strip() or bool(_HEADING.match(line)) or bool(_RULE.match(line))
        if first >= 0 and (blank or _NEW_BLOCK.match(line)):
            yield first, at
            first = -1
        if not blank and first < 0:
            first = at
        at += len(line)
    if first >= 0:
        yield first, at


def _split(report: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    lead = _LEAD.match(report[start:end])
    at = start + (lead.end() if lead else 0)
    if report[at:end].lstrip().startswith("|"):
        yield from _trimmed(report, at, end)
        return
    for stop in _SPLIT.finditer(report, at, end):
        following = _SEEN.search(report, stop.end(), end)
        ends = not following or following[0].isupper() or not following[0].isalpha()
        if ends and not _SHORT.search(report[max(at, stop.start() - LONGEST_SHORT) : stop.start() + 1]):
            yield from _trimmed(report, at, stop.end())
            at = stop.end()
    yield from _trimmed(report, at, end)


def _trimmed(report: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    text = report[start:end]
    inner = text.strip()
    if any(char.isalnum() for char in inner):
        left = start + len(text) - len(text.lstrip())
        yield left, left + len(inner)
