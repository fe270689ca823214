"""The extent of a deep run, by depth."""

from collections.abc import Mapping
from dataclasses import dataclass

from research.models.states import Depth


@dataclass(frozen=True)
class Extent:
    """Rounds of supervision, directives per round (run in parallel), tool calls per topic, verified claims."""

    rounds: int
    directives: int
    tool_calls: int
    claims: int


EXTENTS: Mapping[str, Extent] = {
    Depth.QUICK: Extent(rounds=1, directives=2, tool_calls=5, claims=15),
    Depth.STANDARD: Extent(rounds=3, directives=4, tool_calls=10, claims=30),
    Depth.DEEP: Extent(rounds=6, directives=5, tool_calls=10, claims=50),
}
