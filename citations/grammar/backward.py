"""``a.a.O.``, ``ebenda``, ``op. cit.``, ``ibid.``: words that point back; they get their antecedent's name or
say there is none.

``ebenda`` and ``ibid.`` mean the citation just before; ``a.a.O.`` and ``op. cit.`` mean the work of the
author that is named in front of them, and only without a name the last work.
"""

import re

from citations.grammar.scan import Scan
from citations.mention import Mention
from citations.pinpoints import read_pinpoints

_WORDS = re.compile(
    r"a\.\s?a\.\s?O\.|[Ee]benda\b|[Ee]bd\.|[Oo]p\.\s?cit\.|[Ll]oc\.\s?cit\.|[Ii]bid(?:em\b|\.)?"
)
_AUTHOR = re.compile(
    r"(?P<name>[A-ZÄÖÜÉ][\wÄÖÜäöüéè'’-]{2,}(?:\s?/\s?[A-ZÄÖÜ][\w'’-]+)*)(?:\s\([^()]{0,30}\))?,?\s(?:in:?\s)?$"
)
_MARGIN = re.compile(r",?\s(?:N|n|Rz|Nr|no)\.?\s?(\d{1,4}(?:\s?ff?\.)?)")
_REACH = 40
_DECISIONS = frozenset(
    ("bge", "bger", "evg", "bvger", "bvge", "bstger", "bpatger", "cantonal", "echr", "cjeu")
)


def read_backward(scan: Scan, at: int) -> None:
    """Report the words around ``at`` with what they mean."""
    found = _WORDS.search(scan.text, max(scan.end, at - 6), at + 12)
    start = found.start() if found else at
    if not found or start > at or scan.text[start - 1 : start].isalpha():
        return
    local = found[0].lower().startswith(("eb", "ib"))
    author = None if local else _AUTHOR.search(scan.before(start, 60))
    pins, end = read_pinpoints(scan.text, found.end())
    meant = _meant(scan, local, author["name"] if author else "", pins)
    if not pins and (margin := _MARGIN.match(scan.text, found.end())):
        pins, end = ["N " + margin[1]], margin.end()
    end = end if pins else found.end()
    if meant is None:
        scan.add("back_reference", start, end, None, pins, reason="no_antecedent")
    else:
        scan.add(meant.kind, start, end, meant.normalized, pins, reason="back_reference", data=meant.data)


def _meant(scan: Scan, local: bool, author: str, pins: list[str]) -> Mention | None:
    recent = [mention for mention in scan.mentions[-_REACH:] if mention.normalized]
    if author:
        named = author.lower()
        return next((m for m in reversed(recent) if named in str(m.data.get("authors", "")).lower()), None)
    if local and pins and pins[0].startswith("E."):  # only decisions have considerations
        return next((m for m in reversed(recent) if m.kind in _DECISIONS), None)
    if local:
        return recent[-1] if recent else None
    return next((m for m in reversed(recent) if m.kind in ("doctrine", "journal")), None) or next(
        (m for m in reversed(recent) if m.kind in _DECISIONS), None
    )
