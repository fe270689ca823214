"""Browsers in which a person has logged in before: strangers who know a name cannot shut these out.

The cookie opens nothing. It says, signed, that somebody has logged in under this name here, and its attempts are then
counted apart from those of everybody else.
"""

import secrets

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from research.services.lockouts import account_key

COOKIE, SALT, YEAR = "dossier_device", "research.sign_in.devices", 365 * 24 * 3600


def device_of(request: HttpRequest | None, name: str) -> str:
    """The number of this browser if the account was entered in it within a year, else an empty text."""
    said = request.get_signed_cookie(COOKIE, "", salt=SALT, max_age=YEAR) if request is not None else ""
    number, _, account = (said or "").partition(" ")
    return number if account and account == account_key(name) else ""


def remember_device(request: HttpRequest, response: HttpResponseBase, person: AbstractBaseUser) -> None:
    """The person has just logged in here. A browser that is known keeps its number."""
    name = person.get_username()
    number = device_of(request, name) or secrets.token_hex(8)
    response.set_signed_cookie(
        COOKIE,
        f"{number} {account_key(name)}",
        salt=SALT,
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
