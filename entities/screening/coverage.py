"""Which lists were looked at, of which day, and what is wrong with them: no answer is better than its lists."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from entities.models import ListVersion
from entities.screening.importing import live_version
from entities.screening.lists import KINDS
from entities.screening.policy import Policy

CURRENT, OLD, PARTIAL, MISSING, UNREACHABLE = "current", "old", "partial", "missing", "unreachable"


@dataclass(frozen=True)
class Looked:
    """One list as it was looked at. ``state`` is current, old, partial, missing or, of an API, unreachable.

    ``age_days`` counts from the last good download: publishers do not publish every day.
    """

    source: str
    label: str
    state: str
    reason: str = ""
    version: int | None = None
    published: str = ""
    confirmed: str = ""
    age_days: int | None = None
    digest: str = ""
    entries: int = 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def told(self) -> str:
        """ "UN Security Council list, published 2026-09-28, 1,002 entries"."""
        if self.state in (MISSING, UNREACHABLE):
            return self.reason
        if self.version is None:
            return f"{self.label}, asked {self.confirmed[:10]}"
        day = f", published {self.published[:10]}" if self.published else ""
        return f"{self.label}{day}, downloaded {self.confirmed[:10]}, {self.entries:,} entries"


def coverage(policy: Policy, now: datetime) -> list[Looked]:
    """The lists that the policy names, and others that are there, each as it stands."""
    names = [*policy.lists, *(name for name in KINDS if name not in policy.lists)]
    looked = [_looked(name, live_version(name), policy, now) for name in names]
    return [one for one in looked if one.state != MISSING or one.source in policy.lists]


def gaps(looked: Sequence[Looked]) -> list[str]:
    """Why no answer can be "none": a sentence for each list that is missing, old, partial or unreachable."""
    return [one.reason for one in looked if one.reason]


def _looked(name: str, version: ListVersion | None, policy: Policy, now: datetime) -> Looked:
    label = KINDS[name].label
    if version is None:
        return Looked(name, label, MISSING, f"The {label} is not imported.")
    confirmed = version.confirmed_at or version.started_at
    age = max(0, (now - confirmed).days)
    state, reason = CURRENT, ""
    if version.counts.get("left_out"):
        state, reason = PARTIAL, f"{version.counts['left_out']} entries of the {label} could not be read."
    if age > policy.max_age_days:
        days = f"{age} days"
        state, reason = OLD, f"The {label} was downloaded {days} ago; the policy takes {policy.max_age_days}."
    return Looked(
        source=name,
        label=label,
        state=state,
        reason=reason,
        version=version.pk,
        published=version.published.isoformat() if version.published else "",
        confirmed=confirmed.isoformat(),
        age_days=age,
        digest=version.digest,
        entries=int(version.counts.get("held", 0)),
    )
