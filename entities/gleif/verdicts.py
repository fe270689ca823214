"""The checks of one claimed LEI against its record: each a verdict, its evidence, and one sentence for a person."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from entities import lei as iso17442
from entities.gleif.jurisdictions import country_of, jurisdiction_code
from entities.gleif.matching import SAME, NameMatch, best_name, variant_kind
from entities.gleif.records import LEGAL_NAME, Record

Verdict: TypeAlias = Literal["pass", "warn", "fail", "unknown"]
JsonObject: TypeAlias = dict[str, Any]

REGISTRATION: Mapping[str, Verdict] = MappingProxyType(
    {
        "ISSUED": "pass",
        "LAPSED": "warn",
        "PENDING_TRANSFER": "warn",
        "PENDING_ARCHIVAL": "warn",
        "TRANSFERRED": "warn",
        "RETIRED": "fail",
        "DUPLICATE": "fail",
        "ANNULLED": "fail",
        "MERGED": "fail",
        "CANCELLED": "fail",
    }
)
_MEANING = {
    "LAPSED": "it was not renewed in time",
    "PENDING_TRANSFER": "it is moving to another issuer",
    "PENDING_ARCHIVAL": "it is being handed to another issuer",
    "TRANSFERRED": "it moved to another issuer",
    "RETIRED": "the entity no longer exists or no longer needs it",
    "DUPLICATE": "the entity has another LEI",
    "ANNULLED": "it was issued in error",
    "MERGED": "the entity was merged into another",
    "CANCELLED": "it was withdrawn",
}
_SHAPE_RULES = ("length", "alphabet", "check-digits-not-numeric")
_QUOTE = 100


@dataclass(frozen=True)
class Policy:
    """What a project takes for a warning or a failure: registration status by status, name scores, days."""

    registration: Mapping[str, Verdict] = field(default_factory=lambda: REGISTRATION)
    name_passes: float = SAME
    name_fails_below: float = 80.0
    renewal_grace_days: int = 0


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


def check_form(claimed: str) -> list[LeiCheck]:
    """What can be said without a register: ``format``, and ``check_digits`` where the form allows to compute them."""
    found = iso17442.check_format(claimed)
    evidence = _evidence("lei", seen=found.lei[:_QUOTE], claimed=claimed[:_QUOTE], rule=found.rule)
    if found.rule in _SHAPE_RULES:
        return [LeiCheck("format", "fail", f"“{quoted(claimed)}” is no LEI: {found.message}", evidence)]
    form = LeiCheck("format", "pass", "20 letters and digits, as an LEI has.", evidence)
    if not found.exact:
        text = f"“{quoted(claimed)}” is the LEI {found.lei} only without blanks, dashes and small letters."
        form = LeiCheck("format", "warn", text, evidence)
    if found.ok:
        return [form, LeiCheck("check_digits", "pass", f"The check digits {found.lei[-2:]} fit.", evidence)]
    return [form, LeiCheck("check_digits", "fail", f"{found.lei} is no LEI: {found.message}", evidence)]


def check_registration(record: Record, policy: Policy) -> LeiCheck:
    status = record.registration_status
    verdict = policy.registration.get(status, "unknown")
    evidence = _evidence("registration.status", seen=status)
    if not status:
        message = "The register does not say whether this LEI is in force."
    elif verdict == "pass":
        message = f"The LEI is in force: its registration is {status}."
    else:
        why = _MEANING.get(status, "the checks have no rule for this status")
        message = f"The registration of this LEI is {status}: {why}."
    return LeiCheck("registration_status", verdict, message, evidence)


def check_entity_status(record: Record) -> LeiCheck:
    status, ended = record.entity_status, record.expiration_date
    evidence = _evidence("entity.status", seen=status) | {
        "expiration_date": ended.isoformat() if ended else None,
        "expiration_reason": record.expiration_reason,
    }
    verdict: Verdict
    if status == "INACTIVE" or ended:
        since = f" since {ended}" if ended else ""
        why = f", reason {record.expiration_reason}" if record.expiration_reason else ""
        verdict, message = "fail", f"The entity has ended{since}: its status is {status or 'empty'}{why}."
    elif status == "ACTIVE":
        verdict, message = "pass", "The entity is ACTIVE."
    elif status == "NULL":
        verdict, message = "warn", "The register has no status for this entity (NULL)."
    else:
        verdict, message = "unknown", f"The register gives the entity status “{status}”, which has no rule."
    return LeiCheck("entity_status", verdict, message, evidence)


def check_renewal(record: Record, today: date, as_of: str, policy: Policy) -> LeiCheck:
    """Overdue by ``today``. Data from before the due date cannot show whether it was renewed, and the text says so."""
    due = record.next_renewal
    evidence = _evidence("registration.nextRenewalDate", seen=due.isoformat() if due else None)
    if due is None:
        return LeiCheck("renewal", "unknown", "The register states no renewal date.", evidence)
    if (today - due).days <= policy.renewal_grace_days:
        return LeiCheck("renewal", "pass", f"The next renewal is due on {due}.", evidence)
    if as_of[:10] and as_of[:10] <= due.isoformat():
        text = f"The renewal was due on {due}; the register's data, of {as_of[:10]}, is too old to show it."
        return LeiCheck("renewal", "warn", text, evidence)
    text = f"The renewal is overdue: it was due on {due}, {(today - due).days} days ago."
    return LeiCheck("renewal", "warn", text, evidence)


def check_name(claimed: str, record: Record, policy: Policy) -> LeiCheck:
    """pass: the legal name; warn: another name of the entity, or a similar one; fail: below the threshold."""
    match = best_name(claimed, record)
    evidence = _evidence("entity.legalName", seen=record.legal_name, claimed=claimed[:500]) | {
        "matched": match.variant.name,
        "type": match.variant.type,
        "language": match.variant.language,
        "score": round(match.score, 1),
        "stripped": list(match.stripped),
        "explanation": match.explanation[:500],
    }
    verdict: Verdict = "warn"
    if match.score < policy.name_fails_below:
        verdict = "fail"
    elif match.score >= policy.name_passes and match.variant.type == LEGAL_NAME:
        verdict = "pass"
    return LeiCheck("name", verdict, _name_message(claimed, record, match, verdict, policy), evidence)


def _name_message(claimed: str, record: Record, match: NameMatch, verdict: Verdict, policy: Policy) -> str:
    said, legal = quoted(claimed), quoted(record.legal_name)
    kind, why = variant_kind(match.variant), match.relation
    if verdict == "pass":
        return f"The legal name is “{legal}”" + (
            ", as claimed." if why == "the same" else f"; “{said}” is {why}."
        )
    if verdict == "fail":
        return f"No name of this entity is “{said}”; its legal name is “{legal}” ({why})."
    if match.variant.type == LEGAL_NAME:
        return f"“{said}” is close to the legal name “{legal}”, but not the same ({why})."
    if match.score >= policy.name_passes:
        return f"“{said}” is a name of this entity, of type {kind}; its legal name is “{legal}”."
    matched = quoted(match.variant.name)
    return f"“{said}” is close to “{matched}”, of type {kind} ({why}); the legal name is “{legal}”."


def check_jurisdiction(claimed: str, record: Record) -> LeiCheck:
    """Country and subdivision against the jurisdiction; the headquarters alone are not the jurisdiction."""
    wanted, seen = jurisdiction_code(claimed), record.jurisdiction or record.legal_country
    evidence = _evidence("entity.jurisdiction", seen=seen, claimed=claimed[:_QUOTE]) | {
        "legal_country": record.legal_country,
        "headquarters_country": record.hq_country,
    }
    verdict, message = _place(quoted(claimed), wanted, seen, record)
    return LeiCheck("jurisdiction", verdict, message, evidence)


def _place(said: str, wanted: str, seen: str, record: Record) -> tuple[Verdict, str]:
    if not seen:
        return "unknown", f"The register states no jurisdiction to compare with the claimed “{said}”."
    if not wanted:
        return (
            "unknown",
            f"The claimed jurisdiction “{said}” is not a place we know; the register says {seen}.",
        )
    if wanted == seen:
        return "pass", f"The jurisdiction is {seen}, as claimed."
    if wanted == country_of(seen):
        return "pass", f"The jurisdiction is {seen}, within {wanted} as claimed."
    return _other_place(wanted, seen, record)


def _other_place(wanted: str, seen: str, record: Record) -> tuple[Verdict, str]:
    country = country_of(wanted)
    if country == country_of(seen):
        return (
            "warn",
            f"The jurisdiction is {seen}, the claim says {wanted}: same country, another subdivision.",
        )
    if country == record.legal_country:
        return "warn", f"The jurisdiction is {seen}; {wanted} is only where the legal address is."
    if country == record.hq_country:
        return "warn", f"The jurisdiction is {seen}; {wanted} is only where the headquarters are."
    return "fail", f"The jurisdiction is {seen}, the claim says {wanted}."


def quoted(text: str) -> str:
    """Text of others within a message: on one line, bounded."""
    line = " ".join(text[: _QUOTE * 4].split())
    return line if len(line) <= _QUOTE else line[: _QUOTE - 1] + "…"


def _evidence(field: str, *, seen: Any, claimed: str | None = None, rule: str = "") -> JsonObject:
    evidence = {"field": field, "seen": seen}
    if claimed is not None:
        evidence["claimed"] = claimed
    return evidence | ({"rule": rule} if rule else {})
