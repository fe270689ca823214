"""Failed attempts are counted for all processes; a lock-out says when it ends, and strangers shut nobody out."""

from base64 import b64encode
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from research.models import AuditEvent, Lockout
from research.services import lockouts
from research.services.tokens import issue_token
from research.sign_in.devices import device_of
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
RIGHT, WRONG = "a right password", "a wrong one"


@pytest.fixture(autouse=True)
def few(settings):
    settings.LOCKOUT_FAILURES = 3
    settings.LOCKOUT_TOKENS = 10


@pytest.fixture
def agatha():
    person = UserFactory(username="Agatha")
    person.set_password(RIGHT)
    person.save()
    return person


def log_in(client, password, name="Agatha", address="127.0.0.1", **more):
    form = {"username": name, "password": password, **more}
    return client.post(reverse("admin:login"), form, REMOTE_ADDR=address)


def ask_for_a_token(client, password, name="Agatha"):
    header = "Basic " + b64encode(f"{name}:{password}".encode()).decode()
    return client.post(
        "/api/v1/tokens", {}, content_type="application/json", headers={"Authorization": header}
    )


def test_an_account_is_shut_to_an_address_after_too_many_and_a_right_password_opens_nothing(client, agatha):
    for _ in range(4):
        answer = log_in(client, WRONG, "AGATHA ")
    answer = log_in(client, RIGHT)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "too many failed attempts" in page
    assert "UTC, in 15 minutes" in page
    event = AuditEvent.objects.get(action="lockout.began")
    assert (event.detail["scope"], event.detail["key"]) == ("pair", "agatha from 127.0.0.1")


def test_one_address_shuts_an_account_for_nobody_else(client, agatha):
    for _ in range(60):
        log_in(client, WRONG, address="6.6.6.6")
    assert not Lockout.objects.filter(scope="account", until__isnull=False).exists()
    assert log_in(client, RIGHT, address="1.2.3.4").status_code == 302


def test_many_addresses_together_have_a_bounded_number_of_attempts(client, agatha, monkeypatch):
    tried = []
    monkeypatch.setattr(User, "check_password", lambda person, typed: tried.append(typed))
    for number in range(50):
        log_in(client, WRONG, address=f"6.6.{number}.1")
    assert len(tried) == 30
    assert Lockout.objects.get(scope="account").until


def test_a_browser_that_is_known_is_not_shut_out_by_strangers(client, agatha):
    assert log_in(client, RIGHT).status_code == 302
    client.post(reverse("admin:logout"))
    stranger = Client()
    for number in range(40):
        log_in(stranger, WRONG, address=f"6.6.{number}.1")
    for number in range(10):
        log_in(stranger, WRONG, f"name{number}")
    assert log_in(stranger, RIGHT, address="1.2.3.4").status_code == 200
    assert log_in(client, RIGHT).status_code == 302


def test_a_known_browser_has_no_more_attempts_than_others(client, agatha):
    log_in(client, RIGHT)
    client.post(reverse("admin:logout"))
    for _ in range(8):
        log_in(client, WRONG)
    assert log_in(client, RIGHT).status_code == 200
    scopes = Lockout.objects.filter(until__isnull=False).values_list("scope", flat=True)
    assert set(scopes) == {"device", "pair"}


def test_what_says_that_a_browser_is_known_is_signed_for_one_account_and_ends(client, agatha):
    UserFactory(username="other")
    log_in(client, RIGHT)
    known = client.cookies["dossier_device"]
    assert (known["httponly"], known["samesite"]) == (True, "Lax")
    request = RequestFactory().get("/")
    request.COOKIES["dossier_device"] = known.value
    assert device_of(request, "AGATHA ")
    assert device_of(request, "other") == ""
    request.COOKIES["dossier_device"] = known.value.replace("agatha", "other")
    assert device_of(request, "other") == ""


def test_other_accounts_go_on(client, agatha):
    for _ in range(5):
        log_in(client, WRONG, "somebody")
    assert log_in(client, RIGHT).status_code == 302


def test_an_address_is_shut_whatever_the_names(client, agatha):
    for number in range(10):
        log_in(client, WRONG, f"name{number}")
    assert log_in(client, RIGHT).status_code == 200
    assert Lockout.objects.get(scope="address").until


def test_it_ends_by_itself(agatha):
    now = timezone.now()
    for _ in range(4):
        until = lockouts.knock(name="agatha", address="1.2.3.4", now=now)
    assert until == now + timedelta(minutes=15)
    assert lockouts.knock(name="agatha", address="1.2.3.4", now=until) is None


def test_failures_of_long_ago_do_not_count(agatha):
    now = timezone.now()
    for step in range(8):
        assert (
            lockouts.knock(name="agatha", address="1.2.3.4", now=now + step * timedelta(minutes=14)) is None
        )


def test_a_right_password_begins_anew(client, agatha):
    for _ in range(3):
        log_in(client, WRONG)
        log_in(client, WRONG)
        assert log_in(client, RIGHT).status_code == 302
    own = Lockout.objects.filter(scope__in=["pair", "device"])
    assert set(own.values_list("failures", flat=True)) == {0}


def test_an_administrator_ends_it(client, agatha, admin_client):
    for _ in range(4):
        log_in(client, WRONG)
    lockout = Lockout.objects.get(scope="pair")
    page = reverse("admin:research_lockout_changelist")
    admin_client.post(page, {"action": "let_in", "_selected_action": [lockout.pk]})
    assert log_in(client, RIGHT).status_code == 302
    assert AuditEvent.objects.filter(action="lockout.ended").exists()


def test_a_name_and_password_for_a_token_are_counted_together_with_the_page(client, agatha):
    codes = [ask_for_a_token(client, WRONG).status_code for _ in range(5)]
    assert codes == [401, 401, 401, 429, 429]
    refused = ask_for_a_token(client, RIGHT)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 900
    assert log_in(client, RIGHT).status_code == 200


def test_wrong_tokens_are_throttled_and_a_good_one_is_let_through(client, agatha):
    wrong = {"Authorization": "Bearer " + "0" * 64}
    codes = [client.get("/api/v1/macros", headers=wrong).status_code for _ in range(20)]
    assert codes == [401] * 10 + [429] * 10
    assert AuditEvent.objects.get(action="lockout.began").detail["scope"] == "token"
    good = {"Authorization": f"Bearer {issue_token(user=agatha)[1]}"}
    assert client.get("/api/v1/macros", headers=good).status_code == 403


@pytest.mark.parametrize("forwarded", ["1.2.3.4", "6.6.6.6, 1.2.3.4"])
def test_the_nearest_proxy_says_where_a_request_comes_from(rf, settings, forwarded):
    request = rf.get("/", headers={"X-Forwarded-For": forwarded})
    assert lockouts.address_of(request) == "127.0.0.1"
    settings.PROXIES = 1
    assert lockouts.address_of(request) == "1.2.3.4"


def test_addresses_of_one_connection_are_one():
    assert lockouts.network("2001:db8:1:2:3::4") == lockouts.network("2001:db8:1:2::5") == "2001:db8:1:2::/64"
    assert lockouts.network("::ffff:1.2.3.4") == "1.2.3.4"


def test_a_next_that_is_refused_leads_to_the_start_page(client, agatha):
    answer = log_in(client, RIGHT, next="https://evil.example/")
    assert answer["Location"] == reverse("admin:index")


def test_what_no_longer_counts_is_forgotten():
    then = timezone.now() - timedelta(days=2)
    for number in range(5):
        lockouts.knock(name=f"nobody{number}", now=then)
    Session.objects.create(session_key="over", session_data="", expire_date=then)
    Session.objects.create(session_key="on", session_data="", expire_date=timezone.now() + timedelta(1))
    assert lockouts.forget_old() == 5
    assert [session.session_key for session in Session.objects.all()] == ["on"]


def test_wrong_tokens_shut_no_person_out_and_wrong_passwords_no_token(client, agatha):
    for _ in range(20):
        client.get("/api/v1/macros", headers={"Authorization": "Bearer " + "0" * 64})
    assert log_in(client, RIGHT).status_code == 302
    for number in range(20):
        log_in(Client(), WRONG, f"name{number}", address="1.2.3.4")
    wrong = {"Authorization": "Bearer " + "0" * 64}
    assert client.get("/api/v1/macros", headers=wrong, REMOTE_ADDR="1.2.3.4").status_code == 401


def change(client, old, new="a new password 7"):
    form = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post(reverse("admin:password_change"), form)


def test_wrong_old_passwords_count_as_wrong_log_ins(client, agatha):
    """Whoever comes upon an open session may not guess on."""
    client.force_login(agatha)
    for _ in range(3):
        assert "too many" not in change(client, WRONG).content.decode()
    assert "too many failed attempts" in change(client, RIGHT).content.decode()
    agatha.refresh_from_db()
    assert agatha.check_password(RIGHT)
    assert log_in(Client(), RIGHT).status_code == 200, "the account is shut at the log-in, too"


def test_a_right_old_password_changes_it_and_begins_anew(client, agatha):
    client.force_login(agatha)
    change(client, WRONG)
    assert change(client, RIGHT).url == reverse("admin:password_change_done")
    agatha.refresh_from_db()
    assert agatha.check_password("a new password 7")
    assert not Lockout.objects.filter(failures__gt=0, scope="pair").exists()
    assert client.get(reverse("admin:index")).status_code == 200
