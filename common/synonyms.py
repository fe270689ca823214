"""Words of four languages of one kind, a kind a line in ``kinds.txt``, folded as in ``wording``; ``*`` is any ending.

A model that says that a word renders another is believed where they are of one kind. The words of a line are near each
other and not always the same: rules alone conclude nothing from them (for that is SAME in ``opposites``).
"""

from functools import lru_cache
from pathlib import Path

from common.opposites import Matter, Table


def kinds_of(word: str) -> frozenset[Matter]:
    """Which lines a folded word stands in."""
    return _table().every(word)


@lru_cache(maxsize=1)
def _table() -> Table:
    """Read when the first word is looked up: most processes never do."""
    text = Path(__file__).with_name("kinds.txt").read_text(encoding="utf-8")
    return Table(k=text.partition("\n")[2])
