"""The state of one pass over a text, shared by the grammars."""

from dataclasses import dataclass, field
from typing import Any

from citations.mention import Mention


@dataclass(slots=True)
class Scan:
    """``end`` is where the last mention ended: no grammar reads behind it."""

    text: str
    mentions: list[Mention] = field(default_factory=list)
    end: int = 0
    series: tuple[str, str] | None = None
    """Volume and division of the BGE list that is open, for ``145 V 215 E. 5.1, 143 V 409``."""

    other: int = -1
    """Where the last number ended that was no docket, for ``Räume A-12/2020 und A-13/2020``."""

    def add(
        self,
        kind: str,
        start: int,
        end: int,
        normalized: str | None,
        pinpoints: list[str] | None = None,
        **more: Any,
    ) -> Mention:
        """Report what stands between the offsets."""
        mention = Mention(self.text[start:end], start, end, kind, normalized, pinpoints or [], **more)
        self.mentions.append(mention)
        self.end = end
        return mention

    def before(self, start: int, length: int) -> str:
        """At most ``length`` characters in front of ``start`` that no mention has claimed."""
        return self.text[max(self.end, start - length, 0) : start]
