"""Looking one company up in one register: by number where one is known, by name, and judged. Writes nothing."""

from dataclasses import dataclass

from entities.registers.base import RegisterSource
from entities.registers.errors import BadNumber, RegisterBadAnswer, RegisterNotFound
from entities.registers.matching import Outcome, Thresholds, Wanted, match
from entities.registers.records import Capability, Hit, Page, Provenance

LIMIT = 20


@dataclass(frozen=True, slots=True)
class Found:
    """What a register gave for a company; ``truncated`` when it has more lines than were read."""

    outcome: Outcome
    provenance: Provenance
    total: int
    truncated: bool


def look_up(source: RegisterSource, wanted: Wanted, thresholds: Thresholds, *, limit: int = LIMIT) -> Found:
    """Ask by number first, then by name; a number that the register does not have is told by the verdict.

    Raises:
        RegisterError: the register could not be asked; never RegisterNotFound.
    """
    number = usable_number(source, wanted.number)
    by_number = _by_number(source, number) if number else None
    asked = Wanted(wanted.name, wanted.jurisdiction, number)
    if by_number is not None:
        outcome = match(asked, [by_number], thresholds)
        if outcome.verdict == "auto" or not source.can(Capability.SEARCH):
            return Found(outcome, source.provenance(by_number.url), 1, truncated=False)
    page = _by_name(source, wanted.name, limit)
    hits = [*([by_number] if by_number else []), *page.items]
    return Found(match(asked, hits, thresholds), page.provenance, page.total, page.truncated)


def usable_number(source: RegisterSource, written: str) -> str:
    """The number as the register writes it, "" when it is none of its numbers."""
    try:
        return source.normal_number(written) if written else ""
    except BadNumber:
        return ""


def _by_name(source: RegisterSource, name: str, limit: int) -> Page[Hit]:
    try:
        return source.search(name, limit=limit)
    except (
        RegisterNotFound
    ) as error:  # a search that finds nothing is an empty page: here the search is not there
        raise RegisterBadAnswer(f"{source.label} has no search at its address.") from error


def _by_number(source: RegisterSource, number: str) -> Hit | None:
    try:
        return source.record(number).as_hit()
    except RegisterNotFound:
        return None
