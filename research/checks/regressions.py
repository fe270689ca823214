"""Compare the checks of the same or newer data with earlier checks."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from research.checks.verdict import SEVERITY
from research.jsontext import JsonObject

Matter: TypeAlias = tuple[str, str, str]
GRAVE = ("warn", "fail")


def matter(check: Mapping[str, object]) -> Matter:
    """The subject of a check, regardless of its place."""
    return (str(check["kind"]), str(check["code"]), str(check["subject"]))


def gravest(checks: Iterable[JsonObject]) -> dict[Matter, JsonObject]:
    """The worst check of each subject: one LEI may occur in many places."""
    found: dict[Matter, JsonObject] = {}
    for check in checks:
        known = found.get(matter(check))
        if known is None or SEVERITY[check["verdict"]] > SEVERITY[known["verdict"]]:
            found[matter(check)] = check
    return found


def worse_checks(before: Iterable[JsonObject], now: Iterable[JsonObject]) -> list[JsonObject]:
    """What is a warning or a failure now and was less before, each matter once, with ``was``: the verdict before.

    What is unknown now tells nothing, and what was unknown before counts as if it had passed.
    """
    known = gravest(before)
    return [
        {**check, "was": known[key]["verdict"] if key in known else ""}
        for key, check in gravest(now).items()
        if check["verdict"] in GRAVE and SEVERITY[check["verdict"]] > _rank(known.get(key))
    ]


def _rank(check: JsonObject | None) -> int:
    return 0 if check is None or check["verdict"] == "unknown" else SEVERITY[check["verdict"]]
