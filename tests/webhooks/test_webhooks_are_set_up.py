import pytest
from rest_framework.test import APIClient

from research.admin.webhooks import WebhookForm
from research.models import AuditEvent, Webhook, WebhookDelivery
from research.services.webhooks import EVENTS, HEAD, MEANING
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
HOOKS = "/api/v1/webhooks"


@pytest.fixture
def api(owner):
    client = APIClient()
    client.default_format = "json"
    client.force_authenticate(owner)
    return client


def test_by_rest_the_secret_is_shown_once(api, receiver):
    made = api.post(HOOKS, {"url": receiver.url, "events": ["result.approved", "run.failed"]})
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    shown = api.get(made["Location"]).json()
    assert shown["events"] == ["run.failed", "result.approved"]
    assert "secret" not in shown
    assert "secret" not in str(api.get(HOOKS).json())
    assert not AuditEvent.objects.filter(detail__icontains="whsec_").exists()


def test_by_rest_it_is_changed_tried_and_removed(api, hook, receiver):
    path = f"{HOOKS}/{hook.pk}"
    assert api.patch(path, {"description": "CRM"}).json()["description"] == "CRM"
    tried = api.post(f"{path}/test").json()
    assert (tried["type"], tried["state"], tried["attempts"][0]["status"]) == (
        "webhook.test",
        "delivered",
        204,
    )
    assert api.get(f"{path}/deliveries?state=delivered").json()["results"][0]["id"] == tried["id"]
    assert api.post(f"/api/v1/deliveries/{tried['id']}/resend").status_code == 202
    assert api.post(f"/api/v1/deliveries/{tried['id']}/resend").status_code == 409
    before = Webhook.objects.get().secret
    assert api.post(f"{path}/secret").json()["secret"] != before
    assert api.delete(path).status_code == 204
    assert not WebhookDelivery.objects.exists()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:1/", "127.0.0.1"),
        ("http://10.0.0.8/", "private"),
        ("http://169.254.169.254/latest", "metadata"),
        ("http://example.org/", "https"),
        ("https://localhost/", "localhost"),
        ("https://example.org:22/", "22"),
        ("ftp://example.org/", ""),
        ("https://user:pass@example.org/", ""),
        ("nonsense", ""),
        ("", ""),
    ],
)
def test_an_address_that_may_not_be_asked_is_refused(api, url, words):
    refused = api.post(HOOKS, {"url": url})
    assert refused.status_code == 400
    [error] = refused.json()["errors"]
    assert error["name"] == "url"
    assert words in error["message"]


def test_an_event_that_there_is_not_is_refused_with_those_that_there_are(api):
    refused = api.post(HOOKS, {"url": "https://example.org/", "events": ["run.done"]})
    [error] = refused.json()["errors"]
    assert (refused.status_code, error["name"]) == (400, "events")
    assert "run.succeeded" in error["allowed"]


@pytest.mark.parametrize(
    ("method", "tail"),
    [("post", ""), ("patch", "/7"), ("delete", "/7"), ("post", "/7/test"), ("post", "/7/secret")],
)
def test_it_takes_the_right_to_set_them_up(hook, method, tail):
    client = APIClient()
    client.force_authenticate(UserFactory())
    tail = tail.replace("7", str(hook.pk))
    answer = getattr(client, method)(
        HOOKS + tail, {"url": "https://example.org/"} if not tail else {}, format="json"
    )
    assert answer.status_code == 403
    assert Webhook.objects.get().active


def test_in_the_admin_it_is_added_tried_and_looked_at(client, owner, receiver):
    client.force_login(owner)
    form = {"url": receiver.url, "description": "CRM", "events": ["run.failed"], "active": "on"}
    page = client.post("/admin/research/webhook/add/", form, follow=True)
    assert "whsec_" in page.content.decode()
    hook = Webhook.objects.get()
    assert (hook.events, hook.owner) == (["run.failed"], owner)
    change = f"/admin/research/webhook/{hook.pk}/change/"
    assert "Save and send a test message" in client.get(change).content.decode()
    assert (
        "took the test message" in client.post(change, {**form, "_test": "1"}, follow=True).content.decode()
    )
    receiver.answers = [(500, {}, b"<b>no</b>")]
    assert "It answered 500" in client.post(change, {**form, "_test": "1"}, follow=True).content.decode()
    assert "whsec_" in client.post(change, {**form, "_secret": "1"}, follow=True).content.decode()
    delivery = WebhookDelivery.objects.filter(state="failed").get()
    shown = client.get(f"/admin/research/webhookdelivery/{delivery.pk}/change/").content.decode()
    assert "&lt;b&gt;no&lt;/b&gt;" in shown
    resend = {"action": "resend", "_selected_action": [str(delivery.pk)]}
    assert (
        "is sent again"
        in client.post("/admin/research/webhookdelivery/", resend, follow=True).content.decode()
    )
    client.post(f"/admin/research/webhook/{hook.pk}/delete/", {"post": "yes"})
    assert not Webhook.objects.exists()


def test_in_the_admin_an_address_is_refused_beside_its_field(client, owner):
    client.force_login(owner)
    page = client.post("/admin/research/webhook/add/", {"url": "http://10.0.0.8/", "active": "on"})
    assert "private" in page.content.decode()
    assert not Webhook.objects.exists()


def test_whoever_chooses_events_reads_what_each_of_them_means():
    assert list(MEANING) == [*dict.fromkeys(EVENTS.values()), HEAD]
    page = str(WebhookForm()["events"])
    assert "<code>run.awaiting_confirmation</code> a run waits for a person" in page
