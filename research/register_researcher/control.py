"""Persons and companies with significant control, in bands and never in percentages."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from research.jsontext import JsonObject
from research.llm.interface import Task
from research.register_researcher.national import National, ask_each, said
from research.register_researcher.playbook import Ask, Notes, Steps, ask_all, quoted

MAX_LEVELS = 5
LISTED = 100
BRITISH = ("england", "wales", "scotland", "northern ireland", "united kingdom", "great britain", "uk")
WORDS = {
    "ownership_of_shares": "ownership of shares",
    "voting_rights": "voting rights",
    "appointment_of_directors": "right to appoint and remove directors",
    "share_of_surplus_assets": "right to surplus assets",
    "significant_influence": "significant influence or control",
}
RELATIONS = (
    ("ownership_of_shares", "direct_ownership"),
    ("voting_rights", "voting_rights"),
    ("appointment_of_directors", "board_control"),
)
REASONS = {
    "ownership_of_shares": "ownership_25pct",
    "voting_rights": "voting_control",
    "appointment_of_directors": "board_control",
}
STATEMENTS = {
    "no-individual-or-entity-with-signficant-control": "it states that nobody has significant control",
    "psc-exists-but-not-identified": "it states that somebody has control whom it has not identified",
    "psc-details-not-confirmed": "it states that the details of somebody with control are not confirmed",
    "psc-contacted-but-no-response": "it states that somebody with control has not answered it",
    "restrictions-notice-issued-to-psc": "it states that it has restricted somebody with control",
    "steps-to-find-psc-not-yet-completed": "it states that it is still looking for who has control",
}


@dataclass
class Controllers:
    """Links and possible beneficial owners as the schema defines them, and questions for the reviewer."""

    links: list[JsonObject] = field(default_factory=list)
    persons: list[JsonObject] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)

    def add(self, other: "Controllers") -> None:
        """Add what another company's registers stated, without duplicates."""
        for name in ("links", "persons", "flags", "read"):
            mine, theirs = getattr(self, name), getattr(other, name)
            mine += [one for one in theirs if one not in mine]


def read_controllers(notes: Notes, national: National, task: Task) -> Steps[Controllers]:
    """The controllers of all matches and, level by level, of British companies among them."""
    told = Controllers()
    level = national.that_can("owners")
    seen = {match["number"] for match in level}
    for _ in range(MAX_LEVELS):
        answers = yield from ask_each(notes, "register_owners", level, limit=LISTED)
        level = []
        for match, data in answers:
            level += _take(notes, told, match, data, task)
        level = [match for match in level if match["number"] not in seen]
        seen |= {match["number"] for match in level}
        if not level:
            return told
    notes.gaps.append(f"Corporate owners were followed over {MAX_LEVELS} levels and not further.")
    return told


def read_officers(notes: Notes, national: National) -> Steps[None]:
    """Current officers as a finding. An office alone does not make a beneficial owner."""
    matches = national.that_can("officers")
    asks = [Ask("register_officers", {"register": m["register"], "number": m["number"]}) for m in matches]
    answers = yield from ask_all(notes, asks)
    for match, data in zip(matches, answers, strict=True):
        if data is None:
            continue
        now = [one for one in data["officers"].get("officers", []) if not one.get("ended")]
        names = ", ".join(
            f"{quoted(one['name'])} ({quoted(one.get('role') or 'office not stated')})" for one in now[:10]
        )
        more = f" and {len(now) - 10} others" if len(now) > 10 else ""
        notes.findings.append(f"In office according to {said(match)}: {names or 'nobody'}{more}.")


def _take(
    notes: Notes, told: Controllers, match: JsonObject, data: JsonObject, task: Task
) -> list[JsonObject]:
    """Record the controllers of one company. Returns its British corporate owners to ask about next."""
    found = data["owners"]
    told.read.append(said(match))
    owners = [owner for owner in found.get("owners", []) if not owner.get("ended")]
    for owner in owners:
        told.links.append(_link(match, owner, found["provenance"]))
        if owner["kind"] == "natural_person":
            _take_person(told, match, owner, task)
    for statement in found.get("statements", []):
        words = STATEMENTS.get(statement, f"it states “{quoted(statement)}”")
        told.flags.append(f"{said(match)}: {words}.")
    if not owners and not found.get("statements"):
        notes.gaps.append(
            f"{said(match)} names nobody with significant control, which is no proof that there is nobody."
        )
    if found.get("truncated"):
        notes.gaps.append(f"{said(match)} has more persons with significant control than were read.")
    return [following for owner in owners if (following := _british(match, owner))]


def _link(match: JsonObject, owner: JsonObject, provenance: JsonObject) -> JsonObject:
    natures = owner.get("control") or []
    kinds = {nature["kind"] for nature in natures}
    stated = "; ".join(map(_nature, natures)) or "nature of control not stated"
    since = f", notified {owner['since']}" if owner.get("since") else ""
    link = {
        "owner_name": owner["name"],
        "owned_entity": match["name"],
        "relationship_type": next((word for kind, word in RELATIONS if kind in kinds), "other_control"),
        "owner_type": owner["kind"],
        "is_natural_person": owner["kind"] == "natural_person",
        "nationality": owner.get("nationality"),
        "natures_of_control": [_nature(nature) for nature in natures],
        "source": f"{said(match)}, persons with significant control: {stated}{since}; {provenance['url']}",
        "confidence": "high",
    }
    return {key: value for key, value in link.items() if value not in (None, "", [])}


def _nature(nature: JsonObject) -> str:
    """ "voting rights 50–75 % (through a trust)"."""
    word = WORDS.get(nature["kind"]) or quoted(nature.get("stated") or "other control")
    band = f" {nature['band']}" if nature.get("band") else ""
    through = f" (through a {nature['through']})" if nature.get("through") else ""
    return f"{word}{band}{through}"


def _take_person(told: Controllers, match: JsonObject, owner: JsonObject, task: Task) -> None:
    if owner.get("withheld"):
        told.flags.append(f"A person with significant control of {said(match)} is protected by the register.")
        return
    reason = _reason(owner.get("control") or [], task)
    if not reason:
        return
    person = {
        "name": owner["name"],
        "qualifying_reason": reason,
        "nationality": owner.get("nationality"),
        "control_description": "; ".join(map(_nature, owner.get("control") or [])),
        "via_entities": [match["name"]],
        "confidence": "high",
        "verification_status": "needs_verification",
    }
    told.persons.append({key: value for key, value in person.items() if value not in (None, "", [])})


def _reason(natures: Sequence[JsonObject], task: Task) -> str:
    """The reason why a person may be a beneficial owner. Empty if the whole band is below the threshold,
    or if only control applies and control was not asked for.
    """
    threshold = task.params.get("ownership_threshold")
    least = Decimal(str(25 if threshold is None else threshold))
    with_control = task.params.get("include_control") is not False
    for nature in natures:
        kind = nature["kind"]
        share = nature.get("band") and kind in ("ownership_of_shares", "voting_rights")
        if kind != "ownership_of_shares" and not with_control:
            continue
        if share and Decimal(nature.get("high") or "100") < least:
            continue
        return "trust_control" if nature.get("through") == "trust" else REASONS.get(kind, "other_control")
    return ""


def _british(match: JsonObject, owner: JsonObject) -> JsonObject | None:
    """A corporate owner in the same register, as a match for the next call."""
    where = f"{owner.get('country', '')} {owner.get('registered_at', '')}".casefold()
    number = str(owner.get("number") or "").strip()
    known = (
        number.isalnum()
        and len(number) <= 8
        and any(word in where.split() or word in where for word in BRITISH)
    )
    if owner["kind"] != "legal_entity" or not known:
        return None
    return {**match, "number": number.zfill(8) if number.isdigit() else number, "name": owner["name"]}
