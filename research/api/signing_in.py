"""How a request says whose it is: ``Authorization: Bearer TOKEN``, as for agents, or ``Token TOKEN``."""

import base64
import math
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone
from knox.auth import TokenAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from research.errors import NotPermitted, WrongCode
from research.models import Lockout
from research.services.access import Person
from research.services.factors import has_factor, use_code
from research.services.lockouts import address_of, knock_with, sentence, shut_until, shut_with

WORDS = (b"bearer", b"token")


def refuse_if_shut(until: datetime | None) -> None:
    """Raises Throttled where there were too many failed attempts. A good token is let through all the same."""
    if until:
        raise Throttled(math.ceil((until - timezone.now()).total_seconds()), sentence(until))


def refuse_password_if_shut(request: Request) -> None:
    """The same for the name and the address of a request that carries a password."""
    refuse_if_shut(shut_until(name=typed_name(request), address=address_of(request)))


def typed_name(request: Request) -> str:
    """The name in a header of HTTP Basic; empty where none can be read."""
    _, _, coded = get_authorization_header(request).partition(b" ")
    try:
        return base64.b64decode(coded).decode().partition(":")[0]
    except ValueError:
        return ""


def show_second_factor(person: Person, code: str) -> None:
    """What a log-in asks for, a new token asks for too. Raises WrongCode, LockedOut, NotPermitted."""
    if settings.DOSSIER_SECOND_FACTOR == "off":
        return
    if has_factor(person):
        if not code:
            raise WrongCode("This account has a second factor: send a code of it in the header Dossier-Code.")
        use_code(person=person, code=code[:40])
    elif settings.DOSSIER_SECOND_FACTOR == "required":
        raise NotPermitted(
            "A second factor is required here, and this account has none: log in to set one up."
        )


class ApiToken(TokenAuthentication):  # type: ignore[misc]  # knox is untyped
    """A person's token after either word; another word is somebody else's business."""

    def authenticate(self, request: Request) -> Any:
        word, _, token = get_authorization_header(request).partition(b" ")
        if word.lower() not in WORDS:
            return None
        try:
            return self.authenticate_credentials(token.strip())
        except (AuthenticationFailed, UnicodeDecodeError):
            knock_with(Lockout.Scope.TOKEN, address_of(request))
            refuse_if_shut(shut_with(Lockout.Scope.TOKEN, address_of(request)))
            raise AuthenticationFailed("Invalid token.") from None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
