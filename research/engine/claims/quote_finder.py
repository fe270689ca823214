"""Find a quote in an archived source, and who speaks there. Uses the same search as the check of quotes."""

from functools import lru_cache
from typing import NamedTuple

from citations.structure import Decision, Voice, sentences
from research.checks.quotes import FindSource, check_quotes

# "nearly" differs in spelling; "similar" has other words, "short" is found but proves nothing
THERE = ("found", "nearly", "order")
AROUND = 1_500  # characters around a quote in which sentence limits are searched


class Found(NamedTuple):
    """The sentences around a quote, empty if it was not found. ``voice``: who speaks, in a decision."""

    passage: str = ""
    voice: Voice = ""


class QuoteFinder:
    """Finds quotes by ledger number."""

    def __init__(self, find_source: FindSource) -> None:
        self._find_source = find_source
        self._decision = lru_cache(maxsize=2)(lambda source: Decision(self._text(source)))

    def look(self, source: int, quote: str) -> Found | None:
        """What the source says around these words; a changed figure or a lost "not" is no quote.

        None when nothing of the source was archived: a snippet of a search is not what the page says.
        """
        evidence = [{"pointer": "/report", "source": source, "quote": quote}]
        (verdict,) = check_quotes({"report": ""}, evidence, self._find_source)
        if verdict.code == "no-text":
            return None
        if verdict.code not in THERE:
            return Found()
        decision = self._decision(source)
        if decision.text[:1] in ("{", "["):  # register records have values, not sentences
            return Found(quote)
        start, end = verdict.evidence["start"], verdict.evidence["end"]
        around = sentences(decision.text, max(0, start - AROUND), min(len(decision.text), end + AROUND))
        whole = [decision.text[first:last] for first, last in around if last > start and first < end]
        return Found(" ".join(whole) or quote, decision.voice(start))

    def _text(self, number: int) -> str:
        source = self._find_source(number)
        return source.text if source else ""
