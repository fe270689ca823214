"""Is a quote in the archived text of a source? Searched as the quotes of every result are."""

from research.checks.quotes import FindSource, check_quotes

# "nearly" differs by spelling; "similar" has other words, "short" is there but proves nothing
THERE = ("found", "nearly", "order")


class QuoteFinder:
    """Looks quotes up by the numbers of the ledger."""

    def __init__(self, find_source: FindSource) -> None:
        self._find_source = find_source

    def has(self, source: int, quote: str) -> bool | None:
        """Whether the source says so in these words; a changed figure or a lost "not" is no quote.

        None when nothing of the source was archived: a snippet of a search is not what the page says.
        """
        evidence = [{"pointer": "/report", "source": source, "quote": quote}]
        (verdict,) = check_quotes({"report": ""}, evidence, self._find_source)
        return None if verdict.code == "no-text" else verdict.code in THERE
