"""What is different between two wordings of a text: the words that went, the words that came, and some around them.

A report is long and an edit of it is small; whoever signs has to see the edit wherever in the text it stands.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["same", "del", "ins", "gap"]

CONTEXT = 60  # characters around a difference
MAX_COST = 4_000_000  # pairs of words or lines to be compared; beyond that coarser pieces are taken
MAX_SHOWN = 20_000  # characters of all pieces together
_WORDS = re.compile(r"\s+|\w+(?:[.,'’]\w+)*|[^\w\s]")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Piece:
    """A stretch of text: in both wordings, only in the old or the new one, or left out because both have it."""

    kind: Kind
    text: str = ""


def rewording(old: str, new: str) -> list[Piece]:
    """The differences in text order with a little of what surrounds them; empty when the texts are the same.

    More than MAX_SHOWN characters are cut off, and the last piece is a gap.
    """
    pieces = list(_shortened(list(_joined(_compared(old, new)))))
    return list(_bounded(pieces)) if any(piece.kind in ("del", "ins") for piece in pieces) else []


def _compared(old: str, new: str) -> Iterator[Piece]:
    """Piece by piece: what both begin and end with is set aside first, for edits are small."""
    for pattern in (_WORDS, _LINES):
        before, after = pattern.findall(old), pattern.findall(new)
        head = _common(before, after)
        tail = _common(before[head:][::-1], after[head:][::-1])
        inner_old, inner_new = before[head : len(before) - tail], after[head : len(after) - tail]
        if len(inner_old) * len(inner_new) <= MAX_COST:
            yield Piece("same", "".join(before[:head]))
            yield from _matched(inner_old, inner_new)
            yield Piece("same", "".join(before[len(before) - tail :]))
            return
    yield Piece("del", old)
    yield Piece("ins", new)


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _matched(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    for word, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if word == "equal":
            yield Piece("same", "".join(old[a:b]))
            continue
        yield Piece("del", "".join(old[a:b]))
        yield Piece("ins", "".join(new[c:d]))


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Without empty pieces; blanks alone between two differences belong to both of them."""
    found = [piece for piece in pieces if piece.text]
    old = new = ""
    for place, piece in enumerate(found):
        inner = 0 < place < len(found) - 1
        if piece.kind == "same" and not (inner and piece.text.isspace()):
            yield from _differing(old, new)
            old = new = ""
            yield piece
            continue
        old += piece.text if piece.kind != "ins" else ""
        new += piece.text if piece.kind != "del" else ""
    yield from _differing(old, new)


def _differing(old: str, new: str) -> Iterator[Piece]:
    if old == new:
        if old:
            yield Piece("same", old)
        return
    yield from (Piece(kind, text) for kind, text in (("del", old), ("ins", new)) if text)  # type: ignore[arg-type]


def _shortened(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """What both have, only near a difference."""
    last = len(pieces) - 1
    for place, piece in enumerate(pieces):
        before = CONTEXT if place < last else 0  # what stands before the next difference
        after = CONTEXT if place > 0 else 0
        if piece.kind != "same" or len(piece.text) <= before + after + 20:
            yield piece
            continue
        if after:
            yield Piece("same", piece.text[:after])
        yield Piece("gap")
        if before:
            yield Piece("same", piece.text[-before:])


def _bounded(pieces: Sequence[Piece]) -> Iterator[Piece]:
    left = MAX_SHOWN
    for piece in pieces:
        if left <= 0:
            yield Piece("gap")
            return
        yield Piece(piece.kind, piece.text[:left])
        left -= len(piece.text)
