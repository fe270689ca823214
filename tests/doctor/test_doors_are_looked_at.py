"""Whether the second factor and single sign-on are set up rightly; the provider is one on localhost."""

import pytest
from django.contrib.auth.models import Group

from research.doctor import doors
from research.services.factors import add_app
from research.sign_in import oidc
from tests.cases import cases
from tests.factories import UserFactory
from tests.oidc_server import CLIENT, CLIENT_SECRET, Provider
from tests.sign_in.conftest import SECRET, code_at


@pytest.fixture(scope="module")
def running():
    with Provider() as provider:
        yield provider


@pytest.fixture
def provider(running, settings):
    settings.DOSSIER_OIDC_ISSUER = running.url
    settings.DOSSIER_OIDC_CLIENT_ID, settings.DOSSIER_OIDC_CLIENT_SECRET = CLIENT, CLIENT_SECRET
    running.described = {}
    yield running
    oidc.forget()


def test_what_is_off_is_no_fault():
    assert {doors.second_factor().state, doors.single_sign_on().state, doors.groups().state} == {"skipped"}


@pytest.mark.django_db
def test_it_counts_who_has_a_second_factor(settings):
    settings.DOSSIER_SECOND_FACTOR, settings.DOSSIER_URL = "optional", "https://dossier.example.org"
    master = UserFactory(is_superuser=True)
    found = doors.second_factor()
    assert (found.state, found.seen) == (
        "warning",
        "Optional; 0 of 1 account have one. 1 superuser without one.",
    )
    add_app(person=master, secret=SECRET, code=code_at(1000), now=1000)
    assert doors.second_factor().state == "ok"
    settings.DOSSIER_URL = "http://dossier.example.org"
    assert "over https only" in doors.second_factor().seen


def test_a_provider_that_answers_as_it_should_is_in_order(provider):
    found = doors.single_sign_on()
    assert (found.state, found.seen) == ("ok", f"{provider.url} answers as it should, with 1 key.")


@cases(
    ("changed", "described", "state", "words"),
    [
        ({"DOSSIER_OIDC_CLIENT_ID": ""}, {}, "broken", "Only half of it is set"),
        ({"DOSSIER_OIDC_ISSUER": ""}, {}, "broken", "Only half of it is set"),
        ({"DOSSIER_OIDC_CLIENT_SECRET": ""}, {}, "warning", "no client secret"),
        ({"DOSSIER_OIDC_ISSUER": "http://127.0.0.1:9"}, {}, "broken", "cannot be reached"),
        ({"DOSSIER_OIDC_ISSUER": "http://id.example.org"}, {}, "broken", "must begin with https"),
        ({}, {"issuer": "https://other.example"}, "broken", "another one than DOSSIER_OIDC_ISSUER"),
        ({}, {"token_endpoint": None}, "broken", "no good address as token_endpoint"),
        ({}, {"jwks_uri": "http://127.0.0.1:9/keys"}, "broken", "cannot be reached"),
        ({}, {"response_types_supported": ["id_token"]}, "broken", "code flow"),
    ],
)
def test_what_is_wrong_is_named(provider, settings, changed, described, state, words):
    provider.described = described
    for name, value in changed.items():
        setattr(settings, name, value)
    found = doors.single_sign_on()
    assert (found.state, words in found.seen) == (state, True), found


@pytest.mark.django_db
def test_groups_that_are_not_there_are_named(settings, provider):
    settings.DOSSIER_OIDC_GROUPS = {"a": "Reviewers", "b": "Readers"}
    Group.objects.create(name="Readers")
    found = doors.groups()
    assert (found.state, "not there: Reviewers." in found.seen) == ("broken", True)
    Group.objects.create(name="Reviewers")
    assert doors.groups().state == "ok"
