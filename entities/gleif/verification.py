"""Verifying LEIs: independent checks, each with its verdict, its evidence and one sentence for a person.

Existence is not verification: a retired LEI exists, carries the right name, and is still the wrong one. And trouble on
the way to the register is ``unknown``, never ``fail``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Protocol, TypeAlias, runtime_checkable

from entities import lei as iso17442
from entities.gleif.claims import (
    Claim,
    check_category,
    check_jurisdiction,
    check_legal_form,
    check_name,
    check_parent,
    check_registration_number,
)
from entities.gleif.errors import GleifError
from entities.gleif.jurisdictions import fits, jurisdiction_code
from entities.gleif.policy import Policy, Verdict
from entities.gleif.records import Level, ParentAnswer, Record
from entities.gleif.verdicts import (
    JsonObject,
    LeiCheck,
    check_changes,
    check_conformity,
    check_corroboration,
    check_entity_status,
    check_form,
    check_registration,
    check_renewal,
    nothing,
    quoted,
)
from entities.names.matching import best_name

__all__ = ["CODES", "Claim", "LeiCheck", "LeiReport", "Policy", "Records", "Suggestion", "brief", "verify"]

SEVERITY: dict[str, int] = {"pass": 0, "warn": 1, "unknown": 2, "fail": 3}
CODES = (
    *("format", "check_digits", "existence", "registration_status", "entity_status", "successor"),
    *("name", "jurisdiction", "registration_number", "legal_form", "corroboration", "conformity", "renewal"),
    *("parent", "category", "ambiguity", "recent_changes", "did_you_mean"),
)
MAX_HOPS = 10
MAX_REPAIRS_LOOKED_UP = 200  # two calls; guesses must not eat the minute's allowance
_CLAIMED = {
    "name": "name",
    "jurisdiction": "jurisdiction",
    "registration_number": "registered_as",
    "legal_form": "legal_form",
    "category": "category",
    "parent": "parent",
}

Parents: TypeAlias = Mapping[str, Mapping[Level, ParentAnswer]]


class Records(Protocol):
    """The part of a register that verification asks."""

    @property
    def as_of(self) -> str: ...
    def records(self, leis: Iterable[str]) -> dict[str, Record]: ...


@runtime_checkable
class KnowsParents(Protocol):
    """A register that tells the parents of many LEIs; an LEI it did not look up is not in the answer."""

    def parents(self, leis: Iterable[str]) -> Parents: ...


@runtime_checkable
class KnowsItsLimits(Protocol):
    """A register that tells why it means nothing that it does not have an LEI."""

    @property
    def label(self) -> str: ...
    def silence(self, today: date, max_age_days: int) -> str: ...


@runtime_checkable
class KnowsNamesakes(Protocol):
    """A register that tells who has the same name; a name it did not look for is not in the answer."""

    def namesakes(self, names: Iterable[str]) -> Mapping[str, Sequence[Record]]: ...


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
    """All checks of one claim; ``verdict`` is the worst of them, ``successor`` the LEI to use instead.

    ``skipped`` are those that had nothing to check, with the reason; together they are the 18 of ``CODES``.
    """

    claim: Claim
    checks: tuple[LeiCheck, ...]
    record: Record | None = None
    successor: str | None = None
    suggestions: tuple[Suggestion, ...] = ()
    as_of: str = ""
    skipped: tuple[LeiCheck, ...] = ()

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
        """``{lei, verdict, checks, record, successor, suggestions, as_of}``, with all 18 checks in their order."""
        checks = sorted((*self.checks, *self.skipped), key=lambda check: CODES.index(check.code))
        return {
            "lei": self.lei,
            "verdict": self.verdict,
            "checks": [check.as_json() for check in checks],
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
    lookup = _Lookup(register, claims)
    judge = _Judge(lookup, today, policy or Policy())
    return [judge.report(claim) for claim in claims]


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
    """What the register answered for all claims: first the LEIs, then successors and what may have been meant, then
    the parents and the namesakes of those that state a parent or a name."""

    def __init__(self, register: Records, claims: Collection[Claim]) -> None:
        self.register, texts = register, {claim.lei for claim in claims}
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
        self.parents = self._ask_parents(claims)
        self.namesakes = self._ask_namesakes(claims)
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

    def goes_on(self, chain: Sequence[str]) -> bool:
        """Whether a chain was left because it is too long: its last LEI has been taken over as well."""
        last = self.records.get(chain[-1]) if len(chain) >= MAX_HOPS else None
        return last is not None and _successor_of(last) is not None

    def _ask(self, leis: set[str]) -> None:
        wanted = leis - self.asked
        if not wanted or self.trouble:
            return
        try:
            self.records |= self.register.records(sorted(wanted))
            self.asked |= wanted
        except GleifError as error:
            self.trouble = str(error) or type(error).__name__

    def _ask_parents(self, claims: Collection[Claim]) -> Parents:
        wanted = {record.lei for claim in claims if _stated(claim.parent) and (record := self.of(claim))}
        if not wanted or not isinstance(self.register, KnowsParents):
            return {}
        try:
            return self.register.parents(sorted(wanted))
        except GleifError:
            return {}

    def _ask_namesakes(self, claims: Collection[Claim]) -> Mapping[str, Sequence[Record]]:
        """Only a name that fits can be ambiguous: where it does not, the check of the name says so already."""
        wanted = {
            name: None
            for claim in claims
            if (record := self.of(claim)) and (name := _stated(claim.name)) and in_force(record)
        }
        if not wanted or not isinstance(self.register, KnowsNamesakes):
            return {}
        try:
            return self.register.namesakes(wanted)
        except GleifError:
            return {}

    def of(self, claim: Claim) -> Record | None:
        return self.records.get(iso17442.normalise(claim.lei))

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


def in_force(record: Record) -> bool:
    """Whether the LEI may be used: issued, and its entity not ended."""
    ended = record.entity_status == "INACTIVE" or record.expiration_date is not None
    return record.registration_status == "ISSUED" and not ended


@dataclass(frozen=True)
class _Judge:
    """Puts the checks of a claim together from what was looked up."""

    lookup: _Lookup
    today: date
    policy: Policy

    def report(self, claim: Claim) -> LeiReport:
        form, lei = check_form(claim.lei), iso17442.normalise(claim.lei)
        record = self.lookup.of(claim)
        if any(check.verdict == "fail" for check in form):
            return self._without_record(claim, form, "This is no LEI, so nothing else can be checked.")
        if record is None and self.lookup.reached:
            missing = self._absent(lei)
            return self._without_record(claim, [*form, missing], missing.message)
        if record is None:
            return self._unasked(claim, lei, form)
        checks = [*form, *(check.dated(self.lookup.as_of) for check in self._checks(claim, record))]
        return self._closed(
            LeiReport(
                claim,
                tuple(check for check in checks if not check.skipped),
                record,
                _current(record, self.lookup),
                _successors(record, self.lookup),
                self.lookup.as_of,
                tuple(check for check in checks if check.skipped),
            ),
            "Nothing was claimed that this check could compare.",
        )

    def _checks(self, claim: Claim, record: Record) -> list[LeiCheck]:
        """Everything that needs the record. What nobody claimed is not checked."""
        found = f"The register has this LEI, as “{quoted(record.legal_name)}”."
        return [
            LeiCheck("existence", "pass", found, {"field": "lei", "seen": record.lei}),
            check_registration(record, self.policy),
            check_entity_status(record),
            _successor(record, self.lookup),
            *self._claimed(claim, record),
            check_renewal(record, self.today, self.lookup.as_of, self.policy),
            check_corroboration(record, self.policy),
            check_conformity(record, self.policy),
            check_changes(record, self.today, self.policy),
            self._ambiguity(claim, record),
        ]

    def _claimed(self, claim: Claim, record: Record) -> list[LeiCheck]:
        checks = []
        if name := _stated(claim.name):
            checks.append(check_name(name, record, self.policy))
        if place := _stated(claim.jurisdiction):
            checks.append(check_jurisdiction(place, record))
        if number := _stated(claim.registered_as):
            checks.append(check_registration_number(number, _stated(claim.registered_at), record))
        if form := _stated(claim.legal_form):
            checks.append(check_legal_form(form, record))
        if category := _stated(claim.category):
            checks.append(check_category(category, record))
        if parent := _stated(claim.parent):
            checks.append(check_parent(parent, self.lookup.parents.get(record.lei), self.policy))
        return checks

    def _absent(self, lei: str) -> LeiCheck:
        """Only a register that is complete and fresh can say that there is no such LEI."""
        register, evidence = self.lookup.register, {"field": "lei", "seen": None, "claimed": lei}
        text = f"The register has no LEI {lei}, so nothing else about it can be checked."
        if not isinstance(register, KnowsItsLimits):
            return LeiCheck("existence", "fail", text, evidence)
        evidence |= {"register": register.label, "as_of": self.lookup.as_of}
        if why := register.silence(self.today, self.policy.absence_max_age_days):
            text = f"LEI {lei} is not in the {register.label}; that does not mean that there is none: {why}."
            return LeiCheck("existence", "unknown", text, {**evidence, "reason": why})
        text = f"The register has no LEI {lei}, so nothing else about it can be checked ({register.label})."
        return LeiCheck("existence", "fail", text, evidence)

    def _ambiguity(self, claim: Claim, record: Record) -> LeiCheck:
        name = _stated(claim.name)
        if name not in self.lookup.namesakes:
            return nothing("ambiguity", "No other LEI of this name was searched for.")
        own, place = best_name(name, record.names).score, jurisdiction_code(_stated(claim.jurisdiction))
        if own < self.policy.name_passes:
            return nothing("ambiguity", "The name does not fit, so others that have it say nothing.")
        others = [
            other
            for other in self.lookup.namesakes[name]
            if other.lei != record.lei and in_force(other) and best_name(name, other.names).score >= own
        ]
        near = [other for other in others if not place or fits(other.jurisdiction, place)]
        evidence = {"field": "lei", "seen": [brief(other) for other in others[:5]], "claimed": name[:500]}
        return LeiCheck("ambiguity", *self._namesakes(others, near), evidence)

    def _namesakes(self, others: list[Record], near: list[Record]) -> tuple[Verdict, str]:
        if near:
            text = ", ".join(f"{other.lei} ({quoted(other.jurisdiction)})" for other in near[:5])
            return self.policy.ambiguous, f"Other LEIs in force have this name as well: {text}."
        if others:
            return "pass", "Others of this name are in other places; in the one claimed it is the only one."
        return "pass", "No other LEI in force has this name."

    def _unasked(self, claim: Claim, lei: str, form: Sequence[LeiCheck]) -> LeiReport:
        """The checks that need the record, when the register could not be asked."""
        trouble = self.lookup.trouble
        text = f"The register could not be asked about {lei}: {quoted(trouble)}"
        codes = ["existence", "registration_status", "entity_status", "successor", "renewal"]
        codes += [code for code, stated in _CLAIMED.items() if _stated(getattr(claim, stated))]
        checks = [LeiCheck(code, "unknown", text, {"field": "lei", "error": trouble}) for code in codes]
        report = LeiReport(claim, (*form, *checks), as_of=self.lookup.as_of)
        return self._closed(report, "The register could not be asked.")

    def _without_record(self, claim: Claim, checks: Sequence[LeiCheck], why: str) -> LeiReport:
        """The report of an LEI that cannot be right, with those of the register that are one slip away."""
        lookup, meant = self.lookup, iso17442.normalise(claim.lei)
        guesses = lookup.guesses.get(claim.lei) or lookup.guesses.get(meant, {})
        suggestions = tuple(
            Suggestion(lei, lookup.records[lei].legal_name, reason)
            for lei, reason in guesses.items()
            if lei in lookup.records
        )
        more = [_did_you_mean(suggestions)] if suggestions else []
        report = LeiReport(claim, (*checks, *more), suggestions=suggestions, as_of=lookup.as_of)
        return self._closed(report, why)

    def _closed(self, report: LeiReport, why: str) -> LeiReport:
        """With a reason for every check that is not in it."""
        known = {check.code for check in (*report.checks, *report.skipped)}
        reasons = {"did_you_mean": "No other LEI is offered."}
        missing = (nothing(code, reasons.get(code, why)) for code in CODES if code not in known)
        return replace(report, skipped=(*report.skipped, *missing))


def _stated(text: str | None) -> str:
    return (text or "").strip()


def _successor(record: Record, lookup: _Lookup) -> LeiCheck:
    chain, loop = lookup.chain(record)
    names = [successor.name for successor in record.successors if successor.name]
    evidence: JsonObject = {"field": "entity.successorEntity", "seen": chain, "names": names, "loop": loop}
    if loop:
        text = f"The successors of this LEI go in circles ({' → '.join(chain)}); the register names no current one."
        return LeiCheck("successor", "fail", text, evidence)
    if lookup.goes_on(chain):
        text = f"Another LEI took over, and after it more than {MAX_HOPS} in a row; the last seen is {chain[-1]}."
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
    """The end of the successor chain, unless it has none or the register is known not to have it."""
    chain, loop = lookup.chain(record)
    if loop or lookup.goes_on(chain):
        return None
    known = [lei for lei in chain if lei in lookup.records or lei not in lookup.asked]
    return known[-1] if known else None


def _successor_of(record: Record) -> str | None:
    return next((successor.lei for successor in record.successors if successor.lei), None)


def _successors(record: Record, lookup: _Lookup) -> tuple[Suggestion, ...]:
    chain, loop = lookup.chain(record)
    named = [successor.lei for successor in record.successors if successor.lei]
    leis = dict.fromkeys([*reversed(chain), *named]) if not loop else ()
    found = (lookup.records[lei] for lei in leis if lei in lookup.records)
    return tuple(Suggestion(each.lei, each.legal_name, "the recorded successor") for each in found)


def _did_you_mean(suggestions: Sequence[Suggestion]) -> LeiCheck:
    first = suggestions[0]
    evidence = {"field": "lei", "suggestions": [suggestion.as_json() for suggestion in suggestions]}
    text = f"Did you mean {first.lei} (“{quoted(first.name)}”), {first.why}?"
    return LeiCheck("did_you_mean", "warn", text, evidence)
