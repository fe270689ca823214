"""A house with somebody behind each kind of door, and nine kinds of people before them."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from common.tables import CSV
from entities.models import Anomaly, EntityPair, RegisterSelection, Representation, ScreeningHit, Statement
from research.models import (
    Decision,
    Lockout,
    Memo,
    MemoTemplate,
    Walk,
    WalkView,
    Watch,
    Webhook,
    WebhookDelivery,
)
from research.models.states import RunState
from research.services.tokens import issue_token
from research.sign_in.second_step import MARK as MARK_OF_A_FACTOR
from research.sign_in.second_step import NONE
from tests.doors.table import MARK
from tests.factories import (
    CheckFactory,
    DocumentFactory,
    EntityFactory,
    MacroFactory,
    ResultFactory,
    RunFactory,
    SessionFactory,
    SourceFactory,
    StepFactory,
)

ANALYST = ("start_run",)
REVIEWER = (
    *("start_run", "decide_researchresult", "execute_verbs", "decide_register", "verify_entity"),
    *("decide_screeninghit", "run_screening"),
    *("merge_entity", "add_entity", "add_representation", "add_entityresearch"),
)
INTEGRATOR = (
    *("add_webhook", "change_webhook", "delete_webhook"),
    *("add_authtoken", "view_authtoken", "delete_authtoken"),
)
ROLES: dict[str, tuple[str, ...] | None] = {
    "anonymous": None,
    "no rights": (),
    "viewer": ("view",),
    "analyst": ("view", *ANALYST),
    "reviewer": ("view", *REVIEWER),
    "integrator": ("view", *INTEGRATOR),
    "owner": ("view", *ANALYST, *INTEGRATOR),
    "other owner": ("view", *ANALYST, *INTEGRATOR),
    "superuser": ("view",),
}


@dataclass
class Role:
    """Who stands before a door, with a session and with a token."""

    name: str
    person: User | None
    rights: set[str] = field(default_factory=set)
    session: Client = field(default_factory=Client)
    token: Client = field(default_factory=Client)

    def holds(self, rights: tuple[str, ...]) -> bool:
        if "anybody" in rights:
            return True
        if self.person is None:
            return False
        if self.person.is_superuser:
            return True
        own = self.name == "owner"
        allowed = {"known": True, "mine": own, "steer": own or self.name == "reviewer", "superuser": False}
        return all(allowed.get(right, right in self.rights) for right in rights)


@pytest.fixture
def roles(db) -> dict[str, Role]:
    return {name: _role(name, rights) for name, rights in ROLES.items()}


def _role(name: str, rights: tuple[str, ...] | None) -> Role:
    if rights is None:
        return Role(name, None, token=Client(headers={"Authorization": "Bearer " + "0" * 64}))
    person = User.objects.create_user(name.replace(" ", "-"), is_staff=True, is_superuser=name == "superuser")
    person.user_permissions.set(_permissions(rights))
    role = Role(name, person, person.get_all_permissions())
    role.session.force_login(person)
    session = role.session.session
    session[MARK_OF_A_FACTOR] = (
        NONE  # as after the first request: each is taken back, and would find it out anew
    )
    session.save()
    role.session.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    role.token = Client(headers={"Authorization": f"Bearer {issue_token(user=person)[1]}"})
    return role


def _permissions(rights: tuple[str, ...]) -> list[Permission]:
    named = Permission.objects.filter(codename__in=rights)
    if "view" in rights:
        ours = Permission.objects.filter(content_type__app_label__in=("citations", "entities", "research"))
        return [*named, *ours.filter(codename__startswith="view_")]
    return list(named)


@pytest.fixture
def house(roles) -> dict[str, Any]:
    """One row of everything; what can have an owner belongs to the role ``owner``."""
    owner, reviewer = roles["owner"].person, roles["reviewer"].person
    rows = research_of(owner, reviewer)
    hook = Webhook.objects.create(url=f"https://127.0.0.1/{MARK}", owner=owner, secret="whsec_AAAA")
    rows |= {
        "hook": hook,
        "sent": WebhookDelivery.objects.create(
            webhook=hook, type="webhook.test", payload={"x": MARK}, state="failed"
        ),
        "token": AuthToken.objects.get(user=owner),
        "lockout": Lockout.objects.create(scope="account", key=MARK, since=timezone.now()),
        "table": DocumentFactory(text=f"Owner,Share\n{MARK},10 %\n", title=MARK, mime=CSV),
        "template": MemoTemplate.objects.create(
            name="house", version=1, values={}, digest="0" * 64, note=MARK, active=False
        ),
    }
    entity = EntityFactory(name=MARK, slug="marked")
    choice = {"verdict": "user-selected", "chooser": "person", "chosen_by": reviewer, "reason": MARK}
    return {
        **rows,
        "entity": entity,
        "statement": Statement.objects.create(
            subject=entity, property="name", slot=MARK[:32], value=MARK, source=MARK
        ),
        "form": Representation.objects.create(entity=entity, type="isin", key="US0378331005"),
        "hit": ScreeningHit.objects.create(
            entity=entity,
            source="un",
            key="1",
            name=MARK,
            score=90,
            **dict.fromkeys(("subject_digest", "entry_digest", "fingerprint"), "0" * 64),
        ),
        "pair": EntityPair.objects.create(
            entity=entity, other=EntityFactory(name="Marked"), score=90, explanation=MARK
        ),
        "anomaly": Anomaly.objects.create(
            entity=entity, kind="renamed", summary=MARK, evidence={"a": MARK}, digest="0" * 64
        ),
        "choice": RegisterSelection.objects.create(
            entity=entity, register="zefix", query={}, number="1", **choice
        ),
    }


def research_of(owner: User, reviewer: User) -> dict[str, Any]:
    """A macro, runs in three states, two results, what was read and what was decided."""
    macro = MacroFactory(description=MARK)
    mine = {"macro": macro, "requested_by": owner, "params": {"client_name": MARK}}
    run, failed = RunFactory(**mine), RunFactory(**mine, state=RunState.FAILED)
    waiting = RunFactory(**mine, state=RunState.AWAITING_CONFIRMATION, phase="x")
    StepFactory(run=run, answer={"said": MARK})
    walk = Walk.objects.create(run=run, number=1)
    WalkView.objects.create(
        walk=walk, number=1, url="https://example.org/", title=MARK, screenshot=MARK.encode()
    )
    session, document = SessionFactory(title=MARK, created_by=owner), DocumentFactory(text=MARK, title=MARK)
    result, approved = (
        ResultFactory(run=RunFactory(**mine, state=RunState.SUCCEEDED), session=case, state=state)
        for case, state in ((session, "pending_review"), (None, "approved"))
    )
    SourceFactory(run=result.run, document=document)
    CheckFactory(result=result, message=MARK)
    seen = {"data": approved.data, "digest": approved.digest, "result_digest": approved.digest}
    decision = Decision.objects.create(
        result=approved, macro=macro, reviewer=reviewer, verdict="approved", **seen
    )
    times = dict.fromkeys(("due_at", "fresh_until", "checked_at"), decision.created_at)
    kept = {"macro_name": macro.name, "params": run.params, "question": "0" * 64, "every_days": 30}
    watch = Watch.objects.create(decision=decision, **kept, **times)
    memo = Memo.objects.create(result=result, style="memo", format="md", body=MARK.encode(), digest="0" * 64)
    return {
        "macro": macro,
        "run": run,
        "failed": failed,
        "waiting": waiting,
        "session": session,
        "document": document,
        "result": result,
        "approved": approved,
        "watch": watch,
        "walk": walk,
        "memo": memo,
    }
