"""Who may do what to an entity. Services ask, so that no face of the house can forget to."""

from typing import TypeAlias

from django.contrib.auth.models import User

from common.text import storable_text
from entities.memory.base import NotAllowed, RefusedWrite

Person: TypeAlias = User
VERIFY, MERGE = "entities.verify_entity", "entities.merge_entity"
ADD, ADD_FORM, ADD_RESEARCH = (
    "entities.add_entity",
    "entities.add_representation",
    "entities.add_entityresearch",
)
ANOMALY = "entities.decide_anomaly"
ERASE, HOLD = "entities.erase_entity", "entities.hold_entity"
EXPORT, PERSON = "entities.export_entity", "entities.view_person"
MAX_REASON = 2_000

_WORDS = {
    VERIFY: "verify entities",
    MERGE: "merge entities",
    ANOMALY: "decide anomalies",
    EXPORT: "export entities",
    ERASE: "erase entities",
    HOLD: "place and lift legal holds",
    PERSON: "see natural persons",
    ADD: "add entities",
    ADD_FORM: "add representations",
    ADD_RESEARCH: "store research",
}


def require(person: Person | None, permission: str) -> None:
    """Raise NotAllowed unless the person is active and holds the permission."""
    if person is None or not person.is_active or not person.has_perm(permission):
        who = person.get_username() if person else "an anonymous caller"
        raise NotAllowed(f"{who} may not {_WORDS[permission]}: the permission {permission} is missing")


def given_reason(reason: str) -> str:
    """The reason as it is stored. Raises RefusedWrite for none."""
    reason = storable_text(reason).strip()
    if not reason:
        raise RefusedWrite("a reason is needed, in words")
    return reason[:MAX_REASON]
