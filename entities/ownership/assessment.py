"""Who the beneficial owners of a subject are, by one test on one day; what is undecided, and what would settle it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from heapq import heappop, heappush

from entities.ownership.control import Attribution, controls
from entities.ownership.ends import GAPS, End, find_ends
from entities.ownership.findings import Finding, find_faults
from entities.ownership.integrated import Holdings, integrated_ownership
from entities.ownership.interests import Dimension, Interest, Party, PartyKind, Structure
from entities.ownership.shares import HUNDRED, NOTHING, Answer, Share
from entities.ownership.stakes import Stakes, read_stakes
from entities.ownership.thresholds import Threshold

MAX_SETTLED, MAX_TRIED = (
    10,
    12,
)  # undecided owners that are told what would settle it, and facts tried for each


@dataclass(frozen=True, slots=True)
class Owner:
    """One natural person: ``shares`` by dimension as the test counts them, ``answer`` over all of them.

    ``controls`` says why it controls the subject without a share, "" if it does not. ``chain`` is the strongest chain,
    from the holder down to the subject. ``settled_by`` are facts that would decide an undecided answer.
    """

    party: Party
    answer: Answer
    shares: Mapping[Dimension, Share]
    controls: str = ""
    chain: tuple[str, ...] = ()
    settled_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Assessment:
    """The answer for one subject, with all that it rests on: test, day, interests, findings and ends of chains.

    ``answer`` is ``met`` if somebody reaches the threshold, ``undecided`` if somebody may, be it an owner with a band
    or one whom nobody has named.
    """

    subject: Party
    rule: Threshold
    as_of: date
    owners: tuple[Owner, ...]
    ends: tuple[End, ...]
    findings: tuple[Finding, ...]
    assumptions: tuple[str, ...]
    inputs: tuple[Interest, ...]

    @property
    def answer(self) -> Answer:
        answers = {owner.answer for owner in self.owners}
        if "met" in answers:
            return "met"
        hidden = any(end.reason in GAPS and self.rule.answer(end.share) != "not met" for end in self.ends)
        return "undecided" if hidden or "undecided" in answers else "not met"

    @property
    def gaps(self) -> tuple[End, ...]:
        """The ends behind which an owner of the threshold may be hidden."""
        return tuple(
            end for end in self.ends if end.reason in GAPS and self.rule.answer(end.share) != "not met"
        )


@dataclass(frozen=True)
class _Reading:
    """One pass over a structure: the stakes of each dimension and what the test makes of them."""

    stakes: Mapping[Dimension, Stakes]
    holdings: Mapping[Dimension, Holdings]
    attributions: Mapping[Dimension, Attribution]
    links: Sequence[Interest]  # control of the subject without a share

    def share(self, rule: Threshold, dimension: Dimension, holder: str) -> Share:
        if rule.test == "multiply":
            return self.holdings[dimension].of(holder)
        return self.attributions[dimension].to(holder).share


def assess(structure: Structure, subject: str, rule: Threshold) -> Assessment:
    """The natural persons above the subject, held against the rule. All else above it is a way to them, or an end."""
    reading = _read(structure, subject, rule)
    above = structure.above(subject)
    people = [id for id in above if id != subject and structure.party(id).kind == PartyKind.PERSON]
    below = strongest_chains(structure, subject)
    owners = [_owner(structure, rule, reading, id, chain_from(below, id)) for id in people]
    owners.sort(key=_rank)
    doubtful = [number for number, owner in enumerate(owners) if owner.answer == "undecided"]
    for number in doubtful[:MAX_SETTLED]:
        settled = _settling(structure, subject, rule, owners[number].party.id)
        owners[number] = replace(owners[number], settled_by=settled)
    capital = rule.dimensions[0]
    assumed = sorted(reading.stakes[Dimension.VOTES].assumed) if Dimension.VOTES in reading.stakes else []
    return Assessment(
        subject=structure.party(subject),
        rule=rule,
        as_of=structure.as_of,
        owners=tuple(owners),
        ends=tuple(find_ends(structure, subject, reading.stakes[capital], reading.holdings[capital])),
        # a source may speak later of an earlier day
        findings=tuple(fault for fault in find_faults(structure, subject) if fault.code != "future"),
        assumptions=tuple(
            f"The votes of {structure.party(each).name} are not stated; they are taken to go with its capital."
            for each in assumed
        ),
        inputs=tuple(each for held in above for each in structure.held.get(held, ())),
    )


def _read(structure: Structure, subject: str, rule: Threshold) -> _Reading:
    stakes = {each: read_stakes(structure, subject, each) for each in {*rule.dimensions, Dimension.VOTES}}
    links = [each for each in structure.held.get(subject, ()) if controls(each)]
    return _Reading(
        stakes,
        {each: integrated_ownership(stakes[each], subject) for each in rule.dimensions},
        {
            each: Attribution(structure, subject, stakes[Dimension.VOTES], stakes[each])
            for each in rule.dimensions
        },
        sorted(links, key=lambda one: (one.holder, one.type)),
    )


def _rank(owner: Owner) -> tuple[int, Decimal, str, str]:
    most = max((share.high for share in owner.shares.values()), default=Decimal(0))
    return ("met", "undecided", "not met").index(owner.answer), -most, owner.party.name, owner.party.id


def _owner(
    structure: Structure, rule: Threshold, reading: _Reading, holder: str, chain: tuple[str, ...]
) -> Owner:
    shares = {each: reading.share(rule, each, holder) for each in rule.dimensions}
    shares = {each: share for each, share in shares.items() if share != NOTHING}
    answers = {rule.answer(share) for share in shares.values()}
    why = _control(structure, reading.links, reading.attributions[rule.dimensions[0]], holder)
    answer: Answer = (
        "met" if why or "met" in answers else "undecided" if "undecided" in answers else "not met"
    )
    return Owner(structure.party(holder), answer, shares, why, chain)


def _control(structure: Structure, links: Iterable[Interest], attribution: Attribution, holder: str) -> str:
    """Why the holder, or a company that it controls, controls the subject without a share; "" if it does not."""
    held_by = {holder, *attribution.to(holder).controlled} if links else ()
    for link in links:
        if link.holder in held_by:
            through = "" if link.holder == holder else f" through {structure.party(link.holder).name}"
            return f"{link.type}{through}"
    return ""


def strongest_chains(structure: Structure, subject: str) -> dict[str, str]:
    """The next party on the way down to the subject, for each party above it: the way whose shares multiply to most.

    Of two such ways it is the shorter one. Control without a share counts as one percent, so it is followed last.
    """
    below: dict[str, str] = {}
    queue = [(Decimal(-1), 0, subject, "")]
    while queue:
        product, steps, held, next_below = heappop(queue)
        if held in below:
            continue
        below[held] = next_below
        for interest in structure.held.get(held, ()):
            if interest.holder not in below:
                size = interest.amount.high / HUNDRED if interest.share else Decimal("0.01")
                heappush(queue, (product * size, steps + 1, interest.holder, held))
    return below


def chain_from(below: Mapping[str, str], holder: str) -> tuple[str, ...]:
    """The parties from the holder down to the subject."""
    chain = [holder] if holder in below else []
    while chain and below[chain[-1]]:
        chain.append(below[chain[-1]])
    return tuple(chain)


def _settling(structure: Structure, subject: str, rule: Threshold, holder: str) -> tuple[str, ...]:
    """Facts that alone would decide: bands that, known exactly at one of their ends, leave no doubt about the holder.

    If none does alone, the widest band comes first in a list of what has to be known together.
    """
    between = _between(structure, subject, holder)
    wide = [
        each
        for each in structure.interests
        if each.held in between
        and each.holder in between
        and each.in_force(structure.as_of)
        and each.amount.width
        and each.share != NOTHING
    ]
    wide.sort(key=lambda each: (-each.amount.width, each.holder, each.held, each.type))
    alone = [each for each in wide[:MAX_TRIED] if _settles(structure, subject, rule, holder, each)]
    return tuple(
        f"the exact {each.type} of {structure.party(each.holder).name} in {structure.party(each.held).name}"
        f" (now {each.amount})"
        for each in alone or wide[:MAX_TRIED]
    )


def _between(structure: Structure, subject: str, holder: str) -> set[str]:
    """The parties that lie on a chain from the holder to the subject."""
    held_by: dict[str, list[str]] = {}
    for held in structure.above(subject):
        for interest in structure.held.get(held, ()):
            held_by.setdefault(interest.holder, []).append(held)
    found, queue = {holder}, [holder]
    for each in queue:
        for held in held_by.get(each, ()):
            if held not in found:
                found.add(held)
                queue.append(held)
    return found


def _settles(structure: Structure, subject: str, rule: Threshold, holder: str, fact: Interest) -> bool:
    for end in (fact.amount.low, fact.amount.high):
        known = replace(fact, share=Share(end, end))
        interests = tuple(known if each is fact else each for each in structure.interests)
        reading = _read(Structure(structure.parties, interests, structure.as_of), subject, rule)
        answers: Iterable[Answer] = {
            rule.answer(reading.share(rule, each, holder)) for each in rule.dimensions
        }
        if "met" in answers or "undecided" not in answers:
            return True
    return False
