"""How a request says whose it is: ``Authorization: Bearer TOKEN``, as for agents, or ``Token TOKEN``."""

import base64
import math
from typing import Any

from django.utils import timezone
from knox.auth import TokenAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from research.services.lockouts import address_of, knock, sentence, shut_until

WORDS = (b"bearer", b"token")


def refuse_if_shut(request: Request, name: str = "") -> None:
    """Raises Throttled where there were too many failed attempts. A good token is let through all the same."""
    until = shut_until(name=name, address=address_of(request))
    if until:
        raise Throttled(math.ceil((until - timezone.now()).total_seconds()), sentence(until))


def typed_name(request: Request) -> str:
    """The name in a header of HTTP Basic; empty where none can be read."""
    _, _, coded = get_authorization_header(request).partition(b" ")
    try:
        return base64.b64decode(coded).decode().partition(":")[0]
    except ValueError:
        return ""


class ApiToken(TokenAuthentication):  # type: ignore[misc]  # knox is untyped
    """A person's token after either word; another word is somebody else's business."""

    def authenticate(self, request: Request) -> Any:
        word, _, token = get_authorization_header(request).partition(b" ")
        if word.lower() not in WORDS:
            return None
        try:
            return self.authenticate_credentials(token.strip())
        except (AuthenticationFailed, UnicodeDecodeError):
            knock(address=address_of(request))
            refuse_if_shut(request)
            raise AuthenticationFailed("Invalid token.") from None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
