"""A security key that the browser has, an app whose picture is read, and a review that goes on after both steps."""

import time

import pyotp
import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse
from playwright.sync_api import expect

from research.models import AuditEvent, Decision, Factor
from research.services.factors import add_app
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
PASSWORD, SECRET = "correct horse", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def person(settings):
    settings.DOSSIER_SECOND_FACTOR = "optional"
    person = UserFactory(username="petra", rights=ALL_RIGHTS)
    person.set_password(PASSWORD)
    person.save()
    return person


@pytest.fixture
def with_app(person):
    """An authenticator app, set up long ago."""
    add_app(person=person, secret=SECRET, code=pyotp.TOTP(SECRET).at(1000), now=1000)
    return person


@pytest.fixture
def key(page):
    """A security key of the browser's own, which is touched at once."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    kind = {
        "protocol": "ctap2",
        "transport": "usb",
        "hasResidentKey": False,
        "hasUserVerification": False,
        "automaticPresenceSimulation": True,
    }
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": kind})

    def command(name, **more):
        if name == "addAnother":
            return session.send("WebAuthn.addVirtualAuthenticator", more)
        return session.send(f"WebAuthn.{name}", {**made, **more})

    yield command
    session.send("WebAuthn.disable")


def give_password(page):
    page.fill("[name=username]", "petra")
    page.fill("[name=password]", PASSWORD)
    page.click("#login-form [type=submit]")


def test_a_security_key_is_set_up_and_opens_the_door(live_server, page, person, key, complaints):
    start = live_server.url + reverse("admin:index")
    page.goto(start)
    give_password(page)
    page.get_by_role("link", name="Second factor").click()
    page.get_by_role("link", name="Set up").nth(1).click()
    page.fill("#id_name", "Blue key")
    page.click(".submit-row [type=submit]")
    expect(page.locator(".door-codes li")).to_have_count(10)
    page.get_by_role("link", name="I have kept them").click()
    expect(page).to_have_url(start)
    page.get_by_role("button", name="Log out").click()
    page.goto(start)
    give_password(page)
    page.get_by_role("button", name="Use the security key").click()
    expect(page).to_have_url(start)
    kept = Factor.objects.get(kind="key")
    assert (kept.name, kept.used_at is not None) == ("Blue key", True)
    assert complaints == []


def test_a_key_that_counts_backwards_or_is_another_s_opens_nothing(live_server, page, person, key):
    page.goto(live_server.url + reverse("admin:second_factor_key"))
    give_password(page)
    page.click(".submit-row [type=submit]")
    expect(page.locator(".door-codes")).to_be_visible()
    Factor.objects.filter(kind="key").update(counter=10_000)
    Session.objects.all().delete()
    page.goto(live_server.url + reverse("admin:index"))
    give_password(page)
    page.get_by_role("button", name="Use the security key").click()
    expect(page.locator(".errornote[role=alert]").first).to_contain_text("counts backwards")
    [credential] = key("getCredentials")["credentials"]
    key("removeCredential", credentialId=credential["credentialId"])
    key("setUserVerified", isUserVerified=False)
    page.evaluate("document.querySelector('[name=answer]').value = '{\"id\": \"x\"}'")
    page.evaluate("document.querySelector('[data-security-key]').submit()")
    expect(page.locator(".errornote[role=alert]").first).to_contain_text("did not answer as it should")


def test_a_passkey_is_both_steps_and_a_key_that_is_only_touched_is_not(
    live_server, page, person, key, complaints
):
    passkey = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    start = live_server.url + reverse("admin:index")
    page.goto(live_server.url + reverse("admin:second_factor_key"))
    give_password(page)
    page.click(".submit-row [type=submit]")
    expect(page.locator(".door-codes")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    page.goto(start)
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.locator(".door-trouble")).to_contain_text("gave no answer")
    give_password(page)
    page.get_by_role("button", name="Use the security key").click()
    expect(page).to_have_url(start)
    key("removeVirtualAuthenticator")  # it is pulled out
    key("addAnother", options=passkey)
    page.goto(live_server.url + reverse("admin:second_factor_key"))
    page.click(".submit-row [type=submit]")
    expect(page.locator(".door-remove")).to_have_count(2)
    page.get_by_role("button", name="Log out").click()
    page.goto(live_server.url + reverse("admin:password_change"))
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page).to_have_url(live_server.url + reverse("admin:password_change"))
    assert complaints == []


def test_a_review_goes_on_after_both_steps_with_nothing_lost(live_server, page, log_in, with_app, settings):
    settings.DOSSIER_STEP_UP_MINUTES = 15
    result = ResultFactory(data={"name": "Allianz SE", "note": "as found"})
    log_in(with_app)
    page.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
    Session.objects.all().delete()
    page.fill('[name="leaf:/name"]', "Mine")
    expect(page.locator("#trouble")).to_contain_text("You are logged out")
    with page.context.expect_page() as opened:
        page.locator("#trouble").get_by_role("link", name="Log in").click()
    tab = opened.value
    give_password(tab)
    page.bring_to_front()
    page.locator("#trouble").get_by_role("button", name="Try again").click()
    expect(page.locator("#trouble")).to_contain_text("You are logged out")  # one step is not two
    tab.fill("#id_code", pyotp.TOTP(SECRET).at(time.time()))
    tab.click(".submit-row [type=submit]")
    tab.wait_for_url("**/review/**")
    tab.close()
    page.bring_to_front()
    page.locator("#trouble").get_by_role("button", name="Try again").click()
    expect(page.locator("#approve")).to_be_enabled()

    for session in Session.objects.all():  # an hour passes
        kept = session.get_decoded() | {"proved_at": time.time() - 3600}
        session.session_data = Session.get_session_store_class()().encode(kept)
        session.save()
    page.click("#approve")
    page.fill("#reason", "as in the register")
    page.click("button[value=approve]")
    expect(page.locator("body")).to_contain_text("This step asks who is there")
    assert not Decision.objects.exists()
    page.fill("#id_code", pyotp.TOTP(SECRET).at(time.time() + 30))
    page.click(".submit-row [type=submit]")
    expect(page.locator('input[name="leaf:/name"]')).to_have_value("Mine")
    page.click("#approve")
    page.click("button[value=approve]")
    expect(page.locator("body")).to_contain_text("Approved with 1 edit")
    decision = Decision.objects.get()
    assert (decision.data["name"], decision.reason) == ("Mine", "as in the register")
    assert not AuditEvent.objects.filter(action="lockout.began").exists()
