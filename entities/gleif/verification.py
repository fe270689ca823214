"""Verifying LEIs: independent checks, each with its verdict, its evidence and one sentence for a person.

Existence is not verification: a retired LEI exists, carries the right name, and is still the wrong one. And trouble on
the way to the register is ``unknown``, never ``fail``.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Protocol

from entities import lei as iso17442
from entities.gleif.errors import GleifError
from entities.gleif.records import Record
from entities.gleif.verdicts import (
    JsonObject,
    LeiCheck,
    Policy,
    Verdict,
    check_entity_status,
    check_form,
    check_jurisdiction,
    check_name,
    check_registration,
    check_renewal,
    quoted,
)

__all__ = ["Claim", "LeiCheck", "LeiReport", "Policy", "Records", "Suggestion", "brief", "verify"]

SEVERITY: dict[str, int] = {"pass": 0, "warn": 1, "unknown": 2, "fail": 3}
MAX_HOPS = 10
MAX_REPAIRS_LOOKED_UP = 200  # two calls; guesses must not eat the minute's allowance


class Records(Protocol):
    """The part of a register that verification asks."""

    @property
    def as_of(self) -> str: ...
    def records(self, leis: Iterable[str]) -> dict[str, Record]: ...


@dataclass(frozen=True)
class Claim:
    """An LEI as somebody stated it, with the name and jurisdiction they stated beside it, if any."""

    lei: str
    name: str | None = None
    jurisdiction: str | None = None


@dataclass(frozen=True)
class Suggestion:
    """An LEI that was perhaps meant."""

    lei: str
    name: str
    why: str

    def as_json(self) -> JsonObject:
        return {"lei": self.lei, "name": self.name, "why": self.why}


@dataclass(frozen=True)
class LeiReport:
    """All checks of one claim; ``verdict`` is the worst of them, ``successor`` the LEI to use instead."""

    claim: Claim
    checks: tuple[LeiCheck, ...]
    record: Record | None = None
    successor: str | None = None
    suggestions: tuple[Suggestion, ...] = ()
    as_of: str = ""

    @property
    def lei(self) -> str:
        """The LEI that was checked; the text as claimed where that is no LEI."""
        found = iso17442.check_format(self.claim.lei)
        return found.lei if found.ok else self.claim.lei

    @property
    def verdict(self) -> Verdict:
        """fail before unknown before warn before pass."""
        return max((check.verdict for check in self.checks), key=SEVERITY.__getitem__, default="unknown")

    def as_json(self) -> JsonObject:
        """``{lei, verdict, checks, record, successor, suggestions, as_of}``."""
        return {
            "lei": self.lei,
            "verdict": self.verdict,
            "checks": [check.as_json() for check in self.checks],
            "record": brief(self.record) if self.record else None,
            "successor": self.successor,
            "suggestions": [suggestion.as_json() for suggestion in self.suggestions],
            "as_of": self.as_of,
        }


def verify(
    claims: Sequence[Claim], register: Records, *, today: date, policy: Policy | None = None
) -> list[LeiReport]:
    """One report per claim, in their order. The register is asked in batches for all LEIs; claims may repeat them.

    A register that cannot be asked gives ``unknown``, not an error.
    """
    lookup = _Lookup(register, {claim.lei for claim in claims})
    return [_report(claim, lookup, today, policy or Policy()) for claim in claims]


def brief(record: Record) -> JsonObject:
    """A record in a few fields."""
    return {
        "lei": record.lei,
        "legal_name": record.legal_name,
        "jurisdiction": record.jurisdiction,
        "category": record.category,
        "entity_status": record.entity_status,
        "registration_status": record.registration_status,
        "next_renewal": record.next_renewal.isoformat() if record.next_renewal else None,
        "url": record.url,
    }


class _Lookup:
    """What the register answered for all claims: first the LEIs, then successors and what may have been meant."""

    def __init__(self, register: Records, texts: Collection[str]) -> None:
        self._register = register
        self.records: dict[str, Record] = {}
        self.asked: set[str] = set()
        self.trouble = ""
        claimed = {found.lei for text in texts if (found := iso17442.check_format(text)).ok}
        self.guesses = _guesses(text for text in texts if iso17442.normalise(text) not in claimed)
        self._ask({*claimed, *_leis(self.guesses)})
        self.reached = not self.trouble
        if self.reached:
            absent = sorted(claimed - self.records.keys())
            self.guesses |= _guesses(absent)
            self._ask({*_leis(self.guesses), *self._successors()})
            self._follow()
        self.as_of = register.as_of

    def chain(self, record: Record) -> tuple[list[str], bool]:
        """The LEIs that lead on from a record, and whether they go in circles."""
        chain, current = [record.lei], record
        while (following := _successor_of(current)) and len(chain) <= MAX_HOPS:
            if following in chain:
                return [*chain[1:], following], True
            chain.append(following)
            if following not in self.records:
                break
            current = self.records[following]
        return chain[1:], False

    def _ask(self, leis: set[str]) -> None:
        wanted = leis - self.asked
        if not wanted or self.trouble:
            return
        try:
            self.records |= self._register.records(sorted(wanted))
            self.asked |= wanted
        except GleifError as error:
            self.trouble = str(error) or type(error).__name__

    def _follow(self) -> None:
        for _ in range(MAX_HOPS - 1):
            if not self._successors() - self.asked:
                break
            self._ask(self._successors())

    def _successors(self) -> set[str]:
        return {s.lei for record in self.records.values() for s in record.successors if s.lei}


def _guesses(texts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Per text the LEIs that may have been meant, with the edit in words."""
    return {text: _within(text) | iso17442.explained_repairs(text) for text in texts}


def _within(text: str) -> dict[str, str]:
    """The LEIs within a longer text: "LEI: 5299... (Allianz SE)"."""
    tokens = (token for _, _, token in iso17442.find_candidates(text) if token != text)
    return {token: "without the text around it" for token in tokens if iso17442.is_valid(token)}


def _leis(guesses: dict[str, dict[str, str]]) -> set[str]:
    return set(islice((lei for found in guesses.values() for lei in found), MAX_REPAIRS_LOOKED_UP))


def _report(claim: Claim, lookup: _Lookup, today: date, policy: Policy) -> LeiReport:
    form, lei = check_form(claim.lei), iso17442.normalise(claim.lei)
    record = lookup.records.get(lei)
    if any(check.verdict == "fail" for check in form):
        return _with_guesses(claim, form, lookup)
    if record is None and lookup.reached:
        text = f"The register has no LEI {lei}, so nothing else about it can be checked."
        missing = LeiCheck("existence", "fail", text, {"field": "lei", "seen": None, "claimed": lei})
        return _with_guesses(claim, [*form, missing], lookup)
    if record is None:
        return LeiReport(claim, (*form, *_unasked(claim, lei, lookup.trouble)), as_of=lookup.as_of)
    checks = [*form, *_checks(claim, record, lookup, today, policy)]
    return LeiReport(
        claim, tuple(checks), record, _current(record, lookup), _successors(record, lookup), lookup.as_of
    )


def _checks(claim: Claim, record: Record, lookup: _Lookup, today: date, policy: Policy) -> list[LeiCheck]:
    """Everything that needs the record. What nobody claimed is not checked."""
    found = f"The register has this LEI, as “{quoted(record.legal_name)}”."
    checks = [
        LeiCheck("existence", "pass", found, {"field": "lei", "seen": record.lei}),
        check_registration(record, policy),
        check_entity_status(record),
        _successor(record, lookup),
    ]
    if name := _stated(claim.name):
        checks.append(check_name(name, record, policy))
    if jurisdiction := _stated(claim.jurisdiction):
        checks.append(check_jurisdiction(jurisdiction, record))
    return [*checks, check_renewal(record, today, lookup.as_of, policy)]


def _unasked(claim: Claim, lei: str, trouble: str) -> list[LeiCheck]:
    """The checks that need the record, when the register could not be asked."""
    codes = ["existence", "registration_status", "entity_status", "successor"]
    codes += ["name"] * bool(_stated(claim.name)) + ["jurisdiction"] * bool(_stated(claim.jurisdiction))
    text = f"The register could not be asked about {lei}: {quoted(trouble)}"
    return [
        LeiCheck(code, "unknown", text, {"field": "lei", "error": trouble}) for code in (*codes, "renewal")
    ]


def _stated(text: str | None) -> str:
    return (text or "").strip()


def _successor(record: Record, lookup: _Lookup) -> LeiCheck:
    chain, loop = lookup.chain(record)
    names = [successor.name for successor in record.successors if successor.name]
    evidence: JsonObject = {"field": "entity.successorEntity", "seen": chain, "names": names, "loop": loop}
    if loop:
        text = f"The successors of this LEI go in circles ({' → '.join(chain)}); the register names no current one."
        return LeiCheck("successor", "fail", text, evidence)
    if chain:
        text = f"Another LEI took over: use {chain[-1]}{_described(chain[-1], lookup)}."
        return LeiCheck("successor", "fail", text, evidence)
    if names:
        text = f"“{quoted(names[0])}” took over; the register names no LEI for it."
        return LeiCheck("successor", "warn", text, evidence)
    return LeiCheck("successor", "pass", "The register names no successor.", evidence)


def _described(lei: str, lookup: _Lookup) -> str:
    record = lookup.records.get(lei)
    if record is None:
        return (
            ", which the register does not have" if lei in lookup.asked else ", which could not be looked up"
        )
    ended = (
        "" if record.entity_status == "ACTIVE" else f", itself {record.entity_status or 'without a status'}"
    )
    return f" (“{quoted(record.legal_name)}”, {record.jurisdiction or 'no jurisdiction'}{ended})"


def _current(record: Record, lookup: _Lookup) -> str | None:
    """The end of the successor chain, unless it goes in circles or the register is known not to have it."""
    chain, loop = lookup.chain(record)
    known = [lei for lei in chain if lei in lookup.records or lei not in lookup.asked]
    return known[-1] if known and not loop else None


def _successor_of(record: Record) -> str | None:
    return next((successor.lei for successor in record.successors if successor.lei), None)


def _successors(record: Record, lookup: _Lookup) -> tuple[Suggestion, ...]:
    chain, loop = lookup.chain(record)
    named = [successor.lei for successor in record.successors if successor.lei]
    leis = dict.fromkeys([*reversed(chain), *named]) if not loop else ()
    found = (lookup.records[lei] for lei in leis if lei in lookup.records)
    return tuple(Suggestion(each.lei, each.legal_name, "the recorded successor") for each in found)


def _with_guesses(claim: Claim, checks: Sequence[LeiCheck], lookup: _Lookup) -> LeiReport:
    """The report of an LEI that cannot be right, with those of the register that are one slip away."""
    guesses = lookup.guesses.get(claim.lei) or lookup.guesses.get(iso17442.normalise(claim.lei), {})
    suggestions = tuple(
        Suggestion(lei, lookup.records[lei].legal_name, why)
        for lei, why in guesses.items()
        if lei in lookup.records
    )
    more = [_did_you_mean(suggestions)] if suggestions else []
    return LeiReport(claim, (*checks, *more), suggestions=suggestions, as_of=lookup.as_of)


def _did_you_mean(suggestions: Sequence[Suggestion]) -> LeiCheck:
    first = suggestions[0]
    evidence = {"field": "lei", "suggestions": [suggestion.as_json() for suggestion in suggestions]}
    text = f"Did you mean {first.lei} (“{quoted(first.name)}”), {first.why}?"
    return LeiCheck("did_you_mean", "warn", text, evidence)
