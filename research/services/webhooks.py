"""Webhooks: addresses that are told what happens. What is sent and how stands in ``deliveries``."""

import base64
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from common.transactions import retried
from research import audit
from research.errors import InvalidParameters, ParamError
from research.jsontext import storable_text
from research.models import AuditSeal, Webhook, WebhookDelivery
from research.services.access import SET_UP_WEBHOOK, Person, require, require_own
from research.web.faults import FetchFault
from research.web.guard import DEFAULT_PORTS, Policy, allow_list, check_url

EVENTS = {
    "run.started": "run.started",
    "run.awaits_confirmation": "run.awaiting_confirmation",
    "run.confirmed": "run.confirmed",
    "run.succeeded": "run.succeeded",
    "run.failed": "run.failed",
    "run.cancelled": "run.cancelled",
    "run.resumed": "run.resumed",
    "run.finishing": "run.resumed",
    "result.approved": "result.approved",
    "result.needs_changes": "result.needs_changes",
    "result.rejected": "result.rejected",
    "result.executed": "result.executed",
    "result.rolled_back": "result.rolled_back",
    "verb.failed": "verb.failed",
    "watch.changed": "watch.changed",
    "watch.unchanged": "watch.unchanged",
    "watch.worsened": "watch.worsened",
    "watch.failed": "watch.failed",
}
"""What the audit trail calls an event, and what integrators call it."""
MEANING = {
    "run.started": "a run was asked for; a worker may take it up",
    "run.awaiting_confirmation": "a run waits for a person",
    "run.confirmed": "a person let it go on",
    "run.succeeded": "there is a result to review",
    "run.failed": "a run is over without a result",
    "run.cancelled": "somebody ended a run",
    "run.resumed": "a run that was over goes on",
    "result.approved": "a person has signed for a result",
    "result.needs_changes": "a person wants it done again",
    "result.rejected": "a person has rejected it",
    "result.executed": "what was approved is in memory",
    "result.rolled_back": "what its verbs wrote was taken back",
    "verb.failed": "a verb was refused; the rest waits",
    "watch.changed": "an answer that is kept fresh has changed and waits for review",
    "watch.unchanged": "it was looked at again and is as it was",
    "watch.worsened": "a register says worse of it than before",
    "watch.failed": "it could not be looked at again",
    "trail.signed": "a head of the audit trail was signed; keep it",
}
"""What each of them says to a person who chooses."""
HEAD = "trail.signed"  # no event, but what seals them; sent to those who ask for it by name
TEST = "webhook.test"
OVERLAP = timedelta(hours=24)  # how long a former secret signs beside the new one
MAX_HOOKS = 100


@retried
def add_webhook(
    *, url: str, actor: Person, events: Sequence[str] = (), description: str = "", active: bool = True
) -> Webhook:
    """Enter an address; without ``events`` it is told all of them. It hears of what happens from now on.

    Raises:
        NotPermitted, InvalidParameters: nothing was stored.
    """
    require(actor, SET_UP_WEBHOOK)
    if Webhook.objects.count() >= MAX_HOOKS:
        raise InvalidParameters([ParamError("url", f"there are {MAX_HOOKS} webhooks already")])
    hook = Webhook(
        url=checked_url(url),
        events=checked_events(events),
        description=storable_text(description)[:200],
        active=active,
        owner_id=actor.pk,
        secret=new_secret(),
    )
    with transaction.atomic():
        hook.position = _now()
        hook.save()
        audit.record("webhook.added", hook, actor, host=_host(hook.url), events=hook.events)
    return hook


@retried
def change_webhook(
    *,
    webhook: Webhook,
    actor: Person,
    url: str | None = None,
    events: Sequence[str] | None = None,
    description: str | None = None,
    active: bool | None = None,
) -> Webhook:
    """Change what is given; what is left out stays. Raises NotPermitted, InvalidParameters."""
    require_own(actor, SET_UP_WEBHOOK, webhook.owner_id)
    wanted = {
        "url": None if url is None else checked_url(url),
        "events": None if events is None else checked_events(events),
        "description": None if description is None else storable_text(description)[:200],
        "active": active,
    }
    changes: dict[str, object] = {name: value for name, value in wanted.items() if value is not None}
    with transaction.atomic():
        if active and Webhook.objects.filter(pk=webhook.pk, active=False).exists():
            changes["position"] = _now()  # what happened while it was off is not sent later
        Webhook.objects.filter(pk=webhook.pk).update(**changes)
        audit.record("webhook.changed", webhook, actor, changed=sorted(set(changes) - {"position"}))
    webhook.refresh_from_db()
    return webhook


@retried
def rotate_secret(*, webhook: Webhook, actor: Person, now: datetime | None = None) -> Webhook:
    """A new secret; for a day messages are signed with both, so that the receiver can change over.

    Raises:
        NotPermitted: nothing was stored.
    """
    require_own(actor, SET_UP_WEBHOOK, webhook.owner_id)
    until = (now or timezone.now()) + OVERLAP
    with transaction.atomic():
        found = Webhook.objects.select_for_update().get(pk=webhook.pk)
        Webhook.objects.filter(pk=webhook.pk).update(
            secret=new_secret(), former_secret=found.secret, former_until=until
        )
        audit.record("webhook.secret_rotated", webhook, actor)
    webhook.refresh_from_db()
    return webhook


@retried
def remove_webhook(*, webhook: Webhook, actor: Person) -> None:
    """Forget the address and what was sent to it. Raises NotPermitted."""
    require_own(actor, SET_UP_WEBHOOK, webhook.owner_id)
    with transaction.atomic():
        audit.record("webhook.removed", webhook, actor, host=_host(webhook.url))
        Webhook.objects.filter(pk=webhook.pk).delete()


def webhooks_of(person: Person) -> QuerySet[Webhook]:
    """Those that a person may see: their own; a superuser sees all. An address can be a secret in itself."""
    hooks = Webhook.objects.select_related("owner")
    return hooks if person.is_superuser else hooks.filter(owner_id=person.pk)


def deliveries_of(person: Person) -> QuerySet[WebhookDelivery]:
    """What was sent to the webhooks that a person may see."""
    return WebhookDelivery.objects.filter(webhook__in=webhooks_of(person))


def checked_url(url: str) -> str:
    """The address, if messages may be sent there. Raises InvalidParameters."""
    policy = sending_policy()
    try:
        address = check_url(url.strip(), policy)
    except FetchFault as fault:
        raise InvalidParameters([ParamError("url", fault.message)]) from None
    if address.scheme != "https" and not policy.allows(address.host, address.port):
        raise InvalidParameters(
            [ParamError("url", "must begin with https:// (or its host:port stand in DOSSIER_FETCH_ALLOW)")]
        )
    return url.strip()


def checked_events(events: Sequence[str]) -> list[str]:
    """Kinds of events in their own order, all but heads where none is named. Raises InvalidParameters."""
    known = list(MEANING)
    unknown = [name for name in events if name not in known]
    if unknown:
        message = f"{str(unknown[0])[:60]!r} is not one of: {', '.join(known)}"
        raise InvalidParameters([ParamError("events", message, known)])
    return [name for name in known if name in events] or list(dict.fromkeys(EVENTS.values()))


def new_secret() -> str:
    """192 bits in the spelling of Standard Webhooks."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()


def sending_policy() -> Policy:
    """Where messages may be sent: as pages may be read, the public web and what the operator lets through."""
    ports = frozenset(map(int, settings.DOSSIER_FETCH_PORTS)) or DEFAULT_PORTS
    return Policy(allow_list(settings.DOSSIER_FETCH_ALLOW), ports)


def _now() -> int:
    """Where the audit trail ends."""
    audit.seal_all()
    return AuditSeal.objects.aggregate(last=Max("ordinal"))["last"] or 0


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2][:200]
