"""Logging in by a provider: only a token that it signed, for us, now, in answer to our question, opens the door."""

import base64
import time
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from research.models import AuditEvent, Identity
from research.services.factors import add_app
from research.sign_in import oidc
from tests.cases import cases
from tests.factories import UserFactory
from tests.oidc_server import CLIENT, CLIENT_SECRET, Provider
from tests.sign_in.conftest import PASSWORD, SECRET, code, code_at

pytestmark = pytest.mark.django_db
DAY = 86_400


@pytest.fixture(scope="module")
def running():
    with Provider() as provider:
        yield provider


@pytest.fixture
def provider(running, settings):
    settings.DOSSIER_OIDC_ISSUER = running.url
    settings.DOSSIER_OIDC_CLIENT_ID, settings.DOSSIER_OIDC_CLIENT_SECRET = CLIENT, CLIENT_SECRET
    settings.DOSSIER_OIDC_NAME = "Muster ID"
    settings.DOSSIER_OIDC_GROUPS = {"house-review": "Reviewers", "house-look": "Readers"}
    settings.DOSSIER_OIDC_CREATE = True
    for name in ("Reviewers", "Readers", "Helpers"):
        Group.objects.get_or_create(name=name)
    running.person = {
        "sub": "248289761001",
        "preferred_username": "agatha",
        "given_name": "Agatha",
        "groups": ["house-review"],
        "email": "agatha@example.org",
        "email_verified": True,
    }
    running.lies, running.described, running.sent = {}, {}, []
    oidc.forget()
    yield running
    oidc.forget()


def go(client, wanted=""):
    """To the provider: the address that the browser is led to."""
    return client.get(reverse("admin:single_sign_on"), {"next": wanted})


def come_back(client, provider, wanted="", **lies):
    provider.lies = lies
    return client.get(provider.authorise(go(client, wanted)["Location"]))


def refusal(answer):
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "You are not logged in" in page
    return page


def is_inside(client):
    return client.get(reverse("admin:index")).status_code == 200


def test_the_log_in_page_offers_it_and_a_new_person_comes_in(client, provider):
    page = client.get(reverse("admin:login"), {"next": "/admin/research/run/"}).content.decode()
    assert "Log in with Muster ID" in page
    assert f"{reverse('admin:single_sign_on')}?next=/admin/research/run/" in page
    asked = parse_qs(urlsplit(go(client)["Location"]).query)
    assert (asked["response_type"], asked["scope"]) == (["code"], ["openid profile email"])
    assert asked["code_challenge_method"] == ["S256"]
    answer = come_back(client, provider, "/admin/research/run/")
    assert answer["Location"] == "/admin/research/run/"
    assert is_inside(client)
    person = User.objects.get(username="agatha")
    assert (person.is_staff, person.is_superuser, person.has_usable_password()) == (True, False, False)
    assert [group.name for group in person.groups.all()] == ["Reviewers"]
    assert (person.email, person.first_name) == ("agatha@example.org", "Agatha")
    came = AuditEvent.objects.filter(object_type="user", object_id=str(person.pk)).order_by("id")
    actions = [event.action for event in came]
    assert {"person.created", "identity.linked", "person.came_by_single_sign_on"} <= set(actions)
    assert "rights.added" in actions


def test_the_secret_goes_to_the_provider_alone_and_as_the_standard_writes_it(client, provider):
    come_back(client, provider)
    [(path, form, authorisation)] = provider.sent
    name, _, secret = base64.b64decode(authorisation.removeprefix("Basic ")).decode().partition(":")
    assert (path, unquote(name), unquote(secret)) == ("/realm/token", CLIENT, CLIENT_SECRET)
    assert "client_secret" not in form
    provider.described = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    oidc.forget()
    come_back(Client(), provider)
    _, form, authorisation = provider.sent[-1]
    assert (form["client_secret"], authorisation) == (CLIENT_SECRET, "")


@cases(
    ("lies", "words"),
    [
        ({"nonce": "another"}, "another question"),
        ({"nonce": None}, "another question"),
        ({"aud": "somebody-else"}, "InvalidAudienceError"),
        ({"aud": [CLIENT, "somebody-else"]}, "another question"),
        ({"azp": "somebody-else"}, "another question"),
        ({"aud": None}, "MissingRequiredClaimError"),
        ({"iss": "https://evil.example"}, "InvalidIssuerError"),
        ({"exp": int(time.time()) - DAY}, "ExpiredSignatureError"),
        ({"exp": None}, "MissingRequiredClaimError"),
        ({"iat": int(time.time()) + DAY}, "ImmatureSignatureError"),
        ({"nbf": int(time.time()) + DAY}, "ImmatureSignatureError"),
        ({"alg": "none"}, "cannot be believed"),
        ({"alg": "HS256"}, "cannot be believed"),
        ({"kid": "unknown"}, "key that it does not publish"),
        ({"by": "another key"}, "InvalidSignatureError"),
        ({"sub": None}, "MissingRequiredClaimError"),
        ({"sub": 7}, "InvalidSubjectError"),
    ],
)
def test_a_token_that_is_not_in_order_opens_nothing(client, provider, lies, words):
    assert words in refusal(come_back(Client(), provider, **lies))
    assert not User.objects.filter(username="agatha").exists()


def test_an_answer_that_was_not_asked_for_opens_nothing(client, provider):
    address = go(client)["Location"]
    back = provider.authorise(address)
    assert "belongs to no log-in" in refusal(Client().get(back))  # somebody else's browser
    assert "belongs to no log-in" in refusal(client.get(back.replace("state=", "state=x")))
    assert "belongs to no log-in" in refusal(client.get(back))  # one state is for one answer
    assert "belongs to no log-in" in refusal(client.get(reverse("admin:single_sign_on_done")))
    assert not is_inside(client)


def test_an_answer_is_taken_once_and_within_ten_minutes(client, provider):
    back = provider.authorise(go(client)["Location"])
    session = client.session
    session["single_sign_on"] = {**session["single_sign_on"], "at": time.time() - 601}
    session.save()
    assert "belongs to no log-in" in refusal(client.get(back))
    back = provider.authorise(go(client)["Location"])
    assert client.get(back).status_code == 302
    assert "belongs to no log-in" in refusal(client.get(back))


@cases(
    ("query", "words"),
    [
        ("error=access_denied", "did not log you in"),
        ("", "did not log you in"),
        ("code=unknown", "HTTP 400"),
        ("code=x&iss=https://evil.example", "Another provider"),
    ],
)
def test_what_goes_wrong_there_is_told(provider, query, words):
    client = Client()
    state = parse_qs(urlsplit(go(client)["Location"]).query)["state"][0]
    assert words in refusal(client.get(f"{reverse('admin:single_sign_on_done')}?{query}&state={state}"))


@cases(
    ("described", "words"),
    [
        ({"issuer": "https://evil.example"}, "another one than DOSSIER_OIDC_ISSUER"),
        ({"token_endpoint": "http://evil.example/token"}, "token_endpoint"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "authorization_endpoint"),
        ({"jwks_uri": None}, "jwks_uri"),
    ],
)
def test_a_provider_that_describes_itself_wrongly_is_not_asked(provider, described, words):
    provider.described = described
    oidc.forget()
    assert words in refusal(go(Client()))


def test_a_provider_that_is_down_is_told(client, provider, settings):
    settings.DOSSIER_OIDC_ISSUER = "http://127.0.0.1:9/realm"
    assert "cannot be reached" in refusal(go(client))


def test_a_provider_that_is_down_is_not_asked_by_every_stranger(provider, settings, monkeypatch):
    settings.DOSSIER_OIDC_ISSUER = "http://127.0.0.1:9/other"
    refusal(go(Client()))
    asked = []
    monkeypatch.setattr(oidc, "exchange", lambda *args, **more: asked.append(args))
    refusal(go(Client()))
    assert asked == []


def test_keys_that_were_changed_are_fetched_anew(provider, monkeypatch):
    assert come_back(Client(), provider).status_code == 302
    changed = {**provider.keys()["keys"][0], "kid": "next"}
    monkeypatch.setattr(provider, "keys", lambda: {"keys": [changed]})
    assert come_back(Client(), provider, kid="next").status_code == 302


def test_next_leads_to_us_alone(provider):
    for evil in ("https://evil.example/", "//evil.example", "/\\evil.example"):
        assert come_back(Client(), provider, evil)["Location"] == reverse("admin:index")


def test_an_unverified_address_takes_no_account_over(client, provider):
    owner = UserFactory(username="owner", email="agatha@example.org")
    come_back(client, provider, email_verified=False)
    assert not Identity.objects.filter(user=owner).exists()
    come_back(Client(), provider, email_verified="true", sub="another")
    assert not Identity.objects.filter(user=owner).exists()


def test_a_verified_address_is_whose_it_is(client, provider, settings):
    settings.DOSSIER_OIDC_CREATE = False
    owner = UserFactory(username="owner", email="Agatha@Example.org")
    assert come_back(client, provider).status_code == 302
    assert Identity.objects.get().user == owner
    assert "nobody here has your account" in refusal(come_back(Client(), provider, sub="another"))
    owner.email = ""
    owner.save()
    assert come_back(Client(), provider).status_code == 302  # known by its name there from now on


def test_an_address_of_two_people_is_nobody_s(provider, settings):
    settings.DOSSIER_OIDC_CREATE = False
    for name in ("one", "two"):
        UserFactory(username=name, email="agatha@example.org")
    assert "nobody here has your account" in refusal(come_back(Client(), provider))


def test_a_name_alone_takes_no_account_over(client, provider):
    owner = UserFactory(username="agatha", is_superuser=True)
    come_back(client, provider)
    assert Identity.objects.get().user.username == "agatha-2"
    assert not Identity.objects.filter(user=owner).exists()


def test_who_has_no_account_is_created_only_where_that_is_allowed(client, provider, settings):
    settings.DOSSIER_OIDC_CREATE = False
    assert "nobody here has your account" in refusal(come_back(client, provider))
    assert not User.objects.filter(username="agatha").exists()


@pytest.mark.parametrize("groups", [[], ["unknown"], None, "house", {"x": 1}, [7]])
def test_who_is_in_no_group_that_is_mapped_does_not_get_in(client, provider, groups):
    assert "none of your groups opens Dossier" in refusal(come_back(client, provider, groups=groups))
    assert not is_inside(client)
    assert not User.objects.filter(username="agatha").exists()


def test_groups_are_what_the_provider_says_at_every_log_in_and_others_stay(provider):
    come_back(Client(), provider)
    person = User.objects.get(username="agatha")
    person.groups.add(Group.objects.get(name="Helpers"))
    come_back(Client(), provider, groups=["house-look"])
    assert {group.name for group in person.groups.all()} == {"Readers", "Helpers"}
    refusal(come_back(Client(), provider, groups=[]))


def test_groups_may_lie_deeper_in_the_token(provider, settings):
    settings.DOSSIER_OIDC_GROUPS_CLAIM = "resource_access.dossier.roles"
    deep = {"dossier": {"roles": ["house-look"]}}
    assert come_back(Client(), provider, resource_access=deep).status_code == 302


def test_an_account_that_is_closed_stays_closed(provider):
    come_back(Client(), provider)
    User.objects.filter(username="agatha").update(is_active=False)
    assert "closed" in refusal(come_back(Client(), provider))


def test_without_groups_that_are_mapped_rights_are_given_here(provider, settings):
    settings.DOSSIER_OIDC_GROUPS = {}
    assert "no rights yet" in refusal(come_back(Client(), provider))
    User.objects.filter(username="agatha").update(is_staff=True)
    assert come_back(Client(), provider).status_code == 302


def test_a_second_factor_is_asked_for_unless_the_provider_s_is_trusted(provider, settings):
    settings.DOSSIER_SECOND_FACTOR = "required"
    come_back(Client(), provider)
    person = User.objects.get(username="agatha")
    add_app(person=person, secret=SECRET, code=code_at(1000), now=1000)
    client = Client()
    assert come_back(client, provider)["Location"] == reverse("admin:confirm")
    assert not is_inside(client)
    assert client.post(reverse("admin:confirm"), {"code": code()})["Location"] == reverse("admin:index")
    settings.DOSSIER_OIDC_SECOND_FACTOR = "provider"
    client = Client()
    assert come_back(client, provider)["Location"] == reverse("admin:index")
    assert is_inside(client)


def test_who_logs_in_otherwise_leaves_no_half_way_of_another_behind(provider, settings):
    settings.DOSSIER_SECOND_FACTOR = "optional"
    petra = UserFactory(username="petra")
    petra.set_password(PASSWORD)
    petra.save()
    add_app(person=petra, secret=SECRET, code=code_at(1000), now=1000)
    client = Client()
    client.post(reverse("admin:login"), {"username": "petra", "password": PASSWORD})
    assert client.session["half_way"]
    come_back(client, provider)
    assert "half_way" not in client.session
    assert client.get(reverse("admin:index")).context["user"].get_username() == "agatha"


def test_a_page_of_the_provider_s_words_stays_text(provider):
    lies = {"preferred_username": "<script>alert(1)</script>", "given_name": "<b>\x00\x1b[2J"}
    come_back(Client(), provider, **lies)
    person = User.objects.get(pk=Identity.objects.get().user_id)
    assert person.username == "scriptalert1script"
    assert person.first_name == "<b>[2J"
