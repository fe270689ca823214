"""Quotes as the review page shows them: the words, whether they stand in the source, and the passage around them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from research.admin.documents import document_url
from research.checks.quotes import AROUND, Coverage
from research.checks.verdict import CheckLike
from research.jsontext import JsonObject
from research.models import Source

HEADLINES = {
    "found": "found word for word",
    "nearly": "found but for the spelling",
    "similar": "only something like it",
    "cut": "found, but leaves out a “not”",
    "short": "found, but short",
    "order": "found in another order",
    "changed": "changed",
    "contradicted": "found, but speaks against the value",
    "not-found": "not found",
    "no-source": "no such source",
    "no-text": "nothing archived",
    "empty": "empty",
}


@dataclass(frozen=True)
class QuoteNote:
    """One quote beside the value it is given for."""

    check: CheckLike  # of the kind "quote"

    @property
    def verdict(self) -> str:
        return self.check.verdict

    @property
    def headline(self) -> str:
        return HEADLINES.get(self.check.code, self.check.code)

    @property
    def quote(self) -> str:
        return str(self.check.evidence.get("quote") or "")

    @property
    def number(self) -> Any:
        return self.check.evidence.get("source")

    @property
    def title(self) -> str:
        return str(self.check.evidence.get("title") or "")

    @property
    def before(self) -> str:
        """What stands before the passage, from a word on."""
        text, start = str(self.check.evidence.get("before") or ""), self.check.evidence.get("start")
        cut = bool(text) and isinstance(start, int) and start > len(text)
        return f"…{text.partition(' ')[2] or text}" if cut else text

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The passage cut at what the quote leaves out: (text, is quoted)."""
        passage, start = str(self.check.evidence.get("passage") or ""), self.check.evidence.get("start")
        parts = self.check.evidence.get("parts") or []
        if not isinstance(start, int) or not parts:
            return [(passage, True)] if passage else []
        pieces, at = [], start
        for first, last in sorted(parts):
            pieces += [
                (passage[at - start : first - start], False),
                (passage[first - start : last - start], True),
            ]
            at = last
        return [piece for piece in pieces if piece[0]]

    @property
    def after(self) -> str:
        """What stands behind it, up to a word."""
        text = str(self.check.evidence.get("after") or "")
        return f"{text.rpartition(' ')[0] or text}…" if len(text) >= AROUND else text

    @property
    def names_value(self) -> bool:
        return bool(self.check.evidence.get("names_value"))

    @property
    def link(self) -> str:
        """The archived text, at the passage."""
        document, start = self.check.evidence.get("document"), self.check.evidence.get("start")
        if not isinstance(document, int):
            return ""
        return (
            document_url(document, start, self.check.evidence.get("end"))
            if start is not None
            else document_url(document)
        )


@dataclass(frozen=True)
class Backing:
    """How much of the document was found in what the run read, and how much of it is quoted.

    ``broken`` quotes are not borne out. ``traced`` is the evidence of the check that traces values; ``missing`` counts
    the different values that it found nowhere.
    """

    coverage: Coverage
    quotes: int
    broken: int
    web: bool
    traced: JsonObject | None
    missing: int

    @property
    def asked(self) -> bool:
        """Whether quotes are to be expected: somebody gave some, or pages were read."""
        return bool(self.quotes) or self.web

    @property
    def state(self) -> str:
        """``ok`` when every claim is backed, ``bad`` when a quote does not hold or none was given, else ``part``."""
        claims, found = self.coverage["claims"], self.coverage["found"]
        if self.broken or self.missing or (self.web and not self.quotes):
            return "bad"
        if not self.asked:
            traced = self.traced or {"found": 0, "values": 1}
            return "ok" if traced["found"] == traced["values"] else "part" if traced["found"] else "bad"
        return "ok" if found == claims else "part"

    @property
    def quoted_share(self) -> float:
        return _share(self.coverage["quoted"], self.coverage["claims"])

    @property
    def found_share(self) -> float:
        return _share(self.coverage["found"], self.coverage["claims"])


def backing(coverage: Coverage, checks: Sequence[Any], sources: Sequence[Source]) -> Backing:
    """``coverage`` of the document as it is shown, and what its quotes came to."""
    quotes = [check for check in checks if check.kind == "quote"]
    broken = sum(check.verdict == "fail" for check in quotes)
    origins = [check for check in checks if check.kind == "origin"]
    traced = next((dict(check.evidence) for check in origins if check.code == "traced"), None)
    missing = {check.subject for check in origins if check.code in ("not-found", "apart")}
    web = any(source.kind == "web" for source in sources)
    return Backing(coverage, len(quotes), broken, web, traced, len(missing))


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
