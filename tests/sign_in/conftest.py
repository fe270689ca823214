"""People with a password and, where a test asks for it, with a second factor."""

import time

import pyotp
import pytest
from django.test import Client
from django.urls import reverse

from research.services.factors import add_app
from tests.factories import UserFactory

PASSWORD = "a right password"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def code_at(moment: float) -> str:
    return pyotp.TOTP(SECRET).at(moment)


def code(steps: int = 0) -> str:
    """The code of now, or of so many steps later."""
    return code_at(time.time() + 30 * steps)


@pytest.fixture
def agatha():
    person = UserFactory(username="Agatha", rights=["view_run"])
    person.set_password(PASSWORD)
    person.save()
    return person


@pytest.fixture
def with_app(agatha, settings):
    """Agatha has an authenticator app, set up long ago."""
    settings.DOSSIER_SECOND_FACTOR = "optional"
    add_app(person=agatha, secret=SECRET, code=code_at(1000), now=1000)
    return agatha


@pytest.fixture
def visit():
    """A browser of its own at the log-in: ``visit(password, next=…)`` gives it and the answer."""

    def visit(password=PASSWORD, client=None, **more):
        client = client or Client()
        form = {"username": "Agatha", "password": password, **more}
        return client, client.post(reverse("admin:login"), form)

    return visit


@pytest.fixture
def logged_in(visit):
    """A browser in which Agatha has taken all steps."""

    def logged_in(typed=None):
        client, answer = visit()
        if answer["Location"] == reverse("admin:confirm"):
            answer = client.post(answer["Location"], {"code": typed or code()})
        assert answer["Location"] == reverse("admin:index")
        return client

    return logged_in
