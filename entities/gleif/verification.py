"""Verifying LEIs: independent checks, each with its verdict, its evidence and one sentence for a person.

Existence is not verification: a retired LEI exists, carries the right name, and is still the wrong one. And trouble on
the way to the register is ``unknown``, never ``fail``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, TypeAlias

from entities import lei as iso17442
from entities.gleif.errors import GleifError
from entities.gleif.matching import score
from entities.gleif.records import LEGAL_NAME, Record
from entities.gleif.register import Register

Verdict: TypeAlias = Literal["pass", "warn", "fail", "unknown"]
JsonObject: TypeAlias = dict[str, Any]

SEVERITY: dict[str, int] = {"pass": 0, "warn": 1, "unknown": 2, "fail": 3}
MAX_LOOKED_UP_REPAIRS = 50


@dataclass(frozen=True)
class Policy:
    """What a project takes for a warning or a failure."""

    registration: dict[str, Verdict] = field(
        default_factory=lambda: {
            "ISSUED": "pass",
            "LAPSED": "warn",
            "PENDING_TRANSFER": "warn",
            "PENDING_ARCHIVAL": "warn",
            "RETIRED": "fail",
            "DUPLICATE": "fail",
            "ANNULLED": "fail",
            "MERGED": "fail",
            "CANCELLED": "fail",
        }
    )
    name_passes: float = 95.0
    name_fails_below: float = 80.0


@dataclass(frozen=True)
class Claim:
    """An LEI as somebody stated it, with the name and jurisdiction they stated beside it, if any."""

    lei: str
    name: str | None = None
    jurisdiction: str | None = None


@dataclass(frozen=True)
class LeiCheck:
    """One check of one claim; ``evidence`` holds the field, the value seen and the value claimed."""

    code: str
    verdict: Verdict
    message: str
    evidence: JsonObject = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        return {
            "code": self.code,
            "verdict": self.verdict,
            "message": self.message,
            "evidence": self.evidence,
        }


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
    """All checks of one claim; ``verdict`` is the worst of them."""

    claim: Claim
    checks: tuple[LeiCheck, ...]
    record: Record | None = None
    successor: str | None = None
    suggestions: tuple[Suggestion, ...] = ()
    as_of: str = ""

    @property
    def lei(self) -> str:
        return self.claim.lei

    @property
    def verdict(self) -> Verdict:
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
    claims: Sequence[Claim], register: Register, *, today: date, policy: Policy | None = None
) -> list[LeiReport]:
    """One report per claim, in order. The register is asked once for all LEIs; the claims may repeat them."""
    policy = policy or Policy()
    lookup = _Lookup(register, {claim.lei for claim in claims})
    return [_verify(claim, lookup, today, policy) for claim in claims]


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
    """What the register answered, once for all claims; ``trouble`` says why it did not."""

    def __init__(self, register: Register, texts: Iterable[str]) -> None:
        formed = [text for text in texts if iso17442.is_valid(text)]
        self.repairs = {text: iso17442.repairs(text) for text in texts if not iso17442.is_valid(text)}
        self.trouble = ""
        self.records: dict[str, Record] = {}
        wanted = [*formed, *(lei for found in self.repairs.values() for lei in found[:MAX_LOOKED_UP_REPAIRS])]
        try:
            self.records = register.records(wanted) if wanted else {}
            successors = {s.lei for record in self.records.values() for s in record.successors if s.lei}
            self.records |= register.records(successors - set(self.records)) if successors else {}
        except GleifError as error:
            self.trouble = str(error) or type(error).__name__
        self.as_of = register.as_of


def _verify(claim: Claim, lookup: _Lookup, today: date, policy: Policy) -> LeiReport:
    checks = _offline(claim)
    if any(check.verdict == "fail" for check in checks):
        suggestions = _did_you_mean(claim, lookup)
        checks += [_suggested(suggestions)] if suggestions else []
        return LeiReport(claim, tuple(checks), suggestions=suggestions, as_of=lookup.as_of)
    record = lookup.records.get(claim.lei)
    if record is None:
        return LeiReport(claim, (*checks, _missing(claim, lookup)), as_of=lookup.as_of)
    checks.append(LeiCheck("existence", "pass", f"{claim.lei} is in the register.", {"lei": claim.lei}))
    checks += [_registration(record, policy), _entity_status(record), _successor(record, lookup)]
    checks += _name(claim, record, policy) + _jurisdiction(claim, record) + [_renewal(record, today)]
    successor = next((s.lei for s in record.successors if s.lei), None)
    return LeiReport(claim, tuple(checks), record, successor, _successors(record, lookup), lookup.as_of)


def _offline(claim: Claim) -> list[LeiCheck]:
    found = iso17442.check_format(claim.lei)
    evidence = {"value": claim.lei[:100], "rule": found.rule}
    if not found.ok and found.rule in ("length", "alphabet", "check-digits-not-numeric"):
        return [LeiCheck("format", "fail", found.message, evidence)]
    shape = LeiCheck("format", "pass", "20 characters of 0-9 and A-Z.")
    if not found.ok:
        return [shape, LeiCheck("check_digits", "fail", found.message, evidence)]
    return [shape, LeiCheck("check_digits", "pass", "The check digits fit (ISO 7064 MOD 97-10).")]


def _missing(claim: Claim, lookup: _Lookup) -> LeiCheck:
    if lookup.trouble:
        message = f"The register could not be asked about {claim.lei}: {lookup.trouble}"
        return LeiCheck("existence", "unknown", message, {"lei": claim.lei, "error": lookup.trouble})
    message = f"{claim.lei} is well formed, but the register has no such LEI."
    return LeiCheck("existence", "fail", message, {"lei": claim.lei})


def _registration(record: Record, policy: Policy) -> LeiCheck:
    status = record.registration_status
    verdict = policy.registration.get(status, "warn") if status else "unknown"
    evidence = {"field": "registration.status", "seen": status}
    return LeiCheck(
        "registration_status", verdict, f"The registration is {status or 'without a status'}.", evidence
    )


def _entity_status(record: Record) -> LeiCheck:
    status, expired = record.entity_status, record.expiration_date
    evidence = {
        "field": "entity.status",
        "seen": status,
        "expiration": expired.isoformat() if expired else None,
        "reason": record.expiration_reason,
    }
    if status == "INACTIVE" or expired:
        when = f" since {expired}" if expired else ""
        why = f" ({record.expiration_reason.replace('_', ' ').lower()})" if record.expiration_reason else ""
        return LeiCheck("entity_status", "fail", f"The entity is {status or 'expired'}{when}{why}.", evidence)
    verdict: Verdict = "pass" if status == "ACTIVE" else "warn"
    return LeiCheck("entity_status", verdict, f"The entity is {status or 'without a status'}.", evidence)


def _successor(record: Record, lookup: _Lookup) -> LeiCheck:
    leis = [successor.lei for successor in record.successors if successor.lei]
    names = [successor.name for successor in record.successors if successor.name]
    evidence = {"field": "entity.successorEntity", "leis": leis, "names": names}
    if leis:
        known = lookup.records.get(leis[0])
        called = f" ({known.legal_name}, {known.jurisdiction})" if known else ""
        return LeiCheck(
            "successor", "fail", f"The entity was succeeded by {leis[0]}{called}: use that.", evidence
        )
    if names:
        message = f"The entity was succeeded by {names[0]}, which the register knows by name only."
        return LeiCheck("successor", "warn", message, evidence)
    return LeiCheck("successor", "pass", "No successor is recorded.", evidence)


def _name(claim: Claim, record: Record, policy: Policy) -> list[LeiCheck]:
    if not (claim.name or "").strip():
        return []
    value, variant, why = score(claim.name or "", record)
    kind = variant.type.replace("_", " ").lower()
    evidence = {
        "field": "entity.legalName",
        "claimed": claim.name,
        "seen": record.legal_name,
        "matched": variant.name,
        "type": variant.type,
        "language": variant.language,
        "score": round(value, 1),
        "explanation": why,
    }
    if value < policy.name_fails_below:
        text = f"The register's name is {record.legal_name!r}, the claim says {claim.name!r}"
        return [LeiCheck("name", "fail", f"{text} ({value:.0f} of 100).", evidence)]
    if variant.type != LEGAL_NAME:
        text = f"{claim.name!r} is a {kind} of {record.legal_name!r}, not its legal name."
        return [LeiCheck("name", "warn", text, evidence)]
    if value < policy.name_passes:
        text = f"The legal name is {record.legal_name!r}, close to the claimed {claim.name!r} ({value:.0f} of 100)."
        return [LeiCheck("name", "warn", text, evidence)]
    return [LeiCheck("name", "pass", f"The legal name is {record.legal_name!r}.", evidence)]


def _jurisdiction(claim: Claim, record: Record) -> list[LeiCheck]:
    claimed = (claim.jurisdiction or "").strip().upper()
    if not claimed:
        return []
    seen = record.jurisdiction or record.legal_country
    evidence = {
        "field": "entity.jurisdiction",
        "claimed": claimed,
        "seen": seen,
        "headquarters": record.hq_country,
    }
    if claimed == seen:
        return [LeiCheck("jurisdiction", "pass", f"The jurisdiction is {seen}.", evidence)]
    if claimed.partition("-")[0] == seen.partition("-")[0]:
        text = (
            f"The jurisdiction is {seen}, the claim says {claimed}: same country, other level or subdivision."
        )
        return [LeiCheck("jurisdiction", "warn", text, evidence)]
    if claimed == record.hq_country:
        text = f"The jurisdiction is {seen}; {claimed} is only where the headquarters are."
        return [LeiCheck("jurisdiction", "warn", text, evidence)]
    if not seen:
        return [LeiCheck("jurisdiction", "unknown", "The register states no jurisdiction.", evidence)]
    return [
        LeiCheck("jurisdiction", "fail", f"The jurisdiction is {seen}, the claim says {claimed}.", evidence)
    ]


def _renewal(record: Record, today: date) -> LeiCheck:
    due = record.next_renewal
    evidence = {"field": "registration.nextRenewalDate", "seen": due.isoformat() if due else None}
    if due is None:
        return LeiCheck("renewal", "unknown", "The register states no renewal date.", evidence)
    if due < today:
        days = (today - due).days
        return LeiCheck("renewal", "warn", f"The renewal was due on {due}, {days} days ago.", evidence)
    return LeiCheck("renewal", "pass", f"The next renewal is due on {due}.", evidence)


def _did_you_mean(claim: Claim, lookup: _Lookup) -> tuple[Suggestion, ...]:
    found = (lookup.records[lei] for lei in lookup.repairs.get(claim.lei, ()) if lei in lookup.records)
    return tuple(Suggestion(r.lei, r.legal_name, "one slip away, and in the register") for r in found)


def _suggested(suggestions: Sequence[Suggestion]) -> LeiCheck:
    first = suggestions[0]
    evidence = {"suggestions": [suggestion.as_json() for suggestion in suggestions]}
    return LeiCheck("did_you_mean", "warn", f"Did you mean {first.lei} ({first.name})?", evidence)


def _successors(record: Record, lookup: _Lookup) -> tuple[Suggestion, ...]:
    return tuple(
        Suggestion(successor.lei, lookup.records[successor.lei].legal_name, "the recorded successor")
        for successor in record.successors
        if successor.lei in lookup.records
    )
