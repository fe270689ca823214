"""An assessment as plain JSON, for programs."""

from typing import Any

from entities.ownership.assessment import Assessment, Owner
from entities.ownership.ends import End
from entities.ownership.interests import Interest, Party, PartyKind
from entities.ownership.shares import Share

WITHHELD = "a natural person"


def as_json(found: Assessment, *, people: bool = True) -> dict[str, Any]:
    """The answer with its rule, day, owners, ends, findings, assumptions and inputs.

    Without ``people`` the names of natural persons are withheld. Their shares are not: a company's owners can be
    counted without knowing who they are.
    """
    return {
        "subject": _party(found.subject, people),
        "answer": found.answer,
        "rule": {
            "name": found.rule.name,
            "title": found.rule.title,
            "test": found.rule.test,
            "threshold": found.rule.words,
            "source": found.rule.source,
        },
        "as_of": found.as_of.isoformat(),
        "owners": [_owner(each, people) for each in found.owners],
        "ends": [_end(each, people) for each in found.ends],
        "findings": [
            {"code": each.code, "gravity": each.gravity, "message": each.message if people else ""}
            for each in found.findings
        ],
        "assumptions": list(found.assumptions),
        "inputs": [_interest(each) for each in found.inputs],
    }


def share_json(share: Share) -> dict[str, Any]:
    """The interval: ends as text, since they are decimals."""
    return {
        "low": f"{share.low:f}",
        "high": f"{share.high:f}",
        "low_open": share.low_open,
        "high_open": share.high_open,
        "words": str(share),
    }


def _party(party: Party, people: bool) -> dict[str, Any]:
    shown = people or party.kind != PartyKind.PERSON
    return {"id": party.id, "name": party.name if shown else WITHHELD, "kind": party.kind.value}


def _owner(owner: Owner, people: bool) -> dict[str, Any]:
    return {
        "party": _party(owner.party, people),
        "answer": owner.answer,
        "shares": {each.value: share_json(share) for each, share in owner.shares.items()},
        "controls": owner.controls if people else "",
        "chain": list(owner.chain),
        "settled_by": list(owner.settled_by) if people else [],
    }


def _end(end: End, people: bool) -> dict[str, Any]:
    return {
        "party": _party(end.party, people),
        "reason": end.reason.value,
        "words": end.words,
        "share": share_json(end.share),
    }


def _interest(interest: Interest) -> dict[str, Any]:
    return {
        "id": interest.id,
        "holder": interest.holder,
        "held": interest.held,
        "type": interest.type.value,
        "way": interest.way,
        "share": share_json(interest.share) if interest.share else None,
        "start": interest.start.isoformat() if interest.start else None,
        "end": interest.end.isoformat() if interest.end else None,
        "source": interest.source,
    }
