"""What webhooks are sent: from the audit trail to deliveries, from deliveries to their receivers.

The audit trail has every transition, stored in the transaction that made it, so nothing that happened is left out and
nothing that was rolled back is sent. Its seals give it an order without gaps; each webhook knows how far it has come.
Messages are those of Standard Webhooks: https://www.standardwebhooks.com.
"""

import base64
import hashlib
import hmac
import json
import time
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from common.outside.exchange import retry_after
from common.transactions import retried
from research import audit
from research.audit.checkpoint import NoteRefused
from research.doorbell import ring_on_commit
from research.errors import InvalidTransition
from research.jsontext import JsonObject
from research.models import AuditEvent, AuditHead, AuditSeal, Webhook, WebhookDelivery
from research.models.states import DeliveryState
from research.services.access import SET_UP_WEBHOOK, Person, require_own
from research.services.happenings import told, told_of_heads
from research.services.webhooks import EVENTS, HEAD, TEST, sending_policy
from research.web.faults import FetchFault
from research.web.post import Reply, post

WAITS = tuple(
    timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 28_800)
)
"""How long to wait after each try that failed; after the last, a day in all, the delivery has failed."""
LONGEST_WAIT = timedelta(hours=6)  # that a receiver may ask for
SECONDS = 10.0  # that a receiver has for its answer
HELD = timedelta(minutes=1)  # a worker that has not said how it went by then is gone
KEPT = timedelta(days=30)
AT_ONCE, OF_ONE = 40, 5  # deliveries that one sweep rings for, in all and of one webhook
EVENTS_AT_ONCE = 500


def send_due(*, now: datetime | None = None) -> int:
    """Make deliveries of what happened since the last time, and ring for those that are due; returns how many."""
    now = now or timezone.now()
    active = list(Webhook.objects.filter(active=True).select_related("owner"))
    if active:
        audit.seal_all()
    if any(HEAD in hook.events for hook in active):
        with suppress(
            OSError, NoteRefused
        ):  # whoever seals every minute says so; the rest is sent all the same
            audit.keep_head()
    for hook in active:
        _catch_up(hook, now)
    WebhookDelivery.objects.filter(created_at__lt=now - KEPT).delete()
    ids = _due(now)
    for delivery_id in ids:
        ring_on_commit("deliver", str(delivery_id))
    return len(ids)


def deliver(delivery_id: UUID, *, now: datetime | None = None) -> WebhookDelivery:
    """Try once, unless somebody else is at it or it is not due; what came of it stands in the row."""
    begun = now or timezone.now()
    due = WebhookDelivery.objects.filter(pk=delivery_id, state=DeliveryState.QUEUED, next_at__lte=begun)
    mine = due.filter(webhook__active=True).update(next_at=begun + HELD)
    delivery = WebhookDelivery.objects.select_related("webhook").get(pk=delivery_id)
    if mine:
        _settle(delivery, _attempt(delivery, begun), now or timezone.now())
    return delivery


def send_test(*, webhook: Webhook, actor: Person) -> WebhookDelivery:
    """Send a message of the kind ``webhook.test`` now, whatever the webhook listens for, and say what came of it.

    Raises:
        NotPermitted, InvalidTransition: nothing was sent.
    """
    require_own(actor, SET_UP_WEBHOOK, webhook.owner_id)
    if not webhook.active:
        raise InvalidTransition("This webhook is switched off; switch it on first.")
    now = timezone.now()
    data = {"message": "This is a test.", "asked_by": actor.get_username()}
    payload = {"type": TEST, "timestamp": stamp(now), "sequence": None, "data": data}
    with transaction.atomic():
        delivery = WebhookDelivery.objects.create(webhook=webhook, type=TEST, payload=payload)
        audit.record("webhook.tested", webhook, actor)
    return deliver(delivery.pk)


@retried
def send_again(*, delivery: WebhookDelivery, actor: Person) -> WebhookDelivery:
    """Send the same message again, with the same id. Raises NotPermitted, InvalidTransition."""
    require_own(actor, SET_UP_WEBHOOK, delivery.webhook.owner_id)
    over = WebhookDelivery.objects.filter(pk=delivery.pk).exclude(state=DeliveryState.QUEUED)
    with transaction.atomic():
        moved = over.update(state=DeliveryState.QUEUED, tries=0, next_at=timezone.now())
        if not moved:
            raise InvalidTransition("This delivery is still being tried.", state=DeliveryState.QUEUED.value)
        audit.record("webhook.resent", delivery, actor)
        ring_on_commit("deliver", str(delivery.pk))
    delivery.refresh_from_db()
    return delivery


def signed(hook: Webhook, delivery_id: str, body: bytes, now: datetime) -> dict[str, str]:
    """The headers that let a receiver know who sent a message, that it is whole, and how old it is."""
    secrets = [hook.secret]
    if hook.former_until and now < hook.former_until:
        secrets.append(hook.former_secret)
    at = str(int(now.timestamp()))
    content = b".".join((delivery_id.encode(), at.encode(), body))
    signatures = " ".join(f"v1,{_signature(secret, content)}" for secret in secrets)
    return {"webhook-id": delivery_id, "webhook-timestamp": at, "webhook-signature": signatures}


def stamp(moment: datetime) -> str:
    """A time as the API writes times."""
    return moment.isoformat().replace("+00:00", "Z")


@retried
def _catch_up(hook: Webhook, now: datetime) -> None:
    """Deliveries of what was sealed since the hook's position; two sweeps at once make each of them once."""
    seals = AuditSeal.objects.filter(ordinal__gt=hook.position).select_related("event").order_by("ordinal")
    found = list(seals[:EVENTS_AT_ONCE])
    if not found:
        return
    heads = AuditHead.objects.filter(size__gt=hook.position, size__lte=found[-1].ordinal)
    made = [delivery for seal in found if (delivery := _made(hook, seal, now))]
    made += [_of_head(hook, head, now) for head in heads if HEAD in hook.events and told_of_heads(hook.owner)]
    with transaction.atomic():
        moved = Webhook.objects.filter(pk=hook.pk, position=hook.position)
        if moved.update(position=found[-1].ordinal):
            WebhookDelivery.objects.bulk_create(made)


def _made(hook: Webhook, seal: AuditSeal, now: datetime) -> WebhookDelivery | None:
    """The delivery of an event, if the hook listens for it and its owner may see what it is about."""
    event: AuditEvent = seal.event
    kind = EVENTS.get(event.action)
    if kind is None or kind not in hook.events:
        return None
    happened = told(event, hook.owner)
    if happened is None:
        return None
    payload = {"type": kind, "timestamp": stamp(event.at), "sequence": seal.ordinal, "data": happened}
    return WebhookDelivery(webhook=hook, event=event, type=kind, payload=payload, next_at=now, created_at=now)


def _of_head(hook: Webhook, head: AuditHead, now: datetime) -> WebhookDelivery:
    data = {"size": head.size, "note": head.note}
    payload = {"type": HEAD, "timestamp": stamp(head.at), "sequence": head.size, "data": data}
    return WebhookDelivery(webhook=hook, type=HEAD, payload=payload, next_at=now, created_at=now)


def _due(now: datetime) -> list[UUID]:
    """The oldest first, and of no receiver so many that a slow one keeps the workers from everybody else."""
    waiting = WebhookDelivery.objects.filter(
        state=DeliveryState.QUEUED, next_at__lte=now, webhook__active=True
    )
    ids: list[UUID] = []
    for hook_id in waiting.order_by().values_list("webhook", flat=True).distinct():
        of_one = (
            waiting.filter(webhook=hook_id).order_by("created_at", "event_id").values_list("pk", flat=True)
        )
        ids.extend(of_one[:OF_ONE])
    return ids[:AT_ONCE]


def _attempt(delivery: WebhookDelivery, now: datetime) -> tuple[Reply | None, JsonObject]:
    """One try: the answer, if there was one, and what is kept of it."""
    hook, begun = delivery.webhook, time.monotonic()
    body = json.dumps(delivery.payload, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": settings.DOSSIER_USER_AGENT,
        **signed(hook, str(delivery.pk), body, now),
    }
    policy, trusted = sending_policy(), settings.DOSSIER_FETCH_CA
    reply, trouble = None, ""
    try:
        reply = post(hook.url, body, headers, policy=policy, seconds=SECONDS, trusted=trusted)
    except FetchFault as fault:
        trouble = fault.message
    status, answer = (reply.status, reply.text) if reply else (None, "")
    if reply and 300 <= reply.status < 400:
        trouble = (
            "The receiver answered with a redirect, which is not followed: enter the address it leads to."
        )
    took = round((time.monotonic() - begun) * 1000)
    kept = {"at": stamp(now), "status": status, "answer": answer, "trouble": trouble, "milliseconds": took}
    return reply, kept


@retried
def _settle(delivery: WebhookDelivery, tried: tuple[Reply | None, JsonObject], now: datetime) -> None:
    reply, attempt = tried
    tries, state, wait = delivery.tries + 1, DeliveryState.QUEUED, timedelta(0)
    if reply and 200 <= reply.status < 300:
        state = DeliveryState.DELIVERED
    elif tries > len(WAITS) or delivery.type == TEST:
        state = DeliveryState.FAILED
    else:
        wait = max(WAITS[tries - 1], _asked(reply, now))
    changes = {"state": state, "tries": tries, "next_at": now + wait}
    with transaction.atomic():
        WebhookDelivery.objects.filter(pk=delivery.pk).update(
            **changes, attempts=[*delivery.attempts, attempt][-2 * len(WAITS) :]
        )
        if reply and reply.status == 410:  # gone: the receiver wants no more of it
            _switch_off(delivery.webhook)
    delivery.refresh_from_db()


def _asked(reply: Reply | None, now: datetime) -> timedelta:
    """How long the receiver wants us to wait, within reason."""
    seconds = retry_after(reply.headers.get("retry-after", ""), now) if reply else None
    return min(timedelta(seconds=min(seconds or 0, 1e6)), LONGEST_WAIT)


def _switch_off(hook: Webhook) -> None:
    if Webhook.objects.filter(pk=hook.pk, active=True).update(active=False):
        audit.record("webhook.switched_off", hook, None, why="The receiver answered 410.")


def _signature(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
