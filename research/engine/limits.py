"""Limits of a run, by depth."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from research.models.states import Depth


@dataclass(frozen=True)
class Limits:
    """The budget of a depth: model turns, tool calls, and time from the start of work."""

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
    """The time that children leave to write and verify the report."""
    return LIMITS[depth].time / REPORT_SHARE
