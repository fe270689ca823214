"""Who may do what. Every face of the house goes through these, so none can forget to ask."""

from typing import TypeAlias

from django.conf import settings
from django.contrib.auth.models import AbstractUser

from research.errors import NotPermitted
from research.models import ResearchResult, Run

Person: TypeAlias = AbstractUser

START = "research.start_run"
DECIDE = "research.decide_researchresult"
EXECUTE = "research.execute_verbs"
PUBLISH = "research.add_macro"
VIEW_RESULT = "research.view_researchresult"
EDIT_TEMPLATE = "research.add_memotemplate"
STEER_WATCH = "research.change_watch"
SET_UP_WEBHOOK = "research.add_webhook"
END_LOCKOUT = "research.end_lockout"
ADD_PRICE, CHANGE_PRICE, REMOVE_PRICE = (
    f"research.{verb}_modelprice" for verb in ("add", "change", "delete")
)

_WORDS = {
    START: "start research",
    DECIDE: "decide about results",
    EXECUTE: "execute verbs",
    PUBLISH: "publish macros",
    VIEW_RESULT: "see results",
    EDIT_TEMPLATE: "edit templates of memos",
    STEER_WATCH: "change what is kept fresh",
    SET_UP_WEBHOOK: "set up webhooks",
    END_LOCKOUT: "end lock-outs",
    ADD_PRICE: "enter prices",
    CHANGE_PRICE: "change prices",
    REMOVE_PRICE: "remove prices",
}


def require(person: Person | None, permission: str) -> None:
    """Raise NotPermitted unless the person is active and holds the permission."""
    if person is None or not person.is_active or not person.has_perm(permission):
        who = person.get_username() if person else "an anonymous caller"
        raise NotPermitted(f"{who} may not {_WORDS[permission]}: the permission {permission} is missing")


def require_own(person: Person | None, permission: str, owner_id: int | None, of_others: str = "") -> None:
    """The permission, and for what is somebody else's also ``of_others``: without that it is for superusers alone.

    What has no owner belongs to everybody who holds the permission. Raises NotPermitted.
    """
    require(person, permission)
    assert person is not None  # noqa: S101 - require lets nobody else through
    if owner_id in (None, person.pk) or person.is_superuser or (of_others and person.has_perm(of_others)):
        return
    others = f"the permission {of_others} is missing" if of_others else "only its owner and superusers may"
    raise NotPermitted(
        f"{person.get_username()} may not do this with what belongs to somebody else: {others}"
    )


def require_steering(person: Person, run: Run) -> None:
    """A run is steered by whoever asked for it, and by those who may decide about its result."""
    require_own(person, START, run.requested_by_id, of_others=DECIDE)


def require_decider(person: Person, result: ResearchResult) -> None:
    """The permission, and under the four-eyes rule also another person than the one who asked."""
    require(person, DECIDE)
    if four_eyes_blocks(person, result):
        raise NotPermitted("four-eyes rule: whoever requested the research cannot decide about its result")


def four_eyes_blocks(person: Person, result: ResearchResult) -> bool:
    """True when DOSSIER_FOUR_EYES is on and the person requested this research."""
    return bool(settings.DOSSIER_FOUR_EYES) and result.run.requested_by_id == person.pk
