"""From which share on somebody is a beneficial owner, and by which test (``thresholds.yaml``)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

import yaml

from entities.ownership.interests import Dimension
from entities.ownership.shares import Answer, Share, compare

Test: TypeAlias = Literal["multiply", "majority"]

EU = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
FALLBACK = "eu-amlr"


class UnknownThreshold(ValueError):
    """There is no rule of that name; the message names those that there are."""


@dataclass(frozen=True)
class Threshold:
    """One rule: ``share`` percent by ``test``; with ``more_than`` the share itself is not enough."""

    name: str
    title: str
    test: Test
    share: Decimal
    more_than: bool
    dimensions: tuple[Dimension, ...]
    source: str
    places: frozenset[str] = frozenset()
    since: date | None = None
    until: date | None = None

    @property
    def words(self) -> str:
        """ "more than 25 %" or "25 % or more"."""
        return f"more than {self.share:f} %" if self.more_than else f"{self.share:f} % or more"

    def answer(self, holding: Share) -> Answer:
        """Whether a holding reaches it."""
        return compare(holding, self.share, more_than=self.more_than)


@cache
def thresholds() -> Mapping[str, Threshold]:
    """All rules by name, in the order of the table."""
    rows = yaml.safe_load(Path(__file__).with_name("thresholds.yaml").read_text(encoding="utf-8"))
    return {
        row["name"]: Threshold(
            name=row["name"],
            title=row["title"],
            test=row["test"],
            share=Decimal(str(row["share"])),
            more_than=row["more_than"],
            dimensions=tuple(map(Dimension, row["dimensions"])),
            source=row["source"],
            places=frozenset(row["places"]),
            since=row.get("from"),
            until=row.get("until"),
        )
        for row in rows
    }


def threshold(name: str) -> Threshold:
    """The rule of this name. Raises UnknownThreshold."""
    try:
        return thresholds()[name]
    except KeyError:
        known = ", ".join(thresholds())
        raise UnknownThreshold(f"There is no rule called {name[:60]!r}. The rules are {known}.") from None


def threshold_for(jurisdiction: str, day: date) -> Threshold:
    """The rule of a company's jurisdiction that applies on the day; the one of the European Union if it has none."""
    country = jurisdiction[:2].upper()
    fits = [
        rule
        for rule in thresholds().values()
        if (country in rule.places or ("EU" in rule.places and country in EU.split()))
        and (rule.since is None or rule.since <= day)
        and (rule.until is None or day < rule.until)
    ]
    own = [rule for rule in fits if country in rule.places]
    return next(iter(own or fits), thresholds()[FALLBACK])
