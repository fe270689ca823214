"""What a record itself says of an LEI: is it in force, is the entity alive, who vouches for it, how old is that.

Each check is a verdict, its evidence, and one sentence for a person.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, TypeAlias

from entities import lei as iso17442
from entities.gleif.policy import Policy, Verdict
from entities.gleif.records import Record

JsonObject: TypeAlias = dict[str, Any]

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
QUOTE = 100


@dataclass(frozen=True)
class LeiCheck:
    """One check of one claim; ``evidence`` holds the field, the value seen and the value claimed.

    ``skipped`` is True where there was nothing to check: nothing was claimed, or the register is silent on a matter
    that it may be silent on. Such a check is ``unknown`` and does not count in the verdict on the LEI.
    """

    code: str
    verdict: Verdict
    message: str
    evidence: JsonObject = field(default_factory=dict)
    skipped: bool = False

    def dated(self, as_of: str) -> "LeiCheck":
        """The same with the date of the register's data in its evidence."""
        return replace(self, evidence=self.evidence | {"as_of": as_of}) if as_of else self

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
    evidence = evidence_of("lei", seen=found.lei[:QUOTE], claimed=claimed[:QUOTE], rule=found.rule)
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
    evidence = evidence_of("registration.status", seen=status)
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
    evidence = evidence_of("entity.status", seen=status) | {
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
    """Overdue by ``today``, or the data older than the policy allows.

    Data from before the due date cannot show whether it was renewed, and the text says so.
    """
    due = record.next_renewal
    evidence = evidence_of("registration.nextRenewalDate", seen=due.isoformat() if due else None)
    age = _days_since(as_of, today)
    if age is not None and age > policy.data_max_age_days:
        text = f"The register's data is of {as_of[:10]}, {age} days old: too old to rely on."
        return LeiCheck("renewal", "warn", text, evidence)
    if due is None:
        return LeiCheck("renewal", "unknown", "The register states no renewal date.", evidence)
    if (today - due).days <= policy.renewal_grace_days:
        return LeiCheck("renewal", "pass", f"The next renewal is due on {due}.", evidence)
    if as_of[:10] and as_of[:10] <= due.isoformat():
        text = f"The renewal was due on {due}; the register's data, of {as_of[:10]}, is too old to show it."
        return LeiCheck("renewal", "warn", text, evidence)
    text = f"The renewal is overdue: it was due on {due}, {(today - due).days} days ago."
    return LeiCheck("renewal", "warn", text, evidence)


_CORROBORATION = {
    "PARTIALLY_CORROBORATED": "only part of this record was compared with a business register",
    "ENTITY_SUPPLIED_ONLY": "what this record says was stated by the entity and compared with nothing",
}


def check_corroboration(record: Record, policy: Policy) -> LeiCheck:
    level = record.corroboration
    evidence = evidence_of("registration.corroborationLevel", seen=level)
    if level == "FULLY_CORROBORATED":
        text = "The issuer compared this record with a business register (fully corroborated)."
        return LeiCheck("corroboration", "pass", text, evidence)
    if level in _CORROBORATION:
        return LeiCheck(
            "corroboration",
            policy.partly_corroborated,
            f"Take care: {_CORROBORATION[level]}.",
            evidence,
        )
    return nothing(
        "corroboration", "The register does not say how well this record was corroborated.", evidence
    )


def check_conformity(record: Record, policy: Policy) -> LeiCheck:
    """GLEIF's own flag: whether the record meets all its policies on renewal and completeness."""
    flag = record.conformity
    evidence = evidence_of("conformityFlag", seen=flag)
    if flag == "CONFORMING":
        return LeiCheck("conformity", "pass", "The record meets the register's own rules.", evidence)
    if flag == "NON_CONFORMING":
        text = "The record does not meet all of the register's own rules (non-conforming)."
        return LeiCheck("conformity", policy.not_conforming, text, evidence)
    return nothing("conformity", "The register does not say whether the record meets its rules.", evidence)


# A company that only moves house is the same company; all other events ask for a look.
_HARMLESS = frozenset(("CHANGE_LEGAL_ADDRESS", "CHANGE_HQ_ADDRESS", "CHANGE_OTHER_NAMES"))


def check_changes(record: Record, today: date, policy: Policy) -> LeiCheck:
    """Name, legal form, merger, liquidation and the like: in progress, or recorded within the days of the policy."""
    events = list(_events(record))
    recent = [event for event in events if _is_recent(event, today - timedelta(policy.recent_change_days))]
    evidence = evidence_of("entity.eventGroups", seen=recent[:10])
    if recent:
        named = ", ".join(dict.fromkeys(_in_words(event["type"]) for event in recent[:3]))
        last = max(event["recorded"] or event["effective"] for event in recent) or "an unknown day"
        text = f"The register recorded changes lately, the last on {last}: {named}."
        return LeiCheck("recent_changes", "warn", text, evidence)
    if not events and not _has_events(record):
        return nothing("recent_changes", "The record carries no list of events.", evidence)
    text = f"No change of name, form or standing in the last {policy.recent_change_days} days."
    return LeiCheck("recent_changes", "pass", text, evidence)


def _events(record: Record) -> Iterator[dict[str, str]]:
    for group in _objects(_part(record.attributes, "entity").get("eventGroups")):
        for event in _objects(group.get("events")):
            yield {
                "type": str(event.get("type") or "")[:60],
                "status": str(event.get("status") or "")[:30],
                "effective": str(event.get("effectiveDate") or "")[:10],
                "recorded": str(event.get("recordedDate") or "")[:10],
            }


def _is_recent(event: dict[str, str], since: date) -> bool:
    day = event["recorded"] or event["effective"]
    unfinished = event["status"] == "IN_PROGRESS"
    return event["type"] not in _HARMLESS and (unfinished or day >= since.isoformat())


def _has_events(record: Record) -> bool:
    return isinstance(_part(record.attributes, "entity").get("eventGroups"), list)


def _part(parent: JsonObject, key: str) -> JsonObject:
    value = parent.get(key)
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _in_words(code: str) -> str:
    return quoted(code.replace("_", " ").lower()) or "an event of no type"


def _days_since(as_of: str, today: date) -> int | None:
    try:
        return (today - date.fromisoformat(as_of[:10])).days
    except ValueError:
        return None


def nothing(code: str, message: str, evidence: JsonObject | None = None) -> LeiCheck:
    """A check that found nothing to check."""
    return LeiCheck(code, "unknown", message, evidence or {}, skipped=True)


def quoted(text: str) -> str:
    """Text of others within a message: on one line, bounded."""
    line = " ".join(text[: QUOTE * 4].split())
    return line if len(line) <= QUOTE else line[: QUOTE - 1] + "…"


def evidence_of(field: str, *, seen: Any, claimed: str | None = None, rule: str = "") -> JsonObject:
    evidence = {"field": field, "seen": seen}
    if claimed is not None:
        evidence["claimed"] = claimed
    return evidence | ({"rule": rule} if rule else {})
