"""After the password comes the second step: until it is taken, the session opens nothing."""

import os
import subprocess
import sys
import threading
import time
from base64 import b64encode

import pytest
from django.conf import settings as house
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from research.errors import DossierError
from research.models import AuditEvent, Factor, Lockout
from research.services.factors import add_app, end_sessions, make_codes, use_code
from research.services.tokens import issue_token
from tests.factories import UserFactory
from tests.sign_in.conftest import PASSWORD, SECRET, code, code_at

pytestmark = pytest.mark.django_db


def confirm(client, **typed):
    return client.post(reverse("admin:confirm"), typed)


def is_inside(client):
    return client.get(reverse("admin:index")).status_code == 200


def age(client, **kept):
    """Change what a session remembers, as time would."""
    session = client.session
    session.update(kept)
    session.save()


def test_a_password_alone_opens_nothing_and_a_code_opens_the_door(with_app, visit):
    client, answer = visit()
    assert answer["Location"] == reverse("admin:confirm")
    for address in (
        "admin:index",
        "admin:research_run_changelist",
        "admin:second_factor",
        "admin:password_change",
    ):
        assert client.get(reverse(address))["Location"].startswith(reverse("admin:login"))
    assert client.get("/api/v1/runs").status_code == 401
    assert "_auth_user_id" not in client.session
    assert confirm(client, code=code())["Location"] == reverse("admin:index")
    assert is_inside(client)


def test_the_step_is_taken_in_the_browser_that_took_the_first(with_app, visit):
    visit()
    stranger = Client()
    assert confirm(stranger, code=code())["Location"] == reverse("admin:login")
    assert not is_inside(stranger)


def test_a_code_opens_the_door_once(with_app, visit, logged_in):
    typed = code()
    logged_in(typed)
    client, _ = visit()
    page = confirm(client, code=typed)
    assert "not right, or it was used before" in page.content.decode()
    assert not is_inside(client)
    assert confirm(client, code=code(1)).status_code == 302


@pytest.mark.parametrize("typed", ["", "abcdef", "٠٠٠٠٠٠", "0" * 400, "-1"])
def test_what_is_no_code_opens_nothing(with_app, visit, typed):
    client, _ = visit()
    assert confirm(client, code=typed).status_code == 200
    assert not is_inside(client)


def test_codes_of_another_time_open_nothing(with_app):
    now = 1_800_000_000.0
    for steps in (-3, -2, 2, 3):
        with pytest.raises(Exception, match="not right"):
            use_code(person=with_app, code=code_at(now + 30 * steps), now=now)
    assert use_code(person=with_app, code=code_at(now - 30), now=now) == "app"
    assert use_code(person=with_app, code=code_at(now + 30), now=now) == "app"
    with pytest.raises(Exception, match="used before"):
        use_code(person=with_app, code=code_at(now), now=now)  # earlier than the last that was taken


def test_wrong_codes_are_counted_and_a_right_password_does_not_begin_anew(with_app, visit):
    for _ in range(6):
        client, _ = visit()
        page = confirm(client, code="000000")
    assert "too many failed attempts" in page.content.decode()
    assert confirm(client, code=code()).status_code == 200
    assert not is_inside(client)
    assert Lockout.objects.get(scope="code", key="agatha").until
    assert AuditEvent.objects.get(action="lockout.began").detail["scope"] == "code"


def test_next_leads_back_to_a_page_of_ours_and_nowhere_else(with_app, visit):
    wanted = reverse("admin:research_run_changelist") + "?state=failed"
    client, _ = visit(next=wanted)
    assert confirm(client, code=code(), next="https://evil.example/")["Location"] == wanted
    client, _ = visit(next="https://evil.example/")
    assert confirm(client, code=code(1))["Location"] == reverse("admin:index")
    for evil in ("https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"):
        age(client, proved_at=0)
        with_code = use_recovery(with_app)
        assert confirm(client, code=with_code, next=evil)["Location"] == reverse("admin:index")


def use_recovery(person):
    return make_codes(person=person)[0]


def test_the_way_between_the_steps_closes_after_ten_minutes(with_app, visit):
    client, _ = visit()
    age(client, half_way={**client.session["half_way"], "at": time.time() - 601})
    assert confirm(client, code=code())["Location"] == reverse("admin:login")


def test_a_password_that_was_changed_in_between_closes_it_too(with_app, visit):
    client, _ = visit()
    with_app.set_password("another one")
    with_app.save()
    assert confirm(client, code=code())["Location"] == reverse("admin:login")


def test_a_recovery_code_opens_the_door_once_and_says_so_in_the_trail(with_app, visit):
    first, *others = make_codes(person=with_app)
    client, _ = visit()
    assert confirm(client, code=f" {first.upper()} ").status_code == 302
    client, _ = visit()
    assert confirm(client, code=first).status_code == 200
    assert confirm(client, code=others[0].replace("-", "")).status_code == 302
    used = AuditEvent.objects.filter(action="factor.recovery_code_used").order_by("id")
    assert [event.detail["left"] for event in used] == [9, 8]


def test_a_copy_of_the_database_holds_no_secret(with_app):
    codes = make_codes(person=with_app)
    kept = str(list(Factor.objects.values()))
    assert SECRET not in kept
    assert not [one for one in codes if one in kept or one.replace("-", "") in kept]


def test_another_key_of_the_house_lets_nobody_in(with_app, settings, visit):
    settings.SECRET_KEY = "x" * 60
    with pytest.raises(Exception, match="not right"):
        use_code(person=with_app, code=code())


def test_a_session_of_before_shows_the_factor_too(agatha, settings, client):
    client.force_login(agatha)
    assert is_inside(client)
    settings.DOSSIER_SECOND_FACTOR = "optional"
    add_app(person=agatha, secret=SECRET, code=code_at(1000), now=1000)
    later = Client()
    later.cookies = client.cookies
    answer = later.get(reverse("admin:research_run_changelist"))
    assert answer["Location"].startswith(reverse("admin:confirm"))
    assert later.get("/api/v1/runs").status_code == 403
    wanted = reverse("admin:research_run_changelist")
    assert confirm(later, code=code(), next=wanted)["Location"] == wanted
    assert is_inside(later)


def test_who_has_none_logs_in_as_before(agatha, settings, visit):
    settings.DOSSIER_SECOND_FACTOR = "optional"
    client, answer = visit()
    assert answer["Location"] == reverse("admin:index")
    assert is_inside(client)


def test_a_token_is_its_own_credential_and_a_new_one_needs_a_code(with_app, settings):
    settings.DOSSIER_SECOND_FACTOR = "required"
    token = issue_token(user=with_app)[1]
    assert Client().get("/api/v1/runs", headers={"Authorization": f"Bearer {token}"}).status_code == 200

    def ask(**headers):
        basic = b64encode(f"Agatha:{PASSWORD}".encode()).decode()
        given = {"Authorization": f"Basic {basic}", **headers}
        return Client().post("/api/v1/tokens", {}, content_type="application/json", headers=given)

    refused = ask()
    assert (refused.status_code, refused.json()["type"]) == (401, "urn:dossier:wrong-code")
    assert "Dossier-Code" in refused.json()["title"]
    assert ask(**{"Dossier-Code": "000000"}).status_code == 401
    assert ask(**{"Dossier-Code": code()}).status_code == 201
    for _ in range(6):
        last = ask(**{"Dossier-Code": "000000"})
    assert last.status_code == 429


def questions(client):
    with CaptureQueriesContext(connection) as asked:
        assert client.get(reverse("admin:password_change")).status_code == 200
    return len(asked)


def test_while_it_is_off_there_is_no_page(agatha, client):
    client.force_login(agatha)
    for name in ("confirm", "second_factor", "second_factor_app", "second_factor_key"):
        assert client.get(reverse(f"admin:{name}")).status_code == 404
    assert client.get(reverse("admin:single_sign_on")).status_code == 404


def test_a_page_asks_the_database_nothing_more(with_app, logged_in, settings):
    client = logged_in()
    while_on = questions(client)
    settings.DOSSIER_SECOND_FACTOR = "off"
    later = Client()
    later.cookies = client.cookies
    assert questions(later) == while_on


def test_sessions_of_strangers_do_not_end_with_those_of_a_person(with_app, logged_in):
    other = Client()
    other.force_login(UserFactory())
    client = logged_in()
    end_sessions(with_app)
    assert not is_inside(client)
    assert is_inside(other)
    assert Session.objects.count() >= 1


@pytest.mark.django_db(transaction=True)
def test_a_code_that_is_given_twice_at_once_is_taken_once(with_app):
    typed, gate, taken = code_at(1_800_000_000), threading.Barrier(4), []

    def give():
        gate.wait()
        try:
            taken.append(use_code(person=with_app, code=typed, now=1_800_000_000))
        except DossierError as error:
            taken.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=give) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(taken) == ["app", "wrong-code", "wrong-code", "wrong-code"]


def test_a_session_between_the_steps_ends_soon_and_one_after_them_does_not(with_app, visit):
    client, _ = visit()
    assert client.session.get_expiry_age() <= 600
    confirm(client, code=code())
    assert client.session.get_expiry_age() > 86_400


@pytest.mark.parametrize("answer", ["", "{}", "[]", '{"id": 7}', "[" * 5000, "x" * 50_000])
def test_an_answer_that_no_passkey_gave_opens_nothing(with_app, client, answer):
    page = reverse("admin:passkey")
    assert client.post(page, {"answer": answer}).status_code == 302  # nothing was asked
    assert client.get(page).json()["publicKey"]["userVerification"] == "required"
    refused = client.post(page, {"answer": answer, "next": "https://evil.example/"}, follow=True)
    assert refused.redirect_chain[0][0] == f"{reverse('admin:login')}?next=%2Fadmin%2F"
    assert "did not answer as it should" in refused.content.decode()
    assert not is_inside(client)


def test_while_it_is_off_no_process_loads_what_it_takes():
    """Of the pages too, which are imported when one is asked for."""
    heavy = ("fido2", "pyotp", "segno", "jwt", "cryptography.fernet")
    code = (
        "import sys, django; django.setup(); import config.urls, config.wsgi; "
        f"print(sorted(name for name in {heavy} if name in sys.modules))"
    )
    known = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=house.BASE_DIR,
        env=known,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "[]"
