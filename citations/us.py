"""United States reporters by way of eyecite, an optional extra (``us``), never on Swiss text.

eyecite reads ``Art. 12 Abs. 3 BGG`` as volume 12 of a law journal from Ohio. So it sees only the surroundings of a
reporter that no Swiss text has (``410 U.S. 113``), and nothing that the Swiss grammars have claimed. Without the
extra nothing is reported.
"""

import logging
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from citations.extract import extract
from citations.mention import Mention
from citations.statutes.acts import ActTable

logging.getLogger("eyecite").addHandler(logging.NullHandler())  # it remarks on overlaps it settles itself

_REPORTER = re.compile(
    r"\b\d{1,4}\s(?:U\.\s?S\.|S\.\s?Ct\.|L\.\s?Ed\.(?:\s?2d)?|F\.\s?(?:2d|3d|4th|Supp\.(?:\s?[23]d)?)"
    r"|(?:[A-Z][A-Za-z]{0,5}\.\s?){1,3}[23]d)\s\d{1,5}\b"
)
_SIGNS = ("U.S.", "U. S.", "2d ", "3d ", "4th ", "S. Ct", "S.Ct", "L. Ed", "L.Ed", "Supp.")
_BEFORE, _AFTER = 200, 500


def available() -> bool:
    """Is eyecite installed?"""
    return find_spec("eyecite") is not None


def extract_all(text: str, *, acts: ActTable | None = None) -> list[Mention]:
    """What ``extract`` finds, and the United States cases between, when the extra is installed."""
    found = extract(text, acts=acts)
    if not any(sign in text for sign in _SIGNS) or not available():
        return found
    free = [case for case in _cases(text) if not _claimed(case, found)]
    return sorted([*found, *free], key=lambda mention: mention.start)


def _claimed(case: Mention, found: list[Mention]) -> bool:
    return any(mention.start < case.end and case.start < mention.end for mention in found)


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Stretches around reporters, joined where they meet."""
    begin = end = -1
    for hit in _REPORTER.finditer(text):
        if end < 0 or hit.start() - _BEFORE > end:
            if end >= 0:
                yield begin, end
            begin = max(0, hit.start() - _BEFORE)
        end = hit.end() + _AFTER
    if end >= 0:
        yield begin, min(end, len(text))


def _cases(text: str) -> Iterator[Mention]:
    from eyecite import get_citations

    last = ""
    for begin, end in _windows(text):
        found: list[Any] = get_citations(text[begin:end])
        for cited in found:
            name = type(cited).__name__
            if name == "FullCaseCitation" and _REPORTER.match(cited.matched_text()):
                last = cited.corrected_citation()
                yield _mention(text, begin, cited, "us_case", last)
            elif last and name in ("ShortCaseCitation", "IdCitation"):
                yield _mention(text, begin, cited, "us_id" if name == "IdCitation" else "us_case", last)


def _mention(text: str, begin: int, cited: Any, kind: str, normalized: str) -> Mention:
    start, end = cited.span()
    page = re.search(r"\d+(?:[-–]\d+)?", cited.metadata.pin_cite or "")
    pins = [f"S. {page[0]}"] if page else []
    reason = "back_reference" if kind == "us_id" else None
    start, end = begin + start, begin + end
    return Mention(text[start:end], start, end, kind, normalized, pins, reason=reason)
