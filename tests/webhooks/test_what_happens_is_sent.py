import base64
import hashlib
import hmac
import json
from datetime import timedelta
from uuid import UUID

import pytest
from django.urls import reverse
from django.utils import timezone

from research import audit
from research.models import AuditEvent, AuditHead, Run, VerbCall, Watch, WebhookDelivery
from research.services.deliveries import WAITS, deliver, send_again, send_due, send_test
from research.services.execution import execute_verbs
from research.services.happenings import PAGES
from research.services.reviews import approve_result, reject_result
from research.services.rollback import roll_back_verbs
from research.services.runs import cancel_run, start_run
from research.services.webhooks import EVENTS, add_webhook, change_webhook, rotate_secret
from tests.factories import MacroFactory, ResultFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db


def send_all(now=None):
    """What beat and the workers do."""
    send_due(now=now)
    for delivery in WebhookDelivery.objects.filter(state="queued").order_by("created_at", "event_id"):
        deliver(delivery.pk, now=now)


def kinds(receiver):
    return [json.loads(body)["type"] for _, body in receiver.messages]


def verified(headers, body, secret):
    """As a receiver does it, by the words of the documentation."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    mine = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return f"v1,{mine}" in headers["webhook-signature"].split()


def test_a_run_is_told_from_its_start_to_the_approval(receiver, hook, owner):
    MacroFactory(name="m")
    run = start_run(macro="m", params={"client_name": "A"}, trigger="api", requested_by=owner, enqueue=False)
    cancel_run(run=run, actor=owner)
    result = ResultFactory()
    approve_result(result=result, reviewer=owner, digest=result.digest, reason="Seen.")
    send_all()
    assert kinds(receiver) == ["run.started", "run.cancelled", "result.approved"]
    told = json.loads(receiver.messages[-1][1])
    assert told["data"]["result"] == str(result.pk)
    assert told["data"]["run"] == str(result.run_id)
    assert told["data"]["by"] == owner.username
    assert told["sequence"] > json.loads(receiver.messages[0][1])["sequence"]


def approved_watch(owner):
    result = ResultFactory()
    return Watch.objects.get(decision=approve_result(result=result, reviewer=owner, digest=result.digest))


def failed_call(owner):
    """A call of an approved result; an older event of its kind, if there was one, is not sent."""
    result = ResultFactory()
    decision = approve_result(result=result, reviewer=owner, digest=result.digest)
    return VerbCall.objects.create(decision=decision, ordinal=0, verb="gleif.enrich")


@pytest.mark.parametrize("action", EVENTS)
def test_every_kind_says_what_it_is_about(receiver, hook, owner, action):
    about = {"run": RunFactory, "result": ResultFactory}.get(action.split(".")[0])
    subject = (
        about() if about else approved_watch(owner) if action.startswith("watch") else failed_call(owner)
    )
    change_webhook(webhook=hook, actor=owner, events=[EVENTS[action]])
    audit.record(action, subject, None)
    send_all()
    [(headers, body)] = receiver.messages
    told = json.loads(body)
    assert told["type"] == EVENTS[action]
    assert UUID(told["data"]["run"])
    assert headers["Content-Type"] == "application/json"


def test_signed_heads_of_the_audit_trail_are_sent_to_who_asks_and_may_see_it(receiver, hook, owner):
    assert "trail.signed" not in hook.events  # of every minute, so only by name
    change_webhook(webhook=hook, actor=owner, events=["trail.signed"])
    for _ in range(2):
        audit.record("tested", RunFactory(), None)
        send_all()
    messages = [json.loads(body) for _, body in receiver.messages]
    assert [told["data"] for told in messages] == list(AuditHead.objects.values("size", "note"))
    assert messages[-1]["sequence"] == messages[-1]["data"]["size"]
    type(owner).objects.filter(pk=owner.pk).update(is_superuser=False)
    audit.record("tested", RunFactory(), None)
    send_all()
    assert len(receiver.messages) == len(messages)


def test_a_message_is_signed_for_its_receiver(receiver, hook):
    send_test(webhook=hook, actor=hook.owner)
    [(headers, body)] = receiver.messages
    assert verified(headers, body, hook.secret)
    assert not verified(headers, body + b" ", hook.secret)
    assert not verified(headers, body, "whsec_" + base64.b64encode(b"another").decode())


def test_a_new_secret_signs_beside_the_former_for_a_day(receiver, hook, owner):
    former = hook.secret
    hook = rotate_secret(webhook=hook, actor=owner)
    send_test(webhook=hook, actor=owner)
    [message] = receiver.messages
    assert verified(*message, former)
    assert verified(*message, hook.secret)


def test_after_that_day_the_former_secret_signs_no_more(receiver, hook, owner):
    former = hook.secret
    hook = rotate_secret(webhook=hook, actor=owner, now=timezone.now() - timedelta(hours=25))
    send_test(webhook=hook, actor=owner)
    [message] = receiver.messages
    assert not verified(*message, former)
    assert verified(*message, hook.secret)


def test_a_receiver_that_fails_for_an_hour_hears_of_it_all_the_same(receiver, hook):
    receiver.answers = [(500, {}, b"broken")] * 6 + [(200, {}, b"ok")]
    audit.record("run.failed", RunFactory(), None, error={"code": "budget"})
    now = timezone.now()
    send_due(now=now)
    [delivery] = WebhookDelivery.objects.all()
    moments = []
    while delivery.state == "queued" and len(moments) < 20:
        now = max(now, delivery.next_at)
        moments.append(now)
        delivery = deliver(delivery.pk, now=now)
    assert (delivery.state, len(moments)) == ("delivered", 7)
    assert moments[-1] - moments[0] > timedelta(hours=1)
    assert {headers["webhook-id"] for headers, _ in receiver.messages} == {str(delivery.pk)}
    assert len({body for _, body in receiver.messages}) == 1
    assert [each["status"] for each in delivery.attempts] == [500] * 6 + [200]
    assert delivery.attempts[0]["answer"] == "broken"


def test_after_a_day_of_tries_it_has_failed_and_can_be_sent_again(receiver, hook, owner):
    receiver.answers = [(500, {}, b"")]
    audit.record("run.failed", RunFactory(), None)
    send_due()
    [delivery] = WebhookDelivery.objects.all()
    for _ in range(len(WAITS) + 1):
        assert delivery.state == "queued"
        delivery = deliver(delivery.pk, now=delivery.next_at)
    assert delivery.state == "failed"
    assert sum(WAITS, timedelta()) > timedelta(hours=20)
    receiver.answers = [(200, {}, b"")]
    again = send_again(delivery=delivery, actor=owner)
    assert deliver(again.pk).state == "delivered"


def test_it_waits_as_long_as_the_receiver_asks(receiver, hook):
    receiver.answers = [(429, {"Retry-After": "3000"}, b"")]
    audit.record("run.failed", RunFactory(), None)
    now = timezone.now()
    send_all(now)
    [delivery] = WebhookDelivery.objects.all()
    assert delivery.next_at >= now + timedelta(seconds=3000)


def test_a_redirect_is_not_followed(receiver, hook):
    receiver.answers = [(307, {"Location": receiver.url}, b"")]
    delivery = send_test(webhook=hook, actor=hook.owner)
    assert len(receiver.messages) == 1
    assert "redirect" in delivery.attempts[0]["trouble"]


def test_an_address_that_is_private_by_now_is_not_asked(receiver, hook, settings):
    settings.DOSSIER_FETCH_ALLOW = []
    delivery = send_test(webhook=hook, actor=hook.owner)
    assert receiver.messages == []
    assert delivery.attempts[0]["status"] is None
    assert delivery.attempts[0]["trouble"]


def test_a_receiver_that_is_gone_is_switched_off(receiver, hook):
    receiver.answers = [(410, {}, b"")]
    send_test(webhook=hook, actor=hook.owner)
    hook.refresh_from_db()
    assert hook.active is False


def test_a_delivery_is_tried_by_one_worker_at_a_time(receiver, hook):
    audit.record("run.failed", RunFactory(), None)
    now = timezone.now()
    send_due(now=now)
    [delivery] = WebhookDelivery.objects.all()
    WebhookDelivery.objects.update(next_at=now + timedelta(minutes=1))  # another worker has it
    deliver(delivery.pk, now=now)
    assert receiver.messages == []


def test_two_sweeps_make_a_delivery_once(receiver, hook):
    audit.record("run.failed", RunFactory(), None)
    send_due()
    send_due()
    assert WebhookDelivery.objects.count() == 1


def test_what_was_before_is_not_sent_nor_what_happens_while_it_is_off(receiver, owner):
    audit.record("run.failed", RunFactory(), None)
    hook = add_webhook(url=receiver.url, actor=owner)
    change_webhook(webhook=hook, actor=owner, active=False)
    audit.record("run.cancelled", RunFactory(), None)
    change_webhook(webhook=hook, actor=owner, active=True)
    audit.record("run.succeeded", RunFactory(), None)
    send_all()
    assert kinds(receiver) == ["run.succeeded"]


def test_only_what_was_asked_for_is_sent(receiver, owner):
    add_webhook(url=receiver.url, actor=owner, events=["result.rejected"])
    result = ResultFactory()
    audit.record("run.failed", RunFactory(), None)
    reject_result(result=result, reviewer=owner, digest=result.digest, reason="Wrong company.")
    send_all()
    assert kinds(receiver) == ["result.rejected"]


def test_the_inner_runs_of_a_run_are_not_told(receiver, hook):
    audit.record("run.failed", RunFactory(parent=RunFactory()), None)
    send_all()
    assert receiver.messages == []


def test_an_owner_is_told_only_what_they_may_see(receiver, hook, owner):
    type(owner).objects.filter(pk=owner.pk).update(is_superuser=False)
    audit.record("run.failed", RunFactory(), None)
    send_all()
    assert receiver.messages == []


def test_nothing_that_was_found_is_in_a_message(receiver, hook):
    result = ResultFactory(data={"secret_finding": "Bahamas"})
    audit.record("result.approved", result, UserFactory())
    send_all()
    assert "Bahamas" not in receiver.messages[0][1].decode()


def test_the_links_lead_to_pages_that_there_are():
    run, result = RunFactory(), ResultFactory()
    assert PAGES["run"].format(run.pk) == reverse("admin:research_run_change", args=[run.pk])
    assert PAGES["result"].format(result.pk) == reverse(
        "admin:research_researchresult_review", args=[result.pk]
    )


def test_a_head_that_waits_for_the_money_of_a_child_is_told(receiver, hook):
    from research.engine.children import show_at_head

    head = RunFactory(state="awaiting_children")
    show_at_head(head.pk)
    send_all()
    assert Run.objects.get(pk=head.pk).state == "awaiting_confirmation"
    assert kinds(receiver) == ["run.awaiting_confirmation"]


def test_old_deliveries_go(receiver, hook):
    send_test(webhook=hook, actor=hook.owner)
    send_due(now=timezone.now() + timedelta(days=31))
    assert not WebhookDelivery.objects.exists()


def test_the_audit_trail_still_holds(receiver, hook):
    audit.record("run.failed", RunFactory(), None)
    send_all()
    assert audit.keep_head().size == AuditEvent.objects.count()


def test_a_roll_back_is_told(receiver, hook, owner):
    result = ResultFactory()
    decision = approve_result(result=result, reviewer=owner, digest=result.digest)
    execute_verbs(decision=decision, actor=owner)
    roll_back_verbs(result=result, actor=owner, reason="the wrong company")
    send_all()
    assert kinds(receiver)[-2:] == ["result.executed", "result.rolled_back"]
    assert json.loads(receiver.messages[-1][1])["data"]["by"] == owner.username
