"""Setting up, changing and losing a second factor: who does it has shown lately who they are, and the trail says so."""

import re
import time
from base64 import b64encode

import pyotp
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from research.models import AuditEvent, Factor
from research.services.factors import add_app, make_codes
from tests.factories import UserFactory
from tests.sign_in.conftest import PASSWORD, SECRET, code, code_at
from tests.sign_in.test_a_second_factor_is_asked_for import age, confirm, is_inside

pytestmark = pytest.mark.django_db


def set_up_app(client):
    page = client.get(reverse("admin:second_factor_app")).content.decode()
    secret = re.search(r"<code>([A-Z2-7 ]{32,})</code>", page)[1].replace(" ", "")
    return client.post(reverse("admin:second_factor_app"), {"code": pyotp.TOTP(secret).at(time.time())})


def actions():
    return list(
        AuditEvent.objects.filter(action__startswith="factor.")
        .order_by("id")
        .values_list("action", flat=True)
    )


def test_an_app_is_set_up_by_its_first_code_and_recovery_codes_are_shown_once(agatha, settings, logged_in):
    settings.DOSSIER_SECOND_FACTOR = "optional"
    elsewhere, client = logged_in(), logged_in()
    page = client.get(reverse("admin:second_factor_app"))
    assert "data:image/svg+xml" in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    wrong = client.post(reverse("admin:second_factor_app"), {"code": "000000"})
    assert "This code is not right" in wrong.content.decode()
    assert not Factor.objects.exists()
    shown = set_up_app(client).content.decode()
    codes = re.findall(r"<code>([a-z2-9]{5}-[a-z2-9]{5})</code>", shown)
    assert len(set(codes)) == 10
    assert codes[0] not in client.get(reverse("admin:second_factor")).content.decode()
    assert actions() == ["factor.added", "factor.codes_made"]
    assert is_inside(client)
    assert not is_inside(elsewhere)  # it began while nothing was asked for


def test_one_app_at_a_time(with_app, logged_in):
    client = logged_in()
    assert "There is an authenticator app already" in set_up_app(client).content.decode()
    assert Factor.objects.filter(kind="app").count() == 1


@pytest.mark.parametrize("name", ["second_factor_app", "second_factor_key", "second_factor_codes", "remove"])
def test_whoever_finds_an_open_browser_changes_nothing(with_app, logged_in, name):
    client = logged_in()
    age(client, proved_at=0)
    factor = Factor.objects.get(kind="app")
    address = (
        reverse("admin:second_factor_remove", args=[factor.pk])
        if name == "remove"
        else reverse(f"admin:{name}")
    )
    for answer in (client.get(address), client.post(address, {"code": "000000", "answer": "{}"})):
        assert answer["Location"].startswith(reverse("admin:confirm"))
    assert Factor.objects.filter(pk=factor.pk).exists()
    assert (
        confirm(client, password=PASSWORD).status_code == 200
    )  # a password is not enough for who has a factor
    assert client.get(address)["Location"].startswith(reverse("admin:confirm"))
    confirm(client, code=code(1))
    assert not client.get(address).headers.get("Location", "").startswith(reverse("admin:confirm"))


def test_who_has_none_shows_the_password_and_it_is_counted(agatha, settings, logged_in):
    settings.DOSSIER_SECOND_FACTOR = "optional"
    client = logged_in()
    age(client, proved_at=0)
    assert client.get(reverse("admin:second_factor_app"))["Location"].startswith(reverse("admin:confirm"))
    for _ in range(22):
        page = confirm(client, password="wrong")
    assert "too many failed attempts" in page.content.decode()
    assert confirm(client, password=PASSWORD).status_code == 200


def test_a_factor_is_removed_after_a_question_and_with_the_last_go_the_codes(with_app, logged_in):
    make_codes(person=with_app)
    client = logged_in()
    address = reverse("admin:second_factor_remove", args=[Factor.objects.get(kind="app").pk])
    assert "You can no longer log in with" in client.get(address).content.decode()
    assert client.post(address).status_code == 302
    assert not Factor.objects.exists()
    assert actions()[-1] == "factor.removed"


def test_nobody_removes_what_is_another_s(with_app, logged_in):
    other = UserFactory()
    theirs = add_app(person=other, secret=SECRET, code=code_at(1000), now=1000)
    client = logged_in()
    assert client.post(reverse("admin:second_factor_remove", args=[theirs.pk])).status_code == 404
    assert Factor.objects.filter(pk=theirs.pk).exists()


def test_where_it_is_required_who_has_none_is_led_to_set_one_up_and_then_on(agatha, settings, visit):
    settings.DOSSIER_SECOND_FACTOR = "required"
    wanted = reverse("admin:research_run_changelist")
    client, answer = visit(next=wanted)
    assert client.get(answer["Location"])["Location"] == reverse("admin:second_factor")
    page = client.get(reverse("admin:second_factor")).content.decode()
    assert "Dossier asks everybody here for a second factor" in page
    assert client.get("/api/v1/runs").status_code == 403
    assert client.get("/api/v1/runs").json()["type"] == "urn:dossier:second-factor"
    for name in ("index", "password_change", "research_run_changelist"):
        assert client.get(reverse(f"admin:{name}"))["Location"] == reverse("admin:second_factor")
    shown = set_up_app(client).content.decode()
    assert f'href="{wanted}"' in shown or 'href="/admin/' in shown
    assert client.get(wanted).status_code == 200


def test_a_session_that_began_before_it_was_required_is_led_there_too(agatha, settings, logged_in):
    client = logged_in()
    assert is_inside(client)
    settings.DOSSIER_SECOND_FACTOR = "required"
    later = Client()
    later.cookies = client.cookies
    answer = later.post(reverse("admin:password_change"), {})
    assert answer["Location"] == reverse("admin:second_factor")


def test_a_new_token_needs_one_where_it_is_required(agatha, settings):
    settings.DOSSIER_SECOND_FACTOR = "required"
    basic = {"Authorization": "Basic " + b64encode(f"Agatha:{PASSWORD}".encode()).decode()}
    answer = Client().post("/api/v1/tokens", {}, content_type="application/json", headers=basic)
    assert answer.status_code == 403
    assert "log in to set one up" in answer.json()["title"]


def test_an_administrator_takes_it_away_from_who_has_lost_it(with_app, logged_in, settings):
    client = logged_in()
    master = Client()
    master.force_login(UserFactory(username="master", is_superuser=True))
    form = {"action": "take_factors_away", "_selected_action": [with_app.pk]}
    people = reverse("admin:auth_user_changelist")
    assert master.post(people, form)["Location"].startswith(reverse("admin:confirm"))
    age(master, proved_at=9e9)
    master.post(people, form)
    assert not Factor.objects.exists()
    assert not is_inside(client)
    event = AuditEvent.objects.get(action="factor.reset")
    assert (event.actor.username, event.object_id) == ("master", str(with_app.pk))


def test_who_may_only_change_people_cannot(with_app):
    helper = Client()
    helper.force_login(UserFactory(username="helper", rights=["view_user", "change_user"]))
    age(helper, proved_at=9e9)
    form = {"action": "take_factors_away", "_selected_action": [with_app.pk]}
    helper.post(reverse("admin:auth_user_changelist"), form)
    assert Factor.objects.exists()


def test_a_command_takes_it_away_where_nobody_gets_in(with_app, capsys):
    UserFactory(username="master", is_superuser=True)
    call_command("people", "list")
    assert "1 factor" in capsys.readouterr().out
    call_command("people", "reset-factor", "Agatha", "--reason", "telephone lost")
    assert "no second factor any more" in capsys.readouterr().out
    assert AuditEvent.objects.get(action="factor.reset").detail == {"factors": 1, "reason": "telephone lost"}
    with pytest.raises(CommandError, match="nobody called"):
        call_command("people", "reset-factor", "Nobody", "--reason", "x")
    with pytest.raises(CommandError, match="superusers"):
        call_command("people", "reset-factor", "Agatha", "--reason", "x", "--as", "Agatha")
