"""What cannot be right in a structure, or needs a person's eye: each finding names the parties and the interests."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal, TypeAlias

from entities.ownership.components import components
from entities.ownership.interests import COUNTED, Dimension, Interest, PartyKind, Structure
from entities.ownership.shares import HUNDRED, Share, add_shares
from entities.ownership.stakes import Stakes, read_stakes

Gravity: TypeAlias = Literal["warn", "fail"]
STALE_AFTER = timedelta(days=2 * 365)
MAX_NAMED = 6


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: ``code`` over-100, circle, owns-itself, owned-person, reversed, future, stale or disagreement."""

    code: str
    gravity: Gravity
    message: str
    parties: tuple[str, ...]
    interests: tuple[str, ...] = ()


def find_faults(structure: Structure, subject: str) -> list[Finding]:
    """All findings above the subject, on the structure's day."""
    above = structure.above(subject)
    found: list[Finding] = []
    for dimension in Dimension:
        stakes = read_stakes(structure, subject, dimension)
        if not (dimension == Dimension.VOTES and stakes.assumed >= set(filter(stakes.holders.get, above))):
            found += _crowded(structure, stakes)
    found += _circles(structure, subject, above)
    for held in above:
        found += _of_one(structure, held)
    found += _dates(structure, set(above))
    return found


def _crowded(structure: Structure, stakes: Stakes) -> Iterator[Finding]:
    for held in sorted(stakes.crowded - stakes.assumed):
        types = COUNTED[stakes.dimension]
        counted = [each for each in structure.held.get(held, ()) if each.type in types]
        unclear = any(each.way == "unknown" for each in counted)
        total = sum((share.low for share in stakes.holders[held].values()), Decimal(0))
        yield Finding(
            "over-100",
            "warn" if unclear else "fail",
            f"{total.normalize():f} % or more of the {stakes.dimension} of {structure.party(held).name} are held:"
            f" {_listed(structure, counted)}."
            + (" Joint holders may each be stated with the whole." if unclear else ""),
            (held, *sorted(stakes.holders[held])),
            tuple(each.id for each in counted),
        )


def _circles(structure: Structure, subject: str, above: list[str]) -> Iterator[Finding]:
    holders = {held: sorted({each.holder for each in structure.held.get(held, ())}) for held in above}
    for component in components(holders, subject):
        names = [structure.party(each).name for each in sorted(component)]
        if len(component) > 1:
            shown = ", ".join(names[:MAX_NAMED]) + (
                f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
            )
            yield Finding(
                "circle", "warn", f"They hold each other in a circle: {shown}.", tuple(sorted(component))
            )
        elif component[0] in holders[component[0]]:
            message = f"{names[0]} holds shares of itself."
            yield Finding("owns-itself", "warn", message, tuple(component))


def _of_one(structure: Structure, held: str) -> Iterator[Finding]:
    interests = structure.held.get(held, ())
    if interests and structure.party(held).kind == PartyKind.PERSON:
        message = f"{structure.party(held).name} is a natural person, whom nobody can own."
        yield Finding("owned-person", "fail", message, (held,), tuple(each.id for each in interests))
    groups: dict[tuple[str, str], dict[str, list[Interest]]] = {}
    for each in interests:
        if each.share:
            groups.setdefault((each.holder, each.type), {}).setdefault(each.source, []).append(each)
    for (holder, type), by_source in sorted(groups.items()):
        sums = {source: add_shares(one.amount for one in each) for source, each in sorted(by_source.items())}
        if len(sums) > 1 and _meet(sums.values()) is None:
            said = "; ".join(
                f"{source or 'an unnamed source'} says {share}" for source, share in sums.items()
            )
            ids = tuple(one.id for each in by_source.values() for one in each)
            names = f"{structure.party(holder).name} in {structure.party(held).name}"
            yield Finding(
                "disagreement",
                "warn",
                f"Sources disagree on the {type} of {names}: {said}.",
                (holder, held),
                ids,
            )


def _meet(shares: Iterable[Share]) -> Share | None:
    whole: Share | None = Share(Decimal(0), HUNDRED)
    for share in shares:
        whole = whole.meet(share) if whole else None
    return whole


def _dates(structure: Structure, above: set[str]) -> Iterator[Finding]:
    today = structure.as_of
    for each in structure.interests:
        if each.held not in above:
            continue
        names = f"{structure.party(each.holder).name} in {structure.party(each.held).name}"
        if each.start and each.end and each.end < each.start:
            yield _dated(
                "reversed",
                "fail",
                f"The interest of {names} ends on {each.end}, before it begins on {each.start}.",
                each,
            )
        elif each.stated_on and each.stated_on > today:
            yield _dated(
                "future",
                "warn",
                f"The interest of {names} was stated on {each.stated_on}, which is yet to come.",
                each,
            )
        elif each.in_force(today) and _is_stale(each, today):
            yield _dated(
                "stale", "warn", f"The interest of {names} was last stated on {each.stated_on}.", each
            )


def _dated(code: str, gravity: Gravity, message: str, each: Interest) -> Finding:
    return Finding(code, gravity, message, (each.holder, each.held), (each.id,))


def _is_stale(each: Interest, today: date) -> bool:
    return each.stated_on is not None and today - each.stated_on > STALE_AFTER


def _listed(structure: Structure, interests: Iterable[Interest]) -> str:
    said = [f"{structure.party(each.holder).name} {each.amount}" for each in interests]
    return ", ".join(said[:MAX_NAMED]) + (
        f" and {len(said) - MAX_NAMED} more" if len(said) > MAX_NAMED else ""
    )
