"""A scholarly work as its registry tells of it."""

from dataclasses import dataclass

MAX_TITLE = 300


@dataclass(frozen=True, slots=True)
class Work:
    """``year`` is empty where the registry gives none."""

    title: str
    url: str
    year: str = ""


def line(value: object) -> str:
    """A text of a registry on one line, cut; empty for anything else."""
    return " ".join(value.split())[:MAX_TITLE] if isinstance(value, str) else ""
