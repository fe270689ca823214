"""The verbs as the page shows them: coloured by token, with the lines that the edits changed marked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

MAX_MARKED = 2_000  # lines; beyond that the comparison takes longer than a person waits
_TOKEN = re.compile(
    r"""(?P<comment>;;[^\n]*)|(?P<string>"(?:[^"\\]|\\.)*"?)|(?P<verb>(?<=\()[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*)"""
    r"""|(?P<keyword>:[A-Za-z_][\w-]*)|(?P<symbol>[@$][A-Za-z_][\w-]*)""",
    re.DOTALL,
)


@dataclass(frozen=True)
class Line:
    """One line of the listing: its number, whether the edits changed it, and its pieces as (CSS class, text)."""

    number: int
    changed: bool
    pieces: tuple[tuple[str, str], ...]


def listing(text: str, original: str | None = None) -> list[Line]:
    """The lines of a verb text; with ``original``, those that are not in it are marked as changed."""
    texts = text.split("\n")
    changed = _changed_lines(original.split("\n"), texts) if original is not None else set()
    return [
        Line(number, number in changed, tuple(pieces)) for number, pieces in enumerate(_pieces(text), start=1)
    ]


def _pieces(text: str) -> list[list[tuple[str, str]]]:
    """Per line, because a string may go over several."""
    lines: list[list[tuple[str, str]]] = [[]]
    for name, piece in _tokens(text):
        first, *rest = piece.split("\n")
        lines[-1].append((name, first))
        lines += [[(name, part)] for part in rest]
    return lines


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    end = 0
    for match in _TOKEN.finditer(text):
        if match.start() > end:
            yield "", text[end : match.start()]
        yield match.lastgroup or "", match.group()
        end = match.end()
    yield "", text[end:]


def _changed_lines(old: list[str], new: list[str]) -> set[int]:
    if max(len(old), len(new)) > MAX_MARKED:
        return set()
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return {number + 1 for tag, _, _, start, end in codes if tag != "equal" for number in range(start, end)}
