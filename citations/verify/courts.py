"""Dockets: whether the public collection of decisions has one, and what it says of its date, court and contents."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from citations.mention import Mention
from citations.verify import support
from citations.verify.judgement import Finding, Standing

AUTHORITY = "entscheidsuche"
TABLE = "built-in table"
KINDS = frozenset(("bger", "evg", "bvger", "bvge", "bstger", "bpatger", "cantonal"))
COURTS: Mapping[str, tuple[str, ...]] = {
    "bge": ("CH_BGE", "CH_BGer", "CH_BGB"),
    "bger": ("CH_BGer", "CH_BGE", "CH_BGB"),
    "evg": ("CH_BGer", "CH_BGE", "CH_BGB"),
    "bvger": ("CH_BVGE",),
    "bvge": ("CH_BVGE",),
    "bstger": ("CH_BSTG",),
    "bpatger": ("CH_PATG",),
}
MAX_DECISIONS = 3
_YEARS = re.compile(r"(?<!\d)(20\d\d)(?!\d)")


class Decision(Protocol):
    """A decision as a source tells of it."""

    @property
    def id(self) -> str: ...
    @property
    def court(self) -> str: ...
    @property
    def canton(self) -> str: ...
    @property
    def date(self) -> date | None: ...
    @property
    def year(self) -> int | None: ...
    @property
    def title(self) -> str: ...
    @property
    def abstract(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def url(self) -> str: ...


def impossible(normalized: str, *, today: date) -> Standing | None:
    """A docket of a year that is yet to come cannot exist; everything else may."""
    years = [int(year) for year in _YEARS.findall(normalized)]
    if not years or min(years) <= today.year:
        return None
    message = f"{normalized} does not exist: its year is yet to come."
    return Standing("nonexistent", "year", message, TABLE)


def not_asked(normalized: str) -> Standing:
    """Before anybody was asked."""
    return Standing("unknown", "not_asked", "Nobody was asked yet whether there is this decision.")


def found(normalized: str, decisions: Sequence[Decision], *, today: date) -> Standing:
    """What the answer of the source says; what it does not have may exist all the same."""
    if not decisions:
        message = (
            f"{AUTHORITY} has no decision with this number; not every decision is published, so it may exist."
        )
        return Standing("not_found_here", "not_published_here", message, AUTHORITY, as_of=today.isoformat())
    first = decisions[0]
    of = f" of {first.date.isoformat()}" if first.date else f" of {first.year}" if first.year else ""
    return Standing(
        "exists",
        "found",
        f"{AUTHORITY} has this decision{of} ({first.court or first.canton}).",
        AUTHORITY,
        first.url,
        today.isoformat(),
        {"decisions": [_kept(one) for one in decisions[:MAX_DECISIONS]]},
    )


def _kept(decision: Decision) -> dict[str, Any]:
    """What is remembered of a decision: enough to hold any later citation of it against."""
    return {
        "id": decision.id,
        "court": decision.court,
        "canton": decision.canton,
        "date": decision.date.isoformat() if decision.date else "",
        "year": decision.year,
        "title": decision.title[:300],
        "url": decision.url,
        **support.contents(decision.text, decision.abstract),
    }


def agreement(mention: Mention, standing: Standing) -> tuple[Finding, ...]:
    """Date, court and pinpoints as cited against what was found; a change of practice that it speaks of."""
    decisions = standing.evidence.get("decisions") or []
    if standing.verdict in ("nonexistent", "not_found_here") or not decisions:
        return ()
    found = [
        _date(mention, decisions),
        _court(mention, decisions),
        support.pinpoints(mention.pinpoints, decisions),
        support.practice(decisions),
    ]
    return tuple(one for one in found if one)


def _date(mention: Mention, decisions: list[dict[str, Any]]) -> Finding | None:
    if not mention.date or mention.kind == "bge":  # a BGE is dated by its volume
        return None
    days = [one["date"] for one in decisions if one["date"]]
    years = [str(one["year"]) for one in decisions if one["year"]]
    if (mention.date in days) if days else (not years or mention.date[:4] in years):
        return None
    said = days[0] if days else years[0]
    message = f"The text dates it {mention.date}; {AUTHORITY} has it of {said}."
    return Finding("date", "warn", message, {"stated": mention.date, "found": said})


def _court(mention: Mention, decisions: list[dict[str, Any]]) -> Finding | None:
    wanted = COURTS.get(mention.kind)
    courts = [one["court"] for one in decisions if one["court"]]
    if not wanted or not courts or any(court in wanted for court in courts):
        return None
    message = f"The number is cited as one of {mention.normalized}; {AUTHORITY} has it of {courts[0]}."
    return Finding("court", "warn", message, {"found": courts})
