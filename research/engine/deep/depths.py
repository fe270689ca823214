"""How far a deep run goes, by its depth."""

from collections.abc import Mapping
from dataclasses import dataclass

from research.models.states import Depth


@dataclass(frozen=True)
class Extent:
    """Rounds of supervision, directives a round (all of them work at once), tool calls a topic, claims verified."""

    rounds: int
    directives: int
    tool_calls: int
    claims: int


EXTENTS: Mapping[str, Extent] = {
    Depth.QUICK: Extent(rounds=1, directives=2, tool_calls=5, claims=15),
    Depth.STANDARD: Extent(rounds=3, directives=4, tool_calls=10, claims=30),
    Depth.DEEP: Extent(rounds=6, directives=5, tool_calls=10, claims=50),
}
