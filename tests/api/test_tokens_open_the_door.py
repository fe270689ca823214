from base64 import b64encode
from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from knox.models import AuthToken
from rest_framework.test import APIClient

from research.models import AuditEvent
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def member():
    member = UserFactory(rights=ALL_RIGHTS)
    member.set_password("correct horse")
    member.save()
    return member


@pytest.fixture
def log_in(url):
    def log_in(username, password):
        secret = b64encode(f"{username}:{password}".encode()).decode()
        return APIClient().post(url("tokens"), headers={"Authorization": f"Basic {secret}"})

    return log_in


def holding(token):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def test_it_gives_a_token_for_name_and_password(log_in, member, url):
    answer = log_in(member.username, "correct horse")
    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    assert holding(answer.json()["token"]).get(url("runs")).status_code == 200


def test_it_stores_only_a_hash(log_in, member):
    token = log_in(member.username, "correct horse").json()["token"]
    row = AuthToken.objects.get()
    assert token not in (row.digest, row.token_key)


@pytest.mark.parametrize("password", ["wrong", "", "correct horse "])
def test_it_gives_none_for_a_wrong_password(log_in, member, password):
    answer = log_in(member.username, password)
    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")
    assert not AuthToken.objects.exists()


def test_it_gives_none_to_somebody_whose_account_is_closed(log_in, member):
    member.is_active = False
    member.save()
    assert log_in(member.username, "correct horse").status_code == 401


def test_it_takes_a_token_back(log_in, member, url):
    client = holding(log_in(member.username, "correct horse").json()["token"])
    assert client.delete(url("token-current")).status_code == 204
    assert client.get(url("runs")).status_code == 401


@pytest.mark.parametrize("token", ["nonsense", "a" * 64, ""])
def test_it_refuses_a_token_it_never_gave(url, db, token):
    assert holding(token).get(url("runs")).status_code == 401


def test_it_slows_down_guessing(log_in, member):
    answers = [log_in(member.username, "wrong").status_code for _ in range(11)]
    assert answers[-1] == 429


def test_it_limits_the_tokens_of_a_person(log_in, member, settings):
    settings.REST_KNOX = {**settings.REST_KNOX, "TOKEN_LIMIT_PER_USER": 1}
    assert log_in(member.username, "correct horse").status_code == 201
    assert log_in(member.username, "correct horse").status_code == 409


def test_it_notes_every_token_in_the_audit_trail(log_in, member, url):
    client = holding(log_in(member.username, "correct horse").json()["token"])
    client.delete(url("token-current"))
    tokens = AuditEvent.objects.filter(action__startswith="token.").order_by("id")
    events = list(tokens.values_list("action", "actor"))
    assert events == [("token.issued", member.pk), ("token.revoked", member.pk)]


def test_a_token_has_an_end_and_says_when(log_in, member, url):
    answer = log_in(member.username, "correct horse").json()
    end = timezone.now() + timedelta(days=365)
    assert abs(datetime.fromisoformat(answer["expiry"]) - end) < timedelta(minutes=5)
    AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert holding(answer["token"]).get(url("runs")).status_code == 401


def test_tokens_that_have_ended_do_not_count(log_in, member):
    for _ in range(20):
        AuthToken.objects.create(member, expiry=-timedelta(days=1))
    assert log_in(member.username, "correct horse").status_code == 201


def test_the_admin_shows_the_end_and_proposes_one(client, member):
    admin = UserFactory(username="root", is_superuser=True)
    AuthToken.objects.create(member)
    client.force_login(admin)
    listed = client.get("/admin/knox/authtoken/").content.decode()
    assert f"{timezone.now() + timedelta(days=365):%Y}" in listed
    proposed = client.get("/admin/knox/authtoken/add/").context["adminform"].form.initial["expiry"]
    assert proposed > timezone.now() + timedelta(days=364)
