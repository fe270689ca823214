"""How much a run may do, by its depth."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from research.models.states import Depth


@dataclass(frozen=True)
class Limits:
    """The budget that a depth allows: model turns, tool calls, wall clock from the moment work begins."""

    turns: int
    tool_calls: int
    time: timedelta


LIMITS: Mapping[str, Limits] = {
    Depth.QUICK: Limits(20, 20, timedelta(minutes=10)),
    Depth.STANDARD: Limits(60, 120, timedelta(hours=1)),
    Depth.DEEP: Limits(200, 500, timedelta(hours=6)),
}

REPORT_SHARE = 5  # the last fifth of a deep run's time


def kept_for_report(depth: str) -> timedelta:
    """How much of a run's time its parts leave alone, so that what they find can still be written up and verified."""
    return LIMITS[depth].time / REPORT_SHARE
